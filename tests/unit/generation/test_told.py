"""What is said once: labels that begin a text, titles that name themselves, sentences of an earlier part."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.citing import name_target, say_under
from pipeline.generation.extractive.compose import compose_answer
from pipeline.generation.extractive.reading import Reading
from pipeline.models.answer import Citation, Item
from pipeline.models.question import SubQuestion
from pipeline.models.structure import Target
from pipeline.question.parse import parse_question
from tests.unit.generation.pages import read_lexicons


@pytest.mark.parametrize(
    ("label", "text", "said"),
    [
        ("Table 1", "Table 1: Fees in pounds", "Table 1: Fees in pounds"),
        ("Table 1", "Table 12: Fees in pounds", "Table 1: Table 12: Fees in pounds"),
        ("Schedule B", "The berths are kept clear.", "Schedule B: The berths are kept clear."),
        ("", "The berths are kept clear.", "The berths are kept clear."),
    ],
)
def test_label_is_said_once_when_a_text_begins_with_it(label, text, said):
    assert say_under(label, text) == said


@pytest.mark.parametrize(
    ("title", "name"),
    [("Schedule B", "Schedule B"), ("Schedule B Berths", "Schedule B Berths"), ("Berths", "Schedule B Berths")],
)
def test_target_is_named_once_when_its_title_names_it(title, name):
    target = Target(kind="schedule", key="schedule:b", label="B", title=title, start=(1, 1), end=(1, 9))
    assert name_target(target) == name


def _parts() -> tuple[SubQuestion, ...]:
    text = "What are the duties of the operator, and what do the schedules say?"
    return parse_question(text, read_lexicons()).sub_questions


def _item(part: str, text: str, line: int) -> Item:
    cited = Citation(page=1, line_start=line, line_end=line, quote=text, ref=f"ab:p1:l{line}-{line}@native.1")
    return Item(sub_question=part, text=text, citations=(cited,), extraction="verbatim")


def _read(part: str, *said: tuple[str, int]) -> Reading:
    return Reading(
        text="\n".join(text for text, _ in said), items=tuple(_item(part, text, line) for text, line in said)
    )


def test_sentence_is_told_once_when_two_parts_say_it():
    one, two = _parts()
    first = _read(one.id, ("to keep the lights burning at night;", 4), ("to keep the berths clear of nets.", 5))
    again = ("(b) to keep the berths clear of nets.", 5)
    answer = compose_answer([(one, first), (two, _read(two.id, again, ("The berths at the quay are wide.", 9)))])
    assert answer.text.count("berths clear of nets") == 1
    assert [item.text for item in answer.items if item.sub_question == two.id] == ["The berths at the quay are wide."]


def test_part_stays_answered_when_all_it_says_was_told_before():
    one, two = _parts()
    said = ("to keep the berths clear of nets.", 5)
    answer = compose_answer([(one, _read(one.id, said)), (two, _read(two.id, said))])
    assert answer.text.count("berths") == 1
    assert answer.closed == (one.id, two.id)
    assert {item.sub_question for item in answer.items} == {one.id, two.id}


def test_short_value_is_told_twice_when_two_parts_have_it():
    one, two = _parts()
    answer = compose_answer([(one, _read(one.id, ("six", 4))), (two, _read(two.id, ("six", 4)))])
    assert answer.text == "six\nsix"
