"""Evidence reached by references, and whether a reading may refer anywhere: two cheap looks before the dear one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.question.terms import cue_of
from pipeline.text.matching import contains_folded, fold
from pipeline.text.mentions import find_mentions
from pipeline.text.notes import find_lettered_notes
from pipeline.text.relative import find_relative_mentions
from pipeline.text.titled import find_titled_mentions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import ReaderTask, Reading
    from pipeline.models.answer import Item
    from pipeline.models.base import Position
    from pipeline.models.document import Line
    from pipeline.models.evidence import Evidence
    from pipeline.structure.view import DocumentView

MAX_QUOTES = 40
_SIGNS = ("*", "∗", "†", "‡", "§", ")")


def is_linked(piece: Evidence) -> bool:
    """Whether a reference led to a piece of evidence."""
    candidate = piece.candidate
    return candidate.derived_from is not None and any(found.method == "two_hop" for found in candidate.found_by)


def is_only_linked(piece: Evidence) -> bool:
    """Whether nothing but references led to it; it is then read for what points at it, not for itself."""
    return is_linked(piece) and all(found.method == "two_hop" for found in piece.candidate.found_by)


def has_value_in(items: Sequence[Item], place: tuple[Position, Position]) -> bool:
    """Whether the value of an answer stands between two positions, as a cell does in the table that its lead names."""
    start, end = place
    return any(
        start <= (citation.page, citation.line_start) < end
        for item in items
        if item.value is not None
        for citation in item.citations[:1]
    )


def asks_terms(task: ReaderTask) -> bool:
    """Whether a question asks what a term means together with the defined terms that its meaning uses."""
    if not task.question.asks_for_references:
        return False
    return names_terms(task) or (task.part.shape == "definition" and _holds_cue(task, "refers on"))


def names_terms(task: ReaderTask) -> bool:
    """Whether a question says outright that it asks for further meanings ("including the definition of")."""
    return _holds_cue(task, "asks terms")


def _holds_cue(task: ReaderTask, label: str) -> bool:
    folded = fold(task.question.text)
    return any(contains_folded(cue, folded) for cue in cue_of(task.view.lexicon.value_cues, label))


def may_refer(view: DocumentView, reading: Reading) -> bool:
    """Whether a quote of a reading holds a reference or a footnote mark; nothing is resolved yet."""
    # a list of hundreds refers for itself; its first members show whether it refers at all
    citations = [citation for item in reading.items for citation in item.citations][:MAX_QUOTES]
    for citation in citations:
        text = citation.quote.replace("\n", " ")
        if find_mentions(text) or find_relative_mentions(text) or _names_place(text):
            return True
        # marks are no text that a pattern could find: what is raised tells
        numbers = range(citation.line_start, citation.line_end + 1)
        lines = (view.document.line_at(citation.page, number) for number in numbers)
        if any(line is not None and _has_mark(line) for line in lines):
            return True
    return False


def has_raised(view: DocumentView, reading: Reading) -> bool:
    """Whether a line that a reading cites has raised or lowered figures."""
    cited = (
        view.document.line_at(citation.page, number)
        for item in reading.items
        for citation in item.citations
        for number in range(citation.line_start, citation.line_end + 1)
    )
    return any(line is not None and (line.raised or line.lowered) for line in cited)


def _names_place(text: str) -> bool:
    """Whether a text refers by title or to a note by its letter."""
    return bool(find_titled_mentions(text) or find_lettered_notes(text))


def _has_mark(line: Line) -> bool:
    return bool(line.raised) or (len(line.text) <= 60 and line.text.rstrip().endswith(_SIGNS))
