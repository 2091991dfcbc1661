"""Members of lists: levels, repeated members, picks, companions and caveats."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.listing import read_list
from pipeline.generation.extractive.pick import pick_items
from pipeline.models.answer import Item
from tests.unit.generation.pages import make_task, make_view

HABITATS = [
    "Squares are placed in one of two kinds of habitat:",
    "• Wetland",
    [(3, "– reed")],
    [(3, "– water")],
    "• Woodland",
    [(3, "– pine")],
    [(3, "– reed")],
    "",
    "The habitat is written on the sheet of the square by the counter.",
]
PORTS = [
    "The port keeps the following three books of ships:",
    "• tankers: oil and gas",
    "• ferries: people and cars",
    "• tugs: ropes and hooks",
    "",
    "The books are shown to whoever asks for them at the gate.",
]


def test_what_is_nested_stays_with_its_member_when_the_question_asks_for_no_levels():
    reading = read_list(make_task(make_view(HABITATS), "What are the kinds of habitat?"))
    assert [item.text for item in reading.items] == ["Wetland", "Woodland"]
    assert (reading.certificate.verdict, reading.certificate.item_count) == ("complete", 2)


def test_all_levels_are_listed_when_the_question_asks_for_them():
    reading = read_list(make_task(make_view(HABITATS), "List the kinds of habitat including sub-items."))
    found = [(item.level, item.text) for item in reading.items]
    assert found == [(0, "Wetland"), (1, "reed"), (1, "water"), (0, "Woodland"), (1, "pine"), (1, "reed")]
    assert reading.text.splitlines()[1] == "  - reed"
    assert reading.certificate.item_count == 2


def test_a_member_is_told_once_when_the_list_prints_it_twice():
    rows = [*PORTS[:4], "• tankers: oil and gas", *PORTS[4:]]
    reading = read_list(make_task(make_view(rows), "What books of ships does the port keep?"))
    assert len(reading.items) == 3
    assert reading.certificate.verdict == "complete"


def test_a_doubt_is_told_when_the_list_is_shorter_than_announced():
    reading = read_list(make_task(make_view([*PORTS[:3], *PORTS[4:]]), "What books of ships does the port keep?"))
    assert not reading.is_complete
    assert reading.caveats == ("the list may be incomplete: 2 of 3 members found",)


def test_a_doubt_is_told_when_the_question_expects_another_number():
    reading = read_list(make_task(make_view(PORTS), "What are the four books of ships that the port keeps?"))
    assert not reading.has_typed_fit
    assert "the question expects 4 members, the list has 3" in reading.caveats


def test_the_member_asked_for_is_picked_when_one_carries_the_condition():
    question = "What books of ships does the port keep, and which one is about people?"
    reading = read_list(make_task(make_view(PORTS), question))
    assert [item.text for item in reading.items if item.picked] == ["ferries: people and cars"]


def _items(*texts: str) -> tuple[Item, ...]:
    return tuple(Item(sub_question="q1", text=text, citations=(), extraction="verbatim") for text in texts)


@pytest.mark.parametrize(
    ("texts", "caveat"),
    [
        (("oil", "corn"), "no item says which one: which one is about people"),
        (("people", "more people"), "2 items fit equally: which one is about people"),
    ],
)
def test_none_is_picked_when_no_member_or_several_fit(texts: tuple[str, ...], caveat: str):
    part = make_task(make_view(PORTS), "What books does the port keep, and which one is about people?").part
    items, told = pick_items(part, _items(*texts))
    assert told == caveat
    assert not any(item.picked for item in items)


def test_nothing_is_picked_when_the_question_asks_for_all():
    part = make_task(make_view(PORTS), "What books does the port keep?").part
    assert pick_items(part, _items("people")) == (_items("people"), "")


def test_a_long_member_is_told_whole_when_its_first_clause_is_no_name():
    long = "for the boats that lie in the outer basin, a keeper is at hand by day and by night, and calls the office "
    rows = ["The keepers are of two kinds:", f"(i) {long * 2};", f"(ii) {long} when it storms.", "", PORTS[-1]]
    reading = read_list(make_task(make_view(rows), "What kinds of keepers are there?"))
    assert reading.items[0].text.startswith("for the boats that lie in the outer basin, a keeper is at hand")


def test_a_long_member_is_told_by_its_name_when_one_stands_before_a_mark():
    long = "keeps the boats of the outer basin and calls the office when it storms, by day and by night and on Sundays "
    rows = [
        "The keepers are of two kinds:",
        f"(i) Day keeper: {long * 2};",
        f"(ii) Night keeper: {long}.",
        "",
        PORTS[-1],
    ]
    reading = read_list(make_task(make_view(rows), "What kinds of keepers are there?"))
    assert reading.items[0].text == "Day keeper"


def test_a_member_is_left_out_when_it_is_excluded_with_the_noun_that_is_asked():
    rows = [
        "The following customers are served:",
        "\u2022 Residential",
        "\u2022 Commercial",
        "\u2022 Industrial",
        "",
        PORTS[-1],
    ]
    question = "Besides residential customers, which customers are served?"
    reading = read_list(make_task(make_view(rows), question))
    assert [item.text for item in reading.items] == ["Commercial", "Industrial"]
    assert reading.caveats == ("left out as asked: Residential",)
