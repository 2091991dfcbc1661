"""P1: no input crashes a run. P2: bounded time and memory. P3: every page is accounted for."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from fixtures.awkward import AWKWARD, BOMBS, RIGHT_STATES, build_awkward, make_awkward
from fixtures.faults.broken import break_object
from fixtures.mutants import seeded_mutants
from fixtures.rawpdf import FIRST_PAGE, LEASE, lease_pages, lease_pdf, page_objects, raw_pdf, stream
from tests.promises.harness import DEPOSIT, STATES, Batch, Ending, find_faults_of_ending, read_state, run_lines

QUIET = tuple(name for name in AWKWARD if name not in BOMBS)
# of each kind of bomb one, quick to end
SAMPLED_BOMBS = ("bomb_filter_contents", "bomb_forms_exponential", "pages_20k")
KILL_SECONDS = 2


def _ask_files(names: Iterable[str], folder: Path, timeout: int = 600) -> Batch:
    return run_lines([["ask", f"{name}.pdf", DEPOSIT, "--json"] for name in names], folder, timeout=timeout)


def _find_wrong_endings(names: Iterable[str], endings: Iterable[Ending], folder: Path) -> list[str]:
    wrong = []
    for name, ending in zip(names, endings, strict=True):
        faults = find_faults_of_ending(ending)
        if not faults and (state := read_state(ending, folder)) not in RIGHT_STATES[name]:
            faults.append(f"state {state}, not {' or '.join(RIGHT_STATES[name])}: {ending.err}")
        wrong += [f"{name}: {fault}" for fault in faults]
    return wrong


def test_every_file_ends_in_its_state_and_every_page_is_accounted_for_when_awkward(tmp_path: Path):
    build_awkward(tmp_path, QUIET)
    endings = run_lines([["profile", f"{name}.pdf", "--json"] for name in QUIET], tmp_path).endings
    wrong = _find_wrong_endings(QUIET, endings, tmp_path)
    profiles = {name: ending.read() for name, ending in zip(QUIET, endings, strict=True) if ending.code == 0}
    assert len(profiles) > 70
    for name, profile in profiles.items():
        faults = _find_accounting_faults(profile)
        # partial says that something is missing, ok that every page was read
        if profile["state"] not in ("ok", "partial") or (profile["state"] == "ok" and profile["failed_pages"]):
            faults.append(f"state {profile['state']} with failed pages {profile['failed_pages']}")
        wrong += [f"{name}: {fault}" for fault in faults]
    assert not wrong, "\n".join(wrong)


def _check_asking(names: tuple[str, ...], folder: Path) -> None:
    build_awkward(folder, names)
    wrong = _find_wrong_endings(names, _ask_files(names, folder).endings, folder)
    assert not wrong, "\n".join(wrong)


def test_every_file_ends_in_its_state_when_every_fifth_is_asked(tmp_path: Path):
    _check_asking(QUIET[::5], tmp_path)


@pytest.mark.soak
def test_every_file_ends_in_its_state_when_all_are_asked(tmp_path: Path):
    _check_asking(QUIET, tmp_path)


def _check_mutants(source: bytes, count: int, seed: int, folder: Path) -> None:
    mutants = dict(seeded_mutants(source, count, seed))
    for name, content in mutants.items():
        (folder / f"{name}.pdf").write_bytes(content)
    batch = _ask_files(mutants, folder, timeout=3600)
    assert len(batch.endings) == count
    wrong = []
    for name, ending in zip(mutants, batch.endings, strict=True):
        faults = find_faults_of_ending(ending)
        if not faults and (state := read_state(ending, folder)) not in STATES:
            faults.append(f"unknown state {state}")
        wrong += [f"{name}: {fault}" for fault in faults]
    assert not wrong, "\n".join(wrong)


def test_no_mutant_crashes_a_run_when_fifteen_are_asked(tmp_path: Path):
    _check_mutants(lease_pdf(), 15, 1, tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(5))
def test_no_mutant_crashes_a_run_when_hundred_of_each_document_are_asked(
    seed: int, tmp_path: Path, built_documents: Path
):
    names = ("policy", "standard", "scan_ocr", "zh")
    sources = [lease_pdf(), *((built_documents / f"{name}.pdf").read_bytes() for name in names)]
    _check_mutants(sources[seed], 100, 1000 + seed, tmp_path)


def test_record_can_be_shown_again_when_the_document_has_bytes_that_are_no_text(tmp_path: Path):
    noise = b"15\x9b\xffibP\xbcy\xc7 Tj\n"
    titled = {6: b"<< /Title <FEFFD8000041DC00> /Producer (\xed\xa0\x80) >>"}
    objects = {**page_objects([lease_pages()[0] + noise, *lease_pages()[1:]]), **titled}
    (tmp_path / "noise.pdf").write_bytes(raw_pdf(objects, "/Info 6 0 R"))
    [asked] = _ask_files(["noise"], tmp_path).endings
    assert (asked.code, asked.err) == (0, "")
    [shown] = run_lines([["show", asked.read()["run_id"], "--json"]], tmp_path).endings
    assert shown.code == 0
    # and the fault is told
    assert "unknown keyword" in shown.out
    assert not any("\ud800" <= sign <= "\udfff" for sign in json.dumps(shown.read(), ensure_ascii=False))


def _check_bombs(names: tuple[str, ...], folder: Path, seconds: int) -> None:
    limits = f"[parse]\nmax_seconds = {seconds}\nmax_memory_bytes = 1_000_000_000\nmax_pages = 5_000\n"
    (folder / "pdfdocket.toml").write_text(limits, encoding="utf-8")
    build_awkward(folder, names)
    batch = _ask_files(names, folder)
    wrong = []
    for name, ending in zip(names, batch.endings, strict=True):
        faults = find_faults_of_ending(ending)
        if ending.seconds > seconds + KILL_SECONDS:
            faults.append(f"took {ending.seconds:.1f} s")
        # a lower limit than usual may end what would have been read
        if not faults and (state := read_state(ending, folder)) not in (*RIGHT_STATES[name], "limit"):
            faults.append(f"state {state}, not {' or '.join(RIGHT_STATES[name])}")
        wrong += [f"{name}: {fault}" for fault in faults]
    assert not wrong, "\n".join(wrong)
    assert batch.kilobytes < 1_200_000
    # nothing that a bomb leaves behind, in the cache say, is in the way of the next file
    (folder / "pdfdocket.toml").unlink()
    (folder / "sound.pdf").write_bytes(lease_pdf())
    [sound] = _ask_files(["sound"], folder).endings
    assert sound.code == 0
    assert "1,200" in sound.read()["answer"]["text"]


def test_bombs_are_ended_and_the_next_file_is_answered_when_limits_are_low(tmp_path: Path):
    _check_bombs(SAMPLED_BOMBS, tmp_path, 2)


@pytest.mark.soak
def test_every_bomb_is_ended_when_limits_are_those_of_the_promise(tmp_path: Path):
    _check_bombs(BOMBS, tmp_path, 10)


def _find_accounting_faults(profile: dict[str, Any]) -> list[str]:
    count = profile["page_count"]
    groups = {name: profile[name] for name in ("failed_pages", "pages_without_text", "garbled_pages")}
    faults = []
    for name, pages in groups.items():
        if pages != sorted(set(pages)) or not all(1 <= page <= count for page in pages):
            faults.append(f"{name}: {pages}")
    counted = [page for pages in groups.values() for page in pages]
    if len(set(counted)) != len(counted):
        faults.append(f"a page is in two groups: {counted}")
    if profile["ok_page_count"] + len(counted) != count:
        faults.append(f"{profile['ok_page_count']} ok and {len(counted)} others of {count}")
    return faults


def _damage_pages(pages: Iterable[int]) -> bytes:
    deep = b"[" * 20_000 + b"]" * 20_000
    content = lease_pdf()
    for page in pages:
        number = FIRST_PAGE + 2 * (page - 1) + 1
        broken = break_object(number, stream(deep + b" TJ\n"))
        content = content if broken == content else broken
    return content


def test_every_page_is_accounted_for_when_any_one_fails(tmp_path: Path):
    pages = range(1, len(LEASE) + 1)
    for page in pages:
        (tmp_path / f"fails-{page}.pdf").write_bytes(_damage_pages([page]))
    batch = run_lines([["profile", f"fails-{page}.pdf", "--json"] for page in pages], tmp_path)
    for page, ending in zip(pages, batch.endings, strict=True):
        profile = ending.read()
        assert profile["failed_pages"] == [page]
        assert (profile["state"], profile["ok_page_count"]) == ("partial", len(LEASE) - 1)
        assert _find_accounting_faults(profile) == []


def test_absence_is_never_proved_when_a_page_could_not_be_read(tmp_path: Path):
    (tmp_path / "fails.pdf").write_bytes(make_awkward("one_page_fails"))
    (tmp_path / "sound.pdf").write_bytes(lease_pdf())
    question = "What does it say about quantum-safe cryptography?"
    batch = run_lines([["ask", name, question, "--json"] for name in ("fails.pdf", "sound.pdf")], tmp_path)
    kinds = [ending.read()["answer"]["absence"] for ending in batch.endings]
    assert kinds == ["not_seen", "no_match"]
    record = json.loads((tmp_path / batch.endings[0].read()["record"]).read_text(encoding="utf-8"))
    assert record["body"]["profile"]["failed_pages"] == [3]
