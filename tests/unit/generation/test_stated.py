"""Sentences that state several figures: the one of the part, period or role that is asked for, never a neighbour's."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.generation.extractive.shares import list_shares
from pipeline.generation.extractive.stated import read_detailed, read_moved
from pipeline.generation.extractive.value import read_value
from tests.unit.generation.pages import make_task, make_view, read_lexicons

LEXICON = read_lexicons().of("en")

DEPOTS = (
    "At May 31, 2021, Brisk operated 815 depots worldwide: 564 in Norland located in 46 counties, 105 in Sudland, "
    "39 in Ostland, and 16 in Westmark."
)
YEARS = (
    "Brisk operated 815, 795, and 782 depots worldwide at May 31, 2021, May 30, 2020, and June 1, 2019, respectively."
)
CREW = "Brisk employed approximately 92,000 people, with approximately 37,000 employed in Norland and 55,000 abroad."
RATES = (
    "The firm will use a discount rate and yield of 5.58% and 6.75%, respectively, for estimating its pension costs."
)
COSTS = "In 2014 and 2013, the firm incurred towing costs of $3 million and $11 million, respectively."
MOVE = "Ferry sales increased 18.3% to $10.2 million compared to $8.6 million in 2021."
APPEAL = (
    "You must file your appeal within 60 days of the denial, or within 180 days if the denial concerns a preauthorized "
    "service."
)
TOLLS = "Towing tolls were $37 million, $46 million and $19 million in fiscal 2017, 2016 and 2015, respectively."


@pytest.mark.parametrize(
    ("sentence", "question", "value"),
    [
        (DEPOTS, "How many depots does Brisk operate in Sudland?", "105"),
        (DEPOTS, "How many depots does Brisk operate in Westmark?", "16"),
        (YEARS, "How many depots did Brisk operate at June 1, 2019?", "782"),
        (YEARS, "How many depots did Brisk operate at the end of 2020?", "795"),
        (CREW, "How many people did Brisk employ in Norland?", "37000"),
        (RATES, "What discount rate will the firm use for estimating its pension costs?", "5.58"),
        (COSTS, "How much were the towing costs that the firm incurred in 2013?", "11000000"),
        (APPEAL, "Within how many days must an appeal be filed if the denial concerns a preauthorized service?", "180"),
        (TOLLS, "How much were towing tolls in fiscal 2016?", "46000000"),
    ],
)
def test_the_figure_of_the_part_is_read_when_a_sentence_states_several(sentence, question, value):
    reading = read_detailed(make_task(make_view([sentence]), question))
    assert reading is not None
    assert [item.value for item in reading.items] == [value]
    assert reading.conflict is None


def test_the_noun_of_the_head_is_told_when_a_part_of_a_list_has_none():
    reading = read_detailed(make_task(make_view([DEPOTS]), "How many depots does Brisk operate in Sudland?"))
    assert reading is not None
    assert reading.text == "105 depots (in Sudland)"


@pytest.mark.parametrize("sentence", [DEPOTS, YEARS])
def test_no_figure_is_read_when_the_place_asked_for_is_not_said_of_one(sentence):
    task = make_task(make_view([sentence]), "How many depots does Brisk operate in Nirgendwo?")
    assert read_detailed(task) is None
    assert read_value(task) is None


def test_the_latest_is_read_when_a_dated_list_is_asked_without_a_date():
    reading = read_detailed(make_task(make_view([YEARS]), "How many depots did Brisk operate?"))
    assert reading is not None
    assert reading.text == "815 depots (May 31, 2021)"


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("By what percentage did ferry sales increase?", "18.3"),
        ("To what amount of money did ferry sales increase?", "10200000"),
    ],
)
def test_the_role_tells_the_figure_when_something_moved(question, value):
    reading = read_moved(make_task(make_view([MOVE]), question))
    assert reading is not None
    assert [item.value for item in reading.items] == [value]


def test_the_figures_of_a_movement_have_their_roles_when_all_are_in_one_sentence():
    text = "Revenue decreased $456 million, or 5%, in 2020 to $8.4 billion, from $8.8 billion in 2019."
    found = [(share.typed.text, share.role) for share in list_shares(text, LEXICON)]
    assert found == [("$456 million", "change"), ("5%", "change"), ("$8.4 billion", "to"), ("$8.8 billion", "from")]


def test_labels_are_told_apart_when_two_lists_run_through_one_sentence():
    text = "Sales of the club rose $1.9 million or 3.2% and $0.5 million or 0.9% for 2018 and 2017, respectively."
    found = {share.typed.text: share.years for share in list_shares(text, LEXICON)}
    assert found == {
        "$1.9 million": frozenset({2018}),
        "3.2%": frozenset({2018}),
        "$0.5 million": frozenset({2017}),
        "0.9%": frozenset({2017}),
    }


def test_a_list_is_open_when_it_says_respectively_of_nothing_that_stands_there():
    assert all(share.is_open for share in list_shares("They cost 4% and 6%, respectively.", LEXICON))


PLACES = ("Norland", "Sudland", "Ostland", "Westmark", "Midmark")
COUNTS = st.lists(st.integers(min_value=21, max_value=899), min_size=3, max_size=5, unique=True)


@settings(max_examples=60, deadline=None)
@given(COUNTS, st.data())
def test_a_partitive_list_never_gives_the_figure_of_another_place_when_one_is_asked(counts, data):
    asked = data.draw(st.integers(min_value=0, max_value=len(counts) - 1))
    joint = data.draw(st.sampled_from([", ", "; "]))
    parts = [f"{count} in {place}" for count, place in zip(counts, PLACES, strict=False)]
    lead = data.draw(st.sampled_from(["Brisk operated {} depots: ", "Brisk operated {} depots, including "]))
    text = f"{lead.format(sum(counts))}{joint.join(parts[:-1])}{joint}and {parts[-1]}."
    reading = read_detailed(make_task(make_view([text]), f"How many depots did Brisk operate in {PLACES[asked]}?"))
    assert reading is not None
    assert [item.value for item in reading.items] == [str(counts[asked])]


@settings(max_examples=60, deadline=None)
@given(COUNTS, st.data())
def test_an_aligned_list_never_gives_the_figure_of_another_year_when_one_is_asked(counts, data):
    years = [2020 - index for index in range(len(counts))]
    asked = data.draw(st.integers(min_value=0, max_value=len(counts) - 1))
    values = ", ".join(f"${count} million" for count in counts[:-1]) + f" and ${counts[-1]} million"
    listed = ", ".join(map(str, years[:-1])) + f" and {years[-1]}"
    is_led = data.draw(st.booleans())
    text = (
        f"In {listed}, towing tolls were {values}, respectively."
        if is_led
        else (f"Towing tolls were {values} in {listed}, respectively.")
    )
    reading = read_detailed(make_task(make_view([text]), f"How much were towing tolls in {years[asked]}?"))
    assert reading is not None
    assert [item.value for item in reading.items] == [f"{counts[asked]}000000"]
