"""P1, P19 and P21 for batches: any file, any name, any cell; rows out = files in, and nothing leaves its place."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from fixtures.awkward import AWKWARD, BOMBS, RIGHT_STATES, build_awkward
from fixtures.mutants import seeded_mutants
from fixtures.rawpdf import lease_pdf
from tests.promises.batches import QUIET, read_rows
from tests.promises.harness import DEPOSIT, STATES, find_stray_writes, run_lines

AWKWARD_QUIET = tuple(name for name in AWKWARD if name not in BOMBS)
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\ufe66", "\ufe62", "\ufe63")


def _check_files(folder: Path, *flags: str) -> dict[str, dict[str, object]]:
    """Ask one question of every file of a folder; its row by its name."""
    names = sorted(path.name for path in (folder / "docs").iterdir())
    (folder / "questions.txt").write_text(f"{DEPOSIT}\n", encoding="utf-8")
    line = ["batch", "questions.txt", "--docs", "docs", "--out", "out", "--json", *flags]
    [ending] = run_lines([line], folder, timeout=3600).endings
    assert ending.code in (0, 1), ending.err
    assert ending.err == ""
    rows = {str(row["document"]): row for row in read_rows(folder / "out")}
    assert sorted(rows) == names
    assert ending.read()["row_count"] == len(names)
    faults = [f"{name}: {row['reason']}" for name, row in rows.items() if row["state"] not in ("", *STATES)]
    assert not faults, "\n".join(faults)
    return rows


def _fill(folder: Path, names: tuple[str, ...], mutants: dict[str, bytes]) -> Path:
    (folder / "docs").mkdir(parents=True)
    build_awkward(folder / "docs", names)
    for name, content in mutants.items():
        (folder / "docs" / f"{name}.pdf").write_bytes(content)
    return folder


def _check_states(rows: dict[str, dict[str, object]], names: tuple[str, ...]) -> None:
    wrong = []
    for name in names:
        row = rows[f"{name}.pdf"]
        # a file that was asked was read, whole or in part
        right = {"" if state in ("ok", "partial") else state for state in RIGHT_STATES[name]}
        wrong += [f"{name}: {row['state']} {row['reason']}"] if row["state"] not in right else []
    assert not wrong, "\n".join(wrong)


def test_every_file_has_its_row_when_every_ninth_awkward_one_and_mutants_are_asked(tmp_path):
    names = AWKWARD_QUIET[1::9]
    rows = _check_files(_fill(tmp_path / "desk", names, dict(seeded_mutants(lease_pdf(), 6, 5))), *QUIET)
    _check_states(rows, names)


@pytest.mark.soak
def test_every_file_has_its_row_when_all_awkward_ones_are_asked(tmp_path):
    # with page and copies: whatever can be read can be shown, and what cannot is said
    rows = _check_files(_fill(tmp_path / "desk", AWKWARD_QUIET, {}))
    _check_states(rows, AWKWARD_QUIET)


@pytest.mark.soak
def test_every_mutant_has_its_row_when_five_hundred_are_asked(tmp_path, built_documents):
    mutants = {}
    for seed, name in enumerate(("policy", "standard", "lists", "zh")):
        content = (built_documents / f"{name}.pdf").read_bytes()
        mutants |= {f"{name}-{key}": mutant for key, mutant in seeded_mutants(content, 125, 900 + seed)}
    assert len(mutants) == 500
    _check_files(_fill(tmp_path / "desk", (), mutants), *QUIET)


def test_a_bomb_costs_its_own_row_when_others_are_asked_beside_it(tmp_path):
    folder = _fill(tmp_path / "desk", ("bomb_filter_contents", "bomb_forms_exponential"), {"sound": lease_pdf()})
    limits = "[parse]\nmax_seconds = 2\nmax_memory_bytes = 1_000_000_000\n"
    (folder / "pdfdocket.toml").write_text(limits, encoding="utf-8")
    rows = _check_files(folder, *QUIET)
    assert rows["sound.pdf"]["status"] == "answered"
    assert {rows[f"bomb_{name}.pdf"]["state"] for name in ("filter_contents", "forms_exponential")} <= {"limit", ""}


# ---------------------------------------------------------------- P19

HOSTILE_NAMES = (
    b"..%2f..%2fescaped.pdf", b"$(touch escaped).pdf", b"`id`;x|y&.pdf", b"new\nline.pdf", b"bytes \xff\xfe.pdf",
    "over\u202efdp.ride.pdf".encode(), b"=cmd|' &C calc'!A0.pdf", b"-out escaped.pdf", b"a'\"<b>.pdf", b"%s%n{0}.pdf",
)  # fmt: skip
HOSTILE_CELLS = (
    "../../escaped",
    "/tmp/escaped",
    "$(touch escaped)",
    "\x1b[2J\x00",
    "=1+1",
    "a\r\nb",
    "..\\..\\escaped",
)


def _fill_hostile(folder: Path) -> Path:
    (folder / "docs" / "sub").mkdir(parents=True)
    for name in HOSTILE_NAMES:
        (folder / "docs" / os.fsdecode(name)).write_bytes(lease_pdf())
    build_awkward(folder / "docs" / "sub", ("attachments_hostile_names", "javascript", "launch_action", "form_submits"))
    (folder / "docs" / "metadata.csv").write_text("document,../../dept\n*.pdf,../../escaped\n", encoding="utf-8")
    lines = [
        {"id": cell, "question": f"What is the deposit {cell}?", "document": "sub/javascript*"}
        for cell in HOSTILE_CELLS
    ]
    lines += [
        {
            "id": "all",
            "question": DEPOSIT,
            "document": "*.pdf",
            "tags": list(HOSTILE_CELLS),
            "expected": "../../escaped",
        }
    ]
    lines += [{"question": DEPOSIT, name: "../../../etc/passwd"} for name in ("document", "rulebook", "where")]
    lines += [{"question": DEPOSIT, "where": "../../dept is ../../escaped"}]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "questions.jsonl").write_text(text, encoding="utf-8")
    return folder


def test_nothing_is_written_outside_when_names_and_cells_of_a_batch_are_hostile(tmp_path):
    folder = _fill_hostile(tmp_path / "desk")
    before = {path.name for path in folder.iterdir()}
    line = ["batch", "questions.jsonl", "--docs", "docs", "--out", "out", "--workers", "2", "--json"]
    watched = run_lines([line, [*line, "--resume", *QUIET]], folder, is_watched=True)
    assert [ending.code for ending in watched.endings] == [1, 1], watched.endings[0].err
    assert any(event[0] == "open" for event in watched.events)
    assert find_stray_writes(watched, folder, ("out", ".cache")) == []
    assert {path.name for path in folder.iterdir()} - before == {"out", ".cache"}
    assert not [
        path
        for path in tmp_path.rglob("*escaped*")
        if path.parent not in ((folder / "docs"), (folder / "out" / "annotated"))
    ]
    rows = read_rows(folder / "out")
    asked = [row for row in rows if row["id"] == "all"]
    # a name that begins with a dot is hidden
    assert len(asked) == len(HOSTILE_NAMES) - 1 + 4
    # a rulebook is looked for where the cell says, and its rows fail
    assert {row["state"] for row in rows} == {"", "input", "rules"}


# ---------------------------------------------------------------- P21


def _fill_formulas(folder: Path) -> list[str]:
    """Questions whose every column begins like a formula; the cells that were written."""
    (folder / "docs").mkdir(parents=True)
    shutil.copyfile(_write(folder / "lease.pdf"), folder / "docs" / "lease.pdf")
    for sign in ("=", "+", "-", "@", "\uff1d"):
        (folder / "docs" / f"{sign}1+1.pdf").write_bytes(lease_pdf())
    cells = [f"{sign}SUM(1;1)*cmd|' /C calc'!A{at}" for at, sign in enumerate(FORMULA_SIGNS)]
    cells += [f" {cells[0]}", f"\ufeff{cells[0]}", f"\u200b{cells[0]}", f"\n{cells[0]}", '=HYPERLINK("http://x","y")']
    rows = [
        {
            "id": f"{cell}{at}",
            "question": cell,
            "document": "lease.pdf",
            "expected": cell,
            "tags": [f"{cell}{at}", cell],
        }
        for at, cell in enumerate(cells)
    ]
    rows += [
        {"id": f"n{at}", "question": "What is the deposit?", "expected": number} for at, number in enumerate(NUMBERS)
    ]
    (folder / "questions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return cells


NUMBERS = ("-12.5", "-1,234.50", "-3%", "0.1", "1200")


def _write(path: Path) -> Path:
    path.write_bytes(lease_pdf())
    return path


def _run_formulas(folder: Path) -> None:
    line = ["batch", "questions.jsonl", "--docs", "docs", "--out", "out", "--json", *QUIET]
    [ending] = run_lines([line], folder).endings
    assert ending.code in (0, 1), ending.err


def _read_table(out: Path) -> list[list[str]]:
    text = (out / "results.csv").read_bytes().decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline="")))


def test_no_cell_is_a_formula_and_numbers_stay_when_every_column_is_hostile(tmp_path):
    import openpyxl

    folder = tmp_path / "desk"
    cells = _fill_formulas(folder)
    _run_formulas(folder)
    table = _read_table(folder / "out")
    active = [
        cell
        for row in table
        for cell in row
        if cell.lstrip(" \n\ufeff\u200b").startswith(FORMULA_SIGNS) and cell not in NUMBERS
    ]
    assert active == []
    written = {cell for row in table for cell in row}
    # neutralised by one apostrophe, and otherwise what it was
    for cell in (cells[0], cells[-1], "=1+1.pdf", "-1+1.pdf"):
        assert f"'{cell}" in written
    assert set(NUMBERS) <= written
    rows = read_rows(folder / "out")
    assert {str(row["expected"]) for row in rows} >= {cells[0], *NUMBERS}
    sheet = openpyxl.load_workbook(folder / "out" / "results.xlsx").active
    kinds = {cell.data_type for row in sheet.iter_rows() for cell in row if cell.value is not None}
    assert kinds <= {"s", "n"}
    values = {str(cell.value) for row in sheet.iter_rows() for cell in row}
    assert {"-12.5", "-1,234.50", "1200"} <= values
    with_links = subprocess.run(["unzip", "-p", str(folder / "out" / "results.xlsx")], capture_output=True).stdout
    assert b"<f>" not in with_links


@pytest.mark.soak
@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
@pytest.mark.parametrize("name", ["results.csv", "results.xlsx"])
def test_a_spreadsheet_computes_nothing_when_it_opens_the_results(tmp_path, name):
    folder = tmp_path / "desk"
    _fill_formulas(folder)
    _run_formulas(folder)
    # field separator, quote, UTF-8, first line; formulas are evaluated where there are any
    reading = ["--infilter=CSV:44,34,76,1,,0,false,true,false,false,false,-1"] if name.endswith("csv") else []
    profile = f"-env:UserInstallation=file://{tmp_path / 'profile'}"
    command = ["soffice", profile, "--headless", *reading, "--convert-to", "fods", "--outdir", str(tmp_path)]
    subprocess.run([*command, str(folder / "out" / name)], check=True, capture_output=True, timeout=180)
    text = (tmp_path / "results.fods").read_text(encoding="utf-8")
    assert "<table:table-cell" in text
    assert "table:formula" not in text
    assert "calc" in text
