"""From the parts that children read to a parsed document: furniture, sections and the profile, over all pages once."""

from __future__ import annotations

from pipeline.models.document import Diagnostic, DocumentProfile, Page, ParsedDocument
from pipeline.parsing.columns import Unpacked, build_page, unpack_parts
from pipeline.parsing.constants import MAX_WARNINGS, MIN_SCAN_COVER, OUTLINE_FAULTS, PARSER_REVISION, TEXT_FLAGS
from pipeline.parsing.furniture import EdgePage, find_furniture
from pipeline.parsing.labels import build_labels
from pipeline.parsing.outline import OutlineResult, RawEntry, RawLink, RawOutline, build_sections
from pipeline.parsing.profiling import find_kind, find_language
from pipeline.parsing.stored import Identity, pause_collector


def assemble_document(contents: tuple[bytes, ...], identity: Identity) -> ParsedDocument:
    """The parsed document of freshly read parts; the same parts give the same document."""
    with pause_collector():
        unpacked = unpack_parts(contents)
        printed = _mark_furniture(unpacked)
        labels = build_labels(unpacked.parts[0]["labels"], len(unpacked.pages))
        pages = _build_pages(unpacked, labels, printed)
        lines, folded = tuple(unpacked.lines), tuple(unpacked.folded)
        raw = RawOutline(
            tuple([RawEntry(*row) for row in unpacked.parts[0]["outline"]]),
            tuple([RawLink(*row) for row in unpacked.gather("links")]),
        )
        outline = build_sections(raw, pages, lines, folded)
        return ParsedDocument.model_construct(
            profile=_build_profile(pages, unpacked, outline, identity),
            pages=pages,
            lines=lines,
            # what a cache keeps of the sections was found in the texts as they were packed
            folded=unpacked.fold_marks(),
            sections=outline.sections,
            diagnostics=(*_diagnose(unpacked, len(raw.entries)), *outline.diagnostics),
        )


def _mark_furniture(unpacked: Unpacked) -> dict[int, str]:
    """Mark lines as furniture; the printed page numbers."""
    edge_pages: list[EdgePage] = []
    start = 0
    for row, count in zip(unpacked.pages, [n for part in unpacked.parts for n in part["counts"]], strict=True):
        edge_pages.append(EdgePage(row["number"], row["height"], unpacked.lines[start : start + count]))
        start += count
    furniture = find_furniture(edge_pages)
    for line in furniture.lines:
        line.__dict__["is_furniture"] = True
    return furniture.printed


def _build_pages(unpacked: Unpacked, labels: list[str], printed: dict[int, str]) -> tuple[Page, ...]:
    return tuple(
        [
            build_page(row, label, printed.get(row["number"], ""))
            for row, label in zip(unpacked.pages, labels, strict=True)
        ]
    )


def _diagnose(unpacked: Unpacked, entry_count: int) -> list[Diagnostic]:
    found: list[tuple[str, str, int | None]] = []
    found += [("page-failed", error, page) for page, error in unpacked.gather("errors")]
    for code, count in sorted(unpacked.parts[0]["outline_faults"].items()):
        found.append((code, OUTLINE_FAULTS[code].format(count=count, entry_count=entry_count), None))
    found += [("engine-warning", warning, page) for page, warning in unpacked.gather("warnings")[:MAX_WARNINGS]]
    return [Diagnostic.model_construct(code=code, message=message, page=page) for code, message, page in found]


def _build_profile(
    pages: tuple[Page, ...], unpacked: Unpacked, outline: OutlineResult, identity: Identity
) -> DocumentProfile:
    told, lines = unpacked.parts[0], unpacked.lines
    evidence = [
        text for line, text in zip(lines, unpacked.folded, strict=True) if not line.is_furniture and not line.hidden
    ]
    by_state = {
        state: tuple(page.number for page in pages if page.state == state)
        for state in ("ok", "failed", "without_text", "garbled")
    }
    return DocumentProfile.model_construct(
        sha256=identity.sha256,
        engine=identity.engine,
        engine_flags=TEXT_FLAGS,
        parser_revision=PARSER_REVISION,
        state="partial" if by_state["failed"] else "ok",
        page_count=len(pages),
        ok_page_count=len(by_state["ok"]),
        failed_pages=by_state["failed"],
        pages_without_text=by_state["without_text"],
        garbled_pages=by_state["garbled"],
        scanned_pages=tuple(page.number for page in pages if _is_scan(page)),
        table_pages=tuple(page.number for page in pages if "flattened_table" in page.failed_checks),
        line_count=len(lines),
        outline_entry_count=outline.entry_count,
        has_usable_outline=outline.has_usable_outline,
        section_source=outline.source,
        section_count=len(outline.sections),
        column_count=max((page.column_count for page in pages), default=1),
        has_page_labels=any(page.label for page in pages),
        printed_offset=outline.printed_offset,
        language=find_language(evidence),
        hidden_line_count=sum([bool(line.hidden) for line in lines]),
        is_encrypted=told["is_encrypted"],
        was_repaired=told["was_repaired"],
        producer=told["producer"],
        title=told["title"],
        author=told["author"],
        creation_year=_read_year(told["created"]),
        kind=find_kind(evidence),
    )


def _read_year(written: str) -> int | None:
    """The year of a date as PDF writes it ("D:20240131..."), None for anything else (ISO 32000-1, 7.9.4)."""
    year = written.removeprefix("D:")[:4]
    return int(year) if len(year) == 4 and year.isascii() and year.isdigit() else None


def _is_scan(page: Page) -> bool:
    """Whether the page is an image, with or without an OCR layer."""
    has_layer = "text_under_image" in page.failed_checks
    return page.image_cover >= MIN_SCAN_COVER and (page.state == "without_text" or has_layer)
