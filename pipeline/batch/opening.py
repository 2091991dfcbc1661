"""The folder of a batch: one writer at a time, and a journal that belongs to these questions."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pipeline.audit.ledger import find_head
from pipeline.audit.rotation import read_tail
from pipeline.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pipeline.batch.journal import Journal

JOURNAL_NAME, LEDGER_NAME, LOCK_NAME = "journal.jsonl", "ledger.jsonl", "batch.lock"


@contextmanager
def hold_folder(out: Path) -> Iterator[None]:
    """Keep a second batch out of a folder. The lock ends with this process and is not inherited by others.

    Raises:
        UsageError: the folder cannot be written to, or another batch is writing into it.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        handle = os.open(out / LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise UsageError(f"{out}: cannot be written to: {error.strerror}", "give another folder to --out") from error
    try:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        raise UsageError(f"{out}: another batch is writing into it", "wait for it, or give another --out") from error
    finally:
        os.close(handle)


def open_journal(journal: Journal, header: dict[str, str], out: Path, *, is_resumed: bool) -> bool:
    """Begin a journal or go on with it; whether it is new.

    Raises:
        UsageError: there is one and nobody asked to go on, or it belongs to another batch.
        RecordError: it cannot be written.
    """
    if not journal.header:
        ledger = out / LEDGER_NAME
        journal.begin(header, find_head(ledger, read_tail(ledger)).number)
        return True
    # one that was refused or stopped before its first row has nothing to go on with
    is_untouched = not journal.entries and header == journal.header
    if not is_resumed and not is_untouched:
        raise UsageError(f"{out}: there is a batch in it", "go on with --resume, or give another folder to --out")
    changed = [name for name in {**header, **journal.header} if journal.header.get(name) != header.get(name)]
    if changed:
        words = f"{out}: the batch in it is another one, it differs in: {', '.join(changed)}"
        raise UsageError(words, "give another folder to --out")
    return not is_resumed
