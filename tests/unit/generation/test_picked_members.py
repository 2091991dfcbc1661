"""The largest of a table that is picked: never a total, sums where no part is named, rows told apart."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.generation.extractive.extremes import read_extreme
from pipeline.generation.extractive.listing import read_list
from tests.unit.generation.pages import make_task, make_view

HEAD = [(0, "Yard"), (30, "Bought"), (45, "Rented"), (60, "Total")]
SPACE = [
    "The following is a summary of the floor space of each yard (in acres):",
    "",
    HEAD,
    [(0, "Northern"), (30, "5.5"), (45, "17.7"), (60, "23.2")],
    [(0, "Southern"), (30, "11.3"), (45, "5.6"), (60, "16.9")],
    [(0, "Eastern"), (30, "2.4"), (45, "1.0"), (60, "3.4")],
    [(0, "Total"), (30, "19.2"), (45, "24.3"), (60, "43.5")],
    "",
    "The yards are in good order.",
]
CREWS = [
    "Table 3: Scores of crews by training",
    "",
    [(0, "Crew"), (30, "Training"), (60, "Score")],
    [(0, "Lapwing"), (30, "day only"), (60, "88.3")],
    [(0, "Curlew"), (30, "day only"), (60, "91.7")],
    [(0, "Lapwing"), (30, "night"), (60, "92.1")],
    [(0, "Curlew"), (30, "night"), (60, "93.3")],
]


def test_sum_of_the_columns_decides_when_no_column_is_named():
    reading = read_extreme(make_task(make_view(SPACE), "Which yard has the most floor space?"))
    assert reading is not None
    assert reading.items[0].label == "Northern"
    assert "23.2" in reading.items[0].text
    assert "43.5" not in reading.text


def test_rows_of_one_name_are_told_apart_when_another_cell_does():
    reading = read_extreme(make_task(make_view(CREWS), "Which crew in Table 3 has the highest score?"))
    assert reading is not None
    assert reading.items[0].label == "Curlew, night"


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(min_value=10, max_value=999), min_size=2, max_size=6, unique=True))
def test_total_is_no_member_when_rows_are_listed(values):
    rows = [[(0, f"Berth {chr(65 + at)}"), (30, str(value))] for at, value in enumerate(values)]
    page = ["The berths had the following visits:", "", [(0, "Berth"), (30, "Visits")], *rows]
    page += [[(0, "Total"), (30, str(sum(values)))], "", "No visits were made at night."]
    reading = read_list(make_task(make_view(page), "Which berths had visits?"))
    assert reading is not None
    assert not any("Total" in item.text for item in reading.items)
    assert len(reading.items) == len(values)


def test_member_of_a_list_is_picked_when_a_table_tells_which_has_the_most():
    page = [
        "The harbour has the following docks:",
        "",
        "• Northern \u2013 for ferries",
        "• Southern \u2013 for trawlers",
        "",
        "The cranes of each dock are counted below.",
        "",
        [(0, "Dock"), (30, "Number of cranes")],
        [(0, "Northern"), (30, "12")],
        [(0, "Southern"), (30, "31")],
        "",
        "They are oiled in spring.",
    ]
    reading = read_list(make_task(make_view(page), "What are the docks and which one has the most cranes?"))
    assert reading is not None
    assert [item.picked for item in reading.items] == [False, True]
    assert reading.items[1].value == "31"
