"""What is to be marked in a document: an answer in words, and the quotes that it rests on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pipeline.parsing.rereading import decode_reading
from pipeline.text.surrogates import escape_surrogates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pipeline.models.answer import Citation
    from pipeline.models.base import Box
    from pipeline.models.batch import ResultRow
    from pipeline.models.run import RunRecord

    FindRecord = Callable[[], RunRecord | None]

_MAX_NOTE_CHARACTERS = 4000
_CUT = "\n[cut: the results have the whole]"
_REFERENCE = re.compile(r"([0-9a-f]{12}):p([0-9]+):l[0-9]+(?:-[0-9]+)?@([a-z]+)\.[0-9]+")
_OCR = "ocr"
_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(9), *range(11, 32), 127)}


class Quote(NamedTuple):
    """A citation as it is looked for: its parts, the boxes that they should be in, or why it must not be marked.

    `is_recognised` says that the words are in no text of the file: OCR read them there, and the record holds that.
    """

    page: int
    line_start: int
    line_end: int
    parts: tuple[str, ...]
    boxes: tuple[Box, ...]
    is_recognised: bool = False
    fault: str = ""


class Note(NamedTuple):
    """One answer: its id among the questions, its run, all that the note says, and its quotes."""

    id: str
    question: str
    run_id: str
    text: str
    quotes: tuple[Quote, ...]


def build_note(row: ResultRow, find_record: FindRecord) -> Note:
    """The note of an answered row; its record is only asked for where OCR read the words."""
    conflict = row.conflict.citations if row.conflict else ()
    citations = dict.fromkeys((*(citation for item in row.items for citation in item.citations), *conflict))
    quotes = tuple(_describe_citation(citation, row, find_record) for citation in citations)
    return Note(row.id, row.question, row.run_id, _write_text(row), quotes)


def _write_text(row: ResultRow) -> str:
    facts = [
        f"{row.id}: {row.question}",
        "",
        f"Answer: {row.answer}",
        f"Status: {row.status.replace('_', ' ')}, {'complete' if row.complete else 'incomplete'}",
        f"Confidence: {row.confidence} of 1000",
    ]
    if row.conflict:
        facts.append(f"Conflict: {' and '.join(row.conflict.values)} for {row.conflict.concept}")
    facts += [f"Caveat: {caveat}" for caveat in row.caveats]
    facts.append(f"Evidence: {_list_places(citation for item in row.items for citation in item.citations)}")
    # the run stands last and is never cut off
    run = f"\nRun: {row.run_id}"
    text = "\n".join(facts)
    if len(text) > _MAX_NOTE_CHARACTERS:
        text = text[:_MAX_NOTE_CHARACTERS] + _CUT
    return clean_text(text + run)


def _list_places(citations: Iterable[Citation]) -> str:
    return "; ".join(dict.fromkeys(name_place(each.page, each.line_start, each.line_end) for each in citations))


def name_place(page: int, line_start: int, line_end: int) -> str:
    """A place in words."""
    lines = f"line {line_start}" if line_start == line_end else f"lines {line_start}-{line_end}"
    return f"page {page}, {lines}"


def clean_text(text: str) -> str:
    """A text that any file can hold: line ends as LF, other control characters and lone surrogates as escapes."""
    text = escape_surrogates(text.replace("\r\n", "\n").replace("\r", "\n"))
    return text.translate(_CONTROLS)


def _describe_citation(citation: Citation, row: ResultRow, find_record: FindRecord) -> Quote:
    parts = tuple(citation.quote.split("\n"))
    quote = Quote(citation.page, citation.line_start, citation.line_end, parts, citation.boxes)
    named = _REFERENCE.match(citation.ref)
    if named is None or not row.document_sha256.startswith(named[1]) or int(named[2]) != citation.page:
        return quote._replace(fault="its reference names another place")
    if citation.is_ambiguous:
        return quote._replace(fault="the run calls the place ambiguous")
    if named[3] != _OCR:
        return quote
    record = find_record()
    if record is None:
        return quote._replace(fault="it was read by OCR, and the record that holds the reading is missing")
    if len(parts) != len(citation.boxes) or not _is_recorded(quote, record):
        return quote._replace(fault="it was read by OCR, and the record holds no such line")
    return quote._replace(is_recognised=True)


def _is_recorded(quote: Quote, record: RunRecord) -> bool:
    """Whether OCR read every part of a quote just where its box is."""
    prefix = f"{record.body.document_sha256[:12]}:p{quote.page}:"
    lines: list[tuple[Box, str]] = []
    for effect in record.body.effects:
        if effect.kind == _OCR and effect.key.startswith(prefix):
            lines += [(line.box, line.text) for line in decode_reading(effect.outcome).lines]
    return all(_is_read(lines, part, box) for part, box in zip(quote.parts, quote.boxes, strict=True))


def _is_read(lines: Sequence[tuple[Box, str]], part: str, box: Box) -> bool:
    # a line of OCR is marked whole, so it must be one line that has the box
    return bool(part.strip()) and any(part in text for place, text in lines if place == box)
