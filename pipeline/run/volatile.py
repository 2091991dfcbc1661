"""The only place of a run that looks at a clock or the machine; nothing of it reaches the deterministic body."""

from __future__ import annotations

import os
import time
from typing import NamedTuple


class ClockReading(NamedTuple):
    """A moment: UTC in ISO 8601 to the second, and milliseconds of a clock that never goes back."""

    text: str
    elapsed_ms: int


def read_clock() -> ClockReading:
    """The present moment."""
    return ClockReading(time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), time.monotonic_ns() // 1_000_000)


def read_host() -> str:
    """Operating system, release and architecture; no name of a person or machine."""
    system = os.uname()
    return f"{system.sysname} {system.release} {system.machine}"
