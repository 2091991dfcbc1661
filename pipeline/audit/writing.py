"""What is written stays written, and what cannot be written whole is taken back: locks, appends, replaced files."""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
from typing import TYPE_CHECKING

from pipeline.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


@contextlib.contextmanager
def hold_lock(path: Path) -> Iterator[None]:
    """Hold the one lock of a ledger: nobody else appends, rotates or redacts. It waits, and ends with the process.

    The lock is a file beside the ledger, since the ledger itself is renamed and replaced.

    Raises:
        RecordError: the folder or the lock cannot be made.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        refuse_device(path)
        handle = os.open(_name_lock(path), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise RecordError(
            f"{path}: the ledger cannot be locked: {error.strerror}", "give another place to --ledger"
        ) from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        # closing gives the lock back; nothing else has this file open in this process
        os.close(handle)


@contextlib.contextmanager
def hold_reading_lock(path: Path) -> Iterator[None]:
    """Keep writers out while reading; where there is no lock yet, or none may be opened, nobody is kept out."""
    try:
        handle = os.open(_name_lock(path), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        yield
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_SH)
        yield
    finally:
        os.close(handle)


def _name_lock(path: Path) -> Path:
    # a path without a name (".", "/") is no ledger, which is for others to say
    return path.parent / f"{path.name}.lock"


def refuse_device(path: Path) -> None:
    """Refuse a folder or a device as a ledger.

    Raises:
        RecordError: something stands there that is no file.
    """
    if path.exists() and not stat.S_ISREG(path.stat().st_mode):
        raise RecordError(f"{path}: not a regular file, so no ledger", "give another place to --ledger")


def append_bytes(path: Path, content: bytes) -> None:
    """Append to a file and bring it to the disk; on any failure the file is as it was before. Call under the lock.

    Raises:
        RecordError: it cannot be written whole, for instance because the disk is full.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise _refuse(path, error) from error
    try:
        size = os.fstat(handle).st_size
        is_whole = False
        try:
            write_all(handle, content)
            os.fsync(handle)
            if size == 0:
                # the name of a new file is on the disk only when its folder is
                sync_folder(path.parent)
            is_whole = True
        finally:
            if not is_whole:
                # also after a signal: half a line would have to be set aside by the next one who appends
                with contextlib.suppress(OSError):
                    os.ftruncate(handle, size)
    except OSError as error:
        raise _refuse(path, error) from error
    finally:
        os.close(handle)


def _refuse(path: Path, error: OSError) -> RecordError:
    remedy = "free some space, or write it elsewhere"
    return RecordError(f"{path}: the ledger cannot be written: {error.strerror}", remedy)


def write_all(handle: int, content: bytes) -> None:
    """Write all bytes; a write may take only some of them, and the next one then says why."""
    view = memoryview(content)
    while view:
        view = view[os.write(handle, view) :]


def replace_file(path: Path, parts: Iterable[bytes], what: str = "file") -> None:
    """Write a file anew so that after a crash it is the old one or the new one, whole; errors call it `what`.

    Raises:
        RecordError: it cannot be written; the old file stays.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        try:
            with draft.open("wb") as file:
                file.writelines(parts)
                file.flush()
                os.fsync(file.fileno())
            if path.exists():
                draft.chmod(stat.S_IMODE(path.stat().st_mode))
            draft.replace(path)
        finally:
            # after an error or an interruption no draft stays behind; after success there is none
            with contextlib.suppress(OSError):
                draft.unlink()
        sync_folder(path.parent)
    except OSError as error:
        remedy = "free some space, or write elsewhere"
        raise RecordError(f"{path}: the {what} cannot be written: {error.strerror}", remedy) from error


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk; without this a new name can be lost in a crash."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
