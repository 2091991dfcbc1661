"""Which list is meant by what leads to it: pointing back, leaving out, the head of the noun, the announced number."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.generation.extractive.count import read_count
from pipeline.generation.extractive.leadins import may_answer
from pipeline.generation.extractive.led import read_led
from pipeline.generation.extractive.listing import read_list
from pipeline.generation.extractive.told_apart import read_told_apart
from pipeline.generation.extractive.unlisted import read_unlisted
from pipeline.generation.extractive.whereabouts import read_whereabouts
from pipeline.models.structure import Enumeration, EnumerationItem, Extent
from tests.unit.generation.pages import make_task, make_view

PERMITS = [
    "The harbour office needs a permit for some works. Permits are needed for works such as:",
    "",
    "• Dredging",
    "• Piling",
    "• Diving",
    "",
    "There are certain works that are exempt from permits. These include:",
    "",
    "• Painting",
    "• Sweeping",
    "",
    "Ask the office where in doubt.",
]


def _texts(reading):
    return [item.text for item in reading.items] if reading is not None else None


def test_exempt_list_is_taken_when_the_lead_only_points_back():
    reading = read_list(make_task(make_view(PERMITS), "Which works are exempt from permits?"))
    assert _texts(reading) == ["Painting", "Sweeping"]


def test_list_that_leaves_nothing_out_is_taken_when_the_question_leaves_nothing_out():
    reading = read_list(make_task(make_view(PERMITS), "Which works need permits?"))
    assert _texts(reading) == ["Dredging", "Piling", "Diving"]


def test_exempt_members_are_counted_when_their_number_is_asked():
    reading = read_count(make_task(make_view(PERMITS), "How many works are exempt from permits?"))
    assert reading is not None
    assert reading.items[0].value == "2"


def test_set_apart_list_is_taken_when_a_series_in_a_sentence_fits_as_well():
    page = [
        "Landing fees are charged for some boats, such as ferries, tugs and barges.",
        "",
        "Landing fees are charged for boats, among them:",
        "",
        "• Trawlers",
        "• Yachts",
        "",
        "They are paid at the quay.",
    ]
    reading = read_list(make_task(make_view(page), "Which boats are landing fees charged for?"))
    assert _texts(reading) == ["Trawlers", "Yachts"]


def test_nothing_is_listed_when_only_another_word_of_the_noun_leads_the_series():
    page = ["The sail makers keep records of all sail repairs, including the date, the cloth and the price."]
    assert read_list(make_task(make_view(page), "Which sail numbers are kept?")) is None


def test_whose_things_are_is_no_noun_when_lists_are_rated():
    page = [
        "Merrow's boats are old. Merrow kept crews of smiths, cooks and clerks.",
        "",
        "Merrow has the following sheds:",
        "",
        "• North shed",
        "• South shed",
        "",
        "All are dry.",
    ]
    reading = read_list(make_task(make_view(page), "What are Merrow's sheds?"))
    assert _texts(reading) == ["North shed", "South shed"]


def test_doubt_is_told_when_nothing_calls_the_list_what_was_asked():
    page = [
        "The quay has lanterns of all makes.",
        "",
        "The quay office keeps:",
        "",
        "• Ropes",
        "• Buckets",
        "",
        "It is open at noon.",
    ]
    reading = read_list(make_task(make_view(page), "Which lanterns does the quay office keep?"))
    assert reading is None or reading.max_confidence <= 400


def test_list_is_read_when_no_list_is_asked_for_by_name():
    page = [
        "When you write a complaint, give all that you know. This information should include:",
        "",
        "1. The day and hour.",
        "2. Who was there.",
        "3. What was seen.",
        "",
        "Complaints are read each week.",
    ]
    reading = read_led(make_task(make_view(page), "What information should a complaint include?"))
    assert _texts(reading) == ["The day and hour.", "Who was there.", "What was seen."]


def test_hyphens_without_space_are_bullets_when_they_follow_each_other():
    page = [
        "A claim for lost gear must provide the following details:",
        "-Your name",
        "-A list of the gear",
        "-The berth",
        "",
        "You can send it by post.",
    ]
    reading = read_list(make_task(make_view(page), "Which details must a claim provide?"))
    assert _texts(reading) == ["Your name", "A list of the gear", "The berth"]


def test_sentences_are_members_when_they_tell_them_one_by_one():
    page = [
        "Motivating our use of tide gauges we consider three goals.",
        "One is the safety of the crews. Another is the depth that can be kept, as measured at noon.",
        "The third is the cost of dredging in all harbours. Dredging is dear.",
    ]
    task = make_task(make_view(page), "What three goals motivate the use of tide gauges?")
    reading = read_told_apart(task)
    assert reading is not None
    assert len(reading.items) == 3
    assert "cost of dredging" in reading.items[2].text
    assert reading.certificate is not None
    assert reading.certificate.verdict == "complete"


def test_no_sentences_are_members_when_their_number_is_another():
    page = ["We consider some goals.", "One is the safety of the crews. Another is the depth that can be kept."]
    task = make_task(make_view(page), "What three goals do we consider?")
    assert read_told_apart(task) is None


def test_one_member_of_places_is_told_when_the_question_names_it():
    page = [
        "At the end of the year we had significant operations in the following locations:",
        "• Ferries - Oban, Mallaig; and Ullapool.",
        "• Lighthouses - Skye and Mull.",
        "Other offices are small.",
    ]
    reading = read_whereabouts(make_task(make_view(page), "Where do the lighthouses have significant operations?"))
    assert _texts(reading) == ["Skye and Mull."]


_NOUNS = ("anchors", "brushes", "candles", "dishes", "engines", "funnels")
_MEMBERS = ("red one", "blue one", "green one", "old one", "new one", "large one", "small one")


@settings(max_examples=25, deadline=None)
@given(
    nouns=st.permutations(_NOUNS).map(lambda order: order[:3]),
    sizes=st.tuples(*[st.integers(min_value=2, max_value=6)] * 3),
    asked=st.integers(min_value=0, max_value=2),
)
def test_asked_list_comes_back_whole_when_several_stand_under_leads_of_their_own(nouns, sizes, asked):
    page = []
    for noun, size in zip(nouns, sizes, strict=True):
        page += [f"The depot keeps the following {noun}:", ""]
        page += [f"• {noun.capitalize()[:4]} {member}" for member in _MEMBERS[:size]]
        page += ["", f"All of these are checked each spring by the clerk for {noun[:3]}.", ""]
    reading = read_list(make_task(make_view(page), f"Which {nouns[asked]} does the depot keep?"))
    prefix = nouns[asked].capitalize()[:4]
    assert _texts(reading) == [f"{prefix} {member}" for member in _MEMBERS[: sizes[asked]]]


def test_list_of_all_is_taken_when_others_are_parts_of_one_of_them():
    page = [
        "The Northern depot comprises the following sheds. This depot primarily keeps:",
        "",
        "• Ropes",
        "• Chains",
        "",
        "We run our harbour with new depots, Northern, Southern, and Mill Lane, and count them each year.",
    ]
    reading = read_list(make_task(make_view(page), "What are the depots of the harbour?"))
    assert _texts(reading) == ["Northern", "Southern", "Mill Lane"]


def test_members_with_commas_are_whole_when_semicolons_part_them():
    page = [
        "The ferry districts are: Oban, Argyll; Mallaig & Skye (MAS); and Ullapool, and they have crews of their own."
    ]
    reading = read_list(make_task(make_view(page), "What are the ferry districts?"))
    assert _texts(reading) == ["Oban, Argyll", "Mallaig & Skye (MAS)", "Ullapool"]


def test_counted_list_is_taken_when_its_number_is_announced_before_more_words():
    page = [
        "Costs that are not of the depots include the following: paper costs, ink costs and coal costs.",
        "",
        "The company has three depots for reporting purposes, as follows:",
        "",
        "• Northern",
        "• Southern",
        "• Mill Lane",
        "",
        "All are open.",
    ]
    reading = read_list(make_task(make_view(page), "What are the depots of the company?"))
    assert _texts(reading) == ["Northern", "Southern", "Mill Lane"]


def test_passage_is_no_answer_when_it_says_nothing_of_what_is_counted():
    page = ["The quay office has a lantern and keeps the keys of the sheds.", "It is open at noon."]
    assert read_unlisted(make_task(make_view(page), "What are the four signal codes of the quay office?")) is None


def test_passage_is_unsure_when_members_are_asked_for():
    page = ["The quay office has lanterns of many makes, and all of them are lit at dusk by the clerk of the quay."]
    reading = read_unlisted(make_task(make_view(page), "Which lanterns does the quay office have?"))
    assert reading is not None
    assert reading.max_confidence <= 600


def test_shared_members_are_left_out_when_another_list_is_excluded():
    page = [
        "Every counter carries the following tools:",
        "",
        "• whistle",
        "• notebook",
        "• lamp",
        "",
        "Every warden carries:",
        "",
        "• whistle",
        "• rope",
        "",
        "All of it is returned in spring.",
    ]
    task = make_task(make_view(page), "Which tools does a counter carry but not a warden?")
    reading = read_list(task)
    assert _texts(reading) == ["notebook", "lamp"]
    assert any("whistle" in caveat for caveat in reading.caveats)


def test_members_are_told_when_a_second_part_asks_which_they_are():
    page = [
        "The quay has two kinds of berths, as follows:",
        "",
        "• Deep berths",
        "• Shallow berths",
        "",
        "All are lit.",
    ]
    task = make_task(make_view(page), "How many kinds of berths does the quay have, and which are they?")
    second = replace(task, part=task.question.sub_questions[1])
    assert _texts(read_led(second)) == ["Deep berths", "Shallow berths"]


def test_list_of_another_general_noun_is_doubted_when_ways_are_asked_for():
    page = [
        "To file a claim, you must provide the following information:",
        "",
        "• Your name",
        "• Your berth",
        "",
        "Claims are read at noon.",
    ]
    reading = read_list(make_task(make_view(page), "What are the ways to file a claim?"))
    assert reading is None or reading.max_confidence <= 400


def test_dashes_of_empty_cells_are_no_list_when_figures_stand_beside_them():
    page = ["Visits by berth were as follows:", "", "— 14", "— 27", "— 31", "", "They were counted by hand."]
    assert read_list(make_task(make_view(page), "What are the visits by berth?")) is None


def test_last_member_is_whole_when_it_has_words_in_parentheses():
    page = ["We sort our boats in three classes: Ferries, Tugs (harbour), and Yachts (all boats for pleasure)."]
    reading = read_list(make_task(make_view(page), "What are the three classes of boats?"))
    assert _texts(reading) == ["Ferries", "Tugs (harbour)", "Yachts (all boats for pleasure)"]


def test_titles_of_sections_are_no_steps_when_they_have_no_numbers():
    page = [
        "Storm damage",
        "",
        "Report storm damage to the harbour office at once and keep away from the moles.",
    ]
    task = make_task(make_view(page), "What should I do if I see storm damage?")
    extent = Extent(page=1, line_start=1, line_end=1)
    titles = tuple(
        EnumerationItem(marker="", head=name, text=name, level=0, extents=(extent,)) for name in ("Purpose", "Training")
    )
    steps = tuple(item.model_copy(update={"marker": f"{at}."}) for at, item in enumerate(titles, start=1))
    headings = Enumeration(kind="headings", items=titles, start=(1, 1), end=(1, 4))
    assert task.part.shape == "procedure"
    assert not may_answer(task, headings)
    assert may_answer(task, headings.model_copy(update={"items": steps}))


def test_members_are_read_when_one_sentence_tells_both():
    page = [
        "Each kiln has two doors. The first is a steel door with a spyhole, and the second is a light, painted",
        "wooden door. Doors are oiled twice a year.",
    ]
    reading = read_told_apart(make_task(make_view(page), "Which two doors does each kiln have?"))
    assert _texts(reading) == [
        "The first is a steel door with a spyhole",
        "the second is a light, painted wooden door.",
    ]
