"""What the drawing child does: pictures of pages, small and the same each time.

A page is drawn in sixteen greys, which text, tables and most figures need no more than; where a good part of it is
coloured, in colour. Entry of a spawned child, too, where a process cannot fork.
"""

from __future__ import annotations

import json
import os
import struct
import sys
import zlib
from typing import Any, BinaryIO, NamedTuple

from pipeline.parsing.work import EXIT_MEMORY

_PROBE_WIDTH = 96
# shares of the probe in thousandths, differences of channels from 0 to 255
_MIN_COLOURED = 25
_MIN_SPREAD = 40
_COLOUR_QUALITY, _GREY_QUALITY = 60, 45
# sixteen greys of a noisy scan do not compress
_MAX_PNG_BYTES = 160_000
_HIGH = bytes(((value * 15 + 127) // 255) << 4 for value in range(256))
_LOW = bytes((value * 15 + 127) // 255 for value in range(256))


class Wish(NamedTuple):
    """What is asked of the child beside the bytes of a file: pages (1-based), width and most pixels of a picture."""

    size: int
    pages: tuple[int, ...]
    width: int
    max_pixels: int


def serve_wishes(reader: BinaryIO, writer: BinaryIO) -> int:
    """Draw pages until nobody asks any more: a line of JSON for each page, and its picture behind it."""
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    while line := reader.readline():
        size, pages, width, max_pixels = json.loads(line)
        wish = Wish(size, tuple(pages), width, max_pixels)
        _serve_document(reader.read(size), wish, writer)
    return 0


def _serve_document(content: bytes, wish: Wish, writer: BinaryIO) -> None:
    import pymupdf

    from pipeline.parsing.engine import ENGINE_ERRORS

    document: Any = None
    refusal = ""
    try:
        document = pymupdf.open(stream=content, filetype="pdf")
        if document.needs_pass:
            refusal = "the document needs a password, and pages are never shown without it"
    except ENGINE_ERRORS:
        refusal = "the document cannot be opened any more"
    for page in wish.pages:
        told: dict[str, object] = {"page": page, "note": refusal}
        picture = b""
        if not refusal:
            try:
                kind, picture, size = draw_picture(document, page - 1, wish)
                told |= {"kind": kind, "size": list(size)}
            except ENGINE_ERRORS as error:
                told["note"] = f"the page cannot be drawn: {' '.join(str(error).split()) or type(error).__name__}"
        writer.write(json.dumps({**told, "bytes": len(picture)}).encode() + b"\n" + picture)
        writer.flush()
    if document is not None:
        document.close()


def draw_picture(document: Any, index: int, wish: Wish) -> tuple[str, bytes, tuple[int, int]]:
    """A page as it is shown (0-based index): media type, picture, and size in hundredths of a point."""
    import pymupdf

    page = document.load_page(index)
    rect = page.rect
    if rect.width <= 0 or rect.height <= 0:
        raise ValueError("the page has no size")
    size = (round(rect.width * 100), round(rect.height * 100))
    zoom = min(wish.width / rect.width, (wish.max_pixels / (rect.width * rect.height)) ** 0.5)
    # read once, drawn twice
    drawing = page.get_displaylist()
    if _is_coloured(drawing, rect):
        coloured = drawing.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), colorspace=pymupdf.csRGB, alpha=0)
        return "image/jpeg", coloured.tobytes("jpeg", jpg_quality=_COLOUR_QUALITY), size
    grey = drawing.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), colorspace=pymupdf.csGRAY, alpha=0)
    packed = pack_greys(grey.samples, grey.width, grey.height)
    if len(packed) > _MAX_PNG_BYTES:
        drawn: bytes = grey.tobytes("jpeg", jpg_quality=_GREY_QUALITY)
        if len(drawn) < len(packed):
            return "image/jpeg", drawn, size
    return "image/png", packed, size


def _is_coloured(drawing: Any, rect: Any) -> bool:
    """Whether so much of a page is coloured that greys would lose something; looked for on a tiny picture."""
    import pymupdf

    # a very tall page would make no tiny picture
    if rect.height > 8 * rect.width:
        return False
    shape = pymupdf.Matrix(_PROBE_WIDTH / rect.width, _PROBE_WIDTH / rect.width)
    samples = drawing.get_pixmap(matrix=shape, colorspace=pymupdf.csRGB, alpha=0).samples
    pixels = zip(samples[0::3], samples[1::3], samples[2::3], strict=True)
    count = sum(1 for pixel in pixels if max(pixel) - min(pixel) > _MIN_SPREAD)
    return count * 1000 >= _MIN_COLOURED * (len(samples) // 3)


def pack_greys(samples: bytes, width: int, height: int) -> bytes:
    """A PNG of four bits a pixel from one byte a pixel."""
    if width % 2:
        # each row ends with half a byte that nobody sees
        samples = b"".join(samples[at : at + width] + b"\xff" for at in range(0, width * height, width))
    high, low = samples[0::2].translate(_HIGH), samples[1::2].translate(_LOW)
    # all pixels at once, as one number: a loop would take longer than the drawing
    joined = (int.from_bytes(high, "big") | int.from_bytes(low, "big")).to_bytes(len(high), "big")
    stride = (width + 1) // 2
    rows = b"".join(b"\0" + joined[at : at + stride] for at in range(0, stride * height, stride))
    head = struct.pack(">IIBBBBB", width, height, 4, 0, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 6)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks
    )


def run_drawing(reader: int, writer: int, max_bytes: int) -> int:
    """Load the engine, limit this process, and serve; the exit code."""
    os.environ["PYMUPDF_SUGGEST_LAYOUT_ANALYZER"] = "0"
    from pipeline.parsing import engine  # noqa: F401 - what it takes is not what the limit is for
    from pipeline.parsing.child import limit_memory

    limit_memory(max_bytes)
    try:
        with os.fdopen(reader, "rb") as given, os.fdopen(writer, "wb") as answers:
            return serve_wishes(given, answers)
    except MemoryError:
        return EXIT_MEMORY


if __name__ == "__main__":
    sys.exit(run_drawing(0, 1, int(sys.argv[1])))
