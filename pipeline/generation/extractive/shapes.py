"""Which readers are tried for which answer shape, in which order. The first that reads something answers."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.generation.extractive.reading import Reader
    from pipeline.models.question import SubQuestion

_ROOM = "pipeline.generation.extractive"
# reader -> its file; loaded when it is tried, since most answers need two or three of them
_FILES = {
    "read_alone": "siblings",
    "read_asked_value": "asked",
    "read_authors": "authors",
    "read_between": "between",
    "read_boolean": "boolean",
    "read_cited": "cited",
    "read_compared": "extremes",
    "read_computed_fact": "computed",
    "read_count": "count",
    "read_crossed": "crossed",
    "read_definition": "definition",
    "read_detailed": "stated",
    "read_displayed": "displayed",
    "read_empty": "empty",
    "read_hinted": "computed",
    "read_included": "siblings",
    "read_interim": "interim",
    "read_labelled": "labelled",
    "read_led": "led",
    "read_list": "listing",
    "read_moved": "stated",
    "read_named": "named",
    "read_numbered": "numbered",
    "read_officers": "officers",
    "read_operated": "operated",
    "read_passage": "passage",
    "read_place": "place",
    "read_reached": "reached",
    "read_reason": "reasons",
    "read_roster": "roster",
    "read_row_names": "rowcount",
    "read_scheduled": "scheduled",
    "read_section": "section",
    "read_siblings": "siblings",
    "read_expansion": "spelled",
    "read_spelled": "spelled",
    "read_stated": "stated",
    "read_subsections": "subsections",
    "read_table_value": "table_value",
    "read_told_apart": "told_apart",
    "read_unlisted": "unlisted",
    "read_value": "value",
    "read_whereabouts": "whereabouts",
}
_READERS = {
    "value": (
        "read_cited read_scheduled read_hinted read_included read_authors read_roster read_officers read_between "
        "read_moved read_interim read_crossed read_detailed read_operated read_value read_labelled read_table_value "
        "read_definition read_displayed read_reached read_section read_passage"
    ),
    "text": (
        "read_cited read_scheduled read_roster read_told_apart read_section read_siblings read_reason read_between "
        "read_moved read_interim read_crossed read_detailed read_operated read_definition read_labelled "
        "read_table_value read_alone read_led read_stated read_asked_value read_named read_displayed read_reached "
        "read_passage"
    ),
    "list": (
        "read_cited read_scheduled read_authors read_subsections read_row_names read_roster read_told_apart "
        "read_siblings read_interim read_crossed read_detailed read_operated read_labelled read_asked_value "
        "read_stated read_list read_numbered read_empty read_unlisted"
    ),
    "count": (
        "read_scheduled read_roster read_between read_moved read_interim read_detailed read_operated "
        "read_reached read_count read_value read_empty read_passage"
    ),
    "boolean": "read_operated read_computed_fact read_boolean read_passage",
    "place": "read_labelled read_whereabouts read_place read_passage",
    "definition": (
        "read_cited read_spelled read_labelled read_table_value read_definition read_expansion read_displayed "
        "read_section read_passage"
    ),
    "section": "read_row_names read_subsections read_empty read_section read_passage",
    "procedure": "read_alone read_list read_numbered read_section read_passage",
    "comparison": "read_detailed read_operated read_compared read_value read_passage",
}


def readers_of(part: SubQuestion) -> Iterator[Reader]:
    """Readers for a part of a question, most specific first; the passage reader is the last resort of most shapes."""
    for name in _READERS[part.shape].split():
        yield cast("Reader", getattr(import_module(f"{_ROOM}.{_FILES[name]}"), name))
