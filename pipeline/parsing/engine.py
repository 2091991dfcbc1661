"""The only place that talks to PyMuPDF while parsing; runs in a child process."""

from __future__ import annotations

import hashlib
from typing import Any

import pymupdf

from pipeline.parsing import hidden
from pipeline.parsing.checks import check_page
from pipeline.parsing.constants import TEXT_FLAGS
from pipeline.parsing.drafts import Box, DraftLine, DraftPage
from pipeline.parsing.lines import build_lines
from pipeline.parsing.order import order_lines
from pipeline.parsing.runs import to_box

ENGINE_ERRORS = (RuntimeError, ValueError, IndexError, KeyError, TypeError, AttributeError, pymupdf.mupdf.FzErrorBase)
"""What PyMuPDF raises on a damaged file; a memory error is no such thing and ends the child."""

_pymupdf: Any = pymupdf  # what the engine's stubs do not know

Links = tuple[tuple[Box, int | None, int | None], ...]
_IMAGES = ("fill-image", "fill-imgmask", "fill-shade")
_TEXTS = ("fill-text", "stroke-text", "clip-text", "clip-stroke-text", "ignore-text")
_COVERING_ANNOTATIONS = (
    _pymupdf.PDF_ANNOT_SQUARE, _pymupdf.PDF_ANNOT_STAMP, _pymupdf.PDF_ANNOT_FREE_TEXT, _pymupdf.PDF_ANNOT_POLYGON,
    _pymupdf.PDF_ANNOT_INK, _pymupdf.PDF_ANNOT_CIRCLE, _pymupdf.PDF_ANNOT_LINE, _pymupdf.PDF_ANNOT_HIGHLIGHT,
)  # fmt: skip


def open_document(content: bytes) -> Any:
    """The document from memory. Raises one of ENGINE_ERRORS when the engine cannot make a document of it."""
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    # Boxes as MuPDF makes them: correcting each character's height costs a quarter of the whole extraction.
    pymupdf.TOOLS.unset_quad_corrections(True)
    return pymupdf.open(stream=content, filetype="pdf")


def read_page_safely(document: Any, index: int) -> DraftPage:
    """One page by its 0-based index; a page that fails comes back with its error."""
    try:
        draft = read_page(document, index)
        draft.warnings = take_warnings()
        if not draft.lines and not draft.failed_checks:
            draft.error = _explain_emptiness(document, index, draft.warnings)
    except ENGINE_ERRORS as error:
        take_warnings()
        draft = DraftPage(index + 1, error=f"{type(error).__name__}: {error}")
    if draft.error:
        draft.state = "failed"
    return draft


def _explain_emptiness(document: Any, index: int, warnings: tuple[str, ...]) -> str:
    """Why a page shows nothing, where that is a fault: the engine makes blank pages of what it cannot find."""
    xref = document.page_xref(index)
    if not document.xref_object(xref, compressed=True).startswith("<<"):
        return "the page object is missing"
    kind, value = document.xref_get_key(xref, "Contents")
    if kind == "xref" and document.xref_object(int(value.split()[0]), compressed=True) in ("null", ""):
        return "the contents of the page are missing"
    return warnings[0] if warnings else ""


def read_page(document: Any, index: int) -> DraftPage:
    """One page: its size, its lines in reading order, hidden ones flagged, its links and the hash of its text."""
    page = document.load_page(index)
    rect, rotation = page.rect, page.rotation
    draft = DraftPage(index + 1, round(rect.width * 100), round(rect.height * 100), rotation)
    # Without a clip the engine leaves out what lies off the page, and nobody would know that it was there.
    textpage = page.get_textpage(clip=pymupdf.INFINITE_RECT(), flags=TEXT_FLAGS)
    blocks = textpage.extractDICT()["blocks"]
    if rotation:
        _rotate_blocks(blocks, page.rotation_matrix)
    draft.lines = build_lines(blocks)
    # Images in line with the contents are not listed; they matter where there is little text.
    has_images = bool(document.get_page_images(index)) or sum(len(line.text) for line in draft.lines) < 200
    images = _flag_hidden(page, draft, blocks, has_images)
    draft.lines, draft.column_count, is_mixed = order_lines(draft.lines, draft.width)
    if is_mixed:
        draft.failed_checks = (*draft.failed_checks, "mixed_columns")
    draft.links = _read_links(page)
    check_page(draft, blocks, images)
    text = "\n".join([line.text for line in draft.lines])
    draft.text_hash = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return draft


def _flag_hidden(page: Any, draft: DraftPage, blocks: list[dict[str, Any]], has_images: bool) -> tuple[Box, ...]:
    """Flag what cannot be seen; the boxes of the page's images."""
    hidden.flag_off_page(draft)
    painted = hidden.Painted()
    redactions, over = _read_annotations(page)
    if redactions:
        hidden.flag_redacted(draft, redactions)
    if has_images:
        painted = _read_painting(page, draft)
        if draft.lines:
            hidden.flag_under_images(draft, painted)
            if hidden.admit_scan_layer(draft):
                draft.failed_checks = (*draft.failed_checks, "text_under_image")
    suspects = hidden.find_suspects(draft.lines, hidden.collect_fills(blocks), over)
    if suspects:
        _judge_suspects(page, draft, suspects)
    return tuple(image.box for image in painted.images)


def _judge_suspects(page: Any, draft: DraftPage, suspects: list[tuple[DraftLine, str]]) -> None:
    """Draw the page once, at one pixel a point, and look where the suspects should be."""
    pixmap = page.get_pixmap(alpha=False, colorspace=pymupdf.csRGB)
    stride, samples = pixmap.stride, pixmap.samples_mv
    for line, reason in suspects:
        x0, y0 = max(0, line.box[0] // 100), max(0, line.box[1] // 100)
        x1, y1 = min(pixmap.width, line.box[2] // 100 + 1), min(pixmap.height, line.box[3] // 100 + 1)
        if x1 <= x0 or y1 <= y0:
            continue
        core = range(y0, y1)
        spans = [(x0, x1)]
        if reason == "covered":
            core = range(y0 + (y1 - y0) // 4, y1 - (y1 - y0) // 4)
            spans = hidden.find_bare_spans(line, draft.lines, (x0, x1))
        pixels: list[tuple[int, int, int]] = []
        for y in core:
            for start, stop in spans:
                row = bytes(samples[y * stride + start * 3 : y * stride + stop * 3])
                pixels += zip(row[0::3], row[1::3], row[2::3], strict=True)
        if hidden.is_unseen(pixels, line.colour):
            line.hidden = reason


def _read_painting(page: Any, draft: DraftPage) -> hidden.Painted:
    """Images and texts in painting order; sets `image_cover` of the page. Images with a soft mask cover nothing."""
    images: list[hidden.Image] = []
    texts: list[hidden.Image] = []
    matrix = page.rotation_matrix if draft.rotation else None
    area = 0
    for paint, (kind, bbox, *_) in enumerate(page.get_bboxlog()):
        if kind not in _IMAGES and kind not in _TEXTS:
            continue
        box = to_box(tuple(pymupdf.Rect(bbox) * matrix) if matrix else bbox)
        if kind in _TEXTS:
            texts.append(hidden.Image(box, paint))
        elif kind != "fill-shade":
            width = min(box[2], draft.width) - max(box[0], 0)
            height = min(box[3], draft.height) - max(box[1], 0)
            area += max(0, width) * max(0, height)
            if kind == "fill-image":
                images.append(hidden.Image(box, paint))
    # Strips of a scan do not overlap, so their areas may be added.
    total = draft.width * draft.height
    draft.image_cover = min(1000, area * 1000 // total) if total else 0
    has_masks = any(image[1] for image in page.parent.get_page_images(page.number))
    return hidden.Painted(() if has_masks else tuple(images), tuple(texts))


def _read_annotations(page: Any) -> tuple[list[Box], list[Box]]:
    """Boxes of unapplied redactions, and of annotations that are drawn over the text."""
    redactions: list[Box] = []
    over: list[Box] = []
    if page.first_annot is None:
        return redactions, over
    matrix = page.rotation_matrix
    for annotation in page.annots():
        kind = annotation.type[0]
        if kind == _pymupdf.PDF_ANNOT_REDACT:
            redactions.append(to_box(tuple(annotation.rect * matrix)))
        elif kind in _COVERING_ANNOTATIONS:
            over.append(to_box(tuple(annotation.rect * matrix)))
    return redactions, over


def _read_links(page: Any) -> Links:
    """Internal links of a page: box, target page (1-based) and target y in hundredths of a point from its top."""
    links = []
    link = page.first_link
    while link:
        if link.uri and link.uri.startswith("#"):
            links.append((to_box(tuple(link.rect)), *_resolve_link(page.parent, link.uri)))
        link = link.next
    return tuple(links)


def _resolve_link(document: Any, uri: str) -> tuple[int | None, int | None]:
    try:
        index, _, y = document.resolve_link(uri)
    except ENGINE_ERRORS:
        return None, None
    if not isinstance(index, int) or not 0 <= index < document.page_count:
        return None, None
    # A destination without a height has "not a number" there, the one value that differs from itself.
    return index + 1, round(y * 100) if isinstance(y, float | int) and y == y and abs(y) < 10**6 else None


def _rotate_blocks(blocks: list[dict[str, Any]], matrix: Any) -> None:
    """Put the engine's unrotated coordinates into those of the page as it is shown."""
    for block in blocks:
        block["bbox"] = tuple(pymupdf.Rect(block["bbox"]) * matrix)
        for run in block.get("lines", ()):
            run["bbox"] = tuple(pymupdf.Rect(run["bbox"]) * matrix)
            x, y = run["dir"]
            run["dir"] = (x * matrix.a + y * matrix.c, x * matrix.b + y * matrix.d)
            for span in run["spans"]:
                span["bbox"] = tuple(pymupdf.Rect(span["bbox"]) * matrix)
                span["origin"] = tuple(pymupdf.Point(span["origin"]) * matrix)


def convert_point(document: Any, index: int, y: float) -> int:
    """A height above the bottom of a page, in points, as hundredths from its top; rotation is left out."""
    top: float = document.page_cropbox(index).y1
    return round((top - y) * 100)


def take_warnings() -> tuple[str, ...]:
    """Warnings of the engine since the last call, each once, sorted."""
    lines = pymupdf.TOOLS.mupdf_warnings().splitlines()
    return tuple(sorted({line.strip() for line in lines if line.strip() and not line.startswith("... repeated")}))


def read_metadata(document: Any) -> dict[str, str]:
    """The document's metadata, empty where it cannot be read."""
    try:
        return dict(document.metadata or {})
    except ENGINE_ERRORS:
        return {}


def read_labels(document: Any) -> list[dict[str, Any]]:
    """The rules of page labels; none where they cannot be read."""
    try:
        return list(document.get_page_labels())
    except ENGINE_ERRORS:
        return []
