"""Who holds an office, who signed and who audits: read from signature blocks and lists of officers.

Signature pages and lists of officers are no sentences: a name stands beside or above the office, or behind "/s/".
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_lines
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.signatures import Sighting, is_stacked, list_signed, read_auditors
from pipeline.models.answer import Item
from pipeline.question.terms import cue_of, split_words
from pipeline.structure.names import clean_name, has_person, is_person
from pipeline.text.anchors import find_anchor
from pipeline.text.late import compile_late
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.generation.extractive.titled import Office
    from pipeline.models.document import Line
    from pipeline.models.question import Anchor

MAX_OFFICE_CHARACTERS = 110
"""A longer line is a sentence, in which an office names nobody by its place."""
MAX_PLACES = 60
ROW_SHARE = 40
"""Percent of a line's height that lines of one row share."""
STACK_HEIGHTS = 3
"""Lines of a signature block above an office that may hold the name."""
_BEFORE = compile_late(r"([^,:;]{4,50}?)(?:,|\s[\u2013\u2014-])\s+(?:[^:;]{0,60}(?:,|and|&)\s*)?(?:the\s+|our\s+)?$")
_AFTER = compile_late(r"^\s*(?::|\s[\u2013\u2014-]\s)\s*([^,:;()]{4,50}?)\s*(?:[,;(]|$)")
# "Amcor CEO Ron Delia said"
_APPOSED = compile_late(r"^,?\s+((?:[A-Z][\w'\u2019-]*\.?)(?:\s+[A-Z][\w'\u2019-]*\.?){1,3})")
# what may follow an office in its cell: nothing, a further office, or what the law calls it
_NUMBERED = compile_late(r"^\s*(?:\d{1,3}[.)]|[\u2022\u25aa\u25cf\uf0b7*-])\s")
_ENDS = compile_late(r"^\s*(?:$|\(|;|,?\s*(?:and|&)\b|/)")


def read_officers(task: ReaderTask) -> Reading | None:
    """The name that holds the office asked for, who signed, or who audits; None where layout names nobody."""
    if task.part.value_type not in ("person", "organisation", "name"):
        return None
    words = fold(task.part.text)
    cues = task.view.lexicon.value_cues
    if any(contains_folded(cue, words) for cue in cue_of(cues, "audits")):
        return _tell(task, read_auditors(task.view), is_single=True)
    if any(contains_folded(cue, words) for cue in cue_of(cues, "signs")):
        return _tell(task, _keep_asked(task), is_single=False)
    office = _find_office(task)
    if office is None:
        return _read_titled(task)
    return _tell(task, list(_list_sightings(task, office)), is_single=True, office=office)


def _read_titled(task: ReaderTask) -> Reading | None:
    """The holder of an office of some body by a title page or a signature block; others with the office are named."""
    # few questions ask for one, and the reader takes its time to import
    from pipeline.generation.extractive.titled import find_titled_office, list_titled

    titled = find_titled_office(task) if task.part.value_type == "person" else None
    sightings = list_titled(task, titled) if titled is not None else []
    reading = _tell(task, sightings, is_single=True, office=titled)
    names = {_key_name(sighting.name): sighting.name for sighting in sightings}
    if reading is None or len(names) < 2:
        return reading
    told = ", ".join(f"{each.name} (page {each.lines[0].page})" for each in sightings if each.name in names.values())
    return replace(
        reading, has_typed_fit=False, has_second_place=False, caveats=(f"several hold an office of that name: {told}",)
    )


def _keep_asked(task: ReaderTask) -> list[Sighting]:
    """Signatures; only those whose block says what else the question names ("for the Buyer"), where any does."""
    signed = list_signed(task.view)
    cues = cue_of(task.view.lexicon.value_cues, "signs")
    others = [anchor for anchor in task.part.anchors if not any(cue in anchor.forms[0] for cue in cues)]
    kept = [
        sighting
        for sighting in signed
        if any(find_anchor(anchor, line.text) for anchor in others for line in sighting.lines)
    ]
    return kept or signed


def _find_office(task: ReaderTask) -> Anchor | None:
    """The office that a question asks for, and nothing beside it but the document's own subject; else None."""
    known = {concept.name for concept in task.view.lexicon.concepts if concept.domain == "officers"}
    offices = [anchor for anchor in task.part.anchors if anchor.source == "concept" and anchor.key in known]
    if len(offices) != 1:
        return None
    office = offices[0]
    words = split_words(task.part.text, task.view.lexicon)
    is_holder = task.part.value_type == "name" or (len(words) > 1 and words[1].folded in task.view.lexicon.copula_set)
    if not is_holder:
        return None
    rest = [
        anchor
        for anchor in task.part.anchors
        if anchor != office and not anchor.text[:1].isupper() and not any(find_anchor(office, anchor.text))
    ]
    # "who was appointed as CEO" asks for what was done, which sentences tell
    return office if not any(anchor.source == "word" for anchor in rest) else None


def _list_sightings(task: ReaderTask, office: Anchor) -> Iterator[Sighting]:
    view = task.view
    for place in view.positions_of(office)[:MAX_PLACES]:
        line = view.document.line_at(*place)
        if line is None or len(line.text.strip()) > MAX_OFFICE_CHARACTERS:
            continue
        spans = find_anchor(office, line.text)
        if not spans:
            continue
        start, end = spans[0]
        inline = _read_inline(task, line.text, start, end)
        if inline:
            yield Sighting(inline, (line,))
        elif _ENDS.match(line.text[end:]) and not _is_told(line.text) and not _is_headline(task, line.text[:start]):
            found = _read_beside(task, line)
            if found is not None:
                yield found


def _is_told(text: str) -> bool:
    """Whether a line is a sentence or an item of a list of offices, in which no name stands above."""
    return text.rstrip().endswith(".") or _NUMBERED.match(text) is not None


def _is_headline(task: ReaderTask, before: str) -> bool:
    """Whether what stands before an office on its line tells of somebody: "Harbour Names Ada Moss as Chair"."""
    return has_person(before, task.view.lexicon) or any(
        word.isalpha()
        and word.islower()
        and word not in task.view.lexicon.stop_word_set
        and word not in task.view.lexicon.office_word_set
        for word in before.split()
    )


def _read_inline(task: ReaderTask, text: str, start: int, end: int) -> str:
    """The name beside an office at [start, end) of a text: "T. Merrow, Chief Operating Officer"; "" for none."""
    tries = (_BEFORE.search(text[:start]), _AFTER.match(text[end:]), _APPOSED.match(text[end:]))
    for found in tries:
        name = clean_name(found[1]) if found is not None else ""
        if name and is_person(name, task.view.lexicon):
            return name
    return ""


def _read_beside(task: ReaderTask, line: Line) -> Sighting | None:
    """A name in the row of an office, or above it in its column; below it only where none is above."""
    lines = [other for other in task.view.document.lines_on(line.page) if other.is_evidence and other.text.strip()]
    own = [other for other in lines if other.column == line.column and _is_row_of(line, other)]
    row = [other for other in own if other.position != line.position]
    left = sorted((other for other in row if other.box[2] <= line.box[0] + 200), key=lambda other: -other.box[2])
    right = sorted((other for other in row if other.box[0] >= line.box[2] - 200), key=lambda other: other.box[0])
    for other in (*left, *right):
        name = clean_name(other.text)
        if is_person(name, task.view.lexicon):
            return Sighting(name, _in_order(other, line))
    return _read_stack(task, lines, line)


def _read_stack(task: ReaderTask, lines: Sequence[Line], line: Line) -> Sighting | None:
    height = line.box[3] - line.box[1]
    # a heading over a list of offices is no name
    titles = {fold(section.title) for section in task.view.document.sections}
    stack = [other for other in lines if other.position != line.position and is_stacked(other, line)]
    above = sorted((other for other in stack if other.box[1] < line.box[1]), key=lambda other: -other.box[1])
    below = sorted((other for other in stack if other.box[1] > line.box[1]), key=lambda other: other.box[1])
    for other in (*above[:STACK_HEIGHTS], *below[:1]):
        if abs(other.box[1] - line.box[1]) > (STACK_HEIGHTS + 1) * height:
            continue
        name = clean_name(other.text)
        if is_person(name, task.view.lexicon) and fold(other.text) not in titles:
            return Sighting(name, _in_order(other, line))
    return None


def _is_row_of(line: Line, other: Line) -> bool:
    shared = min(line.box[3], other.box[3]) - max(line.box[1], other.box[1])
    return shared * 100 >= ROW_SHARE * min(line.box[3] - line.box[1], other.box[3] - other.box[1])


def _in_order(*lines: Line) -> tuple[Line, ...]:
    return tuple(sorted(lines, key=lambda line: line.position))


def _tell(
    task: ReaderTask, sightings: Sequence[Sighting], *, is_single: bool, office: Anchor | Office | None = None
) -> Reading | None:
    """The names as an answer; of several holders of one office the one that most places name."""
    groups: dict[str, list[Sighting]] = {}
    for sighting in sightings:
        groups.setdefault(_key_name(sighting.name), []).append(sighting)
    ordered = list(groups.values())
    if is_single:
        ordered = sorted(ordered, key=lambda group: -len(group))[:1]
    items = []
    for group in ordered:
        # "SATYA NADELLA" signs what "Satya Nadella" is printed below
        name = next((sighting.name for sighting in group if not sighting.name.isupper()), group[0].name)
        citations = tuple(
            dict.fromkeys(citation for sighting in group[:2] for citation in cite_lines(task.view, sighting.lines))
        )
        if citations:
            text = f"{name} ({office.text})" if office is not None else name
            items.append(
                Item(sub_question=task.part.id, text=text, value=name, citations=citations, extraction="verbatim")
            )
    if not items:
        return None
    return Reading(
        text="; ".join(item.text for item in items),
        items=tuple(items),
        has_typed_fit=True,
        has_second_place=len(ordered[0]) > 1,
    )


def _key_name(name: str) -> str:
    """First letter and last name, by which the spellings of one person agree."""
    words = [word.strip(".,") for word in fold(name).split()]
    words = [word for word in words if word not in ("jr", "sr", "ii", "iii", "iv")]
    return f"{words[0][:1]} {words[-1]}" if words else ""
