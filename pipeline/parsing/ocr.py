"""Optical character recognition of one page: Tesseract from the system, else RapidOCR where the extra is installed."""

from __future__ import annotations

import os
import re
import shutil
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pipeline.parsing.constants import (
    MAX_CELL_GAP,
    MAX_OCR_SECONDS,
    MAX_SIZE_NOISE,
    MIN_LINE_CONFIDENCE,
    UPPER_SHARE,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pipeline.models.base import Box

MISSING = (
    "no OCR engine is installed for the language: install Tesseract with its data (package tesseract-ocr), "
    "or the extra pdfdocket[ocr]"
)
# two-letter codes of documents and questions, and the names of Tesseract's trained data
_TRAINED = {
    "en": "eng", "pt": "por", "es": "spa", "fr": "fra", "de": "deu", "it": "ita", "nl": "nld", "zh": "chi_sim",
    "ja": "jpn",
}  # fmt: skip
_WORD_LEVEL = "5"


class Word(NamedTuple):
    """A word as it was recognised: pixels, confidence in thousandths, and the line and paragraph it belongs to."""

    text: str
    box: Box
    confidence: int
    line: tuple[int, int, int]


class ReadLine(NamedTuple):
    """A line that was read again; box and size in hundredths of a point, confidence in thousandths."""

    text: str
    box: Box
    confidence: int
    size: int
    block: int


class Tesseract(NamedTuple):
    """The system's Tesseract: its path, its version and the trained data to use."""

    path: str
    version: str
    trained: str

    @property
    def name(self) -> str:
        """What the reading depends on, in words."""
        return f"Tesseract {self.version} {self.trained}"


def find_tesseract(language: str) -> Tesseract | None:
    """Tesseract with trained data for a language (ISO 639-1), or None where either is missing."""
    path = shutil.which("tesseract")
    if path is None:
        return None
    version, installed = _describe_tesseract(path)
    trained = _TRAINED.get(language, "eng")
    return Tesseract(path, version, trained) if version and trained in installed else None


@lru_cache(maxsize=4)
def _describe_tesseract(path: str) -> tuple[str, tuple[str, ...]]:
    """Version and trained data; ("", ()) where it does not start."""
    version = _run([path, "--version"], b"").split()[1:2]
    _, *installed = _run([path, "--list-langs"], b"").decode("utf-8", "replace").splitlines() or [""]
    return (version[0].decode("utf-8", "replace") if version else ""), tuple(sorted(installed))


def recognise_picture(engine: Tesseract, picture: bytes, dpi: int) -> tuple[ReadLine, ...]:
    """The lines on a picture of a page, in the order in which Tesseract reads them.

    Raises:
        TimeoutError: it took too long.
    """
    command = [engine.path, "stdin", "stdout", "-l", engine.trained, "--psm", "3", "--dpi", str(dpi), "tsv"]
    return gather_lines(parse_words(_run(command, picture).decode("utf-8", "replace")), dpi)


def _run(command: list[str], given: bytes) -> bytes:
    import subprocess

    # one thread: two pages at a time are faster than two threads on one page, and the order of sums stays
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    try:
        done = subprocess.run(
            command, input=given, capture_output=True, env=environment, timeout=MAX_OCR_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise TimeoutError(f"not read within {MAX_OCR_SECONDS} seconds") from error
    except OSError:
        return b""
    return done.stdout if done.returncode == 0 else b""


def parse_words(table: str) -> list[Word]:
    """Words of Tesseract's TSV; rows of regions, paragraphs and lines, and words of blanks, are left out."""
    words = []
    for row in table.splitlines()[1:]:
        fields = row.split("\t")
        if len(fields) < 12 or fields[0] != _WORD_LEVEL or not fields[11].strip():
            continue
        left, top, width, height = map(int, fields[6:10])
        confidence = int(float(fields[10]) * 10)
        place = (int(fields[2]), int(fields[3]), int(fields[4]))
        words.append(Word(fields[11].strip(), (left, top, left + width, top + height), confidence, place))
    return words


def gather_lines(words: Sequence[Word], dpi: int) -> tuple[ReadLine, ...]:
    """Words as lines; a wide gap parts the cells of a row. What the recogniser itself doubts is left out."""
    groups: dict[tuple[int, int, int], list[Word]] = {}
    for word in words:
        groups.setdefault(word.line, []).append(word)
    sizes = _measure_lines(groups)
    found: list[ReadLine] = []
    block = 0
    last: tuple[int, int, int] | None = None
    for (region, paragraph, line), members in groups.items():
        # whole points: a picture does not tell more, and headings of one level must have one size
        size = (sizes[region, paragraph, line] * 72 + dpi // 2) // dpi * 100
        # a heading is often recognised as the first line of the paragraph below it
        block += (region, paragraph, size) != last
        last = (region, paragraph, size)
        for cell in _split_cells(members):
            confidence = sum(word.confidence for word in cell) // len(cell)
            if confidence >= MIN_LINE_CONFIDENCE:
                text = " ".join(word.text for word in cell)
                found.append(ReadLine(text, _scale_box(_unite(cell), dpi), confidence, size, block))
    return tuple(found)


def _measure_lines(groups: dict[tuple[int, int, int], list[Word]]) -> dict[tuple[int, int, int], int]:
    """The size of text by line in pixels: the middle one of all lines, except where a line clearly has another."""
    own = {key: _measure_line(members) for key, members in groups.items()}
    middle = sorted(own.values())[len(own) // 2] if own else 0
    return {key: middle if abs(size - middle) * 1000 <= MAX_SIZE_NOISE * middle else size for key, size in own.items()}


def _measure_line(words: Sequence[Word]) -> int:
    """The height of a line as if it had letters that reach up and letters that reach down."""
    text = "".join(word.text for word in words)
    box = _unite(words)
    height = (box[3] - box[1]) * 1000
    if not re.search(r"[A-Z0-9bdfhklt]", text):
        height = height * 1000 // UPPER_SHARE
    if not re.search(r"[gjpqyQ,;()\[\]]", text):
        height = height * 1000 // UPPER_SHARE
    return height // 1000


def _split_cells(words: Sequence[Word]) -> list[list[Word]]:
    cells: list[list[Word]] = []
    for word in words:
        height = max(1, word.box[3] - word.box[1])
        if cells and (word.box[0] - cells[-1][-1].box[2]) * 1000 <= MAX_CELL_GAP * max(height, _height(cells[-1])):
            cells[-1].append(word)
        else:
            cells.append([word])
    return cells


def _height(words: Iterable[Word]) -> int:
    return max(word.box[3] - word.box[1] for word in words)


def _unite(words: Sequence[Word]) -> Box:
    return (
        min(word.box[0] for word in words), min(word.box[1] for word in words),
        max(word.box[2] for word in words), max(word.box[3] for word in words),
    )  # fmt: skip


def _scale_box(box: Box, dpi: int) -> Box:
    """Pixels as hundredths of a point."""
    x0, y0, x1, y1 = (edge * 7200 // dpi for edge in box)
    return (x0, y0, x1, y1)


def recognise_with_rapidocr(picture: bytes, dpi: int) -> tuple[str, tuple[ReadLine, ...]]:
    """Name of the engine and the lines on a picture; runs in a child.

    Raises:
        ImportError: the extra pdfdocket[ocr] is not installed.
    """
    import logging

    # its models are in its package; it tells about each of them, and nobody reads that here
    logging.disable(logging.CRITICAL)
    from importlib.metadata import version

    from rapidocr import RapidOCR

    found = RapidOCR()(picture)
    words = []
    for number, (text, corners, score) in enumerate(
        zip(found.txts or (), found.boxes if found.boxes is not None else (), found.scores or (), strict=True)
    ):
        across, down = [int(corner[0]) for corner in corners], [int(corner[1]) for corner in corners]
        box = (min(across), min(down), max(across), max(down))
        words.append(Word(text.strip(), box, int(float(score) * 1000), (1, number, 0)))
    return f"RapidOCR {version('rapidocr')}", gather_lines([word for word in words if word.text], dpi)
