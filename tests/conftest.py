"""What every test may ask for: the real documents where they are present, the built ones, and a cache of its own."""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent

# Seeds come from the test itself: a run in CI that fails, fails again on the desk.
_QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("ci", deadline=None, derandomize=True, max_examples=100, suppress_health_check=_QUIET)
settings.register_profile("soak", deadline=None, max_examples=2000, suppress_health_check=_QUIET)
settings.load_profile(os.environ.get("PDFDOCKET_HYPOTHESIS", "ci"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--goldens=write` approves what the golden questions give now."""
    parser.addoption("--goldens", choices=("check", "write"), default="check")


@pytest.fixture(scope="session")
def are_goldens_written(pytestconfig: pytest.Config) -> bool:
    """Whether this run writes the approved outcomes instead of comparing with them."""
    return bool(pytestconfig.getoption("--goldens") == "write")


def _find_shared_folder(variable: str) -> Path:
    value = os.environ.get(variable, "")
    if not value:
        pytest.skip(f"{variable} names no folder")
    folder = Path(value)
    if not folder.is_dir():
        pytest.fail(f"{variable} is {value}, which is not a folder")
    return folder


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real documents; without PDFDOCKET_CORPUS the test is skipped."""
    return _find_shared_folder("PDFDOCKET_CORPUS")


@pytest.fixture(scope="session")
def cases() -> Path:
    """The folder of questions with expectations; without PDFDOCKET_CASES the test is skipped."""
    return _find_shared_folder("PDFDOCKET_CASES")


def _digest_fixture_sources() -> str:
    digest = hashlib.sha256()
    built = ROOT / "fixtures" / "built"
    for path in sorted((ROOT / "fixtures").rglob("*")):
        if path.is_file() and built not in path.parents and "__pycache__" not in path.parts:
            digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


@pytest.fixture(scope="session")
def built_documents() -> Path:
    """The folder of synthetic documents, built once per state of fixtures/ whatever the number of workers."""
    built = ROOT / "fixtures" / "built"
    built.mkdir(parents=True, exist_ok=True)
    folder = built / f"tests-{_digest_fixture_sources()}"
    done = folder / ".done"
    with (built / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            command = [sys.executable, "-m", "fixtures.build", str(folder)]
            subprocess.run(command, cwd=ROOT, check=True, stdin=subprocess.DEVNULL, timeout=300)
            done.touch()
    return folder


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the parse cache of the tests apart from the user's, fresh for each run, shared by the workers of one."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(shared / "cache"))
        patch.delenv("PDFDOCKET_PASSWORD", raising=False)
        yield
