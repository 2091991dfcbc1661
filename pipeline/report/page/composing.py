"""The page from its entries: answers pass one by one, pictures document by document, and nothing waits in memory."""

from __future__ import annotations

import base64
import tempfile
from itertools import chain
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

from pipeline.audit.writing import replace_file
from pipeline.errors import RecordError, UsageError
from pipeline.models.report import ReportLimits, ReportSummary
from pipeline.report.page.answers import render_row
from pipeline.report.page.details import render_details
from pipeline.report.page.escaping import count_words, escape
from pipeline.report.page.pictures import Draughtsman
from pipeline.report.page.sheets import SheetIndex
from pipeline.report.page.summary import MARK, render_end, render_foot, render_head, render_summary
from pipeline.report.page.tally import Tally
from pipeline.report.rows import link_document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from pipeline.report.entries import Entry
    from pipeline.report.page.pictures import Picture

    Observer = Callable[[str, dict[str, object]], None]

_BLOCK = 1 << 20


class PageOptions(NamedTuple):
    """Ceilings of the page, and of the memory of the child that draws, in bytes."""

    limits: ReportLimits = ReportLimits()
    max_memory_bytes: int = 2_000_000_000


def write_report(
    entries: Iterable[Entry], out: Path, options: PageOptions | None = None, observe: Observer | None = None
) -> ReportSummary:
    """Write the page of some entries to a file, whole or not at all.

    `observe` takes `answers` (`done`) while answers are read, and `pictures` (`done`, `of`) while pages are drawn.

    Raises:
        RecordError: the page cannot be written, for instance because the disk is full; or an entry cannot be read.
    """
    # counts are at the top and known at the end, so the parts wait in files of their own
    page = _Page(options or PageOptions(), out.parent, observe or (lambda *_: None))
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with _open_spool(out) as rows, _open_spool(out) as details, _open_spool(out) as pictures:
            page.write_answers(entries, rows, details)
            page.write_pictures(pictures)
            head = (render_head() + render_summary(page.tally, page.notes)).encode()
            middle, foot = render_end().encode(), render_foot().encode()
            spools = (_read_spool(spool) for spool in (rows, details, pictures))
            replace_file(out, chain((head,), next(spools), (middle,), next(spools), next(spools), (foot,)), "report")
            return page.summarise(out)
    except OSError as error:
        words = f"{out}: the report cannot be written: {error.strerror or error}"
        raise RecordError(words, "free some space, or write elsewhere with --out") from error


def protect_file(out: Path) -> None:
    """Refuse to write over anything but an earlier report.

    Raises:
        UsageError: something else stands there.
    """
    remedy = "give another file to --out"
    if out.is_dir():
        raise UsageError(f"{out}: a folder", remedy)
    if not out.exists():
        return
    try:
        with out.open("rb") as file:
            is_report = not out.is_file() or file.read(len(MARK)) == MARK.encode()
    except OSError as error:
        raise UsageError(f"{out}: cannot be written over: {error.strerror}", remedy) from error
    if not is_report and out.stat().st_size:
        raise UsageError(f"{out}: there is a file that is no report", remedy)


def _open_spool(out: Path) -> BinaryIO:
    """A file without a name beside the report: it is gone with this process, whatever happens."""
    return cast("BinaryIO", tempfile.TemporaryFile(dir=out.parent))


def _read_spool(spool: BinaryIO) -> Iterator[bytes]:
    spool.seek(0)
    while block := spool.read(_BLOCK):
        yield block


class _Page:
    """What is known of a page while it is written."""

    def __init__(self, options: PageOptions, folder: Path, observe: Observer) -> None:
        self.tally = Tally()
        self._limits = options.limits
        self._max_memory_bytes = options.max_memory_bytes
        self._folder = folder
        self._observe = observe
        self._sheets = SheetIndex(options.limits.max_pictures)
        self._detail_bytes = self._undetailed_count = 0
        self._picture_count = self._picture_bytes = self._refused_count = 0
        self._faults: dict[str, int] = {}

    @property
    def notes(self) -> tuple[str, ...]:
        """What the page does not show, and why."""
        limits = self._limits
        said = []
        if self.tally.left_out_count:
            many = count_words(self.tally.left_out_count, "answer")
            said.append(
                f"{many} of {self.tally.row_count:,}: a page holds {limits.max_rows:,}; the results have them all"
            )
        if self._undetailed_count:
            size = _spell_size(limits.max_detail_bytes)
            many = count_words(self._undetailed_count, "answer")
            said.append(f"details of {many}: a page holds {size} of them; report a single run to see its own")
        if self._sheets.left_out_count:
            many = count_words(self._sheets.left_out_count, "page")
            said.append(f"pictures of {many}: a report holds {limits.max_pictures:,}")
        if self._refused_count:
            many = count_words(self._refused_count, "page")
            said.append(f"pictures of {many}: a report holds {_spell_size(limits.max_picture_bytes)} of them")
        said += [f"pictures of {count_words(count, 'page')}: {words}" for words, count in self._faults.items()]
        missing = {each.name: each.note for each in self.tally.documents.values() if each.note}
        return (*said, *(f"pictures of {name}: {note}" for name, note in missing.items()))

    def write_answers(self, entries: Iterable[Entry], rows: BinaryIO, details: BinaryIO) -> None:
        """Write rows, and apart from them details, which a browser does not read before they are opened."""
        for entry in entries:
            link = link_document(entry.document, self._folder) if entry.document else ""
            # what is left out is counted all the same
            self.tally.take(entry, link)
            self._observe("answers", {"done": self.tally.row_count})
            if self.tally.row_count > self._limits.max_rows:
                self.tally.left_out_count += 1
                continue
            rows.write(render_row(entry, link, self.tally).encode())
            if self._detail_bytes >= self._limits.max_detail_bytes:
                self._undetailed_count += 1
                continue
            told = render_details(entry, link, self._sheets, self._limits.max_pictures_of_answer)
            # a script that no browser runs: everything in it is text until it is asked for
            kept = f'<script type="text/html" id="d{entry.row.number}">{told}</script>\n'.encode()
            self._detail_bytes += len(kept)
            details.write(kept)

    def write_pictures(self, pictures: BinaryIO) -> None:
        """Draw the pages, each document in one go, and write them down."""
        total, done = self._sheets.count, 0
        if not total:
            return
        # many pictures are drawn smaller, so that the page stays one that can be mailed
        width = next((size for count, size in self._limits.widths if total <= count), self._limits.widths[-1][1])
        draughtsman = Draughtsman(self._limits, self._max_memory_bytes, width)
        try:
            for wanted, numbers in self._sheets.walk_documents():
                for picture in draughtsman.draw(wanted):
                    pictures.write(self._encode_picture(picture, numbers[picture.page]))
                    done += 1
                    self._observe("pictures", {"done": done, "of": total})
        finally:
            # also after Ctrl-C, which the child does not hear
            draughtsman.close()

    def summarise(self, out: Path) -> ReportSummary:
        """What was written."""
        counts = {f"{status}_count": count for status, count in self.tally.counts.items()}
        return ReportSummary(
            path=str(out),
            row_count=self.tally.row_count,
            document_count=sum(1 for name in self.tally.documents if name),
            picture_count=self._picture_count,
            picture_bytes=self._picture_bytes,
            byte_count=out.stat().st_size,
            notes=self.notes,
            **counts,
        )

    def _encode_picture(self, picture: Picture, number: int) -> bytes:
        note = picture.note
        if note:
            self._faults[note] = self._faults.get(note, 0) + 1
        elif self._picture_bytes + len(picture.content) > self._limits.max_picture_bytes:
            self._refused_count += 1
            note = "a report holds no more pictures"
        if note:
            return f'<script type="text/plain" id="p{number}" data-note="{escape(note)}"></script>\n'.encode()
        self._picture_count += 1
        self._picture_bytes += len(picture.content)
        size = f'data-width="{picture.width}" data-height="{picture.height}"'
        head = f'<script type="text/plain" id="p{number}" data-kind="{picture.kind}" {size}>'
        return head.encode() + base64.b64encode(picture.content) + b"</script>\n"


def _spell_size(size: int) -> str:
    return f"{size / 1_000_000:.0f} MB"
