"""What code guarantees about facts: no document and no question gives facts that break one of these."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pipeline.models.facts import Facts
from pipeline.models.plan import FactValue
from pipeline.policy.facts import LIST_INTENTS, OPEN_INTENTS, read_fact


class Invariant(NamedTuple):
    """Something that holds between two facts of every run (or of one, where both names are the same)."""

    first: str
    second: str
    is_kept: Callable[[FactValue, FactValue], bool]
    words: str


def _bound(first: str, second: str) -> Invariant:
    return Invariant(first, second, lambda left, right: int(left) <= int(right), f"{first} is at most {second}")


INVARIANTS: tuple[Invariant, ...] = (
    # a document without a page does not get this far, and neither does an empty question
    Invariant("page_count", "page_count", lambda count, _: int(count) >= 1, "a document has a page"),
    Invariant("sub_question_count", "sub_question_count", lambda count, _: int(count) >= 1, "a question has a part"),
    Invariant(
        "has_sections", "section_count", lambda has, count: bool(has) == (int(count) > 0), "sections are counted"
    ),
    Invariant(
        "has_usable_outline",
        "section_source",
        lambda usable, source: bool(usable) == (source == "outline"),
        "sections come from the outline where, and only where, it is usable",
    ),
    Invariant(
        "has_sections", "section_source", lambda has, source: not has or source != "none", "sections have a source"
    ),
    Invariant(
        "has_usable_outline", "has_sections", lambda usable, has: not usable or bool(has), "an outline gives sections"
    ),
    Invariant(
        "garbled_page_count",
        "has_failed_pages",
        lambda count, failed: not int(count) or bool(failed),
        "a garbled page counts as failed",
    ),
    # parts are at most the whole
    _bound("scanned_page_count", "page_count"),
    _bound("garbled_page_count", "page_count"),
    _bound("table_page_count", "page_count"),
    _bound("identifier_count", "anchor_count"),
    _bound("concept_count", "anchor_count"),
    Invariant(
        # only one way: a later part may ask for a list although the question as a whole does not
        "intent",
        "is_listing",
        lambda intent, flag: intent not in LIST_INTENTS or bool(flag),
        "lists are listings",
    ),
    Invariant(
        "answer_shape",
        "is_listing",
        lambda shape, flag: shape not in ("list", "count") or bool(flag),
        "answers in the shape of a list or a count are listings",
    ),
    Invariant("intent", "is_open", lambda intent, flag: intent not in OPEN_INTENTS or bool(flag), "open is open"),
)
"""All of them; tests hold them against every document and question at hand."""


def find_broken(facts: Facts) -> tuple[str, ...]:
    """The invariants that these facts break, in words; empty for the facts of a real run."""
    return tuple(
        invariant.words
        for invariant in INVARIANTS
        if not invariant.is_kept(read_fact(facts, invariant.first), read_fact(facts, invariant.second))
    )
