"""What the parse child does for a page that is read again: a picture of it, or a model that runs beside the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipeline.parsing.constants import MAX_PICTURE_PIXELS, PICTURE_DPI
from pipeline.parsing.jobs import Job, refuse
from pipeline.parsing.packing import dump_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.parsing.ocr import ReadLine


def serve_reading(document: Any, job: Job) -> bytes:
    """One JSON object on the first line, and after it the picture where one was asked for."""
    from pipeline.parsing import layout, ocr
    from pipeline.parsing.engine import ENGINE_ERRORS

    try:
        if job.reading == "layout":
            return _tell(*layout.find_regions(document, job.page - 1))
        picture, dpi = draw_page(document, job.page - 1)
        if job.reading == "ocr":
            return _tell(*ocr.recognise_with_rapidocr(picture, dpi))
        return dump_json({"state": "ok", "dpi": dpi}) + b"\n" + picture
    except ImportError:
        return refuse("missing", layout.MISSING if job.reading == "layout" else ocr.MISSING)
    except ENGINE_ERRORS as error:
        return refuse("unreadable", str(error) or type(error).__name__)


def draw_page(document: Any, index: int) -> tuple[bytes, int]:
    """A grey PNG of a page as it is shown (0-based index), and its resolution in dots an inch."""
    import pymupdf

    page = document.load_page(index)
    dpi = PICTURE_DPI
    while dpi > 1 and page.rect.width * page.rect.height * dpi * dpi > MAX_PICTURE_PIXELS * 72 * 72:
        dpi = dpi * 2 // 3
    return page.get_pixmap(dpi=dpi, colorspace=pymupdf.csGRAY, alpha=False).tobytes("png"), dpi


def _tell(engine: str, lines: Sequence[ReadLine]) -> bytes:
    return dump_json({"state": "ok", "engine": engine, "lines": lines})
