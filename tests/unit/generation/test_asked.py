"""Values whose type goes without saying, and figures that the text contradicts."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.asked import read_asked_value
from pipeline.generation.extractive.ranges import covers_number
from pipeline.generation.extractive.value import read_value
from tests.unit.generation.pages import make_task, make_view, read_lexicons

BALANCE = [
    "Consolidated Balance Sheets",
    [(0, "(In millions)"), (60, "2018"), (80, "2017")],
    [(0, "Cash and cash equivalents"), (60, "$30"), (80, "$20")],
    [(0, "Accounts receivable"), (60, "77"), (80, "66")],
    [(0, "Inventories"), (60, "412"), (80, "390")],
    [(0, "Total current assets"), (60, "600"), (80, "550")],
    [(0, "Goodwill"), (60, "90"), (80, "90")],
    [(0, "Total assets"), (60, "1,234"), (80, "1,100")],
    [(0, "Accounts payable"), (60, "70"), (80, "50")],
    [(0, "Total current liabilities"), (60, "200"), (80, "210")],
]


OTHERS = (["Nothing to see here."],) * 6
"""Pages that make a document of a page: what stands on every page weighs little."""


def test_figure_is_read_when_the_question_opens_with_its_concept():
    reading = read_asked_value(make_task(make_view(BALANCE), "What were inventories at the end of 2018?"))
    assert reading is not None
    assert "412" in reading.items[0].text


@pytest.mark.parametrize("question", ["What were inventory methods in 2018?", "What are the risks of inventories?"])
def test_nothing_is_read_when_more_than_the_figure_is_asked(question):
    assert read_asked_value(make_task(make_view(BALANCE), question)) is None


def test_number_is_read_when_it_is_joined_to_the_noun_that_is_asked():
    page = ["The large model reaches a mean error of 3.1 centimetres.", "", "We used the Adam optimizer with rate 0.9."]
    reading = read_asked_value(make_task(make_view(page), "What mean error does the large model reach?"))
    assert reading is not None
    assert reading.items[0].text.startswith("3.1")
    assert read_asked_value(make_task(make_view(page), "Which optimizer was used?")) is None


@pytest.mark.parametrize(
    ("sentence", "is_conflict"),
    [
        ("Inventories at year end were $421 million.", True),
        ("Inventories at year end were $412 million.", False),
        ("Inventories at year end were about $0.4 billion.", False),
        ("Inventories of the domestic segment were $421 million.", False),
        ("Inventories were $395 million in 2016.", False),
    ],
)
def test_text_contradicts_a_statement_when_it_gives_another_amount(sentence, is_conflict):
    view = make_view([sentence], BALANCE, *OTHERS)
    reading = read_asked_value(make_task(view, "What were inventories at the end of 2018?"))
    assert reading is not None
    assert (reading.conflict is not None) is is_conflict
    assert len(reading.items) == 1 + is_conflict


@pytest.mark.parametrize(
    ("label", "number", "is_covered"),
    [
        ("6 to 10", "7", True),
        ("6 to 10", "11", False),
        ("6-10 years", "10", True),
        ("Up to 2", "2", True),
        ("More than 10", "10", False),
        ("More than 10", "11", True),
        ("10 or more", "10", True),
        ("Item 7", "7", False),
        ("Years", "7", False),
    ],
)
def test_label_covers_a_number_when_it_is_a_range(label, number, is_covered):
    assert covers_number(label, number, read_lexicons().of("en")) is is_covered


def test_row_is_found_when_its_label_is_a_range():
    page = [
        [(0, "Years of service"), (40, "Vacation days")],
        [(0, "Up to 2"), (40, "24")],
        [(0, "3 to 5"), (40, "26")],
        [(0, "6 to 10"), (40, "28")],
        [(0, "More than 10"), (40, "30")],
    ]
    reading = read_value(make_task(make_view(page), "How many vacation days do I have after 7 years of service?"))
    assert reading is not None
    assert reading.items[0].text.startswith("28")


def test_block_names_its_rows_when_a_table_has_two():
    page = [
        [(0, "(in millions)"), (40, "2023"), (60, "2022")],
        [(0, "Net sales")],
        [(0, "Retail"), (40, "$1,302"), (60, "$1,261")],
        [(0, "Online"), (40, "531"), (60, "424")],
        [(0, "Operating income")],
        [(0, "Retail"), (40, "$118"), (60, "$124")],
        [(0, "Online"), (40, "74"), (60, "58")],
    ]
    task = make_task(make_view(page, *OTHERS), "What were net sales of the Online stores in 2022?")
    reading = read_asked_value(task)
    assert reading is not None
    assert reading.items[0].text.startswith("424")


LEASE = ["The deposit is 500 euros and is paid back.", "", "The tenant gets the deposit of 700 euros at the end."]


@pytest.mark.parametrize("asked", ["What is the", "What's the", "What is the amount of the"])
def test_contradiction_is_shown_when_a_thing_is_asked_whose_amounts_differ(asked):
    reading = read_asked_value(make_task(make_view(LEASE), f"{asked} deposit?"))
    assert reading is not None
    assert reading.conflict is not None
    assert {item.value for item in reading.items} == {"500", "700"}


@pytest.mark.parametrize("said", ["is paid by 3 tenants", "protects the owner of 7 boats"])
def test_no_amount_is_read_when_the_thing_is_not_said_to_be_one(said):
    task = make_task(make_view([f"The deposit {said}."]), "What is the deposit?")
    assert read_asked_value(task) is None
