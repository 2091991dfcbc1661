from __future__ import annotations

from pipeline.models.plan import Limits, Parameter, Step
from pipeline.patterns import aggregation, keyword, toc_retrieval
from tests.unit.retrieval.briefs import LIMITS, STEP, make_brief
from tests.unit.structure.pages import make_section, make_view, stack_lines

TEXTS = [
    "Introduction",
    "This handbook is for all staff.",
    "Parental leave",
    "Leave is granted on request.",
    "It lasts sixteen weeks.",
    "Parental leave abroad",
    "The same holds abroad.",
    "Travel",
    "Trips are booked by the office.",
]


def make_handbook():
    starts = ((1, "Introduction"), (3, "Parental leave"), (6, "Parental leave abroad"), (8, "Travel"))
    ends = [*(start for start, _ in starts[1:]), len(TEXTS) + 1]
    sections = [
        make_section(index, title, (1, start), (1, end))
        for index, ((start, title), end) in enumerate(zip(starts, ends, strict=True))
    ]
    return make_view(stack_lines(TEXTS), sections)


def make_step(pattern, **parameters):
    pairs = tuple(Parameter(name=name, value=value) for name, value in parameters.items())
    return Step(pattern=pattern, parameters=pairs, rules=(), because=())


def test_sections_are_read_whole_when_their_titles_carry_the_anchors():
    found = toc_retrieval.retrieve(make_handbook(), make_brief("How long is parental leave?"), STEP, LIMITS)
    assert [candidate.section for candidate in found] == [1, 2]
    assert [(span.line_start, span.line_end) for span in found[0].spans] == [(3, 5)]
    assert found[0].found_by[0].method == "toc"


def test_only_so_many_sections_come_when_the_step_says_so():
    step = make_step("toc_retrieval", max_sections=1)
    found = toc_retrieval.retrieve(make_handbook(), make_brief("How long is parental leave?"), step, LIMITS)
    assert [candidate.section for candidate in found] == [1]


def test_a_widened_section_comes_in_any_case_when_its_title_says_nothing():
    brief = make_brief("How long is parental leave?", widened_sections=(3,))
    found = toc_retrieval.retrieve(make_handbook(), brief, STEP, LIMITS)
    assert 3 in [candidate.section for candidate in found]


def test_no_section_comes_when_no_title_carries_an_anchor():
    assert toc_retrieval.retrieve(make_handbook(), make_brief("What is the dress code?"), STEP, LIMITS) == ()


def test_keyword_keeps_to_the_step_when_it_asks_for_fewer_candidates():
    view, brief = make_handbook(), make_brief("How long is parental leave?")
    every = keyword.retrieve(view, brief, STEP, LIMITS)
    assert len(every) > 1
    assert keyword.retrieve(view, brief, make_step("keyword", max_candidates=1), LIMITS) == every[:1]
    assert keyword.retrieve(view, brief, STEP, Limits(max_candidates=1)) == every[:1]


def make_list():
    texts = [
        "Filler about other things.",
        "The following documents are required for enrollment:",
        "\t• a passport",
        "\t• a birth certificate",
        "\t• proof of address",
        "",
        "Bring them in person.",
    ]
    return make_view(stack_lines(texts))


def test_a_list_comes_with_its_lead_when_the_lead_carries_the_anchors():
    brief = make_brief("What documents are required for enrollment?", shape="list")
    best = aggregation.retrieve(make_list(), brief, make_step("aggregation"), LIMITS)[0]
    assert [(span.line_start, span.line_end) for span in best.spans] == [(2, 5)]
    assert best.found_by[0].method == "aggregation"
    assert best.found_by[0].why.startswith("3 members")


def test_no_list_is_sought_when_a_value_is_asked_for():
    brief = make_brief("What documents are required for enrollment?", shape="value")
    assert aggregation.retrieve(make_list(), brief, make_step("aggregation"), LIMITS) == ()


def test_no_list_comes_when_none_has_to_do_with_the_anchors():
    brief = make_brief("Which vaccines are compulsory?", shape="list")
    assert aggregation.retrieve(make_list(), brief, make_step("aggregation"), LIMITS) == ()
