"""Checks that every citation of an answer is true: the quote stands verbatim on the cited lines (promise P11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.text.folding import is_bounded

if TYPE_CHECKING:
    from pipeline.models.answer import Answer, Citation
    from pipeline.structure.view import DocumentView


def find_answer_faults(answer: Answer, view: DocumentView, max_quote_characters: int) -> tuple[str, ...]:
    """Say what is wrong with an answer, one sentence a fault, in item order; empty for a valid one.

    Checked: every item of a found answer is cited, every quote is verbatim on its lines, no cited line is furniture,
    hidden or on a garbled page, and all quotes together stay within `max_quote_characters`.
    """
    faults: list[str] = []
    total = 0
    for number, item in enumerate(answer.items, start=1):
        if not item.citations:
            faults.append(f"item {number} has no citation")
        for citation in item.citations:
            total += len(citation.quote)
            fault = _find_citation_fault(citation, view)
            if fault:
                faults.append(f"item {number}: {fault}")
    if answer.found and not answer.items:
        faults.append("a found answer has no items")
    if total > max_quote_characters:
        faults.append(f"quotes of {total} characters exceed {max_quote_characters}")
    return tuple(faults)


def _find_citation_fault(citation: Citation, view: DocumentView) -> str:
    where = f"page {citation.page}, lines {citation.line_start}-{citation.line_end}"
    quoted = citation.quote.split("\n")
    numbers = range(citation.line_start, citation.line_end + 1)
    lines = [view.document.line_at(citation.page, number) for number in numbers]
    readable = [line for line in lines if line is not None and line.is_evidence]
    if not readable:
        return f"{where} hold nothing that may be quoted"
    if view.document.pages[citation.page - 1].state == "garbled":
        return f"{where} are on a page whose text cannot be decoded"
    # Furniture inside a cited run is not quoted, so quoted parts are matched in order over what remains.
    # A few files set line ends inside the text of one line; such a line is several parts of a quote.
    texts = iter(text for line in readable for text in line.text.split("\n"))
    for part in quoted:
        if not part.strip() or not any(_holds(text, part) for text in texts):
            return f"the quote is not verbatim on {where}"
    return ""


def _holds(text: str, part: str) -> bool:
    """Whether a part of a quote stands in a line as whole words and numbers: "18" is not in "180"."""
    at = text.find(part)
    while at >= 0:
        if is_bounded(text, at, at + len(part)):
            return True
        at = text.find(part, at + 1)
    return False
