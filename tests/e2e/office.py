"""LibreOffice as a second reader of what is written: every sheet as CSV, or a workbook as it saves it."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
from pathlib import Path

import pytest

# comma, double quote, UTF-8, cells as they are shown, formulas instead of values if asked for, one file a sheet
_FILTER = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,{formulas},false,false,-1"


def find_office() -> str:
    """The program; without it the test is skipped."""
    program = shutil.which("soffice")
    if program is None:
        pytest.skip("LibreOffice (soffice) is not installed")
    return program


def convert(path: Path, kind: str, folder: Path) -> list[Path]:
    """What LibreOffice makes of a file, in a profile of its own."""
    out = folder / "converted"
    out.mkdir(parents=True, exist_ok=True)
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    command = [find_office(), profile, "--headless", "--convert-to", kind, "--outdir", str(out), str(path)]
    subprocess.run(command, check=True, capture_output=True, timeout=180)
    return sorted(out.iterdir())


def read_sheets(path: Path, folder: Path, *, are_formulas_shown: bool = False) -> dict[str, list[list[str]]]:
    """Cells of every sheet as LibreOffice shows them."""
    kind = _FILTER.format(formulas=str(are_formulas_shown).lower())
    files = convert(path, kind, folder / ("formulas" if are_formulas_shown else "values"))
    sheets = {}
    for file in files:
        text = file.read_bytes().decode("utf-8-sig")
        name = file.stem.removeprefix(f"{path.stem}-")
        sheets[name] = list(csv.reader(io.StringIO(text, newline="")))
    return sheets
