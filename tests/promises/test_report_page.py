"""P18, P19 and P20 for the report page: no secret in it, no write outside, no connection while it is made."""

from __future__ import annotations

from pathlib import Path

from fixtures.faults.broken import encrypt
from fixtures.rawpdf import lease_pdf
from tests.promises.harness import DEPOSIT, find_stray_writes, run_lines

CANARY = "canary-77e0c1d2"
HOSTILE = (
    "..%2f..%2fescaped.pdf",
    "$(touch escaped).pdf",
    "`id`;x|y&.pdf",
    '"><img src=x>.pdf',
    "javascript:alert(1).pdf",
)


def test_nothing_is_written_outside_and_nothing_connects_when_a_report_is_made(tmp_path: Path):
    folder = tmp_path / "desk"
    folder.mkdir()
    for name in HOSTILE:
        (folder / name).write_bytes(lease_pdf())
    lines = [["ask", name, DEPOSIT] for name in HOSTILE]
    lines += [["report", ".pdfdocket/ledger.jsonl"], ["report", ".pdfdocket/ledger.jsonl", "--out", "chosen/page.html"]]
    batch = run_lines(lines, folder, is_watched=True)
    assert [ending.code for ending in batch.endings] == [0] * len(lines)
    # what it is written to before it is whole has no name, or lies beside it, and is gone at the end
    assert find_stray_writes(batch, folder, ("",)) == []
    assert not [
        event for event in batch.events if event[0].startswith(("socket.", "subprocess.", "os.exec", "os.posix"))
    ]
    assert {path.name for path in folder.iterdir()} == {*HOSTILE, ".pdfdocket", "chosen", "report.html", ".cache"}
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "<img src=x>" not in page
    assert 'href="javascript:' not in page
    assert page.count('data-kind="image/png"') == 1


def test_neither_password_nor_pages_are_in_a_report_when_the_document_is_sealed(tmp_path: Path):
    folder = tmp_path / "desk"
    folder.mkdir()
    (folder / "sealed.pdf").write_bytes(encrypt(CANARY))
    lines = [["ask", "sealed.pdf", DEPOSIT], ["report", ".pdfdocket/ledger.jsonl", "--json"]]
    asked, made = run_lines(lines, folder, {"PDFDOCKET_PASSWORD": CANARY}).endings
    assert (asked.code, made.code) == (0, 0)
    told = made.read()
    assert told["picture_count"] == 0
    assert told["notes"] == ["pictures of 1 page: the document needs a password, and pages are never shown without it"]
    content = (folder / "report.html").read_bytes()
    assert CANARY.encode() not in content
    assert b"data-kind" not in content.partition(b"<script>")[0]
