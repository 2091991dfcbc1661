"""The annotated copy of one document, made by a child process: what breaks the engine breaks nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipeline.canonical import hash_bytes
from pipeline.errors import DocumentError
from pipeline.parsing.engine import ENGINE_ERRORS, open_document
from pipeline.parsing.source import read_source
from pipeline.report.glyphs import PageGlyphs
from pipeline.report.marks import Located, build_marks
from pipeline.report.markup import WRITE_ERRORS, add_marks, read_mark_ids
from pipeline.report.outcomes import CopyOrder, CopyOutcome
from pipeline.report.places import Place, find_quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.report.marks import Mark
    from pipeline.report.notes import Note, Quote

_MAY_ANNOTATE = 32  # bit 6 of the permissions (PDF 32000-1, table 22)
_SIGNED = (
    "the document is signed: the copy keeps the signature and the bytes that it covers, but viewers will say that "
    "something was added after it; the signed document is the original"
)
_DAMAGED = "the file is damaged and was mended on reading; a copy would be another document"
_FAILED = "the engine cannot write a sound copy of it"


class CopyRefused(Exception):
    """There can be no copy of this document; the message says why."""


def copy_document(order: CopyOrder) -> CopyOutcome:
    """Write a copy with its marks behind the bytes of the original; whatever is wrong becomes the reason."""
    try:
        content = read_source(order.path, order.max_bytes)
        if hash_bytes(content) != order.sha256:
            return CopyOutcome("the file was changed since the question was answered")
        return _copy(order, content)
    except DocumentError as error:
        return CopyOutcome(error.message.removeprefix(f"{order.path}: "))
    except CopyRefused as refused:
        return CopyOutcome(str(refused))
    except WRITE_ERRORS as error:
        return CopyOutcome(str(error), is_unwritable=True)
    except ENGINE_ERRORS as error:
        return CopyOutcome(f"{_FAILED}: {error}")


def _copy(order: CopyOrder, content: bytes) -> CopyOutcome:
    reader = _open(content, order.password)
    located, sizes, faults = _locate(reader, order.notes)
    # some damage shows only when a page is read
    if reader.is_repaired:
        raise CopyRefused(_DAMAGED)
    if not located:
        return CopyOutcome("no place of any answer is certain", faults=tuple(faults))
    marks = build_marks(order.notes, located, sizes)
    order.draft.write_bytes(content)
    add_marks(order.draft, order.password, marks)
    if not _is_copy(order, content, marks):
        raise CopyRefused(_FAILED)
    highlight_count = sum(mark.kind == "Highlight" for mark in marks)
    return CopyOutcome(
        note_count=len(marks) - highlight_count,
        highlight_count=highlight_count,
        warnings=(_SIGNED,) if reader.get_sigflags() > 0 else (),
        faults=tuple(faults),
    )


def _open(content: bytes, password: str | None) -> Any:
    document = open_document(content)
    if not document.is_pdf:
        raise CopyRefused("the content is no PDF")
    if document.needs_pass and not (password and document.authenticate(password)):
        raise CopyRefused("it is encrypted; give its password with --password")
    if document.is_repaired:
        raise CopyRefused(_DAMAGED)
    if not document.permissions & _MAY_ANNOTATE and not _is_owner(document, password):
        raise CopyRefused("its owner does not permit annotations; give the password of the owner with --password")
    return document


def _is_owner(document: Any, password: str | None) -> bool:
    # bit 2 of what the engine answers stands for the password of the owner
    return bool(password and document.authenticate(password) & 4)


def _locate(
    reader: Any, notes: Sequence[Note]
) -> tuple[list[Located], dict[int, tuple[int, int]], list[tuple[int, int, str]]]:
    """What was found, page by page, the sizes of those pages, and what must not be marked."""
    wanted = [(quote.page, at, number) for at, note in enumerate(notes) for number, quote in enumerate(note.quotes)]
    found: dict[tuple[int, int], Located] = {}
    sizes: dict[int, tuple[int, int]] = {}
    faults: list[tuple[int, int, str]] = []
    page: PageGlyphs | None = None
    current = 0
    for number, at, which in sorted(wanted):
        quote = notes[at].quotes[which]
        if quote.fault or not 1 <= number <= reader.page_count:
            faults.append((at, which, quote.fault or "the document has no such page"))
            continue
        if page is None or number != current:
            page, current = PageGlyphs(reader, number), number
        place = _find_place(page, quote)
        if place.fault:
            faults.append((at, which, place.fault))
        else:
            found[at, which] = Located(at, number, place.boxes)
            sizes[number] = page.size
    # a note stands beside the first quote of its answer, which need not be on the first page
    return [found[key] for key in sorted(found)], sizes, sorted(faults)


def _find_place(page: PageGlyphs, quote: Quote) -> Place:
    place = Place(quote.boxes) if quote.is_recognised else find_quote(page.runs, quote.parts, quote.boxes)
    if not place.fault and not all(map(page.is_on_page, place.boxes)):
        return Place(fault="the place is not on the page")
    return place


def _is_copy(order: CopyOrder, content: bytes, marks: Sequence[Mark]) -> bool:
    """Whether the draft is the original, byte by byte, with just these marks behind it, and can be opened."""
    written = order.draft.read_bytes()
    if not written.startswith(content):
        return False
    try:
        copy = _open(written, order.password)
    except CopyRefused:
        return False
    pages = sorted({mark.page for mark in marks})
    # a document that was annotated before has marks of ours already
    before = read_mark_ids(_open(content, order.password), pages)
    kept = read_mark_ids(copy, pages)
    return sorted(kept) == sorted([*before, *(mark.id for mark in marks)])
