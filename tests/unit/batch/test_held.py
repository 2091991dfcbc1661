"""A batch held to ceilings: the same rows fail whoever is quicker, and higher ceilings let it go on."""

from __future__ import annotations

import pytest

from pipeline.batch.forecasting import forecast_batch
from pipeline.batch.journal import Journal
from pipeline.batch.running import Options
from pipeline.batch.worker import answer_order
from pipeline.errors import BatchStopped, RecordError
from pipeline.models.batch import Ceilings, Spending
from tests.unit.batch.folders import HereCrew, fill_folder, make_inputs, read_files, read_rows, run_here


@pytest.fixture
def folder(tmp_path):
    return fill_folder(tmp_path)


HALF = Ceilings(max_iterations=13)


def _list_states(folder, out="out"):
    return [row.state for row in read_rows(folder / out)]


def test_rows_over_the_ceiling_fail_in_the_order_of_the_input_when_lanes_differ(folder):
    summary = run_here(make_inputs(folder), ceilings=HALF)
    assert _list_states(folder) == ["unreadable", "", "", "", "ceiling", "ceiling"]
    refused = read_rows(folder / "out")[4]
    assert refused.reason == "with 4 iterations by its plan the batch could come to 16, over the ceiling of 13"
    assert (refused.worst_case.iterations, refused.spent) == (4, Spending())
    assert (summary.ceiling_count, summary.failed_count, summary.asked_count) == (2, 3, 6)
    assert summary.worst_case.iterations == 12
    assert 0 < summary.spent.iterations <= 12
    assert (folder / "out" / "ceilings.json").exists()
    run_here(make_inputs(folder, "one"), ceilings=HALF, worker_count=1)
    assert read_files(folder / "one") == read_files(folder / "out")


def test_results_are_those_of_one_go_when_higher_ceilings_let_it_go_on(folder):
    run_here(make_inputs(folder), ceilings=HALF)
    assert run_here(make_inputs(folder), is_resumed=True).asked_count == 0
    # what holds is kept, so nothing is spent because a flag was forgotten
    run_here(make_inputs(folder), is_failed_retried=True)
    assert _list_states(folder).count("ceiling") == 2
    higher = Ceilings(max_iterations=17)
    summary = run_here(make_inputs(folder), is_failed_retried=True, ceilings=higher)
    assert (summary.ceiling_count, summary.asked_count) == (1, 3)
    run_here(make_inputs(folder, "fresh"), ceilings=higher)
    assert read_files(folder / "out") == read_files(folder / "fresh")


@pytest.mark.parametrize("count", [0, 1, 3, 5])
def test_a_held_batch_ends_with_the_same_bytes_when_it_was_stopped_and_resumed(folder, monkeypatch, count):
    run_here(make_inputs(folder, "whole"), ceilings=HALF)
    left = [count]
    original = Journal.add

    def add(*given):
        left[0] -= 1
        if left[0] < 0:
            raise RecordError("stopped here")
        return original(*given)

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "add", add)
        with pytest.raises(RecordError, match="stopped here"):
            run_here(make_inputs(folder), ceilings=HALF)
    run_here(make_inputs(folder), is_resumed=True)
    assert read_files(folder / "out") == read_files(folder / "whole")


def test_a_forecast_as_ceilings_lets_every_row_through_when_nothing_changed(folder):
    told = []
    options = Options(worker_count=2, make_crew=HereCrew)
    forecast = forecast_batch(make_inputs(folder), options, lambda event, _: told.append(event))
    ceilings = Ceilings(**{name: getattr(forecast, name) for name in Ceilings.model_fields})
    assert run_here(make_inputs(folder), ceilings=ceilings).ceiling_count == 0
    lower = Options(worker_count=2, make_crew=HereCrew, ceilings=HALF)
    forecast = forecast_batch(make_inputs(folder), lower, lambda *_: None)
    assert (forecast.ceiling_count, [row.state for row in forecast.failed]) == (2, ["unreadable", "ceiling", "ceiling"])


def _overspend(shelf, order, settings):
    """A run that took what no plan allows, as only a fault of the program could."""
    outcome = answer_order(shelf, order, settings)
    if outcome.row is None or outcome.row.worst_case is None or order.frame.number != 3:
        return outcome
    return outcome._replace(row=outcome.row.model_copy(update={"spent": Spending(iterations=40)}))


def test_a_breach_is_loud_when_a_run_takes_more_than_its_plan(folder):
    crew = lambda settings, count: HereCrew(settings, count, _overspend)  # noqa: E731
    summary = run_here(make_inputs(folder), make_crew=crew)
    assert _list_states(folder) == ["unreadable", "", "fault", "", "", ""]
    assert "more than its plan allows: 40 iterations of 4" in read_rows(folder / "out")[2].reason
    assert summary.spent.iterations > summary.worst_case.iterations
    with pytest.raises(BatchStopped, match="a fault of the program"):
        run_here(make_inputs(folder, "held"), make_crew=crew, ceilings=Ceilings(max_iterations=20))
    assert not (folder / "held" / "results.jsonl").exists()


def test_a_row_without_a_plan_is_reserved_nothing_and_the_first_refusal_ends_it_when_failing_fast(folder):
    with pytest.raises(BatchStopped, match="over the ceiling"):
        run_here(make_inputs(folder, only=("repair",)), ceilings=Ceilings(max_iterations=1), is_failing_fast=True)
