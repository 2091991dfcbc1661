"""Runs one command line and says on stderr what it took: `python -m tests.promises.measuring ARGUMENTS`.

One JSON list: exit code, seconds, most kilobytes of this process, most kilobytes of any child.
"""

from __future__ import annotations

import json
import re
import resource
import sys
import time
from pathlib import Path

from pipeline.cli.group import run_command


def main() -> None:
    start = time.monotonic()
    code = run_command(sys.argv[1:])
    seconds = time.monotonic() - start
    # what getrusage tells of this process begins with what its parent had before it became this program
    status = Path("/proc/self/status").read_text(encoding="ascii")
    own = int(re.search(r"VmHWM:\s+(\d+) kB", status)[1])
    child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(json.dumps([code, seconds, own, child]), file=sys.stderr)


if __name__ == "__main__":
    main()
