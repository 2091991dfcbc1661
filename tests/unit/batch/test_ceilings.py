"""Ceilings: worst cases are added up in the order of the input, and what a run took is held against its plan."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.batch.ceilings import (
    Reservation,
    check_spending,
    describe_spending,
    find_breach,
    read_ceilings,
    refuse_rows,
    settle_ceilings,
    sum_spending,
)
from pipeline.errors import UsageError
from pipeline.models.batch import BatchQuestion, Ceilings, Spending
from pipeline.report.rows import Frame, describe_failure

FRAME = Frame(1, BatchQuestion(line=2, id="a", question="Who?"), "a.pdf", "", "")


def _reserve(costs, state="open"):
    return [Reservation(number, cost, state) for number, cost in enumerate(costs, 1)]


def test_rows_are_refused_from_the_first_that_goes_over_when_ceilings_are_reached():
    costs = [Spending(iterations=4, reparsed_pages=pages) for pages in (8, 0, 8, 0, 1)]
    assert refuse_rows(_reserve(costs), Ceilings()) == {}
    assert sorted(refuse_rows(_reserve(costs), Ceilings(max_iterations=12))) == [4, 5]
    # what costs nothing of a kind is not stopped by that kind
    refused = refuse_rows(_reserve(costs), Ceilings(max_reparsed_pages=10))
    assert sorted(refused) == [3, 5]
    assert refused[3] == "with 8 pages read again by its plan the batch could come to 16, over the ceiling of 10"
    assert sorted(refuse_rows(_reserve(costs), Ceilings(max_reparsed_pages=0))) == [1, 3, 5]


def test_rows_asked_before_are_paid_for_first_when_a_mended_row_is_dearer_than_it_was():
    rows = [Reservation(1, Spending(iterations=4), "open"), Reservation(2, Spending(iterations=4), "asked")]
    assert sorted(refuse_rows(rows, Ceilings(max_iterations=4))) == [1]
    assert refuse_rows(rows, Ceilings(max_iterations=8)) == {}
    # one that stays refused counts where rows behind it are reserved, as it does in one go
    rows = [Reservation(1, Spending(iterations=4), "refused"), Reservation(2, Spending(iterations=1), "open")]
    assert sorted(refuse_rows(rows, Ceilings(max_iterations=4))) == [2]


_COSTS = st.lists(
    st.builds(Spending, iterations=st.integers(0, 4), reparsed_pages=st.integers(0, 8), model_calls=st.integers(0, 3)),
    max_size=12,
)
_CEILINGS = st.builds(
    Ceilings,
    max_iterations=st.none() | st.integers(0, 40),
    max_reparsed_pages=st.none() | st.integers(0, 60),
    max_model_calls=st.none() | st.integers(0, 20),
)


@given(costs=_COSTS, ceilings=_CEILINGS, more=st.integers(0, 20))
def test_nothing_goes_over_and_raising_refuses_nothing_more_when_rows_are_reserved(costs, ceilings, more):
    refused = set(refuse_rows(_reserve(costs), ceilings))
    let = [cost for number, cost in enumerate(costs, 1) if number not in refused]
    assert not find_breach(sum_spending(let), ceilings)
    raised = Ceilings(**{name: most if most is None else most + more for name, most in ceilings})
    assert set(refuse_rows(_reserve(costs), raised)) <= refused
    # a batch that went on under higher ceilings has asked the rows of one that had them from the beginning
    states = ["open" if number in refused else "asked" for number in range(1, len(costs) + 1)]
    rows = [Reservation(number, cost, state) for (number, cost), state in zip(enumerate(costs, 1), states, strict=True)]
    assert set(refuse_rows(rows, raised)) == set(refuse_rows(_reserve(costs), raised))


def test_a_row_fails_as_a_fault_when_its_run_took_more_than_its_plan_allows():
    row = describe_failure(FRAME, "", "").model_copy(
        update={"status": "answered", "answer": "x", "spent": Spending(iterations=5), "run_id": "r"}
    )
    assert check_spending(row) is row
    allowed = row.model_copy(update={"worst_case": Spending(iterations=5)})
    assert check_spending(allowed) is allowed
    checked = check_spending(row.model_copy(update={"worst_case": Spending(iterations=4)}))
    assert (checked.status, checked.state, checked.run_id, checked.answer) == ("failed", "fault", "r", "")
    assert checked.reason.endswith("it took more than its plan allows: 5 iterations of 4")


def test_ceilings_are_those_of_a_forecast_and_single_ones_go_before_when_both_are_given(tmp_path):
    path = tmp_path / "forecast.json"
    path.write_text(json.dumps({"row_count": 3, "max_iterations": 12, "max_model_calls": 0, "failed": []}))
    assert read_ceilings(path, {}) == Ceilings(max_iterations=12, max_model_calls=0)
    assert read_ceilings(path, {"max_iterations": 8}).max_iterations == 8


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"max_iterations": "many"}', '{"max_iterations": -1}', '{"max_iterations": 1.5}', "\xff"],
)
def test_a_file_without_ceilings_is_refused_when_it_is_given_as_some(tmp_path, content):
    path = tmp_path / "c.json"
    path.write_text(content, encoding="latin-1")
    with pytest.raises(UsageError, match="holds no ceilings"):
        read_ceilings(path, {})
    with pytest.raises(UsageError, match="cannot be read"):
        read_ceilings(tmp_path / "none", {})


def test_ceilings_hold_until_others_are_given_when_a_batch_goes_on(tmp_path):
    asked = Ceilings(max_iterations=3)
    assert settle_ceilings(tmp_path, asked, is_new=True) == asked
    assert settle_ceilings(tmp_path, Ceilings(), is_new=False) == asked
    assert settle_ceilings(tmp_path, Ceilings(max_iterations=9), is_new=False).max_iterations == 9
    assert settle_ceilings(tmp_path, Ceilings(), is_new=True) == Ceilings()
    assert settle_ceilings(tmp_path, Ceilings(), is_new=False) == Ceilings()


def test_only_what_could_be_spent_is_told_when_spending_is_put_into_words():
    assert describe_spending(Spending(), Spending()) == "0 of at most 0 iterations"
    told = describe_spending(Spending(iterations=2), Spending(iterations=8, reparsed_pages=8))
    assert told == "2 of at most 8 iterations, 0 of at most 8 pages read again"
