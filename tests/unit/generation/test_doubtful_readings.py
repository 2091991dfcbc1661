"""What looks like an answer and is none: parts of another figure, purposes of another thing, offices without names."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.boolean import read_boolean
from pipeline.generation.extractive.count import read_count
from pipeline.generation.extractive.displayed import find_told
from pipeline.generation.extractive.doubts import mark_unsaid_qualifier
from pipeline.generation.extractive.officers import read_officers
from pipeline.generation.extractive.operated import UNCOMPUTED, mark_uncomputed, read_operated
from pipeline.generation.extractive.passage import read_passage
from pipeline.generation.extractive.persons import find_person_hits
from pipeline.generation.extractive.reasons import TURNED, read_reason
from pipeline.models.settings import Settings
from pipeline.run import ask
from pipeline.structure.names import has_person
from tests.unit.generation.pages import make_task, make_view
from tests.unit.structure.pages import load_english

BREAKDOWN = [
    "Results of the segments of the mill",
    "",
    "Net income was $3 million, and net revenue was $40 million.",
    "Lodging revenue was $9 million, up 4%.",
    "\u2022 Room revenue was $5 million.",
    "\u2022 Garden revenue was $3 million.",
    "\u2022 Boat revenue was $1 million.",
    "",
    "Nothing else is told of the segments.",
]
OFFICES = ["Our offices", "", "1. Chief Executive Officer", "2. Chief Operating Officer", "3. Keeper of the lamps"]


@pytest.mark.parametrize(
    "question",
    [
        "Which of the segments had the highest net income?",
        "Which of the segments had the lowest net revenue?",
    ],
)
def test_nothing_is_compared_when_a_list_breaks_another_figure_down(question):
    assert read_operated(make_task(make_view(BREAKDOWN), question)) is None


def test_nothing_is_compared_when_other_figures_stand_in_a_list():
    lines = ["The net income of the segments is told in these points:", *BREAKDOWN[4:7]]
    assert read_operated(make_task(make_view(lines), "Which of the segments had the highest net income?")) is None


def test_a_passage_is_doubted_when_an_extreme_is_asked_of_it():
    lines = ["The mill has two sluices, and each sluice was mended in 1987 for the miller."]
    task = make_task(make_view(lines), "Which sluice is the longest?")
    reading = mark_uncomputed(task, read_passage(task))
    assert reading.caveats == (UNCOMPUTED,)
    assert not reading.has_typed_fit


def test_no_passage_is_quoted_when_it_has_neither_figure_nor_comparison():
    lines = ["Both plans pay for eye tests, and both plans pay for visits to the dentist."]
    assert read_passage(make_task(make_view(lines), "Which plan is cheaper?")) is None


@pytest.mark.parametrize(
    ("line", "is_read"),
    [
        ("Sluice walks are taken in order to look at the river from the far bank.", False),
        ("Sluice walks are important in order to find leaks before the winter comes.", True),
        ("Sluice walks are taken in May because the river is low by then.", True),
    ],
)
def test_a_purpose_is_a_reason_when_the_sentence_says_what_was_asked(line, is_read):
    reading = read_reason(make_task(make_view([line]), "Why are sluice walks important?"))
    assert (reading is not None) is is_read


def test_a_reason_is_doubted_when_it_is_that_of_the_opposite_change():
    line = "Gross profit increased to 39 % of sales in the year, primarily due to lower freight and fewer returns."
    task = make_task(make_view([line]), "Why did gross profit decrease?")
    reading = read_reason(task)
    assert reading.caveats == (TURNED,)
    assert not reading.has_typed_fit


def test_other_things_are_left_out_when_a_reason_names_the_thing():
    lines = [
        "Gross profit decreased to 31 % of sales in the year, primarily due to dearer freight.",
        "As a share of sales, wages decreased to 12 % in the year, primarily due to fewer shifts.",
    ]
    reading = read_reason(make_task(make_view(lines), "Why did gross profit decrease as a share of sales?"))
    assert [item.text for item in reading.items] == lines[:1]


def test_nobody_is_named_when_offices_are_only_listed():
    task = make_task(make_view(OFFICES), "Who is the CEO?")
    assert read_officers(task) is None
    assert read_passage(task) is None


@pytest.mark.parametrize(
    ("line", "question"),
    [
        ("Boards of directors and other managers may use the guide of the Harbour Office.", "Who is the director?"),
        ("The river act was signed into law by the assembly of the town in spring.", "Who signed the document?"),
    ],
)
def test_no_passage_is_quoted_when_it_cannot_say_who(line, question):
    assert read_passage(make_task(make_view([line]), question)) is None


def test_a_person_is_found_in_a_sentence_when_a_name_stands_there():
    lexicon = load_english()
    assert has_person("The director, Ada M. Byron, opened the mill.", lexicon)
    assert not has_person("The Chief Executive Officer opened the mill on High Street.", lexicon)


def test_a_chance_word_is_no_verdict_when_the_deed_is_another():
    lines = ["Massages can be given by a nurse, a dentist or a chiropractor of the house."]
    reading = read_boolean(make_task(make_view(lines), "Can I get a chiropractor?"))
    assert not reading.text.startswith("Yes")


def test_parts_are_counted_when_their_plural_is_irregular():
    anchor = next(iter(make_task(make_view(["x"]), "How many appendices are there?").part.anchors))
    assert "appendix" in anchor.forms


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How many rows does Table 1 have?", "5 rows (East; West; North; Outer; Inner)"),
        ("How many columns are in Table 2?", "3 columns (Kind; Spring; Autumn)"),
    ],
)
def test_rows_and_columns_are_counted_when_a_table_is_named(built_documents, question, text):
    answer = ask(built_documents / "register.pdf", question, Settings(is_cache_used=False)).body.answer
    assert answer.text == text


@pytest.mark.parametrize(("year", "is_told"), [("2023", True), ("2011", False)])
def test_a_value_is_not_told_when_its_year_stands_nowhere(built_documents, year, is_told):
    question = f"What dividend was paid in {year}?"
    answer = ask(built_documents / "annual.pdf", question, Settings(is_cache_used=False)).body.answer
    assert answer.found is is_told
    if not is_told:
        assert answer.absence == "not_seen"
        assert answer.absence_reason == f"{year} stands on no line of the document"
        assert answer.near_misses == ("years named most often: 2021, 2022, 2023",)


def test_a_passage_is_no_list_when_several_are_asked_for():
    task = make_task(make_view(["The sluices are painted in the colours of the town."]), "Which sluices are painted?")
    assert task.part.shape == "list"
    assert not read_passage(task).has_typed_fit


def test_tips_are_not_counted_when_only_they_speak_of_the_thing():
    lines = [
        "Tips for the bath",
        "",
        "These tips help:",
        "\u2022 Book your visits early.",
        "\u2022 Pay the visits at once.",
    ]
    reading = read_count(make_task(make_view(lines), "How many visits are paid?"))
    assert reading is None


def test_a_passage_is_no_reason_when_a_reason_is_asked_for():
    task = make_task(
        make_view(["The sluices were painted in spring by the miller and his son."]), "Why were sluices painted?"
    )
    assert not read_passage(task).has_typed_fit


@pytest.mark.parametrize(
    ("line", "question", "name"),
    [
        ("The Mill Recovery Plan executes what the owners decided.", "Who should talk with executives?", ""),
        ("In the event of violence, Acme Mills will respond at once.", "Who should I tell about violence?", ""),
        ("The budget was approved by the Board in May.", "Who approved the budget?", "Board"),
        ("Ada Byron approved the budget in May.", "Who approved the budget?", "Ada Byron"),
        ("The keeper is Ada Byron, who lives in the mill.", "Who is the keeper?", "Ada Byron"),
    ],
)
def test_a_name_is_joined_to_the_deed_or_office_when_somebody_is_asked_for(line, question, name):
    hits = find_person_hits(make_task(make_view([line]), question))
    assert [hit.typed.text for hit in hits] == ([name] if name else [])


@pytest.mark.parametrize(
    ("question", "has_owner"),
    [("How much did Acme pay to retirees in 2024?", False), ("What does Acme do for retirees?", True)],
)
def test_the_owner_need_not_be_said_again_when_a_value_is_asked_of_the_whole_document(question, has_owner):
    lines = ["The people of Acme", "", "Acme speaks of 900 retirees of Acme in this report of Acme."]
    told = find_told(make_task(make_view(lines), question))
    assert any(key.startswith("acm") for key in told) is has_owner
    assert "retire" in {key[:6] for key in told}


@pytest.mark.parametrize(
    "line",
    [
        "The map of the harbour is of use to planners, keepers and others who take part in it.",
        "The map of the harbour is planned anew in each year, and shown at the gate.",
        "The map of the harbour is shown at the gate. Other things are planned by the keepers of the sluice.",
    ],
)
def test_no_passage_tells_who_did_it_when_it_only_names_such_persons_or_the_deed(line: str):
    assert read_passage(make_task(make_view([line]), "Who planned the harbour?")) is None


@pytest.mark.parametrize(
    "line", ["The harbour was planned by those who live at it.", "Those who live at the harbour planned it."]
)
def test_a_passage_tells_who_did_it_when_the_doer_stands_at_the_verb(line: str):
    assert read_passage(make_task(make_view([line]), "Who planned the harbour?")).text == line


@pytest.mark.parametrize(
    ("question", "is_doubted"),
    [
        ("What is the berth of the big ferry made of?", True),
        ("What is the berth of the ferry made of?", False),
        ("How big is the berth of the ferry?", False),
    ],
)
def test_a_passage_is_doubted_when_it_does_not_say_which_of_two_it_is_of(question: str, is_doubted: bool):
    task = make_task(make_view(["The berth of the ferry is made of oak and of stone."]), question)
    reading = mark_unsaid_qualifier(task, read_passage(task))
    assert ('nothing in what is quoted says "big"' in reading.caveats) is is_doubted
    assert (reading.max_confidence <= 500) is is_doubted
