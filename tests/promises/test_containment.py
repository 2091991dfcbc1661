"""P18: secrets stay out. P19: writes stay inside. P20: offline means offline."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from fixtures.awkward import build_awkward, make_awkward
from fixtures.faults.broken import encrypt
from fixtures.rawpdf import lease_pages, lease_pdf, page_objects, raw_pdf, show_lines
from tests.promises.harness import DEPOSIT, find_stray_writes, run_lines

CANARY = "canary-5b1f0e7a"


# ---------------------------------------------------------------- P18


def test_password_is_nowhere_when_every_file_and_stream_is_searched(tmp_path: Path):
    folder = tmp_path / "desk"
    folder.mkdir()
    (folder / "sealed.pdf").write_bytes(encrypt(CANARY))
    (folder / "other.pdf").write_bytes(encrypt("another"))
    (folder / "lease.pdf").write_bytes(lease_pdf())
    (folder / "broken.pdf").write_bytes(make_awkward("truncated_10"))
    flags = ("--log-level", "debug", "--json")
    lines = [
        ["ask", name, DEPOSIT, *flags] for name in ("sealed.pdf", "other.pdf", "lease.pdf", "broken.pdf", "no.pdf")
    ]
    lines += [["plan", "sealed.pdf", DEPOSIT, *flags], ["profile", "sealed.pdf", *flags], ["ask", "sealed.pdf", ""]]
    lines += [["ask", "sealed.pdf", DEPOSIT, "--out", "/dev/null/run.json"], ["ask", "sealed.pdf", DEPOSIT, "--loud"]]
    from_environment = run_lines(lines, folder, {"PDFDOCKET_PASSWORD": CANARY})
    from_flag = run_lines([[*line, "--password", CANARY] for line in lines], folder)
    for batch in (from_environment, from_flag):
        assert [ending.code for ending in batch.endings] == [0, 2, 0, 2, 2, 0, 0, 2, 2, 2]
        assert all(CANARY not in ending.out + ending.err for ending in batch.endings)
        assert '"level": "info"' in batch.endings[0].err
    (folder / "pdfdocket.toml").write_text(f'password = "{CANARY}"\n', encoding="utf-8")
    [refused] = run_lines([["ask", "sealed.pdf", DEPOSIT]], folder).endings
    assert refused.code == 2
    assert CANARY not in refused.err
    (folder / "pdfdocket.toml").unlink()
    searched = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(searched) > 5
    assert [path for path in searched if CANARY.encode() in path.read_bytes()] == []


def test_decrypted_text_is_not_in_the_cache_when_a_sealed_file_was_read(tmp_path: Path):
    folder = tmp_path / "desk"
    folder.mkdir()
    for name, password in (("sealed.pdf", CANARY), ("open.pdf", "")):
        (folder / name).write_bytes(encrypt(password))
    lines = [["ask", name, DEPOSIT] for name in ("sealed.pdf", "open.pdf")]
    sealed = run_lines(lines, folder, {"PDFDOCKET_PASSWORD": CANARY})
    assert [ending.code for ending in sealed.endings] == [0, 0]
    kept = _weigh(folder / ".cache")
    (folder / "lease.pdf").write_bytes(lease_pdf())
    run_lines([["ask", "lease.pdf", DEPOSIT]], folder)
    # the rulebook may be cached; a document adds to it, a sealed one does not
    assert _weigh(folder / ".cache") > kept
    again = run_lines([["ask", "sealed.pdf", DEPOSIT]], folder)
    assert again.endings[0].code == 2


def _weigh(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


# ---------------------------------------------------------------- P19 and P20


def _list_hostile_lines(folder: Path) -> list[list[str]]:
    names = (
        "attachments_hostile_names",
        "javascript",
        "launch_action",
        "form_submits",
        "orders_in_body",
        "xref_damaged",
    )
    build_awkward(folder, (*names, "encrypted_user_password", "zero_pages"))
    hostile = (folder / "..%2f..%2fescaped.pdf", folder / "$(touch escaped).pdf", folder / "`id`;x|y&.pdf")
    for path in hostile:
        path.write_bytes(lease_pdf())
    questions = (
        DEPOSIT,
        "../../../../tmp/escaped",
        "What is /etc/passwd; touch escaped?",
        "$(touch escaped) deposit\x1b[2J",
    )
    documents = [f"{name}.pdf" for name in (*names, "encrypted_user_password", "zero_pages")]
    documents += [path.name for path in hostile]
    lines = [["ask", name, question, "--json"] for name in documents for question in questions[:2]]
    lines += [["ask", documents[0], question] for question in questions]
    lines += [["plan", documents[0], DEPOSIT], ["profile", documents[0]], ["show", "../../escaped"], ["rules", "list"]]
    return [*lines, ["ask", documents[0], DEPOSIT, "--out", "chosen/run.json"]]


def test_nothing_is_written_outside_when_names_attachments_and_questions_are_hostile(tmp_path: Path):
    folder = tmp_path / "desk"
    folder.mkdir()
    lines = _list_hostile_lines(folder)
    before = {path.name for path in folder.iterdir()}
    batch = run_lines(lines, folder, is_watched=True)
    assert {ending.code for ending in batch.endings} <= {0, 1, 2}
    assert any(event[0] == "open" for event in batch.events)
    assert find_stray_writes(batch, folder, (".pdfdocket", "chosen", ".cache")) == []
    assert {path.name for path in folder.iterdir()} - before == {".pdfdocket", "chosen", ".cache"}
    assert not [path for path in folder.rglob("*") if path.name in ("escaped", "escaped.txt")]
    assert not Path("/tmp/escaped.txt").exists()


def test_nothing_connects_and_only_the_parser_is_forked_when_asked(tmp_path: Path, built_documents: Path):
    folder = tmp_path / "desk"
    folder.mkdir()
    links = "https://example.org/ and ask at help@example.org."
    (folder / "links.pdf").write_bytes(
        raw_pdf(page_objects([show_lines([f"The deposit is at {links}"]), *lease_pages()]))
    )
    names = ("javascript", "launch_action", "form_submits", "outline_uri")
    build_awkward(folder, names)
    shutil.copy(built_documents / "policy.pdf", folder)
    documents = ["links.pdf", "policy.pdf", *(f"{name}.pdf" for name in names)]
    lines = [["ask", name, DEPOSIT, "--json"] for name in documents]
    cold = run_lines(lines, folder, is_watched=True)
    outside = [event for event in cold.events if event[0].startswith(("socket.", "subprocess.", "os.exec", "os.posix"))]
    assert outside == []
    assert {ending.code for ending in cold.endings} <= {0, 1}
    forks = [event for event in cold.events if event[0].startswith(("os.fork", "os.spawn", "os.system", "pty."))]
    # one child for each document, no more
    assert forks == [["os.fork"]] * len(documents)
    warm = run_lines(lines, folder, is_watched=True)
    assert [event for event in warm.events if not event[0].startswith(("open", "os.re", "os.mk", "sqlite3"))] == []
    assert [ending.read()["answer"] for ending in warm.endings] == [ending.read()["answer"] for ending in cold.endings]


@pytest.mark.soak
def test_nothing_is_written_outside_when_every_awkward_file_is_asked(tmp_path: Path):
    from fixtures.awkward import AWKWARD, BOMBS

    folder = tmp_path / "desk"
    folder.mkdir()
    names = tuple(name for name in AWKWARD if name not in BOMBS)
    build_awkward(folder, names)
    batch = run_lines([["ask", f"{name}.pdf", DEPOSIT] for name in names], folder, is_watched=True)
    assert find_stray_writes(batch, folder, (".pdfdocket", ".cache")) == []
    assert not [event for event in batch.events if event[0].startswith(("socket.", "subprocess."))]
