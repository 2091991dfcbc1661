"""Entry of a spawned parse child: one line with the job and then the file on stdin, the answer on stdout."""

from __future__ import annotations

import json
import os
import sys

from pipeline.parsing.child import load_engine, serve_job
from pipeline.parsing.jobs import Job


def run_spawned_job() -> int:
    """Serve the one job that stands on stdin; the exit code."""
    job = Job(*json.loads(sys.stdin.buffer.readline()))
    content = sys.stdin.buffer.read()
    # What the engine prints must not get into the answer.
    writer = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    load_engine()
    return serve_job(content, job, writer, None)


if __name__ == "__main__":
    sys.exit(run_spawned_job())
