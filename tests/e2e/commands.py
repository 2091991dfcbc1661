"""`python -m pipeline` as a user starts it: in a folder of its own, with a cache of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def make_environment(folder: Path, changes: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of this process with the checkout importable and the cache inside a folder."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PDFDOCKET_")}
    return {**kept, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(folder / ".cache"), **(changes or {})}


def run_pdfdocket(
    arguments: Sequence[str | Path | bytes], folder: Path, changes: Mapping[str, str] | None = None, timeout: int = 60
) -> subprocess.CompletedProcess[bytes]:
    """Run one command line in a folder and wait for its end."""
    return subprocess.run(
        [sys.executable, "-m", "pipeline", *arguments],
        cwd=folder,
        env=make_environment(folder, changes),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=timeout,
    )


def list_files(folder: Path) -> list[str]:
    """Every file below a folder, without the cache and what measures coverage."""
    return sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and ".cache" not in path.parts and not path.name.startswith(".coverage")
    )
