"""Series that are introduced alike: the one that the words before it single out, and none that merely is near."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.generation.extractive.scopes import read_scope
from pipeline.generation.extractive.siblings import read_alone, read_included, read_siblings
from tests.unit.generation.pages import make_task, make_view

GRADES = [
    "The flood is MINOR if the water stays below the quay.",
    "AMPLIFICATION: A limited outage means that, for example, the loss of a pump might: (i) slow the",
    "cranes; (ii) wet the sheds; or (iii) delay a ferry.",
    "",
    "The flood is SEVERE if the water stands on the quay.",
    "AMPLIFICATION: A long outage means that, for example, the loss of a pump might: (i) stop the",
    "cranes; (ii) fill the sheds; or (iii) sink a ferry.",
    "",
    "The flood is UTTER if the water stands above the sheds.",
    "AMPLIFICATION: A final outage means that, for example, the loss of a pump might: (i) wreck the",
    "cranes; (ii) carry off the sheds; or (iii) break the mole.",
]
POLICY = [
    "Wreck Policy",
    "",
    "This policy asks all crews to tell of wrecks.",
    "",
    "Reporting:",
    "",
    "If a crew sees a wreck, it is important to report it at once. You can do this by:",
    "",
    "1. Ringing the harbour office.",
    "2. Writing to the warden.",
    "",
    "When making a report, please be exact. This message should",
    "include:",
    "",
    "1. The place of the wreck.",
    "2. The names of the crew.",
    "3. The hour of the tide.",
]


def _texts(reading):
    return [item.text for item in reading.items] if reading is not None else None


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What are the possible outages of a MINOR flood?", "slow the cranes"),
        ("What are the possible outages of a SEVERE flood?", "stop the cranes"),
        ("What are the possible outages of an UTTER flood?", "wreck the cranes"),
        ("What can a long outage look like?", "stop the cranes"),
        ("What can a final outage look like, for example?", "wreck the cranes"),
    ],
)
def test_series_of_the_asked_level_is_taken_when_several_are_introduced_alike(question, first):
    reading = read_siblings(make_task(make_view(GRADES), question))
    texts = _texts(reading)
    assert texts is not None
    assert len(texts) == 3
    assert texts[0] == first


def test_no_series_is_taken_when_the_question_fits_all_of_them():
    assert read_siblings(make_task(make_view(GRADES), "What can an outage after the loss of a pump look like?")) is None


def test_no_series_is_taken_when_the_level_that_is_asked_is_none_of_theirs():
    assert read_siblings(make_task(make_view(GRADES), "What are the outages of a MODERATE flood?")) is None


def test_small_letters_are_no_level_when_the_question_names_it_in_capitals():
    low = [line.replace("MINOR", "LOW").replace("the water stands on", "a low wind drives water on") for line in GRADES]
    assert (
        _texts(read_siblings(make_task(make_view(low), "What are the outages of a LOW flood?")))[0] == "slow the cranes"
    )


def test_line_that_names_the_level_is_cited_when_the_lead_does_not_say_it():
    reading = read_siblings(make_task(make_view(GRADES), "What are the possible outages of a SEVERE flood?"))
    assert reading is not None
    assert any("SEVERE" in citation.quote for citation in reading.items[0].citations)


def test_list_below_a_pointing_lead_is_taken_when_its_paragraph_says_what_is_asked():
    reading = read_alone(make_task(make_view(POLICY), "How can crews report a wreck?"))
    assert _texts(reading) == ["Ringing the harbour office.", "Writing to the warden."]


def test_second_list_is_taken_when_its_own_lead_says_what_is_asked():
    reading = read_alone(make_task(make_view(POLICY), "What should a message of a report include?"))
    assert _texts(reading) == ["The place of the wreck.", "The names of the crew.", "The hour of the tide."]


def test_no_list_is_taken_when_only_its_neighbour_speaks_of_what_is_asked():
    assert read_alone(make_task(make_view(POLICY), "How can crews salvage a wreck at night?")) is None


OFFSET = [
    "Our quay rent rose by 4 % in 2016 compared to 2015. This rise was primarily due to (1) longer",
    "leases; (2) two new berths; and (3) higher dues. These gains were partially offset by (1) empty",
    "sheds; and (2) a late thaw.",
    "",
    "Our quay rent rose by 6 % in 2017 compared to 2016. This rise was primarily due to (1) a new",
    "crane, and (2) more ferries, partially offset by (1) storm damage, and (2) lost keys.",
]


def test_offsetting_series_is_taken_when_the_question_asks_what_offset():
    reading = read_siblings(make_task(make_view(OFFSET), "What partially offset the gains in quay rent in 2016?"))
    assert _texts(reading) == ["empty sheds", "a late thaw"]


def test_series_of_the_year_is_taken_when_another_compares_with_that_year():
    reading = read_siblings(make_task(make_view(OFFSET), "What was the rise in quay rent in 2016 primarily due to?"))
    assert _texts(reading) == ["longer leases", "two new berths", "higher dues"]


def test_parts_of_a_sum_are_taken_when_the_question_asks_what_it_includes():
    page = [
        "Cost of quays was 4,100 and cost of sheds was 2,000 in 2017.",
        "",
        "The cost of quays includes: (i) the price of stone, (ii) dredging fees and (iii) lamp oil.",
        "The cost of sheds includes: (i) the price of tin and (ii) roofing fees.",
    ]
    reading = read_included(make_task(make_view(page), "What does the cost of quays include?"))
    assert _texts(reading) == ["the price of stone", "dredging fees", "lamp oil"]
    assert read_included(make_task(make_view(page), "What was the cost of quays in 2017?")) is None


def test_scope_ends_at_the_list_before_when_two_series_stand_in_one_paragraph():
    view = make_view(OFFSET)
    series = [each for each in view.enumerations_in((1, 1), (2, 1)) if each.kind == "inline" and each.items[0].marker]
    scopes = [read_scope(view, each, series) for each in series]
    assert [scope.lead for scope in scopes][1] == "These gains were partially offset by"
    assert "longer" not in f"{scopes[1].text} {scopes[1].lead}"
    assert "partially offset" in scopes[3].lead
    assert "crane" not in scopes[3].lead


WORDS = ("amber", "birch", "cedar", "drift", "ember", "fjord", "gorse", "heron")


@settings(max_examples=40, deadline=None)
@given(
    names=st.lists(st.sampled_from(WORDS), min_size=2, max_size=5, unique=True),
    counts=st.lists(st.integers(min_value=2, max_value=5), min_size=5, max_size=5),
    asked=st.integers(min_value=0, max_value=4),
)
def test_every_series_is_found_by_its_own_name_when_all_are_introduced_alike(names, counts, asked):
    rows = []
    for at, name in enumerate(names):
        numerals = ("i", "ii", "iii", "iv", "v")[: counts[at]]
        members = "; ".join(f"({numeral}) mend part {at}{place}" for place, numeral in enumerate(numerals))
        rows += [f"The berth is {name} if the tide allows.", f"A crew of that berth must: {members}.", ""]
    at = asked % len(names)
    reading = read_siblings(make_task(make_view(rows), f"Which steps does a crew of the {names[at]} berth have?"))
    assert _texts(reading) == [f"mend part {at}{place}" for place in range(counts[at])]


def test_series_without_marks_is_taken_when_its_verb_says_that_it_includes_them():
    page = [
        "Each keeper writes a slate. This slate will include the hour, the level of the pond, and the names of barges."
    ]
    reading = read_alone(make_task(make_view(page), "What will the slate of a keeper include?"))
    assert _texts(reading) == ["the hour", "the level of the pond", "the names of barges"]


def test_words_of_the_part_before_count_when_a_part_points_at_it():
    task = make_task(make_view(POLICY), "What are the ways to make a report, and what should it include?")
    reading = read_alone(replace(task, part=task.question.sub_questions[1]))
    assert _texts(reading) == ["The place of the wreck.", "The names of the crew.", "The hour of the tide."]


def test_nouns_of_a_series_are_no_steps_when_a_procedure_is_asked():
    page = [
        "A keeper may appeal any ruling of the Board. Such a ruling of the Board may include fines, bans, and fees."
    ]
    assert read_alone(make_task(make_view(page), "What are the steps to appeal a ruling of the Board?")) is None


def test_no_series_is_taken_when_it_is_only_the_end_of_what_is_said():
    page = [
        "Net dues of berths are income before rebates and before losses of old crews in harbours of the league, plus:",
        "(1) fines; and (2) lamp money.",
    ]
    assert read_alone(make_task(make_view(page), "What are net dues of berths?")) is None


def test_no_series_is_taken_when_another_amount_is_asked():
    page = [
        "For 2021, the total of 334 pounds mainly includes: (i) new ropes and (ii) new sails.",
        "For 2020, the total of 697 pounds mainly included: (i) old ropes and (ii) old sails.",
    ]
    view = make_view(page)
    assert (
        _texts(read_included(make_task(view, "What did the total of 697 pounds for 2020 mainly include?")))[0]
        == "old ropes"
    )
    assert read_included(make_task(view, "What did the total of 812 pounds for 2019 mainly include?")) is None


def test_series_is_taken_when_it_is_printed_twice():
    note = (
        "Wholesale dues of barges consist of (1) dues of owners and (2) dues of the league, which are charged at cost."
    )
    reading = read_alone(make_task(make_view([note], [note]), "What do wholesale dues of barges consist of?"))
    assert _texts(reading) == ["dues of owners", "dues of the league, which are charged at cost"]
