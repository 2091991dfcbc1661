"""Rosters: the persons of a role ("executive officers", "directors") that a section lists, each with office and age.

Filings print them as tables without rulings, as paragraphs with run-in heads or as headings. What they share is that
each person's name begins a line at one margin, with the office or the age beside it.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.certificate import certify_uncounted
from pipeline.generation.extractive.citing import build_count, cite_lines
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.verdict import is_subject
from pipeline.models.answer import Item
from pipeline.question.terms import cue_of, split_words
from pipeline.structure.names import MAX_WORDS, MIN_WORDS, is_person
from pipeline.text.late import compile_late
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.document import Line, Section

MIN_PERSONS, MAX_PAGES, MARGIN, ROW_SHARE, MAX_OFFICE = 2, 5, 400, 35, 110
MOSTLY = 8
"""Tenths of the persons that show how all of them are printed."""
LISTED_SHAPES = frozenset({"list", "count", "text"})
_AGE = compile_late(r"^[\s.,(\u2013\u2014-]*(?:[Aa]ge[d:]?\s*)?(\d{2})(?!\d|,\d|\.\d|%)")
_LATER_AGE = compile_late(r"(?:\b[Aa]ge[d:]?\s+|\b(?:Mr|Ms|Mrs|Dr)\.\s+\S+,\s+)(\d{2})(?!\d)")
_NEXT = compile_late(r"\s*(?:$|[,(\u2013\u2014-]|\d{2}\b)")
_SUFFIX = compile_late(r"(?:Jr|Sr|II|III|IV|M\.?D|Ph\.?D)\.?,?")
_OFFICE_END = compile_late(r"\.\s|\s(?:since|effective|from)\s|\s?[\u2014\u2013]\s|\s{2,}")


class _Person(NamedTuple):
    """A person of a roster: the name, office and age as printed ("" for none) and the lines that say them."""

    name: str
    office: str
    age: str
    lines: tuple[Line, ...]


def read_roster(task: ReaderTask) -> Reading | None:
    """The persons of the role that is asked for, or their number; None where the question asks for nothing so plain."""
    role = _find_role(task)
    if not role:
        return None
    rosters = [list(_list_persons(task, section)) for section in _list_sections(task, role)]
    persons = max(rosters, key=len, default=[])
    if len(persons) < MIN_PERSONS:
        return None
    items = tuple(_build_item(task, person) for person in persons)
    certificate = certify_uncounted(task.part.id, "persons", len(items), "nothing says how many persons there are")
    if task.part.shape == "count":
        citations = tuple(citation for item in items for citation in item.citations)
        told = f"{len(items)} (counted: {'; '.join(person.name for person in persons)})"
        counted = build_count(task, len(items), role, citations)
        return Reading(text=told, items=(counted,), has_typed_fit=True, certificate=certificate)
    text = "\n".join(f"- {item.text}" for item in items)
    return Reading(text=text, items=items, has_typed_fit=True, certificate=certificate)


def _find_role(task: ReaderTask) -> str:
    """The role whose holders are asked for, with nothing else that would narrow it; "" otherwise."""
    if task.part.shape not in LISTED_SHAPES and task.part.value_type != "person":
        return ""
    lexicon = task.view.lexicon
    folded = fold(task.part.text)
    role = next((cue for cue in cue_of(lexicon.value_cues, "rosters") if contains_folded(cue, folded)), "")
    if not role or not folded.startswith(cue_of(lexicon.value_cues, "roster openers")):
        return ""
    plain = (*lexicon.stop_word_set, *lexicon.question_words, *cue_of(lexicon.value_cues, "roster words"))
    known = {*plain, *role.split()}
    for anchor in task.part.anchors:
        words = [word.folded for word in split_words(anchor.text, lexicon)]
        is_period = anchor.source in ("period", "number", "date") or any(map(str.isdigit, anchor.text))
        is_plain = all(word in known for word in words)
        if not (is_plain or is_period or is_subject(task, anchor) or anchor.text[:1].isupper()):
            return ""
    # a holder of one office is asked for in the singular
    is_plural = any(word.endswith("s") for word in role.split()) or task.part.shape == "count"
    return role if is_plural else ""


def _list_sections(task: ReaderTask, role: str) -> Iterator[Section]:
    for section in task.view.document.sections:
        if contains_folded(role, fold(section.title)):
            yield section


def _list_persons(task: ReaderTask, section: Section) -> Iterator[_Person]:
    """The persons of a section, each once, whose names stand at the margin where most of them do."""
    page = section.start[0]
    end = min(section.end, (page + MAX_PAGES, 1))
    lines = [line for line in task.view.lines_in(section.start, end) if line.is_evidence and line.text.strip()]
    found = [person for line in lines[1:] if (person := _read_person(task, line, lines)) is not None]
    margins = Counter(_margin(person) for person in found)
    if not margins:
        return
    best = max(margins, key=lambda margin: (margins[margin], -margin))
    kept = [person for person in found if abs(_margin(person) - best) <= 1]
    # where all others have an age, a line without one is no person; nor is "IT Leader" among names in small letters
    is_aged = sum(bool(person.age) for person in kept) * 10 >= len(kept) * MOSTLY
    is_small = sum(not _has_capitals(person) for person in kept) * 10 >= len(kept) * MOSTLY
    seen: set[str] = set()
    for person in kept:
        if (is_aged and not person.age) or (is_small and _has_capitals(person)):
            continue
        if fold(person.name) not in seen:
            seen.add(fold(person.name))
            yield person


def _margin(person: _Person) -> int:
    """Where a name begins; columns of other pages begin a little further left or right."""
    return (person.lines[0].box[0] + MARGIN // 2) // MARGIN


def _has_capitals(person: _Person) -> bool:
    first = person.name.split()[0].strip(".,")
    return len(first) > 1 and first.isupper()


def _read_person(task: ReaderTask, line: Line, lines: Sequence[Line]) -> _Person | None:
    """The person whose name begins a line, with an office or an age behind it or beside it; None for other lines."""
    name, rest = _split_name(task, line.text.strip())
    if not name:
        return None
    row = sorted((other for other in lines if _is_beside(line, other)), key=lambda other: other.box[0])
    texts = [text for text in (rest, *(other.text.strip() for other in row)) if text]
    ages = [found[1] for text in texts if (found := _AGE.match(text)) is not None]
    offices = [_AGE.sub("", text).strip(" ,()\u2013\u2014-") for text in texts]
    office = next((text for text in offices if _says_office(task, text)), "")
    if not office and not ages:
        return None
    later = _LATER_AGE.search(" ".join(texts))
    age = ages[0] if ages else later[1] if later is not None else ""
    end = _OFFICE_END.search(office)
    office = office[: end.start()] if end is not None else office
    return _Person(name.replace(" .", ".").strip(" ,"), office[:MAX_OFFICE].strip(" ,;."), age, (line, *row))


def _split_name(task: ReaderTask, text: str) -> tuple[str, str]:
    """A name that begins a text, with its suffix, and what follows it; ("", "") where none does."""
    words = text.replace("\u00a0", " ").split()
    for size in range(min(MAX_WORDS, len(words)), MIN_WORDS - 1, -1):
        name = " ".join(words[:size]).rstrip(",")
        rest = " ".join(words[size:])
        if _SUFFIX.fullmatch(words[size - 1]) and size - 1 < MIN_WORDS:
            continue
        core = " ".join(words[: size - 1]).rstrip(",") if _SUFFIX.fullmatch(words[size - 1]) else name
        is_ended = _NEXT.match(rest) or words[size - 1].endswith(",") or _opens_office(task, rest)
        if is_ended and "," not in core and is_person(core, task.view.lexicon):
            return name, rest
    return "", ""


def _opens_office(task: ReaderTask, text: str) -> bool:
    first = text.split(maxsplit=1)[:1]
    return bool(first) and first[0].casefold().strip(".,") in task.view.lexicon.office_word_set


def _says_office(task: ReaderTask, text: str) -> bool:
    words = [word.casefold().strip(".,;()") for word in text.split()[:6]]
    return any(word in task.view.lexicon.office_word_set for word in words)


def _is_beside(line: Line, other: Line) -> bool:
    if other.page != line.page or other.box[0] < line.box[2] - 200 or other.position == line.position:
        return False
    shared = min(line.box[3], other.box[3]) - max(line.box[1], other.box[1])
    return shared * 100 >= ROW_SHARE * min(line.box[3] - line.box[1], other.box[3] - other.box[1])


def _build_item(task: ReaderTask, person: _Person) -> Item:
    told = ", ".join(filter(None, (person.name, person.office)))
    return Item(
        sub_question=task.part.id,
        text=f"{told} (age {person.age})" if person.age else told,
        label=person.name,
        citations=cite_lines(task.view, sorted(person.lines, key=lambda line: line.position)),
        extraction="verbatim",
    )
