"""Annotations written behind the bytes of a file: nothing of it is written anew, decrypted or renumbered.

Objects are made one by one, because the engine's own annotations carry dates and numbers of the process.
"""

from __future__ import annotations

import contextlib
import ctypes
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pymupdf

from pipeline.canonical import hash_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.models.base import Box
    from pipeline.report.marks import Mark

AUTHOR = "pdfdocket"
_mupdf: Any = pymupdf.mupdf
_internal: Any = pymupdf
WRITE_ERRORS = (OSError, _mupdf.FzErrorSystem)
"""What is raised when the disk, and not the document, is at fault."""
# printed; a note is neither zoomed nor turned, which viewers assume anyhow (PDF 32000-1, table 165 and 12.5.6.4)
_FLAGS = {"Highlight": 4, "Text": 4 | 8 | 16}
# two of its three parts are full, so laid over itself it stays what it is
_COLOUR = (1.0, 1.0, 0.2)
_ICON = (
    "q /G gs 1 1 0.2 rg 0.6 0.45 0 RG 1 w 0.5 0.5 17 17 re B "
    "4 13 m 14 13 l 4 9 m 14 9 l 4 5 m 10 5 l S Q"
)  # fmt: skip


def add_marks(path: Path, password: str | None, marks: Sequence[Mark]) -> None:
    """Append annotations to a file in place.

    Raises:
        RuntimeError: the engine cannot write them; it may raise any other of `ENGINE_ERRORS` too.
    """
    document: Any = pymupdf.open(path, filetype="pdf")
    if document.needs_pass:
        document.authenticate(password)
    pdf = _internal._as_pdf_document(document)
    for page, group in groupby(marks, key=lambda mark: mark.page):
        _Page(pdf, page).add(list(group))
    _seed_vectors("".join(mark.id for mark in marks))
    options = _mupdf.PdfWriteOptions()
    options.do_incremental = 1
    options.dont_regenerate_id = 1
    options.do_encrypt = 0  # as it is
    options.reproducible = 1
    _mupdf.pdf_save_document(pdf, str(path), options)
    document.close()


def _seed_vectors(text: str) -> None:
    """Let the same marks be encrypted to the same bytes: the engine draws its vectors from the time otherwise.

    Where its library keeps that to itself, copies of encrypted documents differ in their vectors.
    """
    seed = int(hash_bytes(text.encode())[:7], 16)
    with contextlib.suppress(OSError, AttributeError, StopIteration):
        library = ctypes.CDLL(str(next(Path(pymupdf.__file__).parent.glob("libmupdf.*"))))
        library.fz_srand48.argtypes = (ctypes.c_void_p, ctypes.c_int32)
        library.fz_srand48(int(_mupdf.internal_context_get().this), seed)


def read_mark_ids(document: Any, pages: Sequence[int]) -> list[str]:
    """Ids of our annotations on some pages of a document, in the order of the file."""
    pdf = _internal._as_pdf_document(document)
    found: list[str] = []
    for page in pages:
        annotations = _mupdf.pdf_dict_gets(_mupdf.pdf_lookup_page_obj(pdf, page - 1), "Annots")
        for at in range(_mupdf.pdf_array_len(annotations)):
            one = _mupdf.pdf_array_get(annotations, at)
            if _mupdf.pdf_dict_get_text_string(one, _name("T")) == AUTHOR:
                found.append(_mupdf.pdf_dict_get_text_string(one, _name("NM")))
    return found


def _name(name: str) -> Any:
    return _mupdf.pdf_new_name(name)


class _Page:
    """A page that annotations are added to; boxes of the page as it is shown become those of its own space."""

    def __init__(self, pdf: Any, number: int) -> None:
        self._pdf = pdf
        self._object = _mupdf.pdf_lookup_page_obj(pdf, number - 1)
        shown, matrix = _mupdf.FzRect(), _mupdf.FzMatrix()
        # rotation, crop box and user unit are all in this matrix
        _mupdf.pdf_page_obj_transform(self._object, shown, matrix)
        self._matrix = _mupdf.fz_invert_matrix(matrix)

    def add(self, marks: Sequence[Mark]) -> None:
        """Append annotations to those that the page has."""
        annotations = _mupdf.pdf_dict_gets(self._object, "Annots")
        if not _mupdf.pdf_is_array(annotations):
            annotations = _mupdf.pdf_new_array(self._pdf, len(marks))
            _mupdf.pdf_dict_puts(self._object, "Annots", annotations)
        for mark in marks:
            _mupdf.pdf_array_push(annotations, self._build(mark))

    def _build(self, mark: Mark) -> Any:
        annotation = _mupdf.pdf_add_new_dict(self._pdf, 12)
        for key, name in (("Type", "Annot"), ("Subtype", mark.kind)):
            _mupdf.pdf_dict_puts(annotation, key, _name(name))
        for key, text in (("T", AUTHOR), ("Subj", mark.subject), ("Contents", mark.text), ("NM", mark.id)):
            _mupdf.pdf_dict_put_text_string(annotation, _name(key), text)
        quads = [self._turn_box(box) for box in mark.boxes]
        rect = _surround(quads) if mark.kind == "Highlight" else _hang(quads[0])
        _mupdf.pdf_dict_puts(annotation, "P", self._object)
        _mupdf.pdf_dict_puts(annotation, "Rect", self._array(rect))
        _mupdf.pdf_dict_puts(annotation, "C", self._array(_COLOUR))
        _mupdf.pdf_dict_put_int(annotation, _name("F"), _FLAGS[mark.kind])
        if mark.kind == "Highlight":
            _mupdf.pdf_dict_puts(annotation, "QuadPoints", self._array([value for quad in quads for value in quad]))
            drawing = self._draw(_paint(quads), rect)
        else:
            _mupdf.pdf_dict_puts(annotation, "Name", _name("Note"))
            drawing = self._draw(_ICON, (0, 0, 18, 18))
        appearance = _mupdf.pdf_new_dict(self._pdf, 1)
        _mupdf.pdf_dict_puts(appearance, "N", drawing)
        _mupdf.pdf_dict_puts(annotation, "AP", appearance)
        return annotation

    def _turn_box(self, box: Box) -> tuple[float, ...]:
        """Upper left, upper right, lower left and lower right corner as the reader sees them, in the page's space."""
        x0, y0, x1, y1 = (edge / 100 for edge in box)
        corners = ((x0, y0), (x1, y0), (x0, y1), (x1, y1))
        points = [_mupdf.fz_transform_point(_mupdf.fz_make_point(x, y), self._matrix) for x, y in corners]
        return tuple(round(value, 2) for point in points for value in (point.x, point.y))

    def _array(self, values: Sequence[float]) -> Any:
        array = _mupdf.pdf_new_array(self._pdf, len(values))
        for value in values:
            _mupdf.pdf_array_push_real(array, value)
        return array

    def _draw(self, commands: str, box: Sequence[float]) -> Any:
        """A form that multiplies what it paints with what is below, so that the words stay black."""
        form = _mupdf.pdf_new_dict(self._pdf, 8)
        for key, name in (("Type", "XObject"), ("Subtype", "Form")):
            _mupdf.pdf_dict_puts(form, key, _name(name))
        _mupdf.pdf_dict_puts(form, "BBox", self._array(box))
        mode, modes, resources = (_mupdf.pdf_new_dict(self._pdf, 1) for _ in range(3))
        _mupdf.pdf_dict_puts(mode, "BM", _name("Multiply"))
        _mupdf.pdf_dict_puts(modes, "G", mode)
        _mupdf.pdf_dict_puts(resources, "ExtGState", modes)
        _mupdf.pdf_dict_puts(form, "Resources", resources)
        group = _mupdf.pdf_new_dict(self._pdf, 2)
        _mupdf.pdf_dict_puts(group, "S", _name("Transparency"))
        _mupdf.pdf_dict_puts(form, "Group", group)
        return _mupdf.pdf_add_stream(self._pdf, _mupdf.fz_new_buffer_from_copied_data(commands.encode()), form, 0)


def _surround(quads: Sequence[tuple[float, ...]]) -> tuple[float, float, float, float]:
    xs, ys = [x for quad in quads for x in quad[::2]], [y for quad in quads for y in quad[1::2]]
    return (min(xs), min(ys), max(xs), max(ys))


def _hang(quad: tuple[float, ...]) -> tuple[float, float, float, float]:
    """An icon hangs from the upper left corner of its rectangle, however the page is turned."""
    x, y = quad[0], quad[1]
    side = max(abs(quad[2] - x), abs(quad[3] - y))
    return (x, round(y - side, 2), round(x + side, 2), y)


def _paint(quads: Sequence[tuple[float, ...]]) -> str:
    """Commands that fill four-cornered areas."""
    red, green, blue = _COLOUR
    commands = [f"q /G gs {red:g} {green:g} {blue:g} rg"]
    for x0, y0, x1, y1, x2, y2, x3, y3 in quads:
        commands.append(f"{x0:.2f} {y0:.2f} m {x1:.2f} {y1:.2f} l {x3:.2f} {y3:.2f} l {x2:.2f} {y2:.2f} l h")
    return " ".join([*commands, "f Q"])
