"""What every generator is: evidence and a brief in, an answer with typed signals out. It never chooses a step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pipeline.models.answer import Answer
    from pipeline.models.evidence import Evidence
    from pipeline.models.question import GenerationBrief
    from pipeline.structure.view import DocumentView


class Generator(Protocol):
    """An answer writer; the extractive one is the default and needs no model."""

    def generate(self, brief: GenerationBrief, evidence: tuple[Evidence, ...], view: DocumentView) -> Answer:
        """Write an answer to the open sub-questions from the evidence; an empty evidence gives a not-found answer."""
        ...
