from __future__ import annotations

import pytest

from pipeline.retrieval.absence import establish_absence
from tests.unit.retrieval.briefs import ask
from tests.unit.structure.pages import make_section, make_view, stack_lines

TEXTS = [
    "1 Scope",
    "Authentication is needed on every day.",
    "2 Controls",
    "AC-1: Keep accounts.",
    "AC-2: Review accounts.",
    "AC-4: Close accounts.",
    "3 Terms",
    "Nothing else.",
]


def make_standard():
    starts = ((1, "1 Scope"), (3, "2 Controls"), (7, "3 Terms"))
    ends = [*(start for start, _ in starts[1:]), len(TEXTS) + 1]
    sections = [
        make_section(index, title, (1, start), (1, end), number=title[0])
        for index, ((start, title), end) in enumerate(zip(starts, ends, strict=True))
    ]
    return make_view(stack_lines(TEXTS), sections)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What does the document say about multi-factor authentication?", "no_match"),
        ("What is the deductible?", "no_match"),
        ("What does Section 22 say?", "no_such_target"),
        ("What does AC-3 say?", "no_such_target"),
        ("What is on page 40 of the PDF?", "no_such_target"),
        ("What does Section 2 say?", None),
        ("What does AC-2 say?", None),
        ("What does the document say about authentication?", None),
    ],
)
def test_absence_is_of_the_right_kind_when_every_page_was_read(question, kind):
    finding = establish_absence(make_standard(), ask(question))
    assert (finding.kind if finding else None) == kind


@pytest.mark.parametrize("state", ["failed", "without_text", "garbled"])
@pytest.mark.parametrize("question", ["What is the deductible?", "What does Section 22 say?"])
def test_absence_is_only_not_seen_when_a_page_was_not_read(question, state):
    view = make_standard()
    page = view.document.pages[0]
    unread = page.model_copy(update={"number": 2, "state": state, "failed_checks": ("no_text",)})
    view.document = view.document.model_copy(update={"pages": (page, unread)})
    finding = establish_absence(view, ask(question))
    assert finding is not None
    assert finding.kind == "not_seen"
    assert "1 of the pages" in finding.reason


def test_near_misses_name_the_words_that_do_occur_when_a_compound_is_missing():
    finding = establish_absence(make_standard(), ask("What does it say about multi-factor authentication?"))
    assert finding is not None
    assert '"authentication" occurs on page 1' in finding.near_misses


def test_near_misses_name_the_family_when_an_identifier_is_missing():
    finding = establish_absence(make_standard(), ask("What does AC-3 say?"))
    assert finding is not None
    assert any("AC-2" in note for note in finding.near_misses)


def test_hidden_text_neither_answers_nor_is_named_when_it_holds_the_word():
    view = make_view([*stack_lines(["Visible text."]), *stack_lines(["The deductible is 5."], first=2)])
    hidden = view.document.lines[1].model_copy(update={"hidden": "same_colour"})
    view.document = view.document.model_copy(update={"lines": (view.document.lines[0], hidden)})
    finding = establish_absence(view, ask("What is the deductible?"))
    assert finding is not None
    assert finding.kind == "no_match"
    assert finding.near_misses == ()


def test_nothing_is_absent_when_one_part_of_the_question_occurs():
    assert establish_absence(make_standard(), ask("What is AC-1 and what is the deductible?")) is None


def test_absence_is_certain_when_a_code_or_a_concept_with_its_synonyms_is_missing():
    assert establish_absence(make_standard(), ask("What is the deductible?")).is_certain
    assert establish_absence(make_standard(), ask("What does AC-9 say?")).is_certain


def test_absence_is_uncertain_when_only_a_plain_word_is_missing_and_the_rest_is_there():
    finding = establish_absence(make_standard(), ask("Which accounts are under quarantine?"))
    assert finding is not None
    assert not finding.is_certain


def test_absence_is_uncertain_when_a_plain_word_is_missing_with_the_compound_that_it_stands_in():
    finding = establish_absence(make_standard(), ask("How can accounts report misconduct?"))
    assert finding is not None
    assert not finding.is_certain


@pytest.mark.parametrize("title", ["HLS Publication 41", "HLS PUB 41", "HLS-41", "HLS No. 41"])
def test_nothing_is_absent_when_only_the_number_of_the_document_is_written_otherwise(title):
    view = make_view(stack_lines([title, "Accounts are reviewed every quarter."]))
    assert establish_absence(view, ask("When are accounts reviewed according to HLS-41?")) is None


def test_nothing_is_absent_when_only_the_name_of_an_answer_is_not_written():
    assert establish_absence(make_standard(), ask("What is the month and the year?")) is None


def test_no_kind_of_thing_is_absent_when_the_document_numbers_such_things():
    lines = [*stack_lines(["Table 2. Fees by size of ship"]), *stack_lines(TEXTS, first=2, y=20000)]
    view = make_view(lines)
    question = ask("Which table has the fees?")
    assert establish_absence(view, question) is None
