"""Counting a whole document: "how many Subcategories are there in total" is the number of identifiers of one depth."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.citing import build_count, cite_lines
from pipeline.generation.extractive.reading import Reading
from pipeline.models.answer import Certificate, DetectorCount
from pipeline.question.terms import cue_of
from pipeline.text.anchors import find_anchor
from pipeline.text.identifiers import find_identifiers
from pipeline.text.late import compile_late
from pipeline.text.matching import fold
from pipeline.text.tokens import split_sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.question import Anchor
    from pipeline.models.structure import Target

MIN_MEMBERS = 3
MAX_PLACES, SHOWN_GAPS = 200, 20
SUB = "sub"
"""The prefix that names the next depth: a Subcategory is one level below a Category."""


_CODE = compile_late(r"\s*\(([A-Z][A-Z0-9]*(?:\.[A-Z0-9]+)*)\)")
_NUMBERED = compile_late(r"(.*?)(\d{1,4})")


class Family(NamedTuple):
    """All identifiers of one shape ("A.A-9"), each once, in document order."""

    shape: str
    members: tuple[Target, ...]


def read_family_count(task: ReaderTask) -> Reading | None:
    """Count the identifiers that the asked noun stands for, over every page; None where no family is named so.

    A noun stands for a shape of identifiers where the header of a table column that holds such identifiers says so, or
    where "sub" and the noun of the shape above make it up, or where sentences give such identifiers as examples. What
    the question names by its code, or with its code in parentheses behind it, is counted alone.
    """
    depths = _list_depths(task)
    if not depths:
        return None
    for anchor in task.part.anchors:
        # what is or has a code narrows what is counted and does not name it: "how many GOVERN Subcategories"
        if anchor.source == "compound" or find_code(task, [anchor]):
            continue
        depth = _find_named(task, anchor.text, depths)
        if depth is not None:
            code = find_code(task, [anchor for anchor in task.part.anchors if anchor.source in ("word", "identifier")])
            return _build_reading(task, narrow_family(depth, code))
    return None


def find_family_shape(task: ReaderTask) -> str:
    """The shape of the identifiers that a noun of the question stands for ("A.A-9"); "" where none stands for any."""
    depths = _list_depths(task)
    for anchor in task.part.anchors if depths else ():
        if anchor.source != "compound" and not find_code(task, [anchor]):
            depth = _find_named(task, anchor.text, depths)
            if depth is not None:
                return depth.shape
    return ""


def find_code(task: ReaderTask, anchors: Sequence[Anchor]) -> str:
    """The code of a thing that is named: "GOVERN" where the document says "GOVERN (GV)"; "" where it has none."""
    for anchor in anchors:
        if anchor.source == "identifier":
            return anchor.text
        for page, number in task.view.positions_of(anchor)[:MAX_PLACES]:
            line = task.view.document.line_at(page, number)
            for _, end in find_anchor(anchor, line.text) if line is not None else ():
                found = _CODE.match(line.text, end) if line is not None else None
                if found is not None:
                    return found[1]
    return ""


def find_family(task: ReaderTask, noun: str, *, is_exemplified: bool = True) -> Family | None:
    """The identifiers that a noun stands for, of the whole document; None where it stands for none.

    `is_exemplified` takes a noun also where only sentences give such identifiers as examples of it.
    """
    depths = _list_depths(task)
    if not depths:
        return None
    return _find_named(task, noun, depths) if is_exemplified else _find_headed(task, noun, depths)


def narrow_family(depth: Family, code: str) -> Family:
    """The members under a code; all of them where it is none that has members."""
    kept = tuple(member for member in depth.members if code and re.match(rf"{re.escape(code)}[.-]", member.label))
    return depth._replace(members=kept) if kept else depth


def _list_depths(task: ReaderTask) -> dict[str, Family]:
    shapes: dict[str, dict[str, Target]] = defaultdict(dict)
    for target in task.view.registry.targets:
        if target.kind == "identifier":
            shapes[shape_of(target.label)].setdefault(target.key, target)
    return {
        shape: Family(shape, tuple(members.values()))
        for shape, members in sorted(shapes.items())
        if len(members) >= MIN_MEMBERS
    }


def shape_of(label: str) -> str:
    """Letters and digits as kinds: "GV.OC-01" has the shape "A.A-9"."""
    return re.sub(r"\d+", "9", re.sub(r"[A-Za-z]+", "A", label))


def _find_named(task: ReaderTask, noun: str, depths: dict[str, Family]) -> Family | None:
    return _find_headed(task, noun, depths) or depths.get(_find_said(task, noun, depths))


def _find_headed(task: ReaderTask, noun: str, depths: dict[str, Family]) -> Family | None:
    """The identifiers that stand under a head with the noun, or one level below those of "sub" and the noun."""
    shape = _find_shape(task, noun)
    if shape in depths:
        return depths[shape]
    base = fold(noun).removeprefix(SUB)
    above = _find_shape(task, base) if base != fold(noun) else ""
    below = [depth for shape, depth in depths.items() if above and shape != above and shape.startswith(above)]
    return min(below, key=lambda depth: len(depth.shape), default=None)


def _find_shape(task: ReaderTask, noun: str) -> str:
    """The shape of the identifiers in a table column whose header has the noun; "" where no table says so."""
    anchor = next((a for a in task.part.anchors if fold(a.text) == fold(noun)), None)
    for caption in task.view.captions:
        if caption.kind != "table":
            continue
        for table in task.view.tables_on(caption.extent.page):
            for column, header in enumerate(table.header):
                is_named = find_anchor(anchor, header) if anchor else _stem(noun) in fold(header)
                shapes = {shape_of(i.text) for c in table.cells if c.column == column for i in find_identifiers(c.text)}
                if is_named and len(shapes) == 1:
                    return next(iter(shapes))
    return ""


def _find_said(task: ReaderTask, noun: str, depths: dict[str, Family]) -> str:
    """The shape of the identifiers that sentences give as examples of a noun: "A Control has a number, as HD.TR-01"."""
    anchor = next((a for a in task.part.anchors if fold(a.text) == fold(noun)), None)
    if anchor is None:
        return ""
    said: Counter[str] = Counter()
    for page, number in task.view.positions_of(anchor)[:MAX_PLACES]:
        text = task.view.text_between((page, number), (page, number + 3))
        for start, end in split_sentences(text):
            named = find_anchor(anchor, text[start:end])
            given = [found for found in find_identifiers(text[start:end]) if named and found.start >= named[0][1]]
            shapes = [shape_of(found.text) for found in given]
            said.update([shape for shape in shapes if shape in depths][:1])
    best = max(said, key=lambda shape: (said[shape], shape), default="")
    return best if best and said[best] * 2 > said.total() else ""


def _stem(noun: str) -> str:
    """A plural without its ending: "categories" and "category" share "categor"."""
    return fold(noun).removesuffix("s").removesuffix("ie").removesuffix("y")


def _build_reading(task: ReaderTask, depth: Family) -> Reading | None:
    withdrawn = [member for member in depth.members if _is_withdrawn(task, member)]
    kept = tuple(member for member in depth.members if member not in withdrawn) or depth.members
    first, last = kept[0], kept[-1]
    lines = [line for target in (first, last) if (line := task.view.document.line_at(*target.start)) is not None]
    citations = cite_lines(task.view, lines)
    if not citations:
        return None
    count = len(kept)
    left_out = f"; not counted, as withdrawn: {', '.join(member.label for member in withdrawn)}" if withdrawn else ""
    item = build_count(task, count, f"{first.label} to {last.label}", citations)
    return Reading(
        text=f"{count} (identifiers from {first.label} to {last.label}, counted over all pages{left_out})",
        items=(item,),
        has_typed_fit=True,
        certificate=certify_family(task, depth, count),
    )


def _is_withdrawn(task: ReaderTask, member: Target) -> bool:
    """Whether an identifier only says that nothing stands under it any more: "REQ-07 [Withdrawn]"."""
    title = fold(member.title).lstrip(" [(*")
    return any(title.startswith(word) for word in cue_of(task.view.lexicon.value_cues, "withdrawn"))


def certify_family(task: ReaderTask, depth: Family, count: int) -> Certificate:
    """What was counted; complete where the numbers of every family run on without gaps, or with announced ones."""
    gaps = _find_gaps(depth)
    document = task.view.document
    is_whole = document.profile.ok_page_count == document.profile.page_count
    is_closed = depth.shape.endswith("9") and is_whole and (not gaps or task.view.announces_gaps)
    why = f"{count} identifiers of the form {depth.members[0].label} counted over all pages"
    if gaps:
        why += f"; {len(gaps)} numbers are left out" + (", as the document says" if task.view.announces_gaps else "")
    return Certificate(
        sub_question=task.part.id,
        denominator=count if is_closed else None,
        denominator_source="structural" if is_closed else "none",
        denominator_quote="",
        detectors=(DetectorCount(detector=f"identifiers {depth.shape}", item_count=count),),
        item_count=count,
        is_end_seen=is_whole,
        gaps=gaps[:SHOWN_GAPS],
        verdict="complete" if is_closed else "unverified",
        why=why if is_closed else f"{why}; nothing says how many there are",
    )


def _find_gaps(depth: Family) -> tuple[str, ...]:
    """Numbers that the families leave out between their first and last members."""
    families: dict[str, dict[int, int]] = defaultdict(dict)
    for member in depth.members:
        found = _NUMBERED.fullmatch(member.label)
        if found is not None:
            families[found[1]][int(found[2])] = len(found[2])
    return tuple(
        f"{family}{number:0{max(numbers.values())}d}"
        for family, numbers in families.items()
        for number in range(1, max(numbers))
        if number not in numbers
    )
