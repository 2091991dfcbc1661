"""Families that a noun names, with the text of each member: identifiers of one shape, terms, headings, lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.certificate import certify_uncounted
from pipeline.generation.extractive.citing import merge_extents
from pipeline.generation.extractive.coded import find_named_code
from pipeline.generation.extractive.families import certify_family, find_family, narrow_family
from pipeline.generation.extractive.kin import Kin, Relatives, as_kin, list_named
from pipeline.generation.extractive.topic_lists import read_coded, read_lists
from pipeline.generation.extractive.verdict import is_subject
from pipeline.models.answer import Certificate, DetectorCount
from pipeline.models.lexicon import singular
from pipeline.models.structure import Extent
from pipeline.question.terms import cue_of
from pipeline.text.grammar import KIND_WORDS
from pipeline.text.late import compile_late
from pipeline.text.matching import fold, join_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.families import Family
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.generation.extractive.topics import TopicAsked
    from pipeline.models.base import Position
    from pipeline.models.document import Line
    from pipeline.models.structure import Target

HEADING_KINDS = frozenset({"clause", "article", "section", "chapter", "part", "appendix", "annex", "schedule"})
FLOATS = frozenset({"figure", "table", "equation", "footnote", "note", "identifier", "page", "row", "column"})
"""What stands among the lines of another target without ending it."""
CAPTIONED = frozenset({"figure", "table"})
MIN_MEMBERS, MAX_MEMBER_LINES = 2, 400
SAME_EDGE, MAX_GAP_LINES = 300, 3
"""Hundredths of a point within which lines begin at one edge, and lines of other cells between two of one cell."""
_CODE = compile_late(r"\([A-Z][A-Z0-9]*(?:[.-][A-Z0-9]+)*\)")


def find_relatives(task: ReaderTask, asked: TopicAsked) -> Relatives | None:
    """The family that the noun of a question names; None where it names none with two members or more."""
    printed = (_read_identifiers, _read_terms, _read_captions, _read_headings, read_coded)
    for read in (*printed, _read_exemplified, read_lists):
        found = read(task, asked)
        if found is not None and len(found.members) >= MIN_MEMBERS:
            return found
    return None


def _read_identifiers(task: ReaderTask, asked: TopicAsked) -> Relatives | None:
    """The identifiers under a head with the noun."""
    return _read_family(task, asked, find_family(task, asked.head.text, is_exemplified=False))


def _read_exemplified(task: ReaderTask, asked: TopicAsked) -> Relatives | None:
    """The identifiers that sentences give as examples of the noun; that they are meant is no more than likely."""
    found = _read_family(task, asked, find_family(task, asked.head.text))
    return found._replace(is_whole=False) if found is not None else None


def _read_family(task: ReaderTask, asked: TopicAsked, whole: Family | None) -> Relatives | None:
    if whole is None:
        return None
    family = narrow_family(whole, _find_code(task, asked))
    printed = _list_printed(task, family.members)
    members = tuple(
        printed.get(target.label) or _read_column(task, target) or _read_target(task, target)
        for target in family.members
    )
    kept = tuple(member for member in members if member.extents)
    return Relatives(kept, certify_family(task, family, len(family.members)), is_whole=True)


def _find_code(task: ReaderTask, asked: TopicAsked) -> str:
    """The code of what the noun is narrowed to, before it ("GOVERN Categories") or behind it ("of Fire Safety")."""
    runs = [run for run in (asked.modifiers, asked.tail) if run]
    texts = [task.part.text[run[0].start : run[-1].end] for run in runs]
    return find_named_code(task, [*texts, *(word.text for run in runs for word in run)]) if runs else ""


def _list_printed(task: ReaderTask, targets: Sequence[Target]) -> dict[str, Kin]:
    """The members of lists on the pages of the targets by their marks, each where it says most."""
    labels = {target.label for target in targets}
    found: dict[str, Kin] = {}
    for page in sorted({target.start[0] for target in targets}):
        for own in task.view.enumerations_in((page, 1), (page + 1, 1)):
            for item in own.items if own.kind == "identifier" else ():
                known = found.get(item.marker)
                if item.marker in labels and (known is None or len(known.text) < len(item.text)):
                    found[item.marker] = as_kin(item)
    return found


def _read_column(task: ReaderTask, target: Target) -> Kin | None:
    """What stands at the left edge of a code in parentheses, down to the next code there, past the cells beside it."""
    lines = [line for line in task.view.document.lines_on(target.start[0]) if line.is_evidence and line.text.strip()]
    first = next((line for line in lines if line.position == target.start and f"({target.label})" in line.text), None)
    if first is None:
        return None
    kept = [first]
    for line in lines:
        if line.number <= first.number or abs(line.box[0] - first.box[0]) > SAME_EDGE:
            continue
        height = kept[-1].box[3] - kept[-1].box[1]
        if _has_code(line.text) or line.box[1] - kept[-1].box[3] > MAX_GAP_LINES * height:
            break
        kept.append(line)
    extents = tuple(Extent(page=line.page, line_start=line.number, line_end=line.number) for line in kept)
    return Kin(target.label, "", join_lines([line.text for line in kept]).display.strip(), merge_extents(extents))


def _has_code(text: str) -> bool:
    return _CODE.search(text) is not None


def _read_target(task: ReaderTask, target: Target, end: Position | None = None) -> Kin:
    lines = task.view.lines_in(target.start, min(end or target.end, target.end))[:MAX_MEMBER_LINES]
    return _read_lines(lines, target.label, target.title)


def _read_lines(lines: Sequence[Line], label: str, title: str) -> Kin:
    shown = [line for line in lines if line.is_evidence and line.text.strip()]
    extents = tuple(
        Extent(page=page, line_start=min(numbers), line_end=max(numbers))
        for page in sorted({line.page for line in shown})
        if (numbers := [line.number for line in shown if line.page == page])
    )
    return Kin(label, title, join_lines([line.text for line in shown]).display.strip(), extents)


def _read_terms(task: ReaderTask, asked: TopicAsked) -> Relatives | None:
    if asked.head.folded not in cue_of(task.view.lexicon.value_cues, "definition nouns"):
        return None
    return _read_targets(task, [t for t in task.view.registry.targets if t.kind == "definition"], "definitions")


def _read_headings(task: ReaderTask, asked: TopicAsked) -> Relatives | None:
    kind = singular(asked.head.folded)
    named = list_named(task, (*asked.modifiers, *asked.tail))
    of_document = task.view.lexicon.document_noun_set
    others = [anchor for anchor in named if anchor.forms[0] not in of_document and not is_subject(task, anchor)]
    if kind not in HEADING_KINDS or others:
        return None
    # "Schedule 2" is none of the clauses, however its heading was read
    own = [t for t in task.view.registry.targets if t.kind == kind and _is_of_kind(t, kind)]
    return _read_targets(task, own, kind) if own or kind != "section" else _read_sections(task)


def _read_captions(task: ReaderTask, asked: TopicAsked) -> Relatives | None:
    """The figures or tables of the document by their captions."""
    kind = KIND_WORDS.get(asked.head.folded, "")
    own = [caption for caption in task.view.captions if caption.kind == kind and kind in CAPTIONED]
    if not own:
        return None
    names = [f"{asked.head.text.capitalize()} {caption.label}" for caption in own]
    members = tuple(
        Kin(name, "", f"{name}: {caption.title}", (caption.extent,)) for name, caption in zip(names, own, strict=True)
    )
    why = f"{len(members)} captions were read; pictures may say more"
    certificate = certify_uncounted(task.part.id, "captions", len(members), why)
    return Relatives(members, certificate)


def _read_sections(task: ReaderTask) -> Relatives | None:
    """Sections without numbers, each with what stands under its own heading."""
    sections = task.view.document.sections
    starts = sorted({section.start for section in sections})
    members = []
    for section in sections:
        end = next((start for start in starts if start > section.start), section.end)
        lines = task.view.lines_in(section.start, min(end, section.end))[:MAX_MEMBER_LINES]
        members.append(_read_lines(lines, "", section.title))
    kept = tuple(member for member in members if member.extents)
    return Relatives(kept, _certify_targets(task, "headings", len(kept)), is_whole=True)


def _is_of_kind(target: Target, kind: str) -> bool:
    first = fold(target.label).partition(" ")[0]
    return first not in HEADING_KINDS or first == kind


def _read_targets(task: ReaderTask, targets: Sequence[Target], kind: str) -> Relatives | None:
    """Targets with what stands under each of them before anything else is set apart."""
    if len(targets) < MIN_MEMBERS:
        return None
    starts = sorted({target.start for target in task.view.registry.targets if target.kind not in FLOATS})
    members = []
    for target in targets:
        following = next((start for start in starts if start > target.start), target.end)
        members.append(_read_target(task, target, following))
    kept = tuple(member for member in members if member.extents)
    return Relatives(kept, _certify_targets(task, kind, len(kept)), is_whole=True)


def _certify_targets(task: ReaderTask, kind: str, count: int) -> Certificate:
    """Complete where the numbers of the kind run on without gaps and every page was read."""
    profile = task.view.document.profile
    is_whole = profile.ok_page_count == profile.page_count
    is_closed = is_whole and kind in task.view.registry.closed_kinds
    why = f"{count} found over all pages"
    return Certificate(
        sub_question=task.part.id,
        denominator=count if is_closed else None,
        denominator_source="structural" if is_closed else "none",
        denominator_quote="",
        detectors=(DetectorCount(detector=kind, item_count=count),),
        item_count=count,
        is_end_seen=is_whole,
        gaps=(),
        verdict="complete" if is_closed else "unverified",
        why=why if is_closed else f"{why}; nothing says how many there are",
    )
