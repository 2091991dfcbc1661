"""From drafts of pages to a parsed document: furniture, sections and the profile, over all pages once."""

from __future__ import annotations

from typing import Any, NamedTuple

from pipeline.models.document import Diagnostic, DocumentProfile, Line, Page, ParsedDocument
from pipeline.parsing.columns import build_line
from pipeline.parsing.constants import MIN_SCAN_COVER, PARSER_REVISION, TEXT_FLAGS
from pipeline.parsing.drafts import DraftPage
from pipeline.parsing.furniture import mark_furniture
from pipeline.parsing.outline import OutlineResult, RawEntry, RawLink, RawOutline, build_sections
from pipeline.parsing.profiling import find_kind, find_language
from pipeline.text.matching import fold


class FileFacts(NamedTuple):
    """What the engine says of the file itself."""

    sha256: str
    engine: str
    producer: str = ""
    title: str = ""
    is_encrypted: bool = False
    was_repaired: bool = False
    has_page_labels: bool = False


def assemble_document(
    drafts: list[DraftPage], entries: tuple[RawEntry, ...], facts: FileFacts, diagnostics: list[Diagnostic]
) -> ParsedDocument:
    """The parsed document; pure, so the same drafts give the same document."""
    mark_furniture(drafts)
    pages = tuple([_build_page(draft) for draft in drafts])
    lines = tuple([_build_line(draft.number, at, line) for draft in drafts for at, line in enumerate(draft.lines, 1)])
    folded = tuple([fold(line.text) for line in lines])
    links = tuple([RawLink(draft.number, *link) for draft in drafts for link in draft.links])
    outline = build_sections(RawOutline(entries, links), pages, lines, folded)
    failures = [_diagnose(draft) for draft in drafts if draft.error]
    return ParsedDocument.model_construct(
        profile=_build_profile(pages, lines, folded, (outline, facts)),
        pages=pages,
        lines=lines,
        folded=folded,
        sections=outline.sections,
        diagnostics=(*failures, *diagnostics, *outline.diagnostics),
    )


def _diagnose(draft: DraftPage) -> Diagnostic:
    return Diagnostic.model_construct(code="page-failed", message=draft.error, page=draft.number)


def _build_page(draft: DraftPage) -> Page:
    return Page.model_construct(
        number=draft.number, width=draft.width, height=draft.height, rotation=draft.rotation, label=draft.label,
        printed=draft.printed, state=draft.state, column_count=draft.column_count, image_cover=draft.image_cover,
        failed_checks=draft.failed_checks, text_hash=draft.text_hash,
    )  # fmt: skip


def _build_line(page: int, number: int, line: Any) -> Line:
    return build_line(
        {
            "page": page, "number": number, "text": line.text, "box": line.box, "size": line.size,
            "bold": line.bold, "bold_prefix": line.bold_prefix, "italic": line.italic, "column": line.column,
            "block": line.block, "is_furniture": line.is_furniture, "hidden": line.hidden, "method": "native",
            "raised": line.raised, "lowered": line.lowered,
        }
    )  # fmt: skip


def _build_profile(
    pages: tuple[Page, ...],
    lines: tuple[Line, ...],
    folded: tuple[str, ...],
    found: tuple[OutlineResult, FileFacts],
) -> DocumentProfile:
    outline, facts = found
    evidence = tuple(
        [text for line, text in zip(lines, folded, strict=True) if not line.is_furniture and not line.hidden]
    )
    by_state = {
        state: tuple(page.number for page in pages if page.state == state)
        for state in ("ok", "failed", "without_text", "garbled")
    }
    return DocumentProfile.model_construct(
        sha256=facts.sha256,
        engine=facts.engine,
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
        has_page_labels=facts.has_page_labels,
        printed_offset=outline.printed_offset,
        language=find_language(evidence),
        hidden_line_count=sum(bool(line.hidden) for line in lines),
        is_encrypted=facts.is_encrypted,
        was_repaired=facts.was_repaired,
        producer=facts.producer,
        title=facts.title,
        kind=find_kind(evidence),
    )


def _is_scan(page: Page) -> bool:
    """Whether the page is an image, with or without an OCR layer."""
    has_layer = "text_under_image" in page.failed_checks
    return page.image_cover >= MIN_SCAN_COVER and (page.state == "without_text" or has_layer)
