"""Workbooks as a user gets them: a filled questionnaire, and results that another program opens."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import pytest

from fixtures.rawpdf import lease_pages, lease_pdf, page_objects, raw_pdf
from tests.e2e.commands import run_pdfdocket
from tests.e2e.office import convert, find_office, read_sheets
from tests.unit.batch.questionnaires import describe_sheet, make_form, rewrite_parts

FLAGS = ("--fill", "--no-report", "--no-annotated", "--json")


def _run(folder: Path, *flags: str, questions: str = "form.xlsx", out: str = "out"):
    return run_pdfdocket(["batch", questions, "--docs", "docs", "--out", out, *FLAGS, *flags], folder)


@pytest.fixture(scope="module")
def desk(tmp_path_factory) -> Path:
    """A form, documents, and what a batch made of both."""
    folder = tmp_path_factory.mktemp("desk")
    make_form(folder / "form.xlsx")
    (folder / "docs").mkdir()
    (folder / "docs" / "lease.pdf").write_bytes(lease_pdf())
    (folder / "docs" / "short.pdf").write_bytes(raw_pdf(page_objects(lease_pages()[:3])))
    done = _run(folder)
    assert (done.returncode, done.stderr) == (0, b""), done.stderr
    (folder / "summary.json").write_bytes(done.stdout)
    return folder


def test_the_form_holds_the_answers_of_all_documents_when_it_was_filled(desk):
    import openpyxl

    told = json.loads((desk / "summary.json").read_bytes())
    assert (told["filled_file"], told["filled_count"], told["heading_lines"]) == ("form.xlsx", 4, [5, 9, 13])
    assert str(Path("out") / "form.xlsx") in told["files"]
    sheet = openpyxl.load_workbook(desk / "out" / "form.xlsx")["Assessment"]
    assert sheet["C6"].value == "lease.pdf: 1,200 euros\nshort.pdf: 1,200 euros"
    assert 'lease.pdf: page 2: "The deposit is 1,200 euros."' in sheet["D6"].value
    assert sheet["C8"].value.startswith("lease.pdf: Not found: ")
    assert (sheet["H4"].value, sheet["H6"].value) == ("Confidence", "lease.pdf: 0.8\nshort.pdf: 0.8")
    before, after = ((desk / place / "form.xlsx").read_bytes() for place in (".", "out"))
    assert describe_sheet(before, "Assessment") == describe_sheet(after, "Assessment")


def test_the_form_has_the_same_bytes_when_a_batch_is_resumed_or_run_elsewhere(desk, tmp_path):
    content = (desk / "out" / "form.xlsx").read_bytes()
    (desk / "out" / "form.xlsx").unlink()
    assert _run(desk, "--resume").returncode == 0
    assert (desk / "out" / "form.xlsx").read_bytes() == content
    for name in ("form.xlsx", "docs"):
        (shutil.copytree if name == "docs" else shutil.copy)(desk / name, tmp_path / name)
    done = run_pdfdocket(
        ["batch", "form.xlsx", "--docs", "docs", "--out", "out", *FLAGS, "--workers", "1"],
        tmp_path,
        {"PYTHONHASHSEED": "77", "TZ": "Asia/Tokyo", "LC_ALL": "C"},
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "form.xlsx").read_bytes() == content


def test_nothing_is_asked_when_the_form_cannot_be_filled(desk):
    shutil.copy(desk / "form.xlsx", desk / "signed.xlsx")
    rewrite_parts(desk / "signed.xlsx", lambda parts: parts.update({"_xmlsignatures/s.xml": b"<a/>"}))
    done = _run(desk, questions="signed.xlsx", out="refused")
    assert done.returncode == 2
    assert b"cannot be filled: it is signed" in done.stderr
    assert not (desk / "refused").exists()
    assert b"goes with a workbook" in _run(desk, questions="docs/lease.pdf", out="refused").stderr


def test_libreoffice_shows_the_same_cells_when_it_opens_the_filled_form(desk, tmp_path):
    find_office()
    before = read_sheets(desk / "form.xlsx", tmp_path / "before")
    after = read_sheets(desk / "out" / "form.xlsx", tmp_path / "after")
    assert list(before) == list(after) == ["Assessment", "Other", "Read me"]
    filled = {(row, column) for row in (5, 6, 7, 9) for column in (2, 3, 7)} | {(3, 7)}
    for name, rows in after.items():
        for row, cells in enumerate(rows):
            for column, cell in enumerate(cells):
                old = before[name][row][column] if row < len(before[name]) and column < len(before[name][row]) else ""
                if name == "Assessment" and (row, column) in filled:
                    # what was not found has no evidence
                    assert cell or column == 3
                else:
                    assert cell == old, (name, row, column)
    (made,) = [path for path in convert(desk / "out" / "form.xlsx", "pdf", tmp_path) if path.suffix == ".pdf"]
    assert made.read_bytes().startswith(b"%PDF")


def test_libreoffice_shows_the_cells_of_the_csv_and_no_formula_when_it_opens_the_results(tmp_path):
    find_office()
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "=1+1.pdf").write_bytes(lease_pdf())
    with (tmp_path / "q.csv").open("w", newline="", encoding="utf-8") as file:
        rows = [["question", "tags"], ["What is the deposit?", "+a"], ["=1+1, who pays?", "@b"], ["-2 is what?", "=c"]]
        csv.writer(file).writerows(rows)
    done = run_pdfdocket(
        ["batch", "q.csv", "--docs", "docs", "--out", "out", "--no-report", "--no-annotated"], tmp_path
    )
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "out" / "results.csv").read_bytes().decode("utf-8-sig")
    told = [[cell.replace("\r\n", "\n") for cell in row] for row in csv.reader(io.StringIO(text, newline=""))]
    shown = read_sheets(tmp_path / "out" / "results.xlsx", tmp_path / "values")["Results"]
    assert [[cell.replace("\r\n", "\n") for cell in row] for row in shown] == told
    # with formulas shown instead of values there is still none
    formulas = read_sheets(tmp_path / "out" / "results.xlsx", tmp_path / "formulas", are_formulas_shown=True)["Results"]
    assert [cell for row in formulas for cell in row if cell.startswith("=")] == []
