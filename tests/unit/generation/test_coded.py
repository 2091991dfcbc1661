"""Identifiers under the code of what is named, and the sections below the one that is named."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.count import read_count
from pipeline.generation.extractive.listing import read_list
from pipeline.generation.extractive.rowcount import read_row_names
from pipeline.generation.extractive.subsections import read_subsections
from pipeline.models.document import Section
from pipeline.structure.view import DocumentView
from tests.unit.generation.pages import make_task, make_view, read_lexicons

CONTROLS = [
    "Table 1. Controls by group",
    "",
    [(0, "Group"), (40, "Control Identifier")],
    [(0, "Water Safety"), (40, "HD.WS-01")],
    [(0, "Fire Safety"), (40, "HD.FS-01")],
    "",
    "A Control has a number, as HD.WS-01 or HD.FS-02.",
    "",
    "Water Safety (HD.WS): the crews are kept from drowning",
    "",
    "• HD.WS-01: Rings are hung at each ladder",
    "• HD.WS-02: Ladders are kept clear",
    "• HD.WS-04: Lines are coiled",
    "",
    "Fire Safety (HD.FS): the sheds are kept from burning",
    "",
    "• HD.FS-01: Pails are filled",
    "• HD.FS-02: Hoses are tried each week",
    "",
    "The list ends here.",
]


@pytest.mark.parametrize("question", ["List the Controls of Water Safety.", "What are the Controls under HD.WS?"])
def test_all_identifiers_of_the_code_are_listed_when_their_group_is_named(question):
    reading = read_list(make_task(make_view(CONTROLS), question))
    assert reading is not None
    assert [item.label for item in reading.items] == ["HD.WS-01", "HD.WS-02", "HD.WS-04"]


def test_only_those_of_the_group_are_counted_when_it_is_named():
    reading = read_count(make_task(make_view(CONTROLS), "How many Controls does Fire Safety have?"))
    assert reading is not None
    assert reading.items[0].value == "2"


def test_several_lists_are_joined_when_a_code_spans_them():
    reading = read_count(make_task(make_view(CONTROLS), "How many Controls are there in HD?"))
    assert reading is not None
    assert reading.items[0].value == "5"


def _make_outlined():
    view = make_view(["1 Rules", "Text.", "1.1 Berths", "Text.", "1.2 Fees", "Text.", "2 Ends", "Text."])
    places = [("Rules", "1", 1, 1, 7, None), ("Berths", "1.1", 2, 3, 5, 0), ("Fees", "1.2", 2, 5, 7, 0)]
    places.append(("Ends", "2", 1, 7, 9, None))
    sections = tuple(
        Section(
            index=at,
            title=title,
            number=number,
            level=level,
            breadcrumb=() if parent is None else ("Rules",),
            start=(1, first),
            end=(1, last),
            source="typography",
            parent=parent,
        )
        for at, (title, number, level, first, last, parent) in enumerate(places)
    )
    return DocumentView(view.document.model_copy(update={"sections": sections}), read_lexicons().of("en"))


@pytest.mark.parametrize("question", ["What are the subsections of section 1?", "List the subsections of Rules."])
def test_sections_below_are_listed_when_subsections_are_asked_for(question):
    reading = read_subsections(make_task(_make_outlined(), question))
    assert reading is not None
    assert [item.text for item in reading.items] == ["1.1 Berths", "1.2 Fees"]


@pytest.mark.parametrize("title", ["Rules for the Harbour Ends", "Rules"])
def test_sections_below_are_listed_when_a_section_is_named_by_its_whole_title(title):
    view = _make_outlined()
    first, *rest = view.document.sections
    named = (first.model_copy(update={"title": title}), *rest)
    own = DocumentView(view.document.model_copy(update={"sections": named}), read_lexicons().of("en"))
    reading = read_subsections(make_task(own, f"What are the subsections of the {title} section?"))
    assert reading is not None
    assert [item.text for item in reading.items] == ["1.1 Berths", "1.2 Fees"]


def test_no_subsections_are_listed_when_the_section_has_none():
    assert read_subsections(make_task(_make_outlined(), "What are the subsections of section 2?")) is None


def test_appendices_are_listed_when_the_document_is_asked_for_them():
    view = _make_outlined()
    first, *rest = view.document.sections
    lettered = (first.model_copy(update={"number": "Appendix A"}), *rest)
    own = DocumentView(view.document.model_copy(update={"sections": lettered}), read_lexicons().of("en"))
    reading = read_subsections(make_task(own, "What are the appendices of the document?"))
    assert reading is not None
    assert [item.text for item in reading.items] == ["Appendix A Rules"]


def test_rows_are_named_when_the_rows_of_a_table_are_asked_for():
    page = [
        "Table 3: Scores of crews",
        "",
        [(0, "Crew"), (30, "Training"), (60, "Score")],
        [(0, "Lapwing"), (30, "day only"), (60, "88.3")],
        [(0, "Curlew"), (30, "day only"), (60, "91.7")],
        [(0, "Dunlin"), (30, "night"), (60, "92.1")],
    ]
    reading = read_row_names(make_task(make_view(page), "What are the rows of Table 3?"))
    assert reading is not None
    assert [item.text for item in reading.items] == ["Lapwing", "Curlew", "Dunlin"]
    heads = read_row_names(make_task(make_view(page), "What are the columns of Table 3?"))
    assert heads is not None
    assert [item.text for item in heads.items] == ["Crew", "Training", "Score"]


def test_no_rows_are_named_when_their_values_are_asked_for():
    page = ["Table 3: Scores", "", [(0, "Crew"), (30, "Score")], [(0, "Lapwing"), (30, "88.3")]]
    assert read_row_names(make_task(make_view(page), "Which rows of Table 3 have a score over 90?")) is None


def test_identifiers_are_listed_when_the_name_of_their_group_has_commas():
    rows = [
        row if isinstance(row, list) else row.replace("Water Safety", "Rings, Ropes, and Rafts") for row in CONTROLS
    ]
    reading = read_list(make_task(make_view(rows), "What are the Controls of Rings, Ropes, and Rafts?"))
    assert [item.label for item in reading.items] == ["HD.WS-01", "HD.WS-02", "HD.WS-04"]
