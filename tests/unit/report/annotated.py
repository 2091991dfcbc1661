"""Documents, rows that cite their lines, and what a copy shows, for the tests of annotated copies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pymupdf

from pipeline.canonical import hash_bytes
from pipeline.models.annotation import CopyReport
from pipeline.models.answer import Citation, Item
from pipeline.models.batch import ResultRow
from pipeline.models.document import Line
from pipeline.models.settings import Settings
from pipeline.parsing import parse_document
from pipeline.report.annotation import Destination, write_copies
from pipeline.report.notebook import Asked

SETTINGS = Settings(is_cache_used=False)


def make_pdf(path: Path, *texts: str, **options: object) -> Path:
    """A document with a page for each text, a line for each of its lines."""
    with pymupdf.open() as document:
        for text in texts:
            page = document.new_page(width=612, height=792)
            for number, line in enumerate(text.split("\n")):
                page.insert_text((100, 150 + 30 * number), line)
        document.save(path, **options)
    return path


def cite_line(path: Path, part: str, settings: Settings = SETTINGS) -> Citation:
    """A citation of a part of the first line that holds it, as a run would make it."""
    document = parse_document(path, settings)
    line = next(line for line in document.lines if part in line.text)
    return cite(line, part, document.profile.sha256)


def cite(line: Line, part: str, sha256: str) -> Citation:
    """A citation of a part of a line."""
    return Citation(
        page=line.page,
        line_start=line.number,
        line_end=line.number,
        quote=part,
        ref=f"{sha256[:12]}:p{line.page}:l{line.number}@{line.method}.1",
        boxes=(line.box,),
    )


def make_row(path: Path, citations: Sequence[Citation], **changes: object) -> ResultRow:
    """A row that is answered by some citations."""
    items = tuple(Item(sub_question="q1", text=one.quote, citations=(one,), extraction="verbatim") for one in citations)
    told: dict[str, object] = {
        "number": 1, "line": 2, "id": "a1", "question": "What is it?", "document": path.name, "status": "answered",
        "document_sha256": hash_bytes(path.read_bytes()), "answer": "It is this.", "confidence": 800, "items": items,
        "run_id": "0123456789abcdef", "complete": True,
    }  # fmt: skip
    return ResultRow.model_validate({**told, **changes})


def annotate(
    rows: Iterable[tuple[ResultRow, Path | None]], out: Path, settings: Settings = SETTINGS, **options: bool
) -> list[CopyReport]:
    """Copies of the documents of some rows; there are no records."""
    reports: list[CopyReport] = []
    asked = [Asked(row, path, "" if path else "it is gone", lambda: None) for row, path in rows]
    write_copies(asked, Destination(out, **options), settings, reports.append)
    return reports


def read_marks(path: Path, page: int = 1, password: str = "") -> list[tuple[str, dict[str, str], pymupdf.Rect]]:
    """Kind, fields and place of our annotations on a page."""
    with pymupdf.open(path) as document:
        if document.needs_pass:
            document.authenticate(password)
        found = [(mark.type[1], dict(mark.info), mark.rect) for mark in document[page - 1].annots()]
    return [mark for mark in found if mark[1]["title"] == "pdfdocket"]


def find_changed(original: Path, copy: Path, page: int = 1) -> tuple[set[tuple[int, int]], int]:
    """Pixels of a page that a copy shows yellow and the original did not, at two a point, and how many there are."""
    pictures = []
    for path in (original, copy):
        with pymupdf.open(path) as document:
            pictures.append(document[page - 1].get_pixmap(dpi=144, alpha=False))
    before, after = pictures
    changed = set()
    for y in range(after.height):
        rows = [picture.samples_mv[y * picture.stride : (y + 1) * picture.stride] for picture in (before, after)]
        if rows[0] == rows[1]:
            continue
        for x in range(after.width):
            blue, was = rows[1][3 * x + 2], rows[0][3 * x + 2]
            if blue < was - 100 and rows[1][3 * x] > 150:
                changed.add((x, y))
    return changed, after.width * after.height


def list_word_boxes(path: Path, words: str, page: int = 1) -> list[pymupdf.Rect]:
    """Where words are on a page as it is shown, found by the engine's own search."""
    with pymupdf.open(path) as document:
        found = document[page - 1]
        return [rect * found.rotation_matrix for rect in found.search_for(words)]
