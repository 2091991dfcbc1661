"""Ratios of whole processes, measured one beside the other in one run; the least of several runs counts.

The targets are stated beside each ratio, met or missed. What is asserted are ceilings a little above what was last
measured (docs/speed.md), so that the bench fails when something became slower.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e.commands import make_environment

pytestmark = pytest.mark.bench

REPEATS = 7
MAX_HELP_RATIO = 1.5
TARGET_COLD, TARGET_WARM = 3.0, 1.2
# of processor time, which other work on the machine moves less than the clock
MAX_COLD_RATIO, MAX_WARM_RATIO = 7.0, 2.4
FILING_PAGES = 150
EMPTY_PROGRAM = "import click\n\n\n@click.command()\ndef main():\n    pass\n\n\nmain()\n"
PLAIN_TEXT = "import sys, pymupdf; [page.get_text() for page in pymupdf.open(sys.argv[1])]"
PROGRAM = "import click\n\n\n@click.command()\ndef main():\n    pass\n\n\nmain()\n"
PLAIN_TEXT = "import sys, pymupdf; [page.get_text() for page in pymupdf.open(sys.argv[1])]"
PROGRAM = [sys.executable, "-m", "pipeline"]


class Cost(NamedTuple):
    """Seconds of a whole process with its children: by the clock, and on all processors."""

    wall: float
    cpu: float


def _time_once(command: list[str], folder: Path, cache: Path) -> Cost:
    # without compiled modules every start would compile the program again
    environment = make_environment(folder, {"XDG_CACHE_HOME": str(cache), "PYTHONDONTWRITEBYTECODE": ""})
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=120,
    )
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode in (0, 1)
    return Cost(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def _find_least(costs: list[Cost]) -> Cost:
    return Cost(min(cost.wall for cost in costs), min(cost.cpu for cost in costs))


def _state(name: str, cost: Cost, plain: Cost, target: float) -> str:
    ratio = cost.wall / plain.wall
    verdict = "met" if ratio <= target else "missed"
    return (
        f"  {name} {1000 * cost.wall:.0f} ms, ratio {ratio:.2f} (processor {1000 * cost.cpu:.0f} ms, "
        f"{cost.cpu / plain.cpu:.2f}); target at most {target}: {verdict}"
    )


def _compare_with_plain_text(document: Path, question: str, folder: Path) -> tuple[float, float]:
    """Ratios of processor time of a cold and a warm question to plain reading; all ratios are printed with targets."""
    asking = [*PROGRAM, "ask", str(document), question]
    plain, cold, warm = [], [], []
    for number in range(REPEATS):
        cache = folder / f"cache-{number}"
        plain.append(_time_once(_read_plainly(document), folder, cache))
        cold.append(_time_once(asking, folder, cache))
        warm.append(_time_once(asking, folder, cache))
    least = _find_least(plain)
    print(f"\n{document.name}: plain text {1000 * least.wall:.0f} ms (processor {1000 * least.cpu:.0f} ms)")
    print(_state("cold", _find_least(cold), least, TARGET_COLD))
    print(_state("warm", _find_least(warm), least, TARGET_WARM))
    return _find_least(cold).cpu / least.cpu, _find_least(warm).cpu / least.cpu


def _read_plainly(document: Path) -> list[str]:
    """What the parser is held against: the text of every page and nothing else."""
    if shutil.which("mutool"):
        return ["mutool", "draw", "-q", "-F", "txt", "-o", "/dev/null", str(document)]
    return [sys.executable, "-c", PLAIN_TEXT, str(document)]


def test_help_is_as_quick_as_an_empty_program_when_started(tmp_path: Path):
    (tmp_path / "empty.py").write_text(EMPTY_PROGRAM, encoding="utf-8")
    empty, own = [], []
    for _ in range(REPEATS):
        empty.append(_time_once([sys.executable, "empty.py", "--help"], tmp_path, tmp_path / "cache").wall)
        own.append(_time_once([*PROGRAM, "--help"], tmp_path, tmp_path / "cache").wall)
    ratio = min(own) / min(empty)
    print(f"\n--help {1000 * min(own):.0f} ms, empty program {1000 * min(empty):.0f} ms: ratio {ratio:.2f}")
    assert ratio <= MAX_HELP_RATIO


def test_question_costs_little_more_than_reading_when_asked_of_150_pages(tmp_path: Path, built_documents: Path):
    question = "Which section is about the archive?"
    cold, warm = _compare_with_plain_text(built_documents / "long.pdf", question, tmp_path)
    assert cold <= MAX_COLD_RATIO
    assert warm <= MAX_WARM_RATIO


def test_question_costs_little_more_than_reading_when_asked_of_a_filing(tmp_path: Path):
    filing = _find_filing()
    if filing is None:
        pytest.skip("PDFDOCKET_CORPUS names no folder with an open filing")
    cold, warm = _compare_with_plain_text(filing, "What were net sales?", tmp_path)
    assert cold <= MAX_COLD_RATIO
    assert warm <= MAX_WARM_RATIO


def _find_filing() -> Path | None:
    """The document of the corpus whose length is nearest to that of the built one; encrypted ones are not cached."""
    import pymupdf

    found: list[tuple[int, str, Path]] = []
    folder = os.environ.get("PDFDOCKET_CORPUS", "")
    for path in sorted(Path(folder).rglob("*.pdf")) if folder else []:
        with pymupdf.open(path) as document:
            if not document.needs_pass and not document.metadata.get("encryption"):
                found.append((abs(document.page_count - FILING_PAGES), path.name, path))
    return min(found)[2] if found else None


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
