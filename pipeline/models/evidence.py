"""Candidates that retrieval finds and the evidence that generation reads."""

from typing import Literal

from pipeline.models.base import Box, Contract

Method = Literal[
    "toc", "keyword", "phrase", "identifier", "typed_value", "heading", "hint", "page", "caption", "two_hop",
    "aggregation", "reparse", "sweep",
]  # fmt: skip


class Span(Contract):
    """Lines `line_start` to `line_end` (both included) of one page, read by one parsing method."""

    page: int
    line_start: int
    line_end: int
    method: str = "native"


class FoundBy(Contract):
    """Which method found a candidate, with what rank (1 is best), score (millionths) and why, in words."""

    method: Method
    rank: int
    score: int
    why: str


class Candidate(Contract):
    """A place that may hold the answer; text stays in the document.

    `ref` is `<12 of sha256>:p7:l48-58@native.3`, several spans joined by ","; `matched` are keys of matched anchors;
    `section` is an index into the document's sections; `derived_from` the ref that a derived candidate comes from.
    """

    ref: str
    sub_question: str
    spans: tuple[Span, ...]
    score: int
    found_by: tuple[FoundBy, ...]
    matched: tuple[str, ...]
    matched_expansions: tuple[str, ...] = ()
    section: int | None = None
    derived_from: str | None = None


class EvidenceLine(Contract):
    """One verbatim line of evidence."""

    page: int
    number: int
    text: str
    box: Box


class Evidence(Contract):
    """A candidate with its text: what the generator may read and quote."""

    candidate: Candidate
    lines: tuple[EvidenceLine, ...]
    breadcrumb: tuple[str, ...] = ()
