"""Critique turns feedback, certificates, open parts and flawed pages into signals; an empty list is none."""

from __future__ import annotations

import pytest

from pipeline.critique import critique_answer
from pipeline.models.answer import Citation
from pipeline.models.document import Line, Page, ParsedDocument
from pipeline.models.evidence import Evidence
from pipeline.models.question import GenerationBrief
from pipeline.policy.rulebook import load_rulebook
from pipeline.structure.view import DocumentView
from tests.unit.loop.fakes import WHOLE, make_answer, make_candidate, make_certificate, make_feedback, make_item
from tests.unit.policy.builders import make_part, make_profile, make_question

LEXICON = load_rulebook().lexicons.of("en")


def _make_view():
    pages = tuple(
        Page(number=number, width=100, height=100, failed_checks=("flattened_table",) if number in (2, 3) else ())
        for number in (1, 2, 3)
    )
    lines = tuple(Line(page=number, number=1, text="six parts", box=(0, 0, 1, 1), size=10) for number in (1, 2, 3))
    document = ParsedDocument(profile=make_profile(), pages=pages, lines=lines, folded=("six parts",) * 3, sections=())
    return DocumentView(document, LEXICON)


VIEW = _make_view()


def _make_document(pages, lines):
    folded = tuple(line.text for line in lines)
    return ParsedDocument(profile=make_profile(), pages=pages, lines=lines, folded=folded, sections=())


def _make_flawed(checks, *texts):
    """A page that failed checks, its lines side by side."""
    page = Page(number=1, width=100, height=100, failed_checks=checks)
    boxes = [(20 * at, 0, 20 * at + 10, 10) for at in range(len(texts))]
    lines = tuple(
        Line(page=1, number=at, text=text, box=box, size=10)
        for at, (text, box) in enumerate(zip(texts, boxes, strict=True), start=1)
    )
    return DocumentView(_make_document((page,), lines), LEXICON)


def _critique(answer, *parts, pages=(), served=None, view=VIEW, reread=frozenset()):
    question = make_question(*parts)
    ids = tuple(part.id for part in question.sub_questions) if served is None else served
    brief = GenerationBrief(question=question, open_sub_questions=ids, max_quote_characters=3600)
    evidence = tuple(Evidence(candidate=make_candidate(page), lines=()) for page in pages)
    return critique_answer(answer, evidence, brief, view, reread)


def _signals(*args, **kwargs):
    return {signal.kind: signal.targets for signal in _critique(*args, **kwargs).signals}


def _cite(page, quote="six parts", line_end=1):
    citation = Citation(page=page, line_start=1, line_end=line_end, quote=quote, ref="r")
    return make_item("q1", "six").model_copy(update={"citations": (citation,)})


def test_nothing_is_signalled_when_the_answer_is_whole_and_true():
    critique = _critique(WHOLE.model_copy(update={"items": (_cite(1),)}), pages=(1,))
    assert (critique.signals, critique.is_validated, critique.faults) == ((), True, ())


def test_a_fault_is_signalled_when_a_quote_is_not_on_its_line():
    critique = _critique(WHOLE.model_copy(update={"items": (_cite(1, "seven parts"),)}), pages=(1,))
    assert not critique.is_validated
    assert critique.signals[-1].kind == "failed_validation"
    assert critique.signals[-1].targets == critique.faults


def test_open_parts_are_signalled_when_they_were_served_and_are_required():
    parts = (make_part("q1"), make_part("q2"), make_part("q3", is_optional=True), make_part("q4"))
    answer = make_answer(closed=("q1",), items=(_cite(1),))
    assert _signals(answer, *parts, served=("q1", "q2", "q3"))["incomplete_answer"] == ("q2",)
    asked_back = answer.model_copy(update={"clarification": "Which?"})
    assert "incomplete_answer" not in _signals(asked_back, *parts)


def test_lists_are_signalled_when_a_certificate_or_the_generator_says_so():
    cut = make_certificate("incomplete", "q1", is_end_seen=False)
    short = make_certificate("incomplete", "q2")
    unproved = make_certificate("unverified", "q4", is_end_seen=False)
    feedback = make_feedback(short_lists=("q1", "q3"), is_list_likely_complete=False)
    parts = tuple(make_part(part) for part in ("q1", "q2", "q3", "q4"))
    found = _signals(make_answer(certificates=(cut, short, unproved), feedback=feedback, items=(_cite(1),)), *parts)
    assert found["cut_list"] == ("q1",)
    assert found["short_list"] == ("q2", "q3")


def test_list_parts_are_signalled_when_the_generator_only_doubts_the_list():
    parts = (make_part("q1"), make_part("q2", shape="list"), make_part("q3", shape="list"))
    answer = make_answer(feedback=make_feedback(is_list_likely_complete=False), items=(_cite(1),))
    assert _signals(answer, *parts, served=("q1", "q2"))["short_list"] == ("q2",)


def test_vocabulary_and_references_are_signalled_once_and_sorted_when_something_is_missing():
    feedback = make_feedback(discovered_keywords=("b", "a", "b"), pending_references=("table:2", "section:5"))
    found = _signals(make_answer(feedback=feedback, items=(_cite(1),)))
    assert found["discovered_vocabulary"] == ("a", "b")
    assert found["pending_references"] == ("section:5", "table:2")


def test_vocabulary_is_no_signal_when_the_answer_is_whole():
    feedback = make_feedback(discovered_keywords=("a",))
    assert _signals(WHOLE.model_copy(update={"feedback": feedback, "items": (_cite(1),)})) == {}


@pytest.mark.parametrize(
    ("answer", "targets"),
    [
        (make_answer(items=(_cite(2),)), ("page:2", "page:3")),
        (WHOLE.model_copy(update={"items": (_cite(2), _cite(1))}), ()),
        (WHOLE.model_copy(update={"items": (_cite(1),)}), ()),
    ],
)
def test_flat_tables_that_were_read_are_signalled_when_the_answer_is_open_and_may_stand_in_one(answer, targets):
    assert _signals(answer, pages=(1, 2, 3)).get("page_check_failed", ()) == targets


def test_flat_tables_are_no_signal_when_the_open_part_asks_for_words():
    answer = make_answer(items=(_cite(2),))
    assert "page_check_failed" not in _signals(answer, make_part("q1", shape="definition"), pages=(2, 3))


def test_cited_flat_tables_are_signalled_when_a_value_was_not_read_from_a_cell():
    part = make_part("q1", shape="value", value_type="money")
    item = _cite(2).model_copy(update={"value": "6"})
    whole = WHOLE.model_copy(update={"items": (item,)})
    assert _signals(whole, part, pages=(2, 3))["page_check_failed"] == ("page:2",)


@pytest.mark.parametrize(
    ("checks", "quote", "is_signalled"),
    [
        (("text_under_image",), "six parts", True),
        (("undefined_characters",), "six \ufffd\ufffd parts", True),
        (("undefined_characters",), "six parts", False),
        (("letter_spaced",), "s i x p a r t s", True),
        (("letter_spaced",), "six parts", False),
        (("mixed_columns",), "six parts", False),
        (("mixed_columns",), "six parts\nof another column", True),
        (("figure_without_text",), "six parts", False),
    ],
)
def test_a_cited_page_is_signalled_when_its_fault_reaches_the_quote_of_a_whole_answer(checks, quote, is_signalled):
    view = _make_flawed(checks, *quote.split("\n"))
    whole = WHOLE.model_copy(update={"items": (_cite(1, quote, quote.count("\n") + 1),)})
    assert ("page_check_failed" in _signals(whole, pages=(1,), view=view)) == is_signalled
    assert "page_check_failed" not in _signals(whole, pages=(1,), view=view, reread=frozenset((1,)))


def test_pages_without_text_are_signalled_in_order_when_something_is_missing_and_they_are_not_blank():
    states = (("without_text", ("no_text",)), ("without_text", ()), ("garbled", ("wrong_encoding",)), ("ok", ()))
    pages = tuple(
        Page(number=number, width=100, height=100, state=state, failed_checks=checks)
        for number, (state, checks) in enumerate(states, start=1)
    )
    view = DocumentView(_make_document(pages, ()), LEXICON)
    assert _signals(make_answer(), view=view)["page_check_failed"] == ("page:1", "page:3")
    assert _signals(make_answer(), view=view, reread=frozenset((1,)))["page_check_failed"] == ("page:3",)


def test_pages_without_text_are_signalled_when_a_date_is_asked_for_and_words_were_found():
    page = Page(number=1, width=100, height=100)
    scan = Page(number=2, width=100, height=100, state="without_text", failed_checks=("no_text",))
    line = Line(page=1, number=1, text="six parts", box=(0, 0, 1, 1), size=10)
    view = DocumentView(_make_document((page, scan), (line,)), LEXICON)
    whole = WHOLE.model_copy(update={"items": (_cite(1),)})
    dated = make_part("q1", shape="value", value_type="date")
    assert _signals(whole, dated, view=view)["page_check_failed"] == ("page:2",)
    assert _signals(whole, make_part("q1"), view=view) == {}


def test_unstructured_pages_are_signalled_when_the_generator_could_not_read_them():
    named = make_feedback(is_context_unstructured=True, unstructured_pages=(3, 1))
    unnamed = make_feedback(is_context_unstructured=True)
    assert _signals(make_answer(feedback=named, items=(_cite(1),)))["context_unstructured"] == ("page:1", "page:3")
    found = _signals(make_answer(feedback=unnamed, items=(_cite(1),)), pages=(2, 1))
    assert found["context_unstructured"] == ("page:1", "page:2")
    assert "context_unstructured" not in _signals(make_answer(feedback=unnamed, items=(_cite(1),)))


def test_signals_come_most_urgent_first_when_there_are_several():
    feedback = make_feedback(discovered_keywords=("a",), pending_references=("table:2",), short_lists=("q1",))
    kinds = [
        signal.kind
        for signal in _critique(make_answer(feedback=feedback, items=(_cite(2, "other"),)), pages=(2,)).signals
    ]
    assert kinds == [
        "page_check_failed",
        "discovered_vocabulary",
        "incomplete_answer",
        "pending_references",
        "short_list",
        "failed_validation",
    ]
