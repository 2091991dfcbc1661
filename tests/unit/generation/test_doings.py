"""What was done to things, and how many there are: neither answers for the other."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.generation.extractive.count import read_count
from pipeline.generation.extractive.counted import may_count
from pipeline.generation.extractive.doings import judge_doings, keep_done, read_doings
from pipeline.generation.extractive.included import join_included, says_bounds
from pipeline.generation.extractive.shares import list_shares
from pipeline.generation.extractive.staffed import heads_staff, is_working
from pipeline.generation.extractive.stated import read_stated
from tests.unit.generation.pages import make_task, make_view

HIRED = "During 2021, the Harbour Trust hired more than 10,000 employees, despite the storms of that year."
CREW = "As of the end of 2021, we had a skilled workforce made up of approximately 114,000 employees."
UNIONS = "Approximately 54,000 employees, which constitute 35% of our workforce, were union represented in 2021."
DEPOTS = "In 2021, the Trust opened 145 new depots, relocated approximately 35 depots and closed about 30 depots."
STOCK = "At the end of 2021, the Trust operated 1,355 depots in three countries."
GRANTS = "In 2021, the Trust was granted about 420 patents in Norland and over 1,600 patents in other countries."
COVERED = "The two new collective bargaining agreements, which would cover 180 employees, end in 2022."
UNIT = "Approximately 180 employees are covered by collective bargaining agreements."
LANES = "Our lines reach approximately 328 million people. We had 900 employees at the end of 2021."


def _read(question: str, *texts: str) -> list[str]:
    task = make_task(make_view([" ".join(texts)]), question)
    reading = read_stated(task)
    reading = None if reading is None else judge_doings(task, reading)
    return [] if reading is None else [str(item.value) for item in reading.items]


@pytest.mark.parametrize(
    ("question", "texts", "value"),
    [
        ("How many employees did the Harbour Trust have at the end of 2021?", (HIRED, CREW), "114000"),
        ("How many people does the Harbour Trust employ?", (CREW, HIRED), "114000"),
        ("How many employees did the Harbour Trust hire in 2021?", (CREW, HIRED), "10000"),
        ("How many employees were recruited in 2021?", (CREW, HIRED), "10000"),
        ("How many employees were represented by unions in 2021?", (UNIONS, CREW), "54000"),
        ("How many employees did we have at the end of 2021?", (UNIONS, COVERED, CREW), "114000"),
        ("How many employees are covered by bargaining agreements?", (CREW, UNIT), "180"),
        ("How many new depots did the Trust open in 2021?", (STOCK, DEPOTS), "145"),
        ("How many depots did the Trust relocate in 2021?", (STOCK, DEPOTS), "35"),
        ("How many depots did the Trust close in 2021?", (STOCK, DEPOTS), "30"),
        ("How many depots did the Trust operate at the end of 2021?", (DEPOTS, STOCK), "1355"),
        ("How many employees did we have in 2021?", (LANES,), "900"),
    ],
)
def test_the_number_of_what_is_asked_is_read_when_others_are_told_of_what_was_done(question, texts, value):
    assert _read(question, *texts) == [value]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How many employees did the Harbour Trust have in 2021?", HIRED),
        ("How many employees did the Harbour Trust lay off in 2021?", f"{CREW} {HIRED}"),
        ("How many employees did we have in 2021?", COVERED),
        ("How many depots did the Trust remodel in 2021?", f"{STOCK} {DEPOTS}"),
        ("How many employees does the carrier have?", "Our lines reach approximately 328 million people."),
    ],
)
def test_nothing_is_read_when_only_something_else_was_done(question, text):
    assert _read(question, text) == []


def _keep(question: str, text: str) -> list[str]:
    task = make_task(make_view([text]), question)
    return [share.printed for share in keep_done(task, text, list_shares(text, task.view.lexicon))]


def test_what_was_done_goes_on_when_a_second_figure_has_no_verb():
    assert _keep("How many patents was the Trust granted?", GRANTS) == ["420", "1,600"]
    assert _keep("How many patents does the Trust own?", GRANTS) == []


@pytest.mark.parametrize(
    "text", ["1,355 depots were open at the end of 2021.", "At the close of the year, we had 1,355 depots."]
)
def test_nothing_was_done_when_a_word_only_looks_like_it(text):
    assert read_doings(text, make_task(make_view([text]), "How many depots are open?").view.lexicon) == frozenset()
    assert _keep("How many depots were open at the end of 2021?", text) == ["1,355"]


@given(
    count=st.integers(2, 9_000),
    other=st.integers(2, 9_000),
    done=st.sampled_from(["hired", "trained", "promoted", "laid off"]),
    is_first=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_no_number_answers_for_the_other_kind_when_both_are_told(count, other, done, is_first):
    flow, stock = f"In 2021 the Trust {done} {count} employees.", f"In 2021 the Trust had {other} employees in all."
    text = f"{flow} {stock}" if is_first else f"{stock} {flow}"
    assert _read("How many employees did the Trust have in 2021?", text) in ([str(other)], [])
    asked = f"How many employees were {done} by the Trust in 2021?"
    assert _read(asked, text) in ([str(count)], [])


def test_staff_is_counted_when_the_workforce_has_no_noun_behind_its_number():
    text = "Total workforce level at the end of 2018 was approximately 153,000."
    share = list_shares(text, make_view([text]).lexicon)[0]
    assert heads_staff(text, share, make_view([text]).lexicon)
    assert _read("How many employees did we have at the end of 2018?", text) == ["153000"]


def test_people_are_no_staff_when_they_are_only_reached_or_served():
    text = "We employ 6,500 people who serve over 14 million people in 24 towns."
    lexicon = make_view([text]).lexicon
    kept = [share.printed for share in list_shares(text, lexicon) if is_working(text, share, lexicon)]
    assert kept == ["6,500", "24"]


def test_the_date_is_of_all_when_a_part_stands_between():
    text = "With 118,000 employees, including approximately 800 Harbour employees, as of the end of 2021, we grow."
    task = make_task(make_view([text]), "How many employees were there at the end of 2021?")
    joined = join_included(task, text, list_shares(text, task.view.lexicon))
    assert [(share.printed, sorted(share.years)) for share in joined] == [("118,000", [2021])]
    named = make_task(make_view([text]), "How many Harbour employees were there at the end of 2021?")
    assert [share.printed for share in join_included(named, text, list_shares(text, task.view.lexicon))] == [
        "118,000",
        "800",
    ]


def test_a_sentence_counts_by_an_amount_only_when_it_says_that_amount():
    question = "In how many towns did tolls exceed $500 million?"
    assert says_bounds(make_task(make_view(["x"]), question), "Tolls exceeded $500 million in 21 towns.")
    assert not says_bounds(make_task(make_view(["x"]), question), "Tolls exceeded $50 million in 34 towns.")


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many people do we employ domestically?", "1500000"),
        ("How many people do we employ abroad?", "800000"),
        ("How many people do we employ worldwide?", "2300000"),
        ("How many people do we employ?", "2300000"),
    ],
)
def test_the_side_of_the_border_is_read_when_one_word_asks_for_it(question, value):
    text = (
        "The Trust employed 2.3 million people worldwide, with 1.5 million people in the U.S. and 0.8 million abroad."
    )
    assert _read(question, text) == [value]


def test_no_list_is_counted_when_another_doing_is_asked():
    task = make_task(make_view([f"{CREW} {STOCK}"]), "How many employees did the Trust dismiss in 2021?")
    reading = read_count(task)
    assert reading is None or judge_doings(task, reading) is None


def test_each_year_has_its_own_figure_when_one_aligned_sentence_tells_several():
    text = "Tolls exceeded $500 million in each of 21, 8 and 10 towns abroad in 2021, 2020 and 2019, respectively."
    view = make_view([text])
    question = "In how many towns abroad did tolls exceed $500 million in 2019 and 2021?"
    reading = read_stated(make_task(view, question))
    assert reading is not None
    assert [(item.period, item.value) for item in reading.items] == [("2019", "10"), ("2021", "21")]
    one = read_stated(make_task(view, "In how many towns abroad did tolls exceed $500 million in 2020?"))
    assert one is not None
    assert [item.value for item in one.items] == ["8"]


def test_a_year_without_a_figure_is_told_when_the_others_have_one():
    text = "The Trust operated 815, 795 and 782 depots at the end of 2021, 2020 and 2019, respectively."
    question = "How many depots did the Trust operate at the end of 2018, 2020 and 2021?"
    reading = read_stated(make_task(make_view([text]), question))
    assert reading is not None
    assert [item.value for item in reading.items] == ["795", "815"]
    assert not reading.is_complete
    assert any("2018" in caveat for caveat in reading.caveats)


@pytest.mark.parametrize(
    ("question", "lead", "is_counted"),
    [
        ("How many plants does the Trust run?", "The Trust runs 39 plants around the world, including:", False),
        ("How many plants does the Trust run?", "The Trust runs the following plants:", True),
        ("How many employees does the Trust have?", "These employees may take part:", False),
        ("How many people does the Trust employ?", "These people may take part:", False),
        ("How many people signed the charter?", "The charter was signed by these people:", True),
    ],
)
def test_a_list_is_counted_only_when_it_holds_all_of_what_is_asked(question, lead, is_counted):
    view = make_view([lead, "(a) Alder Quay;", "(b) Birch Quay; and", "(c) Cedar Quay."])
    listed = view.enumerations_in((1, 1), (2, 1))[0]
    assert may_count(make_task(view, question), listed) is is_counted
