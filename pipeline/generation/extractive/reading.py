"""What a reader gets and gives: one part of a question with its evidence in, a reading of it out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pipeline.models.answer import Certificate, Conflict, Item, ReferenceReport
    from pipeline.models.evidence import Evidence
    from pipeline.models.question import Question, SubQuestion
    from pipeline.structure.view import DocumentView

FIGURE_SHAPES = frozenset({"value", "count"})
"""Shapes that one figure answers; with a comparison, whose sides are figures, those that need exact ones."""
EXACT_SHAPES = FIGURE_SHAPES | {"comparison"}


@dataclass(frozen=True, slots=True)
class ReaderTask:
    """One part of a question: its evidence (best first), the document to quote from, and the room for quotes.

    `linked` is evidence that was reached by a reference: it is read for what points at it, not for itself.
    """

    question: Question
    part: SubQuestion
    evidence: tuple[Evidence, ...]
    view: DocumentView
    max_quote_characters: int
    linked: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader made of a task. `text` is the answer in words; an empty `items` means that it read nothing.

    `has_typed_fit`: the value has the type asked for; `has_second_place`: another place or detector agrees.
    """

    text: str
    items: tuple[Item, ...]
    is_complete: bool = True
    has_typed_fit: bool = False
    has_second_place: bool = False
    certificate: Certificate | None = None
    conflict: Conflict | None = None
    caveats: tuple[str, ...] = ()
    discovered_keywords: tuple[str, ...] = ()
    pending_references: tuple[str, ...] = ()
    references: tuple[ReferenceReport, ...] = ()
    unstructured_pages: tuple[int, ...] = ()
    max_confidence: int = 1000
    """Thousandths above which no answer from this reading may claim to be right: its caveats say why."""

    def doubt(self, caveat: str, ceiling: int = 1000) -> Reading:
        """This reading with a caveat: nothing vouches for it any more, and it claims at most `ceiling` thousandths."""
        return replace(
            self,
            has_typed_fit=False,
            has_second_place=False,
            max_confidence=min(self.max_confidence, ceiling),
            caveats=(*self.caveats, caveat),
        )


class Reader(Protocol):
    """A reader of one answer shape; None where the evidence does not hold an answer of that shape."""

    def __call__(self, task: ReaderTask) -> Reading | None:
        """Read the task's evidence."""
        ...
