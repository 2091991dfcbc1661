"""Two things put against each other, each read in its own table, and cells that a question names equally."""

from __future__ import annotations

from pipeline.generation.extractive.changes import read_change
from pipeline.generation.extractive.choices import read_choice
from pipeline.generation.extractive.parallel import read_parallel
from pipeline.generation.extractive.value import read_value
from tests.unit.generation.pages import make_task, make_view


def _row(name: str, *cells: str):
    return [(0, name), *((30 + 15 * column, cell) for column, cell in enumerate(cells) if cell)]


def _make_table(name: str, *rows: tuple[str, str, str]):
    return [
        f"Table {len(name)}. {name}",
        "",
        _row("Benefit", "Home", "Abroad"),
        *(_row(*row) for row in rows),
        "",
        "End.",
    ]


FERN = _make_table(
    "Fern Plan", ("Deductible, one person", "$900", "$1,800"), ("Deductible, family", "$2,100", "$4,200")
)
MOSS = _make_table(
    "Mossy Plan", ("Deductible, one person", "$400", "$2,000"), ("Deductible, family", "$1,000", "$2,600")
)
REED = _make_table("Reedier Plan", ("Visit to a specialist", "$20", "$90"), ("Stay in hospital", "$180", "$400"))
VIEW = make_view(FERN, MOSS, REED)


def test_each_is_read_in_its_own_table_when_two_are_compared():
    task = make_task(VIEW, "Does the Fern Plan or the Mossy Plan have the higher deductible for a family?")
    reading = read_choice(task)
    assert [(item.label, item.picked) for item in reading.items] == [("Fern Plan", True), ("Mossy Plan", False)]
    assert "$2,100" in reading.items[0].text
    assert "$1,000" in reading.items[1].text
    assert {citation.page for citation in reading.items[1].citations} == {2}


def test_none_is_picked_when_the_rows_disagree():
    task = make_task(VIEW, "Does the Fern Plan or the Mossy Plan have the higher deductible for one person?")
    reading = read_choice(task)
    assert [item.picked for item in reading.items] == [False, False]
    assert reading.caveats == ("the two compare differently in different rows; all are shown",)


def test_nothing_is_compared_when_one_of_the_two_has_no_value():
    reading = read_choice(make_task(VIEW, "Does the Fern Plan or the Reedier Plan have the higher deductible?"))
    assert (reading.is_complete, len(reading.items), reading.items[0].picked) == (False, 1, False)
    assert "no value was found for Reedier Plan" in reading.text


def test_the_table_is_named_when_every_thing_has_one():
    task = make_task(VIEW, "Which plan has the lowest deductible for a family at home?")
    (item,) = read_parallel(task).items
    assert (item.label, item.value, item.picked) == ("Mossy Plan", "1000", True)


def test_all_rows_are_told_when_they_fit_equally():
    reading = read_value(make_task(make_view(FERN), "What is the deductible of the Fern Plan at home?"))
    assert [item.value for item in reading.items] == ["900", "2100"]
    assert reading.caveats == ("several rows or columns fit the question; all are shown",)


def test_the_change_is_told_when_two_periods_are_named():
    view = make_view(
        ["Contribution of the members by year is set out below.", "", _row("Plan", "2023", "2025"),
         _row("Fern", "40", "50"), _row("Moss", "0", "8"), "", "End of the page."]
    )  # fmt: skip
    gap = read_change(make_task(view, "How much did the contribution of Fern grow from 2023 to 2025?"))
    assert (gap.items[0].value, gap.items[0].extraction, gap.items[0].period) == ("10", "computed", "2023-2025")
    growth = read_change(make_task(view, "By how many percent did the contribution of Fern grow from 2023 to 2025?"))
    assert growth.items[0].text == "25.0%"
    declined = read_change(make_task(view, "By how many percent did the contribution of Moss grow from 2023 to 2025?"))
    assert declined.caveats == ("growth from 0 is not computed",)
