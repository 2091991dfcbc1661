"""Answers: typed items with verbatim citations, kinds of absence, conflicts and feedback signals."""

from typing import Literal

from pipeline.models.base import Box, Contract

Extraction = Literal["verbatim", "computed", "inferred"]
Absence = Literal["no_match", "no_such_target", "not_seen"]
Verdict = Literal["complete", "incomplete", "unverified"]


class Citation(Contract):
    """A verbatim quote: lines joined by line ends, each a part of the cited line; `boxes` are one a line."""

    page: int
    line_start: int
    line_end: int
    quote: str
    ref: str
    boxes: tuple[Box, ...] = ()
    is_ambiguous: bool = False


class Item(Contract):
    """One answer item; `value` is the typed value (a decimal as text) where there is one, `period` what it is of."""

    sub_question: str
    text: str
    citations: tuple[Citation, ...]
    extraction: Extraction
    label: str = ""
    value: str | None = None
    unit: str = ""
    period: str = ""
    qualifiers: tuple[str, ...] = ()
    level: int = 0
    picked: bool = False


class Conflict(Contract):
    """Different values of one concept and unit that no qualifier tells apart, as printed, with their citations."""

    concept: str
    values: tuple[str, ...]
    citations: tuple[Citation, ...]


class DetectorCount(Contract):
    """How many items one detector of lists found."""

    detector: str
    item_count: int


class Certificate(Contract):
    """Completeness of a list: the denominator, where it comes from, what the detectors found and the verdict."""

    sub_question: str
    denominator: int | None
    denominator_source: Literal["structural", "stated", "none"]
    denominator_quote: str
    detectors: tuple[DetectorCount, ...]
    item_count: int
    is_end_seen: bool
    gaps: tuple[str, ...]
    verdict: Verdict
    why: str


ReferenceState = Literal["followed", "already there", "dangling", "external", "ambiguous", "not needed", "pending"]


class ReferenceReport(Contract):
    """What a generator made of one reference in the lines that it quotes: `target` is "clause:14@p2:l20"."""

    target: str
    state: ReferenceState
    why: str


class Feedback(Contract):
    """Typed signals of the generator; it reports, it never chooses.

    `pending_references` name the part of the question too ("q1/clause:14@p2:l20"); `references` are all that were
    looked at, needed or not.
    """

    is_context_unstructured: bool = False
    unstructured_pages: tuple[int, ...] = ()
    discovered_keywords: tuple[str, ...] = ()
    pending_references: tuple[str, ...] = ()
    references: tuple[ReferenceReport, ...] = ()
    is_list_likely_complete: bool | None = None
    short_lists: tuple[str, ...] = ()


class Answer(Contract):
    """An answer, found or not. `confidence` is in thousandths; `closed` are the sub-questions that are answered."""

    found: bool
    complete: bool
    text: str
    items: tuple[Item, ...] = ()
    closed: tuple[str, ...] = ()
    absence: Absence | None = None
    absence_reason: str = ""
    near_misses: tuple[str, ...] = ()
    conflict: Conflict | None = None
    clarification: str | None = None
    confidence: int = 0
    confidence_parts: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()
    certificates: tuple[Certificate, ...] = ()
    feedback: Feedback = Feedback()
