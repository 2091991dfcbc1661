"""Batches on a real Dask scheduler: workers killed in the middle, documents that kill them, and the same bytes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fixtures.faults.broken import encrypt
from fixtures.rawpdf import lease_pdf, page_objects, raw_pdf, show_lines
from pipeline.audit.reading import read_ledger
from pipeline.audit.verify import verify_ledger
from tests.e2e.clusters import Cluster, run_cluster, wait_until
from tests.e2e.commands import ROOT, make_environment, run_pdfdocket

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")

FILES = ("results.jsonl", "results.csv", "results.xlsx")
QUESTIONS = [
    "What is the deposit?", "Who repairs the roof?", "What is the zebra quota?", "Which law governs it?",
    "When is the rent due?",
]  # fmt: skip
# as `python -m pipeline`, but nobody waits ten seconds for a scheduler that is not there
CODE = "from pipeline.batch import scheduler; scheduler._CONNECT_SECONDS = 1; from pipeline.cli import main; main()"
IMPATIENT = [sys.executable, "-c", CODE]
PASSWORD = "open sesame 4711"


def _fill(folder: Path) -> Path:
    key = raw_pdf(page_objects([show_lines(["1 Keys", "The deposit is 75 euros for each key."])]))
    documents = {
        "lease.pdf": lease_pdf(),
        "old/key.pdf": key,
        "sealed.pdf": encrypt(PASSWORD),
        "broken.pdf": lease_pdf()[:300],
    }
    for name, content in documents.items():
        path = folder / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (folder / "questions.txt").write_text("\n".join(QUESTIONS), encoding="utf-8")
    return folder


def _list_arguments(out: str, *flags: str) -> list[str]:
    return ["batch", "questions.txt", "--docs", "docs", "--out", out, "--no-annotated", "--no-report", *flags]


def _run(desk: Path, out: str, *flags: str) -> subprocess.CompletedProcess[bytes]:
    return run_pdfdocket(_list_arguments(out, *flags), desk, {"PDFDOCKET_PASSWORD": PASSWORD})


def _begin(desk: Path, out: str, *flags: str) -> subprocess.Popen[bytes]:
    """Start a batch, and come back when its first rows are there."""
    events = desk / f"{out}.events.jsonl"
    running = subprocess.Popen(
        [*IMPATIENT, *_list_arguments(out, "--events", str(events), *flags)],
        cwd=desk,
        env=make_environment(desk, {"PDFDOCKET_PASSWORD": PASSWORD}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    _wait_for_rows(events, 3, running)
    return running


def _wait_for_rows(events: Path, count: int, running: subprocess.Popen[bytes]) -> None:
    wait_until(lambda: events.exists() and events.read_bytes().count(b'"row"') >= count, running, 600)


def _read_files(out: Path) -> dict[str, bytes]:
    return {name: (out / name).read_bytes() for name in FILES}


def _check_ledger(out: Path) -> None:
    assert verify_ledger(out / "ledger.jsonl").is_intact
    runs = sorted(line.record.run_id for line in read_ledger(out / "ledger.jsonl"))
    rows = [json.loads(line) for line in (out / "results.jsonl").read_bytes().splitlines()]
    assert runs == sorted(row["run_id"] for row in rows if row["run_id"])


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents and questions, and in `local` what the processes of this machine make of them."""
    folder = _fill(tmp_path_factory.mktemp("desk"))
    done = _run(folder, "local")
    assert (done.returncode, done.stderr) == (1, b""), done.stderr
    return folder


@pytest.fixture(scope="module")
def cluster(desk: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler with one worker that a nanny watches, slow enough to be caught at it."""
    with run_cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        cluster.add_worker("watched", changes={"CLUSTER_DELAY": "0.05", "CLUSTER_STORE": str(desk)})
        cluster.read_pid("watched")
        yield cluster


def test_results_are_those_of_one_machine_when_a_worker_is_killed_in_the_middle(desk, cluster):
    cluster.add_worker("alone", "--no-nanny", changes={"CLUSTER_DELAY": "0.1"})
    pid = cluster.read_pid("alone")
    running = _begin(desk, "killed", "--scheduler", cluster.address)
    os.kill(pid, signal.SIGKILL)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (1, b"")
    assert out.startswith(b"20 rows")
    assert _read_files(desk / "killed") == _read_files(desk / "local")
    _check_ledger(desk / "killed")
    # the question, the password and the text went through the network, and into no log nor file of the workers
    kept = [path.read_bytes() for path in cluster.folder.rglob("*") if path.is_file()]
    assert [PASSWORD.encode() in content or b"zebra" in content for content in kept] == [False] * len(kept)


def test_one_row_fails_and_the_others_are_the_same_when_a_document_kills_every_worker(desk, cluster):
    folder = desk / "poisoned"
    _fill(folder)
    (folder / "docs" / "poison.pdf").write_bytes(lease_pdf())
    lines = [json.dumps({"question": text, "document": "lease*;old*;broken*"}) for text in QUESTIONS]
    lines.insert(3, json.dumps({"question": "What is the deposit?", "document": "poison"}))
    (folder / "questions.txt").rename(folder / "questions.jsonl")
    (folder / "questions.jsonl").write_text("\n".join(lines), encoding="utf-8")
    arguments = ["batch", "questions.jsonl", "--docs", "docs", "--no-annotated", "--no-report", "--out"]
    done = run_pdfdocket([*arguments, "out", "--scheduler", cluster.address], folder)
    assert (done.returncode, done.stderr) == (1, b"")
    assert run_pdfdocket([*arguments, "here"], folder).returncode == 1
    rows = (folder / "out" / "results.jsonl").read_bytes().splitlines()
    others = (folder / "here" / "results.jsonl").read_bytes().splitlines()
    assert [at for at, pair in enumerate(zip(rows, others, strict=True)) if pair[0] != pair[1]] == [9]
    failed = json.loads(rows[9])
    assert (failed["document"], failed["status"], failed["state"]) == ("poison.pdf", "failed", "fault")
    assert failed["reason"] == "a worker died each time that it was asked (3 times)"


def test_the_batch_can_be_resumed_elsewhere_when_it_is_interrupted_on_a_cluster(desk, cluster):
    running = _begin(desk, "ctrl", "--scheduler", cluster.address)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=30)
    assert (running.returncode, out) == (130, b"")
    assert (err.count(b"\n"), b"--resume" in err) == (1, True)
    assert _run(desk, "ctrl", "--resume").returncode == 1
    assert _read_files(desk / "ctrl") == _read_files(desk / "local")
    _check_ledger(desk / "ctrl")


def test_a_plan_and_filters_come_from_the_cluster_when_it_is_asked(desk, cluster):
    flags = ("--dry-run", "--json", "--where", "pages at most 9", "--docs", "docs/old")
    here = _run(desk, "plan", *flags)
    assert _run(desk, "plan", *flags, "--scheduler", cluster.address).stdout == here.stdout
    assert json.loads(here.stdout)["planned_count"] == len(QUESTIONS)


def test_results_are_the_same_and_no_copy_stays_when_documents_come_by_url(desk, cluster):
    pytest.importorskip("fsspec", reason="the extra `remote` is not installed")
    code = f"from pathlib import Path; from tests.unit.batch.stores import open_store; open_store(Path({str(desk)!r}))"
    code += "; from pipeline.cli import main; main()"
    for out, flags in {"shop": (), "shop-far": ("--scheduler", cluster.address)}.items():
        arguments = [*_list_arguments(out, *flags), "--docs", "shop://docs"]
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments],
            cwd=desk,
            env=make_environment(desk, {"PDFDOCKET_PASSWORD": PASSWORD}),
            capture_output=True,
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (1, b"")
    assert _read_files(desk / "shop") == _read_files(desk / "shop-far")
    copies = [*desk.rglob("fetched/*.pdf"), *cluster.folder.rglob("fetched/*.pdf")]
    assert copies == []
    assert list(cluster.folder.rglob("fetched")) != []


def test_results_are_those_of_the_folder_when_its_url_is_given(desk):
    assert _run(desk, "by-url", "--docs", (desk / "docs").as_uri()).returncode == 1
    rows = (desk / "by-url" / "results.jsonl").read_bytes()
    assert rows == (desk / "local" / "results.jsonl").read_bytes()


def test_a_worker_is_refused_by_name_when_it_has_another_version(desk, cluster):
    other = cluster.add_worker("other", "--no-nanny", changes={"CLUSTER_VERSION": "0.0.9"})
    cluster.read_pid("other")
    done = _run(desk, "version", "--scheduler", cluster.address)
    other.kill()
    assert done.returncode == 2
    assert b"pdfdocket 0.0.9, here 0." in done.stderr
    assert b": tcp://127.0.0.1:" in done.stderr
    assert done.stderr.count(b"\n") == 1
    assert not (desk / "version" / "results.jsonl").exists()


@pytest.mark.soak
def test_the_batch_can_be_resumed_when_the_scheduler_is_gone(desk, tmp_path):
    with run_cluster(tmp_path / "cluster") as cluster:
        cluster.add_worker("w", "--no-nanny", changes={"CLUSTER_DELAY": "0.1"})
        cluster.read_pid("w")
        running = _begin(desk, "gone", "--scheduler", cluster.address)
        cluster.scheduler.kill()
        out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (2, b"")
    assert b"is gone" in err
    assert err.count(b"\n") == 1
    assert _run(desk, "gone", "--resume").returncode == 1
    assert _read_files(desk / "gone") == _read_files(desk / "local")


@pytest.mark.soak
def test_four_thousand_rows_are_those_of_one_machine_when_one_of_two_workers_is_killed(built_documents, tmp_path):
    documents = [path for path in sorted(built_documents.glob("*.pdf")) if not path.name.startswith("scan")]
    (tmp_path / "docs").mkdir()
    for number in range(20):
        path = documents[number % len(documents)]
        (tmp_path / "docs" / f"{number:02} {path.name}").write_bytes(path.read_bytes())
    files = sorted((ROOT / "fixtures" / "cases").glob("*.jsonl"))
    cases = [json.loads(line) for path in files for line in path.read_text(encoding="utf-8").splitlines()]
    asked = [case["question"] for case in cases]
    asked = (asked * 2)[:200]
    (tmp_path / "questions.jsonl").write_text("\n".join(json.dumps({"question": each}) for each in asked), "utf-8")
    arguments = ["batch", "questions.jsonl", "--docs", "docs", "--no-annotated", "--no-report", "--out"]
    began = time.monotonic()
    here = run_pdfdocket([*arguments, "here", "--workers", "2"], tmp_path, timeout=3000)
    took = [time.monotonic() - began]
    with run_cluster(tmp_path / "cluster") as cluster:
        for name in ("one", "two"):
            cluster.add_worker(name)
        pids = [cluster.read_pid(name) for name in ("one", "two")]
        for out in ("far", "killed"):
            events = tmp_path / f"{out}.events"
            flags = ["--scheduler", cluster.address, "--events", str(events)]
            began = time.monotonic()
            with subprocess.Popen(
                [*IMPATIENT, *arguments, out, *flags], cwd=tmp_path, env=make_environment(tmp_path), stdout=-3
            ) as running:
                if out == "killed":
                    _wait_for_rows(events, 500, running)
                    os.kill(pids[0], signal.SIGKILL)
                assert running.wait(3000) == here.returncode
            took.append(time.monotonic() - began)
    print(f"{took[0]:.1f} s on two processes, {took[1]:.1f} s on two workers, {took[2]:.1f} s with one killed")
    for out in ("far", "killed"):
        assert _read_files(tmp_path / out) == _read_files(tmp_path / "here")
        _check_ledger(tmp_path / out)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("tcp://127.0.0.1:1", b"the scheduler at tcp://127.0.0.1:1 cannot be reached: Timed out"),
        ("tls://127.0.0.1:1", b"for tls:// your Dask configuration"),
        ("host", b"cannot be reached: missing port number"),
        ("", b"an empty address: no address of a scheduler"),
        ("inproc://x", b"no address of a scheduler"),
    ],
)
def test_one_line_says_why_when_no_scheduler_can_be_reached(desk, address, words):
    done = subprocess.run(
        [*IMPATIENT, *_list_arguments("none", "--scheduler", address)],
        cwd=desk,
        env=make_environment(desk),
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 2
    assert words in done.stderr, done.stderr
    assert done.stderr.count(b"\n") == 1


def test_the_extra_is_named_when_it_is_not_installed(desk, tmp_path):
    (tmp_path / "distributed.py").write_text("raise ImportError('no module named distributed')", encoding="utf-8")
    environment = make_environment(desk)
    path = os.pathsep.join([str(tmp_path), environment["PYTHONPATH"]])
    done = run_pdfdocket(_list_arguments("none", "--scheduler", "tcp://h:1"), desk, {"PYTHONPATH": path})
    assert done.returncode == 2
    assert b"needs the extra `cluster`" in done.stderr
    assert b"pip install 'pdfdocket[cluster]'" in done.stderr
