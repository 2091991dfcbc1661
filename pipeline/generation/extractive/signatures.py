"""Signatures: names behind "/s/", "By:" or "Signed for", with their blocks, and the firm that signed an audit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pipeline.structure.names import clean_name, find_firm, is_person
from pipeline.text.late import compile_late

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.models.document import Line
    from pipeline.structure.view import DocumentView

MAX_SIGNATURES = 24
BLOCK_LINES = 4
AUDIT_PAGES = 1
"""A report of auditors is signed on its page or the one after."""
_SIGNED = compile_late(r"/\s*s\s*/|^\s*(?:by|signed(?:\s+(?:by|for)\b[^:]{0,40})?)\s*:", re.IGNORECASE)
_HEADING = compile_late(r"signatures?|execution", re.IGNORECASE)
_AUDITED_BY = compile_late(
    r"(?:audited by|auditors?\s*(?:is|are|:|,)|independent registered public accounting firm,)\s*", re.IGNORECASE
)
_AUDIT_WORDS = ("auditor", "independent registered", "accounting firm", "opinion")


class Sighting(NamedTuple):
    """A name that layout gives, with the lines to quote."""

    name: str
    lines: tuple[Line, ...]


def is_stacked(other: Line, line: Line) -> bool:
    """Whether two lines begin at the same place, or are centred on the same axis, as those of a block are."""
    is_left = abs(other.box[0] - line.box[0]) <= 400
    return is_left or abs((other.box[0] + other.box[2]) - (line.box[0] + line.box[2])) <= 800


def list_signed(view: DocumentView) -> list[Sighting]:
    """Who signed: the persons of the first signature page, in its order; of any page where none is headed so."""
    found: dict[int, list[Sighting]] = {}
    for line in _find_marks(view):
        sighting = _read_block(view, line)
        if sighting is not None:
            found.setdefault(line.page, []).append(sighting)
    headed = [page for page in found if _is_headed(view, page)]
    page = (headed or list(found) or [0])[0]
    return found.get(page, [])[:MAX_SIGNATURES]


def read_auditors(view: DocumentView) -> list[Sighting]:
    """The firms that signed a report of auditors, or that the text says audited."""
    found: list[Sighting] = []
    for line in _find_marks(view):
        firm = find_firm(clean_name(line.text)) or find_firm(_read_row(view, line))
        around = [folded for page in range(line.page - AUDIT_PAGES, line.page + 1) for folded in _fold_page(view, page)]
        if firm and any(word in text for word in _AUDIT_WORDS for text in around):
            found.append(Sighting(firm, (line,)))
    for index, folded in enumerate(view.document.folded):
        # plain test first: most lines say nothing of an audit
        if "audit" in folded or "accounting firm" in folded:
            line = view.document.lines[index]
            match = _AUDITED_BY.search(line.text) if line.is_evidence else None
            firm = find_firm(line.text[match.end() :]) if match is not None else ""
            if match is not None and firm and line.text[match.end() :].lstrip().startswith(firm[:4]):
                found.append(Sighting(firm, (line,)))
    return found


def _find_marks(view: DocumentView) -> Iterator[Line]:
    for index, folded in enumerate(view.document.folded):
        if ("s" in folded and "/" in folded) or folded.lstrip().startswith(("by:", "by :", "signed")):
            line = view.document.lines[index]
            if line.is_evidence and _SIGNED.search(line.text):
                yield line


def _read_block(view: DocumentView, line: Line) -> Sighting | None:
    """The name behind a signature mark: on its line, in its row, or printed just below; with the office under it."""
    inline = re.split(r",\s", clean_name(_cut_lead(line.text)), maxsplit=1)[0]
    lines = [other for other in view.document.lines_on(line.page) if other.is_evidence and other.text.strip()]
    at = lines.index(line)
    below = [other for other in lines[at + 1 : at + 1 + 2 * BLOCK_LINES] if 0 <= other.box[1] - line.box[1] < 4500]
    names = [(inline, line)]
    names += [(clean_name(other.text), other) for other in below]
    shown = [(name, other) for name, other in names if is_person(name, view.lexicon)]
    if not shown:
        return None
    # what is printed below the line is easier to read than what is set in capitals on it
    name, other = next(((n, o) for n, o in shown[:2] if not n.isupper()), shown[0])
    titles = [each for each in below if _is_office(view, each) and not _SIGNED.search(each.text)][:1]
    block = {each.position: each for each in (line, other, *titles)}
    return Sighting(name, tuple(block[position] for position in sorted(block)))


def _cut_lead(text: str) -> str:
    mark = _SIGNED.search(text)
    return text[mark.end() :] if mark is not None else text


def _is_office(view: DocumentView, line: Line) -> bool:
    return any(word.strip(",.;()").casefold() in view.lexicon.office_word_set for word in line.text.split())


def _read_row(view: DocumentView, line: Line) -> str:
    """The text right of a mark that stands alone."""
    row = [
        other
        for other in view.document.lines_on(line.page)
        if other.is_evidence and other.box[0] > line.box[0] and abs(other.box[1] - line.box[1]) < 400
    ]
    return " ".join(other.text for other in sorted(row, key=lambda other: other.box[0]))


def _fold_page(view: DocumentView, page: int) -> list[str]:
    document = view.document
    first, last = document.index_of((page, 0)), document.index_of((page + 1, 0))
    return list(document.folded[first:last])


def _is_headed(view: DocumentView, page: int) -> bool:
    return any(
        _HEADING.match(line.text.strip()) and len(line.text.strip()) < 30
        for line in view.document.lines_on(page)
        if line.is_evidence
    )
