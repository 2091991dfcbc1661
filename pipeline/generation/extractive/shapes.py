"""Which readers are tried for which answer shape, in which order. The first that reads something answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import Reader
    from pipeline.models.question import SubQuestion


def readers_of(part: SubQuestion) -> tuple[Reader, ...]:
    """Readers for a part of a question, most specific first; the passage reader is the last resort of most shapes."""
    from pipeline.generation.extractive.asked import read_asked_value
    from pipeline.generation.extractive.boolean import read_boolean
    from pipeline.generation.extractive.computed import read_computed_fact
    from pipeline.generation.extractive.count import read_count
    from pipeline.generation.extractive.definition import read_definition
    from pipeline.generation.extractive.displayed import read_displayed
    from pipeline.generation.extractive.extremes import read_extreme
    from pipeline.generation.extractive.listing import read_list
    from pipeline.generation.extractive.passage import read_passage
    from pipeline.generation.extractive.place import read_place
    from pipeline.generation.extractive.section import read_section
    from pipeline.generation.extractive.table_value import read_table_value
    from pipeline.generation.extractive.value import read_value

    readers: dict[str, tuple[Reader, ...]] = {
        "value": (read_extreme, read_value, read_table_value, read_definition, read_displayed, read_passage),
        "text": (
            read_section,
            read_extreme,
            read_definition,
            read_table_value,
            read_asked_value,
            read_displayed,
            read_passage,
        ),
        "list": (read_asked_value, read_list, read_passage),
        "count": (read_count, read_value, read_passage),
        "boolean": (read_computed_fact, read_boolean, read_passage),
        "place": (read_place, read_passage),
        "definition": (read_definition, read_displayed, read_passage),
        "section": (read_section, read_passage),
        "procedure": (read_list, read_section, read_passage),
        "comparison": (read_extreme, read_value, read_passage),
    }
    return readers[part.shape]
