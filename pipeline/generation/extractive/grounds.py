"""What counts as a defined term: the series in the sentence that defines it, and a list's term by its own row.

"Good Reason" shall mean (A) ..., (B) ... or (C) ..." lists the grounds, wherever the term is used besides. The series
may run on over a page, so that it is read from the lines behind the term and not from the evidence.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.citing import cite_extents
from pipeline.generation.extractive.enumerated import read_enumeration
from pipeline.generation.extractive.termrows import read_term_row
from pipeline.models.question import Anchor
from pipeline.models.structure import Enumeration, EnumerationItem
from pipeline.question.terms import cue_of
from pipeline.question.weights import CONCEPT_WEIGHT
from pipeline.structure.defined_terms import find_line_start
from pipeline.structure.paragraphs import Joined
from pipeline.text.late import compile_late
from pipeline.text.matching import contains_folded, fold
from pipeline.text.tokens import split_sentences, stem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.generation.extractive.reading import ReaderTask, Reading

LINES_BEFORE, LINES_BEHIND, MAX_GAP, MAX_LEAD_WORDS, MAX_PLACES = 4, 70, 130, 3, 400
SEVERAL_CEILING = 600
"""Thousandths of confidence where a term is defined by several series."""
_FIRST = compile_late(r"\((A|a|i|I|1)\)\s")
_CAPITALS = compile_late(r"[A-Z][\w-]+(?:\s+(?:(?:of|in)\s+)?[A-Z][\w-]+)+")
_JOINT = compile_late(r"[;,:.\u2014\u2013]\s*(?:and/or|and|or|e|ou)?\s*,?\s*$")
_NAMED = compile_late(r"[(\uff08][^()]{0,40}$")
_QUOTED_ENDS = ('"', "\u201d")
_ROMANS = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv", "xvi")


class _Series(NamedTuple):
    """A marked series behind a term: the lines as one text, and marker, start and end of each member."""

    joined: Joined
    lead: tuple[int, int]
    members: tuple[tuple[str, int, int], ...]


def read_grounds(task: ReaderTask) -> Reading | None:
    """The members of the series that defines the term of a question; None where no sentence defines it by one."""
    folded = fold(task.part.text)
    if not any(contains_folded(noun, folded) for noun in cue_of(task.view.lexicon.value_cues, "ground nouns")):
        return None
    for term in list_defined(task):
        found = {_tell(series): series for series in _find_series(task, term)}
        if not found:
            continue
        reading = _read(task, next(iter(found.values())))
        if reading is None or len(found) == 1:
            return reading
        return reading.doubt(f'"{term.text}" is defined {len(found)} times, in several ways', SEVERAL_CEILING)
    return None


def _read(task: ReaderTask, series: _Series) -> Reading | None:
    """The members with their certificate; the first cites the words that make them the meaning of the term."""
    own = _build(series)
    reading = read_enumeration(task, own)
    if reading is None:
        return None
    first = reading.items[0]
    members = [citation for citation in first.citations if (citation.page, citation.line_start) >= own.start]
    lead = cite_extents(task.view, own.lead_extents)
    cited = first.model_copy(update={"citations": (*lead, *(members or first.citations))})
    return replace(reading, items=(cited, *reading.items[1:]))


def read_named_term(task: ReaderTask) -> Reading | None:
    """The row of a list of terms for the term that a question calls so ("does the term "X" include")."""
    nouns = cue_of(task.view.lexicon.value_cues, "term nouns")
    quoted = tuple(
        anchor
        for anchor in task.part.anchors
        if anchor.source == "quoted" and any(f'{noun} "{fold(anchor.text)}"' in fold(task.part.text) for noun in nouns)
    )
    return read_term_row(task, quoted) if quoted else None


def list_defined(task: ReaderTask) -> tuple[Anchor, ...]:
    """Anchors that may be defined terms: those in quotation marks, else those in capitals."""
    quoted = tuple(anchor for anchor in task.part.anchors if anchor.source == "quoted")
    if quoted:
        return quoted
    phrases = dict.fromkeys(match.group() for match in _CAPITALS.finditer(task.part.text, 1))
    return tuple(
        Anchor(
            text=phrase,
            key=" ".join(stem(word, task.view.lexicon.language) for word in fold(phrase).split()),
            source="compound",
            forms=(fold(phrase),),
            weight=CONCEPT_WEIGHT,
        )
        for phrase in phrases
    )


def _find_series(task: ReaderTask, term: Anchor) -> Iterator[_Series]:
    document = task.view.document
    pattern = re.compile(rf"(?P<open>[\u201c\"]?)\b{re.escape(term.text)}\b[,.]?(?P<close>[\u201d\"]?)")
    for position in task.view.positions_of(term)[:MAX_PLACES]:
        index = document.index_of(position)
        # most places only use the term; a series begins right behind it
        if not any("(" in text for text in document.folded[index : index + 4]):
            continue
        around = document.lines[max(0, index - LINES_BEFORE) : index + LINES_BEHIND]
        lines = [line for line in around if line.is_evidence and line.text.strip() and line.page <= position[0] + 2]
        place = next((at for at, line in enumerate(lines) if line.position == position), None)
        if place is None:
            continue
        joined = Joined(lines)
        low = find_line_start(lines, place)
        for match in pattern.finditer(joined.text, low):
            if joined.locate(match.start())[0] > place:
                break
            series = _read_series(task, joined, match)
            if series is not None:
                yield series


def _read_series(task: ReaderTask, joined: Joined, match: re.Match[str]) -> _Series | None:
    """The series behind a term, where the sentence defines the term by it."""
    text = joined.text
    start, end = next((s for s in split_sentences(text) if s[0] <= match.start() < s[1]), (0, len(text)))
    first = _FIRST.search(text, match.end(), end)
    if first is None or first.start() - match.end() > MAX_GAP:
        return None
    # a title set over a sentence is no part of it
    start = max(start, _find_block_start(joined, match.start()))
    before, gap = text[start : match.start()], text[match.end() : first.start()]
    if _NAMED.search(before) or not _defines(task, before, gap, is_quoted=match["close"] in _QUOTED_ENDS):
        return None
    marks = [(first.start(), first.end(), first.group(1))]
    while (following := _find_next(text, marks, end)) is not None:
        marks.append(following)
    if len(marks) < 2:
        return None
    stops = [mark[0] for mark in marks[1:]]
    semicolon = text.find(";", marks[-1][1], end)
    stops.append(semicolon if semicolon > 0 else end)
    members = tuple((f"({label})", *_trim(text, low, stop)) for (_, low, label), stop in zip(marks, stops, strict=True))
    return _Series(joined, (start, first.start()), members)


def _find_block_start(joined: Joined, offset: int) -> int:
    """Where the line of an offset begins if it is the first of its block; else the beginning of the text."""
    place, _ = joined.locate(offset)
    lines = joined.lines
    is_first = place > 0 and lines[place].page == lines[place - 1].page and lines[place].block != lines[place - 1].block
    return find_line_start(lines, place) if is_first and lines[place].text[:1].isupper() else 0


def _defines(task: ReaderTask, before: str, gap: str, *, is_quoted: bool) -> bool:
    """Whether a sentence defines a term by what follows: by its verb, or by its opening where the term is quoted."""
    cues = task.view.lexicon.value_cues
    rest = fold(gap).lstrip(" ,")
    if rest.startswith(cue_of(cues, "defines elsewhere")):
        return False
    if rest.startswith(cue_of(cues, "defines firmly")):
        return is_quoted or len(before.split()) <= MAX_LEAD_WORDS
    return is_quoted and any(contains_folded(cue, fold(before)) for cue in cue_of(cues, "defining openers"))


def _find_next(text: str, marks: Sequence[tuple[int, int, str]], end: int) -> tuple[int, int, str] | None:
    """The next mark of a series; "in (B) below" is none, since no mark of a series stands behind a bare word."""
    label = _label_at(marks[0][2], len(marks))
    if label is None:
        return None
    for match in re.finditer(rf"\({re.escape(label)}\)\s", text[marks[-1][1] : end]):
        low = marks[-1][1] + match.start()
        if _JOINT.search(text[max(0, low - 12) : low]):
            return low, marks[-1][1] + match.end(), label
    return None


def _label_at(first: str, place: int) -> str | None:
    """The label of a place in a series by its first one."""
    if first in ("i", "I"):
        roman = _ROMANS[place] if place < len(_ROMANS) else None
        return roman.upper() if roman is not None and first == "I" else roman
    if first == "1":
        return str(place + 1)
    return chr(ord(first) + place) if place < 26 else None


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """A member without the white space, marks and joiners around it."""
    while start < end and text[start].isspace():
        start += 1
    piece = re.sub(r"[;,]?\s*(?:\b(?:and/or|and|or|e|ou)\b)?\s*,?\s*$", "", text[start:end])
    return start, start + len(piece.rstrip(" .;,"))


def _tell(series: _Series) -> str:
    return " ".join(fold(series.joined.text[low:high]) for _, low, high in series.members)


def _build(series: _Series) -> Enumeration:
    joined = series.joined
    items = tuple(
        EnumerationItem(
            marker=marker,
            head="",
            text=joined.read_display(low, high),
            level=0,
            extents=joined.make_extents(low, high),
        )
        for marker, low, high in series.members
    )
    first, _ = joined.locate(series.members[0][1])
    last, _ = joined.locate(series.members[-1][2] - 1)
    return Enumeration(
        kind="lettered",
        items=items,
        start=joined.lines[first].position,
        end=(joined.lines[last].page, joined.lines[last].number + 1),
        lead=joined.read_display(*series.lead),
        lead_extents=joined.make_extents(*series.lead),
    )
