"""Who holds an office of some body: "NAME, Title", "Title: NAME" and "NAME" over "Title" of title pages and letters.

Offices that the lexicon does not know as such ("Director of <body>") are read the same way, but only near the body's
name: a title page names the holders of the same office of several bodies, each below its own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.hits import COMMON_SHARE
from pipeline.generation.extractive.signatures import Sighting, is_stacked
from pipeline.question.anchors import make_word_anchor
from pipeline.question.terms import split_words
from pipeline.structure.names import clean_name, is_person
from pipeline.text.anchors import find_anchor
from pipeline.text.late import compile_late

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.document import Line
    from pipeline.models.question import Anchor

MAX_TITLE_CHARACTERS = 110
"""A longer line is a sentence."""
MAX_OFFICE_WORDS, MAX_PLACES, NEAR_LINES = 4, 60, 2
_LEAD = compile_late(r"^[\s\u2013\u2014-]*(?:(?:name|title)\s*:\s*)?", re.IGNORECASE)
_SUFFIX = r"(?:,? (?:Jr|Sr|II|III|IV|M\.?D|Ph\.?D)\b\.?)?"
_BEFORE = compile_late(rf"([^,:;]{{4,50}}?{_SUFFIX})(?:,|\s[\u2013\u2014-])\s+(?:[^:;]{{0,60}}(?:,|and|&)\s*)?$")
_AFTER = compile_late(r"^[^,;:.]{0,60}(?::|\s[\u2013\u2014-]\s)\s*([^,:;()]{4,50}?)\s*(?:[,;(]|$)")
_APART = compile_late(r"^\s*(?:$|[,;(/]|of\b|for\b)")


class Office(NamedTuple):
    """An office as asked: its words in order, what it is an office of, and how the question calls it."""

    words: tuple[str, ...]
    body: tuple[Anchor, ...]
    text: str


def find_titled_office(task: ReaderTask) -> Office | None:
    """The office of "who is the <office> of <body>"; None for other questions."""
    lexicon = task.view.lexicon
    words = split_words(task.part.text, lexicon)
    if len(words) < 3 or words[1].folded not in lexicon.copula_set:
        return None
    rest = list(words[2:])
    while rest and rest[0].folded in lexicon.copula_set:
        rest = rest[1:]
    # "Under Secretary for Technology": a small word opens the body only behind the first
    at = next((place for place, word in enumerate(rest) if place and word.folded in lexicon.stop_word_set), len(rest))
    title = rest[:at]
    if not 0 < len(title) <= MAX_OFFICE_WORDS or title[-1].folded not in lexicon.office_word_set:
        return None
    named = [word for word in rest[at + 1 :] if word.folded not in lexicon.stop_word_set]
    body = tuple(make_word_anchor(word, lexicon) for word in named)
    return Office(tuple(word.folded for word in title), body, " ".join(word.text for word in title))


def list_titled(task: ReaderTask, office: Office) -> list[Sighting]:
    """Holders of an office by layout; those whose body stands beside them, and others only of the document's subject.

    Without a body in the question, all.
    """
    sightings = list(_list_all(task, office))
    near = [found for sighting in sightings if (found := _find_near(task, office, sighting)) is not None]
    if near or not office.body:
        return near or sightings
    # a body that is named all through a document is who speaks in it
    pages = len(task.view.document.pages)
    is_subject = all(task.view.count_pages(anchor) * COMMON_SHARE > pages for anchor in office.body)
    names = {sighting.name for sighting in sightings}
    return sightings if is_subject and pages >= COMMON_SHARE and len(names) == 1 else []


def _list_all(task: ReaderTask, office: Office) -> list[Sighting]:
    head = office.words[-1]
    pattern = re.compile(r"\s+".join(rf"\b{re.escape(word)}\b" for word in office.words), re.IGNORECASE)
    found: list[Sighting] = []
    document = task.view.document
    for index, folded in enumerate(document.folded):
        if head not in folded or len(found) >= MAX_PLACES:
            continue
        line = document.lines[index]
        span = pattern.search(line.text) if line.is_evidence and len(line.text) <= MAX_TITLE_CHARACTERS else None
        sighting = _read_line(task, line, span.start(), span.end()) if span is not None else None
        if sighting is not None:
            found.append(sighting)
    return found


def _read_line(task: ReaderTask, line: Line, start: int, end: int) -> Sighting | None:
    text = line.text
    for match in (_BEFORE.search(text[:start]), _AFTER.match(text[end:])):
        name = _clean(match[1]) if match is not None else ""
        if name and is_person(name, task.view.lexicon):
            return Sighting(name, (line,))
    is_alone = not _LEAD.sub("", text[:start]).strip() and _APART.match(text[end:])
    if not is_alone or text.rstrip().endswith("."):
        return None
    above = _neighbours(task, line, -1)[:1]
    for other in above:
        name = _clean(other.text)
        if is_person(name, task.view.lexicon) and _is_close(other, line):
            return Sighting(name, (other, line))
    return None


def _clean(text: str) -> str:
    return clean_name(_LEAD.sub("", text))


def _is_close(other: Line, line: Line) -> bool:
    return is_stacked(other, line) and abs(other.box[1] - line.box[1]) <= 2 * (line.box[3] - line.box[1])


def _find_near(task: ReaderTask, office: Office, sighting: Sighting) -> Sighting | None:
    """A sighting with the short lines next to it where all words of the body stand in them; None where they do not."""
    if not office.body:
        return None
    above = _neighbours(task, sighting.lines[0], -1)
    below = _neighbours(task, sighting.lines[-1], 1)[:1]
    lines = [*reversed(above), *sighting.lines, *below]
    text = " ".join(line.text for line in lines)
    if not all(find_anchor(anchor, text) or _is_spelled_out(anchor, lines) for anchor in office.body):
        return None
    held = [
        line
        for line in lines
        if line in sighting.lines
        or any(find_anchor(anchor, line.text) or _is_spelled_out(anchor, [line]) for anchor in office.body)
    ]
    return sighting._replace(lines=tuple(held))


def _neighbours(task: ReaderTask, line: Line, step: int) -> list[Line]:
    """The lines before or after one, nearest first, up to the end of a sentence or another "NAME, Title"."""
    document = task.view.document
    index = document.index_of(line.position) + step
    found: list[Line] = []
    while 0 <= index < len(document.lines) and document.lines[index].page == line.page and len(found) < NEAR_LINES:
        other = document.lines[index]
        index += step
        if not other.is_evidence or not other.text.strip():
            continue
        name, comma, _ = other.text.partition(",")
        is_holder = bool(comma) and is_person(_clean(name), task.view.lexicon)
        if other.text.rstrip().endswith(".") or is_holder or len(other.text) > MAX_TITLE_CHARACTERS:
            break
        found.append(other)
    return found


def _is_spelled_out(anchor: Anchor, lines: Sequence[Line]) -> bool:
    """Whether an abbreviation stands written out in one line: NIST in "NATIONAL INSTITUTE OF STANDARDS AND ..."."""
    letters = anchor.text
    if not letters.isupper() or len(letters) < 3:
        return False
    for line in lines:
        words = [word for word in re.findall(r"[^\W\d_]+", line.text) if word[0].isupper()]
        small = ("OF", "AND", "THE", "FOR")
        initials = "".join(word[0] for word in words if word.upper() not in small)
        if letters in (initials, "".join(word[0] for word in words)):
            return True
    return False
