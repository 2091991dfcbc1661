"""The two-hop step: targets that carry what is open, symbols that lead to tables, and its bounds."""

from __future__ import annotations

import pytest

from pipeline.models.plan import Limits, Parameter, Step
from pipeline.models.question import Anchor, RetrievalBrief
from pipeline.patterns.two_hop import retrieve
from tests.unit.structure.pages import lay_table, make_line, make_section, make_view

STEP = Step(pattern="two_hop", parameters=(), rules=("HOP01",), because=("",))


def _make_brief(*words, shape="text"):
    anchors = tuple(Anchor(text=word, key=word, source="word", forms=(word,), weight=1000) for word in words)
    return RetrievalBrief(
        sub_question="q1", anchors=anchors, focus=anchors, expansions=(), hints=(), periods=(), shape=shape,
        value_type="any", language="en",
    )  # fmt: skip


def _make_rules(*texts):
    lines, sections = [], []
    for page, text in enumerate(texts, 1):
        lines += [make_line(f"{page} Rule", page, 1, bold=True), make_line(text, page, 2, (7200, 9000))]
        sections.append(make_section(page - 1, "Rule", (page, 1), (page + 1, 1), number=str(page)))
    return make_view(lines, sections)


def test_a_target_is_taken_when_it_carries_what_its_source_lacks():
    view = _make_rules("A vessel may leave as section 3 says.", "Anchors are kept dry.", "The lantern shines at night.")
    found = retrieve(view, _make_brief("vessel", "lantern"), STEP, Limits())
    assert [candidate.spans[0].page for candidate in found] == [3]
    assert found[0].derived_from
    assert found[0].found_by[0].method == "two_hop"


def test_a_target_is_left_when_nothing_open_stands_in_it():
    view = _make_rules("A vessel may leave as section 2 says.", "Anchors are kept dry.", "The lantern shines at night.")
    assert [candidate.spans[0].page for candidate in retrieve(view, _make_brief("vessel"), STEP, Limits())] == []


def test_a_place_is_visited_once_when_references_form_a_circle():
    view = _make_rules("A vessel leaves as sections 2 and 2 say.", "The lantern shines, see section 1 and section 2.")
    found = retrieve(view, _make_brief("vessel", "lantern"), STEP, Limits())
    assert len({candidate.ref for candidate in found}) == len(found)


@pytest.mark.parametrize(("limits", "parameters"), [(Limits(max_references=1), ()), (Limits(), ("max_references",))])
def test_no_more_places_are_taken_when_a_limit_or_the_step_says_so(limits, parameters):
    step = STEP.model_copy(update={"parameters": tuple(Parameter(name=name, value=1) for name in parameters)})
    view = _make_rules("A vessel leaves as sections 2 and 3 say.", "A red lantern.", "A green lantern.")
    assert len(retrieve(view, _make_brief("vessel", "lantern"), step, limits)) == 1


def _make_paper(header):
    lines = [
        make_line("1 Regularisation", 1, 1, bold=True),
        make_line("We drop units at a rate of Pdrop = 0.1.", 1, 2, (7200, 9000), lowered=((28, 32),)),
        make_line("2 Results", 2, 1, bold=True),
        make_line("Table 1: Variations of the model", 2, 2, (7200, 9000)),
        *lay_table([header, ("base", "0.1", "25.8"), ("other", "0.3", "24.6")], (7200, 20000, 30000), 2, 11000, 3),
    ]
    sections = [
        make_section(0, "Regularisation", (1, 1), (2, 1), number="1"),
        make_section(1, "Results", (2, 1), (3, 1), number="2"),
    ]
    return make_view(lines, sections)


def test_a_table_is_found_when_a_symbol_of_the_prose_heads_a_column():
    found = retrieve(
        _make_paper(("", "Pdrop", "bleu")), _make_brief("regularisation", "bleu", shape="place"), STEP, Limits()
    )
    assert [candidate.spans[0].page for candidate in found] == [2]
    assert found[0].found_by[0].why == "symbol Pdrop in the prose is a column of Table 1"


@pytest.mark.parametrize("header", [("", "rate", "bleu"), ("", "Pdrop", "score")])
def test_no_table_is_found_when_symbol_or_anchor_is_not_in_its_heads(header):
    assert retrieve(_make_paper(header), _make_brief("regularisation", "bleu", shape="place"), STEP, Limits()) == ()
