"""Reparse as a step: tables near the best passages, by what their source lacks, and nothing dear."""

from __future__ import annotations

from pipeline.models.plan import Limits, Step
from pipeline.patterns import reparse
from pipeline.retrieval.grids import derive_grids, derive_region, is_within
from pipeline.retrieval.ranking import rank_passages
from tests.unit.retrieval.briefs import make_brief
from tests.unit.structure.pages import lay_table, make_view, stack_lines

ROWS = [["", "2022", "2021"], *([name, f"{at},400", f"{at},300"] for at, name in enumerate(
    ("Parish rate", "Rent of the hall", "Interest", "Mowing", "Insurance"), start=1
))]  # fmt: skip
STEP = Step(pattern="reparse", parameters=(), rules=("RPR02",), because=("flat",))
PROSE = ["The treasurer speaks about the budget of the village and the budget was praised by everybody there."]


def _make_view(checks=("flattened_table",)):
    head = stack_lines(PROSE, first=1)
    view = make_view([*head, *lay_table(ROWS, (7200, 30000, 40000), y=30000, first=2)])
    page = view.document.pages[0].model_copy(update={"failed_checks": checks})
    view.document = view.document.model_copy(update={"pages": (page,)})
    return view


def _brief(text="What does the budget say about insurance?", **fields):
    return make_brief(text, **{"shape": "value", **fields})


def _source(view, brief):
    [candidate] = [each for each in rank_passages(view, brief, Limits()) if each.spans[0].line_start == 1][:1]
    span = candidate.spans[0].model_copy(update={"line_end": 1})
    return candidate.model_copy(update={"spans": (span,), "matched": ("budget",)})


def test_a_table_is_derived_when_its_rows_carry_what_the_source_lacks():
    view, brief = _make_view(), _brief()
    source = _source(view, brief)
    [table] = derive_grids(view, brief, source, 1)
    assert {span.method for span in table.spans} == {"grid"}
    assert table.derived_from == source.ref
    assert table.matched == source.matched
    assert table.score < source.score
    lines = [line.text for span in table.spans for line in view.evidence_lines(span)]
    assert "Insurance" in lines
    assert "2022" in lines
    assert is_within(table, [table])
    assert not is_within(table, [source])


def test_no_table_is_derived_when_the_source_carries_all_that_is_asked():
    view, brief = _make_view(), _brief()
    source = _source(view, brief)
    full = source.model_copy(update={"matched": tuple(anchor.key for anchor in brief.anchors)})
    assert derive_grids(view, brief, full, 1) == ()


def test_only_rows_near_the_anchor_are_read_when_a_table_is_long():
    names = [f"Account {letter}{other}" for letter in "ABCDE" for other in "UVWXYZ"]
    rows = [["", "2022", "2021"], *([name, "1,400", "1,300"] for name in [*names, "Insurance"])]
    view = make_view([*stack_lines(PROSE), *lay_table(rows, (7200, 30000, 40000), y=9000, first=2)])
    brief = _brief()
    [table] = derive_grids(view, brief, _source(view, brief), 1)
    lines = [line.text for span in table.spans for line in view.evidence_lines(span)]
    assert "Insurance" in lines
    assert "Account AU" not in lines


def test_the_step_adds_nothing_when_the_shape_is_words_or_the_page_has_no_flat_table():
    view = _make_view()
    assert reparse.retrieve(view, _brief(shape="definition"), STEP, Limits()) == ()
    assert reparse.retrieve(_make_view(()), _brief(), STEP, Limits()) == ()
    assert reparse.retrieve(view, _brief(), STEP, Limits(max_reparse_pages=0)) == ()


def test_the_step_adds_only_what_no_passage_holds_when_it_runs():
    view, brief = _make_view(), _brief()
    found = reparse.retrieve(view, brief, STEP, Limits())
    sources = rank_passages(view, brief, Limits())[: reparse.READ_SOURCES]
    assert all(not is_within(table, sources) for table in found)
    assert all(table.found_by[0].method == "reparse" for table in found)


def test_a_region_is_a_candidate_when_a_model_saw_a_table_there():
    view, brief = _make_view(), _brief()
    region = derive_region(view, _source(view, brief), view.document.lines[1:4], 1)
    assert [(span.line_start, span.line_end, span.method) for span in region.spans] == [(2, 4, "layout")]
