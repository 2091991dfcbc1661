"""What counts as a defined term: the series in the sentence that defines it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.generation.extractive.asking import list_ground_readers
from pipeline.generation.extractive.grounds import read_grounds, read_named_term
from tests.unit.generation.pages import make_task, make_view

USES = ["The keeper may leave for Fair Cause at any time, and Fair Cause is told to the board.", ""]
QUESTION = 'What are all the grounds that count as "Fair Cause"?'


def _read(text: list[str], question: str = QUESTION, *more: list[str]):
    return read_grounds(make_task(make_view([*USES, *text], *more), question))


@pytest.mark.parametrize(
    ("text", "members"),
    [
        (["As used herein, \u201cFair Cause\u201d shall mean (A) a cut of pay; (B) a move; or (C) a loss of keys."], 3),
        (
            ["For purposes of this deed the board has \u201cFair Cause\u201d upon (i) theft, or (ii) long sleep."],
            2,
        ),
        (
            ["\u201cFair Cause\u201d means any of these: (1) a fire; (2) a flood as in (3) below; (3) a frost."],
            3,
        ),
        (["A Fair Cause shall mean any of these: (a) a cut of pay; and (b) a move to another island."], 2),
    ],
)
def test_members_are_read_when_a_sentence_defines_a_term_by_a_series(text, members):
    reading = _read(text)
    assert len(reading.items) == members
    assert reading.certificate.item_count == members
    assert "Fair Cause" in reading.items[0].citations[0].quote


@pytest.mark.parametrize(
    "text",
    [
        ["Who leaves for Fair Cause gets (A) the pay of a year; (B) a coat; and (C) a boat."],
        ["\u201cFair Cause\u201d shall have the meaning of the deed. The board pays (A) coal; and (B) oil."],
        ["The board pays for all that is lost (the \u201cFair Cause\u201d) by (A) fire; or (B) flood."],
        ["\u201cFair Cause\u201d means a cut of the pay."],
    ],
)
def test_no_series_is_read_when_a_sentence_only_uses_or_names_the_term(text):
    assert _read(text) is None


def test_series_is_whole_when_it_runs_on_over_a_page():
    view = make_view(
        [*USES, "For purposes of this deed, \u201cFair Cause\u201d shall mean (A) any"],
        ["material cut of the pay of the keeper; (B) a move; or (C) a breach of this deed."],
    )
    reading = read_grounds(make_task(view, QUESTION, pages=(1,)))
    assert [item.text for item in reading.items] == [
        "any material cut of the pay of the keeper",
        "a move",
        "a breach of this deed",
    ]
    assert {citation.page for citation in reading.items[0].citations} == {1, 2}


def test_answer_is_doubted_when_a_term_is_defined_by_two_series():
    text = ["\u201cFair Cause\u201d means (a) a fire; or (b) a flood.", ""]
    other = ["\u201cFair Cause\u201d means (a) a frost; or (b) a storm."]
    reading = _read([*text, *other])
    assert reading.max_confidence < 700
    assert any("several ways" in caveat for caveat in reading.caveats)


def test_no_reader_of_grounds_is_tried_when_a_question_names_no_term_and_no_ground():
    view = make_view(USES)
    assert list_ground_readers(make_task(view, "What are the lamps of the yard?")) == ()
    assert list_ground_readers(make_task(view, QUESTION)) == (read_grounds, read_named_term)


NAMES = st.lists(st.sampled_from(["a fire", "a flood", "a long frost", "theft of oil", "a broken lamp"]), min_size=2)


@settings(max_examples=25, deadline=None)
@given(NAMES, st.sampled_from(["Ai", "ai", "ii"]))
def test_every_member_is_told_in_order_when_a_term_is_defined_by_any_series(names, style):
    romans = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"]
    names = names[:10]
    labels = romans if style == "ii" else [chr(ord(style[0]) + at) for at in range(len(names))]
    series = "; ".join(f"({label}) {name}" for label, name in zip(labels, names, strict=False))
    reading = _read([f"\u201cFair Cause\u201d shall mean {series}."])
    assert [item.text for item in reading.items] == names or len(set(names)) < len(names)
    assert {item.text for item in reading.items} == set(names)


def test_series_is_read_when_a_term_stands_in_capitals_and_no_quotation_marks():
    text = ["As used herein, \u201cFair Cause\u201d shall mean (A) a cut of pay; or (B) a loss of keys."]
    assert len(_read(text, "What reasons constitute Fair Cause for Ms. Oake to leave?").items) == 2
    assert _read(text, "What reasons are there for Ms. Oake to leave?") is None
