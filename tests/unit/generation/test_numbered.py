"""What is numbered by its own noun over pages of text, and what is named by the titles of sections."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.generation.extractive.numbered import read_numbered
from pipeline.generation.extractive.titled_kinds import read_titled_kinds
from pipeline.models.document import Section
from pipeline.structure.view import DocumentView
from tests.unit.generation.pages import make_task, make_view, read_lexicons

ASKED = "What motions did the members vote on?"
BETWEEN = "The board had asked for it a year before, and the members spoke of it at length."


def _write_motion(number: int, dash: str = ".") -> list[str]:
    return [f"Motion {number}{dash} To mend the gate of lock {number}.", "", BETWEEN, ""]


def _view_sections(*titles: tuple[str, str]) -> DocumentView:
    """A document whose lines are its titles, each with the title above it."""
    view = make_view([row for title, _ in titles for row in (title, "", BETWEEN, "")])
    starts = {line.text: line.position for line in view.document.lines}
    sections = tuple(
        Section(
            index=index,
            title=title,
            number="",
            level=2,
            breadcrumb=(above,),
            start=starts[title],
            end=(starts[title][0], starts[title][1] + 2),
            source="typography",
        )
        for index, (title, above) in enumerate(titles)
    )
    return DocumentView(view.document.model_copy(update={"sections": sections}), read_lexicons().of("en"))


@given(st.integers(2, 12), st.integers(0, 11), st.sampled_from([".", ":", " \u2013"]))
def test_every_member_is_listed_once_when_the_run_goes_on_over_pages(count: int, turn: int, dash: str):
    rows = [_write_motion(number, dash) for number in range(1, count + 1)]
    at = min(turn, count - 1)
    head = [row for motion in rows[:at] for row in motion] or [BETWEEN]
    reading = read_numbered(make_task(make_view(head, [row for motion in rows[at:] for row in motion]), ASKED))
    assert [item.label for item in reading.items] == [f"Motion {number}" for number in range(1, count + 1)]
    assert reading.certificate.verdict == "complete"
    assert all(f"lock {number}." in item.text for number, item in enumerate(reading.items, start=1))


def test_a_number_that_is_printed_again_is_one_member_when_a_page_repeats_its_title():
    rows = [*_write_motion(1), *_write_motion(2)]
    reading = read_numbered(make_task(make_view(rows, ["Motion 2.", BETWEEN, "", *_write_motion(3)]), ASKED))
    assert [item.label for item in reading.items] == ["Motion 1", "Motion 2", "Motion 3"]


def test_the_list_is_incomplete_when_the_text_announces_more_than_are_numbered():
    rows = ["The members voted on the four motions set forth below.", "", *_write_motion(1), *_write_motion(2)]
    reading = read_numbered(make_task(make_view(rows), ASKED))
    assert (reading.certificate.denominator, reading.certificate.verdict) == (4, "incomplete")


@pytest.mark.parametrize(
    ("rows", "question"),
    [
        ([*_write_motion(2), *_write_motion(3)], ASKED),
        (_write_motion(1), ASKED),
        ([*_write_motion(1), *_write_motion(2)], "What gates did the members vote on?"),
        ([*_write_motion(1), *_write_motion(2)], "What motion did the members vote on?"),
        (["Motion 1 of last year was dropped.", "", "Motion 2 of last year was kept."], ASKED),
    ],
)
def test_nothing_is_listed_when_no_run_of_the_noun_begins_at_one(rows: list[str], question: str):
    assert read_numbered(make_task(make_view(rows), question)) is None


def test_the_run_with_the_evidence_is_meant_when_two_are_numbered_alike():
    first = ["Drill 1: open the sluice.", "", "Drill 2: shut the sluice."]
    second = ["Drill 1: ring the bell.", "", "Drill 2: call the keeper.", "", "Drill 3: lift the rope."]
    task = make_task(make_view(first, second), "What are the drills of the rescue?", pages=(2,))
    assert read_numbered(task).items[0].text == "Drill 1: ring the bell."


def test_a_run_is_doubted_when_no_evidence_holds_it():
    task = make_task(make_view([*_write_motion(1), *_write_motion(2)], [BETWEEN]), ASKED, pages=(2,))
    reading = read_numbered(task)
    assert reading.max_confidence == 600
    assert reading.caveats == ("numbered so on pages 1, which say little else of what was asked",)


def test_sections_are_listed_when_their_titles_end_in_the_noun():
    view = _view_sections(("Freight Segment", "Business"), ("Leisure Segment", "Business"), ("Fees", "Business"))
    reading = read_titled_kinds(make_task(view, "What segments are there?"))
    assert [item.text for item in reading.items] == ["Freight Segment", "Leisure Segment"]
    assert (reading.certificate.verdict, reading.max_confidence) == ("unverified", 600)


@pytest.mark.parametrize(
    "question",
    ["What segments grew in winter?", "What fees are there?", "What is the segment?", "What boats are there?"],
)
def test_no_sections_are_listed_when_their_titles_say_less_than_is_asked(question: str):
    view = _view_sections(("Freight Segment", "Business"), ("Leisure Segment", "Business"), ("Fees", "Business"))
    assert read_titled_kinds(make_task(view, question)) is None
