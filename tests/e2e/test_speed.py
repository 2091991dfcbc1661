"""Ratios of whole processes, measured one beside the other in one run; the least of several runs counts."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.e2e.commands import make_environment

pytestmark = pytest.mark.bench

REPEATS = 7
MAX_HELP_RATIO = 1.5
MAX_COLD_RATIO = 3.0
MAX_WARM_RATIO = 1.2
EMPTY_PROGRAM = "import click\n\n\n@click.command()\ndef main():\n    pass\n\n\nmain()\n"
PLAIN_TEXT = "import sys, pymupdf; [page.get_text() for page in pymupdf.open(sys.argv[1])]"
PROGRAM = [sys.executable, "-m", "pipeline"]


def _time_once(command: list[str], folder: Path, cache: Path) -> float:
    environment = make_environment(folder, {"XDG_CACHE_HOME": str(cache)})
    start = time.perf_counter()
    done = subprocess.run(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=120
    )
    seconds = time.perf_counter() - start
    assert done.returncode in (0, 1)
    return seconds


def _read_plainly(document: Path) -> list[str]:
    """What the parser is held against: the text of every page and nothing else."""
    if shutil.which("mutool"):
        return ["mutool", "draw", "-q", "-F", "txt", "-o", "/dev/null", str(document)]
    return [sys.executable, "-c", PLAIN_TEXT, str(document)]


def test_help_is_as_quick_as_an_empty_program_when_started(tmp_path: Path):
    (tmp_path / "empty.py").write_text(EMPTY_PROGRAM, encoding="utf-8")
    empty, own = [], []
    for _ in range(REPEATS):
        empty.append(_time_once([sys.executable, "empty.py", "--help"], tmp_path, tmp_path / "cache"))
        own.append(_time_once([*PROGRAM, "--help"], tmp_path, tmp_path / "cache"))
    ratio = min(own) / min(empty)
    print(f"\n--help {1000 * min(own):.0f} ms, empty program {1000 * min(empty):.0f} ms: ratio {ratio:.2f}")
    assert ratio <= MAX_HELP_RATIO


def test_question_costs_little_more_than_reading_when_asked_of_150_pages(tmp_path: Path, built_documents: Path):
    document = built_documents / "long.pdf"
    asking = [*PROGRAM, "ask", str(document), "Which section is about the archive?"]
    plain, cold, warm = [], [], []
    for number in range(REPEATS):
        cache = tmp_path / f"cache-{number}"
        plain.append(_time_once(_read_plainly(document), tmp_path, cache))
        cold.append(_time_once(asking, tmp_path, cache))
        warm.append(_time_once(asking, tmp_path, cache))
    cold_ratio, warm_ratio = min(cold) / min(plain), min(warm) / min(plain)
    print(
        f"\nplain text {1000 * min(plain):.0f} ms, cold {1000 * min(cold):.0f} ms ({cold_ratio:.2f}), "
        f"warm {1000 * min(warm):.0f} ms ({warm_ratio:.2f})"
    )
    assert cold_ratio <= MAX_COLD_RATIO
    assert warm_ratio <= MAX_WARM_RATIO


def test_warm_question_loads_no_engine_when_asked(tmp_path: Path, built_documents: Path):
    document = built_documents / "long.pdf"
    asking = ["ask", str(document), "Which section is about the archive?"]
    code = f"import sys; from pipeline.cli.group import run_command; run_command({asking!r}); print(*sys.modules)"
    environment = make_environment(tmp_path)
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120
        )
    loaded = set(done.stdout.split())
    assert "pipeline.run" in loaded
    assert not loaded & {"pymupdf", "openai", "structlog", "rich"}
