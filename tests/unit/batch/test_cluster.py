"""Lanes over workers elsewhere: whatever dies, every order has one outcome, and only its own row may fail."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise

import pytest

from fixtures.rawpdf import lease_pdf, page_objects, raw_pdf, show_lines
from pipeline.batch import cluster, parcels
from pipeline.batch.cluster import ClusterCrew
from pipeline.batch.parcels import describe_versions
from pipeline.batch.running import Options, run_batch
from pipeline.canonical import hash_bytes
from pipeline.errors import UsageError
from pipeline.models.settings import Settings
from tests.conftest import ROOT
from tests.unit.batch.folders import fill_folder, make_inputs, read_files, run_here
from tests.unit.batch.staffs import BREAK, FAIL, VANISH, HereStaff, ask_all, make_orders

DEAD = "failed a worker died each time that it was asked"
SETTINGS = Settings(is_cache_used=False)


@pytest.fixture(autouse=True)
def _hurry(monkeypatch):
    monkeypatch.setattr(cluster, "_TICK_SECONDS", 0.01)
    monkeypatch.setattr(cluster, "_LOOK_SECONDS", 0.02)
    monkeypatch.setattr(cluster, "_CHECK_SECONDS", 0.2)
    monkeypatch.setattr(cluster, "_ABSENCE_SECONDS", 0.2)
    monkeypatch.setattr(cluster, "_END_SECONDS", 0.2)
    monkeypatch.setattr(parcels, "_desks", {})


def test_results_are_those_of_this_machine_when_a_batch_is_asked_on_a_cluster(tmp_path):
    folder = fill_folder(tmp_path)
    run_here(make_inputs(folder, "here"))
    staff = HereStaff(3)
    options = Options(worker_count=9, make_crew=lambda settings, count: ClusterCrew(staff, settings, count))
    run_batch(make_inputs(folder), options, lambda *_: None)
    assert read_files(folder / "out") == read_files(folder / "here")
    assert {"w1", "w2"} <= {name for name, _ in staff.taken}
    # the workers were told that it is over
    assert parcels._desks == {}


@pytest.mark.parametrize("fate", [VANISH, BREAK])
def test_an_order_is_asked_elsewhere_when_its_worker_dies(tmp_path, fate):
    staff = HereStaff(2, lambda _name, number: fate if number == 3 and staff.asked[3] == 1 else None)
    told = ask_all(ClusterCrew(staff, SETTINGS, 2), make_orders(tmp_path, 8))
    assert told == dict.fromkeys(range(1, 9), "answered")
    assert staff.asked[3] == 2


@pytest.mark.parametrize("fate", [VANISH, BREAK])
def test_only_one_row_fails_when_it_kills_whoever_asks_it(tmp_path, fate):
    staff = HereStaff(2, lambda _name, number: fate if number == 3 else None)
    told = ask_all(ClusterCrew(staff, SETTINGS, 2), make_orders(tmp_path, 8))
    assert told == {**dict.fromkeys(range(1, 9), "answered"), 3: f"{DEAD} (3 times)"}
    assert staff.asked[3] == 3


def test_a_row_fails_with_the_error_when_its_answer_is_lost_each_time(tmp_path):
    staff = HereStaff(1, lambda _name, number: FAIL if number == 2 else None)
    told = ask_all(ClusterCrew(staff, SETTINGS, 1), make_orders(tmp_path, 4))
    assert told[2] == "failed its answer could not be brought back: ConnectionResetError (3 times)"
    assert [told[number] for number in (1, 3, 4)] == ["answered"] * 3
    assert staff.names == ["w1"]


def test_the_workers_left_do_everything_when_others_die_and_none_joins(tmp_path):
    staff = HereStaff(3, lambda name, _number: VANISH if name != "w2" else None, is_renewed=False)
    told = ask_all(ClusterCrew(staff, SETTINGS, 3), make_orders(tmp_path, 9, 3))
    assert told == dict.fromkeys(range(1, 10), "answered")
    # the document that a worker has goes before others, so that none is read in turn with another
    documents = [number % 3 for name, number in staff.taken if name == "w2"]
    assert sum(left != right for left, right in pairwise(documents)) <= 4


def test_what_more_than_one_worker_died_of_fails_before_the_batch_ends_when_none_is_left(tmp_path):
    staff = HereStaff(2, lambda _name, number: VANISH if number == 1 else None, is_renewed=False)
    crew = ClusterCrew(staff, SETTINGS, 2)
    orders = make_orders(tmp_path, 4)
    for lane, order in enumerate(orders[:2]):
        crew.send(lane, order)
    arrivals = []
    while not any(arrival.outcome.number == 1 for arrival in arrivals):
        arrivals += crew.collect()
    # there is still something to do when nobody is there
    crew.send(1, orders[3])
    with pytest.raises(UsageError, match="the cluster: no worker is left"):
        arrivals += crew.collect()
    crew.close()
    reasons = {arrival.outcome.number: arrival.outcome.row.reason for arrival in arrivals}
    assert reasons[1] == "a worker died each time that it was asked (2 times)"


def test_the_batch_ends_when_the_scheduler_is_gone(tmp_path):
    staff = HereStaff(2, lambda *_: VANISH)
    crew = ClusterCrew(staff, SETTINGS, 2)
    staff.is_gone = True
    with pytest.raises(UsageError, match="the cluster is gone"):
        ask_all(crew, make_orders(tmp_path, 3))


def test_a_worker_is_named_when_its_versions_differ():
    staff = HereStaff(2)
    ours = describe_versions(None, None)
    staff.versions["w2"] = (
        *ours[:1],
        ("PyMuPDF", "9.9"),
        ("the parser", "revision 0"),
        ("the rules", "none that load"),
    )
    with pytest.raises(UsageError) as caught:
        ClusterCrew(staff, SETTINGS, 2)
    words = str(caught.value)
    assert words.startswith("the cluster: results would not be the same bytes: w2: PyMuPDF 9.9, here ")
    assert "the parser revision 0, here revision " in words
    assert "the rules none that load, here " in words
    assert "w1" not in words


def test_a_worker_that_joins_later_is_left_out_when_its_versions_differ(tmp_path):
    staff = HereStaff(1, lambda name, number: VANISH if number == 2 and name == "w1" else None)
    staff.versions["w2"] = (("pdfdocket", "0.0.1"),)
    crew = ClusterCrew(staff, SETTINGS, 1)
    with pytest.raises(UsageError, match=r"no worker is left; w2: pdfdocket 0\.0\.1, here "):
        ask_all(crew, make_orders(tmp_path, 4))
    assert {name for name, _ in staff.taken} == {"w1"}


def test_the_batch_ends_by_name_when_a_worker_comes_back_with_another_version(tmp_path, monkeypatch):
    crew = ClusterCrew(HereStaff(1), SETTINGS, 1)
    monkeypatch.setattr(parcels, "__version__", "0.0.1")
    with pytest.raises(UsageError, match=r"w1: results would not be the same bytes: pdfdocket 0\.0\.1"):
        ask_all(crew, make_orders(tmp_path, 1))


def test_the_batch_ends_by_name_when_the_rules_of_a_question_differ_there(tmp_path, monkeypatch):
    orders = [order._replace(rules_folder=tmp_path / "own") for order in make_orders(tmp_path, 1)]
    monkeypatch.setattr(cluster, "read_revision", lambda *_: "abc")
    with pytest.raises(UsageError, match=r"w1: .*the rules in .*own none that load, here abc"):
        ask_all(ClusterCrew(HereStaff(1), SETTINGS, 1), orders)


def test_a_reason_names_the_rules_as_the_user_did_when_they_load_nowhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (own := tmp_path / "own").mkdir()
    (own / "rulebook.toml").write_text("name = 7", encoding="utf-8")
    orders = [order._replace(rules_folder=own.relative_to(tmp_path)) for order in make_orders(tmp_path, 1)]
    told = ask_all(ClusterCrew(HereStaff(1), SETTINGS, 1), orders)
    assert told[1].startswith("failed own")


@pytest.mark.parametrize(("count", "words"), [(0, "it has no workers"), (1, "none of its workers answers")])
def test_nothing_is_asked_when_no_worker_answers(count, words):
    staff = HereStaff(count)
    staff.mute.update(staff.names)
    with pytest.raises(UsageError, match=words):
        ClusterCrew(staff, SETTINGS, 1)


def test_others_begin_without_it_when_one_worker_is_busy(tmp_path):
    staff = HereStaff(3)
    staff.mute.add("w2")
    crew = ClusterCrew(staff, SETTINGS, 9)
    assert crew.lane_count == 2
    assert set(ask_all(crew, make_orders(tmp_path, 4)).values()) == {"answered"}


def test_the_error_is_named_when_the_program_cannot_be_called_there(monkeypatch):
    def refuse(*_):
        raise ModuleNotFoundError("No module named 'pipeline'")

    staff = HereStaff(1)
    monkeypatch.setattr("tests.unit.batch.staffs.describe_versions", None)
    monkeypatch.setattr("pipeline.batch.seats.describe_versions", refuse)
    with pytest.raises(UsageError, match="w1: pdfdocket cannot be called there: ModuleNotFoundError: No module named"):
        ClusterCrew(staff, SETTINGS, 1)


def test_what_is_sent_has_whole_paths_and_no_key_when_it_leaves_this_machine(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    settings = Settings(cache_folder=tmp_path / "mine", ledger_key="secret", is_cache_used=False)
    crew = ClusterCrew(HereStaff(1), settings, 1)
    parcel = crew._pack(make_orders(tmp_path, 1)[0]._replace(path=tmp_path.joinpath("1.pdf").relative_to(tmp_path)))
    crew.close()
    assert parcel.order.path == tmp_path / "1.pdf"
    assert (parcel.settings.cache_folder, parcel.settings.ledger_key) == (None, None)


def test_a_document_is_read_again_when_another_batch_asks_a_changed_one(tmp_path):
    order = make_orders(tmp_path, 1)[0]
    assert ask_all(ClusterCrew(HereStaff(1), SETTINGS, 1), [order]) == {1: "answered"}
    changed = raw_pdf(page_objects([show_lines(["The roof is green."])]))
    order.path.write_bytes(changed)
    again = order._replace(frame=order.frame._replace(document_sha256=hash_bytes(changed)))
    assert ask_all(ClusterCrew(HereStaff(1), SETTINGS, 1), [again]) == {1: "not_found"}
    assert lease_pdf() != changed


def test_no_more_than_two_batches_are_kept_when_nobody_says_that_they_are_over(tmp_path):
    orders = make_orders(tmp_path, 1)
    for _ in range(3):
        ClusterCrew(HereStaff(1), SETTINGS, 1).send(0, orders[0])
    assert len(parcels._desks) == 2


def test_rows_are_those_of_single_processes_when_pools_of_them_are_the_cluster(tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.unit.batch.staffs", str(tmp_path)],
        cwd=ROOT, capture_output=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = {int(number): words for number, words in json.loads(done.stdout).items()}
    assert told == {**dict.fromkeys(range(1, 8), "answered"), 3: f"{DEAD} (3 times)"}
