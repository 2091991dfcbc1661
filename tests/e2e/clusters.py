"""A Dask scheduler and workers as somebody else runs them: processes with caches and folders of their own."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.e2e.commands import make_environment

PRELOAD = Path(__file__).with_name("worker_preload.py")
_START_SECONDS = 40


class Cluster:
    """One scheduler, and workers that can be added and killed."""

    def __init__(self, folder: Path, options: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._options = dict(options or {})
        self._processes: list[subprocess.Popen[bytes]] = []
        self._told = folder / "scheduler.json"
        flags = ["--port", "0", "--no-dashboard", "--host", "127.0.0.1", "--scheduler-file", str(self._told)]
        self.scheduler = self._start("scheduler", flags, {})
        wait_until(lambda: self._told.exists() and self._told.read_text(encoding="utf-8").strip(), self.scheduler)
        self.address = json.loads(self._told.read_text(encoding="utf-8"))["address"]

    def add_worker(self, name: str, *flags: str, changes: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        """Start a worker; it says who it is in a file `NAME.pid`."""
        own = ["--name", name, "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1", "--preload", str(PRELOAD)]
        own += ["--local-directory", str(self.folder / "scratch"), "--scheduler-file", str(self._told), *flags]
        told = {"CLUSTER_PID_FILE": str(self.folder / f"{name}.pid"), **(changes or {})}
        return self._start("worker", own, told, name)

    def read_pid(self, name: str) -> int:
        """The process that asks, which is not the one that was started where a nanny watches it."""
        path = self.folder / f"{name}.pid"
        wait_until(lambda: path.exists() and f"name: {name}\n".encode() in self.read_logs())
        return int(path.read_text(encoding="ascii"))

    def read_logs(self) -> bytes:
        """What all of them wrote."""
        return b"".join(path.read_bytes() for path in sorted(self.folder.glob("*.log")))

    def close(self) -> None:
        """End all of them."""
        for process in reversed(self._processes):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def _start(
        self, kind: str, flags: list[str], changes: Mapping[str, str], name: str = ""
    ) -> subprocess.Popen[bytes]:
        environment = make_environment(
            self.folder / (name or kind),
            {"PYTHONWARNINGS": "ignore", "DASK_TEMPORARY_DIRECTORY": str(self.folder), **self._options, **changes},
        )
        with (self.folder / f"{name or kind}.log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.dask_{kind}", *flags],
                cwd=self.folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._processes.append(process)
        return process


@contextlib.contextmanager
def run_cluster(folder: Path, options: Mapping[str, str] | None = None) -> Iterator[Cluster]:
    """A cluster without workers, gone at the end."""
    cluster = Cluster(folder, options)
    try:
        yield cluster
    finally:
        cluster.close()


def wait_until(fact: object, process: subprocess.Popen[bytes] | None = None, seconds: float = _START_SECONDS) -> None:
    """Wait for something that a process brings about."""
    assert callable(fact)
    end = time.monotonic() + seconds
    while not fact():
        assert process is None or process.poll() is None, "the process ended"
        assert time.monotonic() < end, "it took too long"
        threading.Event().wait(0.05)
