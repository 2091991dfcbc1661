"""Annotated copies of documents: the answers marked where they stand, one document after the other."""

from __future__ import annotations

import contextlib
import errno
import os
from typing import TYPE_CHECKING, NamedTuple

from pipeline.audit.writing import replace_file, sync_folder
from pipeline.canonical import encode_model
from pipeline.errors import RecordError, UsageError
from pipeline.models.annotation import CopyReport, Unmarked
from pipeline.report.apart import copy_apart
from pipeline.report.names import CopyNames
from pipeline.report.notebook import Asked, Notebook
from pipeline.report.outcomes import CopyOrder, CopyOutcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from pipeline.models.settings import Settings
    from pipeline.report.notebook import Group
    from pipeline.report.notes import Note

    Observer = Callable[[CopyReport], None]

REPORT_NAME = "annotations.jsonl"
_DRAFTS = ".drafts"
_BLOCK = 1 << 20
# what is wrong with one name; anything else is wrong with the disk
_NAME_ERRORS = (errno.ENOTDIR, errno.EEXIST, errno.EISDIR, errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ)


class Destination(NamedTuple):
    """Where copies go; in a folder of our own (`is_own`) whatever has the name of a copy is replaced."""

    folder: Path
    is_own: bool = False


class NoCopy(Exception):
    """There can be no copy of this document; the message says why."""


def write_copies(rows: Iterable[Asked], out: Destination, settings: Settings, observe: Observer) -> None:
    """Write a copy of every document that has an answer, and `annotations.jsonl`; tell of each when it is done.

    Documents come in the order of the rows. Only one of them is in memory at a time, and that in another process.

    Raises:
        UsageError: the folder cannot be used.
        RecordError: something cannot be written, for instance because the disk is full.
    """
    drafts = out.folder / _DRAFTS
    try:
        drafts.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{out.folder}: cannot be written to: {error.strerror}", "give another folder") from error
    try:
        with (drafts / "notes").open("w+b") as file:
            book = Notebook(file)
            for asked in rows:
                book.add(asked)
            copier = _Copier(out, settings)
            reports = (copier.copy(group, book) for group in book.walk_groups())
            replace_file(out.folder / REPORT_NAME, _encode_all(reports, observe), "report of the copies")
    except OSError as error:
        raise _refuse(drafts, error) from error
    finally:
        _remove_drafts(out.folder)


def _remove_drafts(folder: Path) -> None:
    """Remove what this call, or one that was killed, was writing."""
    drafts = folder / _DRAFTS
    with contextlib.suppress(OSError):
        for draft in (
            drafts / "notes",
            *sorted(drafts.glob("copy-*.pdf")),
            *sorted(folder.glob(f".{REPORT_NAME}.*.tmp")),
        ):
            draft.unlink(missing_ok=True)
        drafts.rmdir()


def _encode_all(reports: Iterable[CopyReport], observe: Observer) -> Iterator[bytes]:
    for report in reports:
        observe(report)
        yield encode_model(report) + b"\n"


def _refuse(path: Path, error: OSError) -> RecordError:
    return RecordError(f"{path}: cannot be written: {error.strerror or error}", "free some space, or write elsewhere")


class _Copier:
    """Makes copies in a folder, each under a name of its own."""

    def __init__(self, out: Destination, settings: Settings) -> None:
        self._out = out
        self._settings = settings
        self._names = CopyNames()
        # a copy that a killed call is still writing has another name
        self._draft = out.folder / _DRAFTS / f"copy-{os.getpid()}.pdf"

    def copy(self, group: Group, book: Notebook) -> CopyReport:
        """The copy of one document, or the reason why there is none."""
        name = str(self._names.choose(group.name, group.sha256))
        notes, unmarked = book.read_notes(group), book.read_unmarked(group)
        try:
            outcome = self._make(group, notes, self._out.folder / name)
        except NoCopy as refused:
            outcome = CopyOutcome(str(refused))
        return CopyReport(
            document=group.name,
            document_sha256=group.sha256,
            file="" if outcome.reason else name,
            answer_count=len(notes),
            note_count=outcome.note_count,
            highlight_count=outcome.highlight_count,
            reason=outcome.reason,
            warnings=outcome.warnings,
            unmarked=(*(_describe_fault(notes, fault) for fault in outcome.faults), *unmarked),
        )

    def _make(self, group: Group, notes: tuple[Note, ...], target: Path) -> CopyOutcome:
        if not notes:
            outcome = CopyOutcome("no question was answered from it")
        elif group.document is None:
            outcome = CopyOutcome(group.document_note or "the file is not known")
        else:
            self._check_target(target, group.document)
            settings = self._settings
            order = CopyOrder(
                group.document, group.sha256, self._draft, notes, settings.password,
                settings.parse.max_memory_bytes,
            )  # fmt: skip
            outcome = copy_apart(order, settings.parse)
        if outcome.is_unwritable:
            raise RecordError(f"{target}: cannot be written: {outcome.reason}", "free some space, or write elsewhere")
        self._settle(target, outcome)
        return outcome

    def _check_target(self, target: Path, document: Path) -> None:
        """Make the folder of a copy; nothing but an earlier copy of the same document is in its way."""
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            # a link among the folders might lead elsewhere
            if not target.parent.resolve().is_relative_to(self._out.folder.resolve()):
                raise NoCopy("a link leads out of the folder of copies")
            if not os.path.lexists(target):
                return
            if target.exists() and document.samefile(target):
                raise NoCopy("the copy would stand in the place of the document; give another folder")
            if not self._out.is_own and not _is_begun_by(target, document):
                raise NoCopy("another file is in the place of its copy; give another folder")
        except OSError as error:
            if error.errno in _NAME_ERRORS:
                raise NoCopy(f"its copy cannot have that name: {error.strerror}") from error
            raise

    def _settle(self, target: Path, outcome: CopyOutcome) -> None:
        """Bring a finished copy to its place; where there is none now, one of an earlier call goes too."""
        try:
            if outcome.reason:
                if self._out.is_own and target.is_file():
                    target.unlink()
            else:
                with self._draft.open("rb") as file:
                    os.fsync(file.fileno())
                self._draft.replace(target)
                sync_folder(target.parent)
        except OSError as error:
            if error.errno in _NAME_ERRORS:
                raise NoCopy(f"its copy cannot have that name: {error.strerror}") from error
            raise


def _is_begun_by(target: Path, document: Path) -> bool:
    """Whether a file is the document with something behind it, as copies of it are."""
    if not target.is_file() or target.stat().st_size <= document.stat().st_size:
        return False
    with target.open("rb") as copy, document.open("rb") as original:
        while block := original.read(_BLOCK):
            if copy.read(len(block)) != block:
                return False
    return True


def _describe_fault(notes: tuple[Note, ...], fault: tuple[int, int, str]) -> Unmarked:
    at, which, reason = fault
    note = notes[at]
    quote = note.quotes[which]
    return Unmarked(
        id=note.id,
        question=note.question,
        run_id=note.run_id,
        reason=reason,
        page=quote.page,
        line_start=quote.line_start,
        line_end=quote.line_end,
    )
