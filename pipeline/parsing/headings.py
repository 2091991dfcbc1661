"""Headings on the page: lines that stand alone and are set apart by type, number or white space."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import NamedTuple

from pipeline.models.document import Line, Page
from pipeline.parsing import constants
from pipeline.parsing.constants import HEADING_GAP_SHARE, HEADING_SIZE_SHARE, MAX_HEADING_CHARACTERS, MAX_HEADING_LINES
from pipeline.parsing.numbering import HeadingNumber, parse_heading_number, read_ordinal
from pipeline.text.late import compile_late

_CAPTION = compile_late(r"(?:table|figure|fig\.?|chart|tabela|figura|quadro|图|表)\s*[A-Z]?[.\-]?\d", re.IGNORECASE)
_DATE_END = compile_late(r"(?:^|\s)(?:\d{1,2},?|\d{1,2}, \d{4}|(?:19|20)\d\d)$")
_PAGE_KEY = 1 << 20
_WORDS = compile_late(r"[^\W\d_]{2,}")


class Style(NamedTuple):
    """How a heading is set: size in hundredths of a point (rounded to a quarter point), weight, slope, capitals."""

    size: int
    bold: bool
    italic: bool
    capitals: bool


class Heading(NamedTuple):
    """A heading: indexes of its first and last line, its whole text, its number and style.

    `is_plain`: only space tells; `is_tall` where type on a scan, which has no weight, is larger.
    """

    first: int
    last: int
    text: str
    number: HeadingNumber | None
    style: Style
    is_plain: bool
    is_tall: bool = False

    @property
    def title(self) -> str:
        """The text without its number, or the whole text where nothing else is left."""
        rest = self.text[self.number.length :].strip() if self.number else self.text
        return " ".join((rest or self.text).split())


class _Layout(NamedTuple):
    lines: tuple[Line, ...]
    rows: dict[int, list[int]]
    body_size: int
    margins: dict[int, int]
    widths: dict[int, int]
    scans: frozenset[int]


def find_headings(pages: tuple[Page, ...], lines: tuple[Line, ...], skipped: frozenset[int]) -> list[Heading]:
    """Headings in the order of lines; the indexes in `skipped` (lines of contents pages) are passed over."""
    layout, index = _measure_layout(pages, lines), 0
    found: list[Heading] = []
    while index < len(lines):
        line = lines[index]
        heading = None
        if not line.is_furniture and not line.hidden and index not in skipped:
            heading = _read_heading(layout, index)
        if heading is None:
            index += 1
        else:
            found.append(heading)
            index = heading.last + 1
    return _keep_sequences(found)


def _measure_layout(pages: tuple[Page, ...], lines: tuple[Line, ...]) -> _Layout:
    sizes: defaultdict[int, int] = defaultdict(int)
    rows: defaultdict[int, list[int]] = defaultdict(list)
    margins: dict[int, int] = {}
    for index, line in enumerate(lines):
        if line.is_furniture or line.hidden:
            continue
        box = line.box
        rows[line.page * _PAGE_KEY + (box[1] + box[3]) // 800].append(index)
        length = len(line.text)
        if not line.bold:
            sizes[line.size // 25] += length
        if length > 30 and box[0] < margins.get(line.page, 1 << 30):
            margins[line.page] = box[0]
    # the commonest size of running text, joined with its neighbour because some writers jitter sizes
    body = max(sizes, key=lambda size: (sizes[size] + sizes.get(size + 1, 0), -size), default=40)
    scans = frozenset(page.number for page in pages if page.image_cover >= constants.MIN_SCAN_COVER)
    return _Layout(lines, rows, body * 25 + 25, margins, {page.number: page.width for page in pages}, scans)


def _list_mates(layout: _Layout, index: int) -> list[int]:
    """Other lines on the same row of the same column, left to right."""
    line = layout.lines[index]
    top, bottom = line.box[1], line.box[3]
    middle, bucket = (top + bottom) // 2, (top + bottom) // 800
    reach = (bottom - top) // 2
    mates = []
    for near in (bucket - 1, bucket, bucket + 1):
        for other in layout.rows.get(line.page * _PAGE_KEY + near, ()):
            box = layout.lines[other].box
            if (
                other != index
                and abs((box[1] + box[3]) // 2 - middle) < reach
                and layout.lines[other].column == line.column
            ):
                mates.append(other)
    return mates


def _read_heading(layout: _Layout, index: int) -> Heading | None:
    line = layout.lines[index]
    text = line.text.strip()
    if not 1 <= len(text) <= MAX_HEADING_CHARACTERS:
        return None
    is_styled = _is_bold(line) or line.size * 100 >= layout.body_size * HEADING_SIZE_SHARE
    first = text[0]
    is_plain = False
    if not is_styled and first.islower():
        return None
    number = parse_heading_number(text)
    if not is_styled:
        if number is None or not number.is_dotted:
            if not (first.isupper() and _stands_apart(layout, index, text)):
                return None
            is_plain = True
        elif not _is_plain_title(layout, index, number):
            return None
    elif not (first.isupper() or first.isdigit() or first in "§“\"‘'第" or not first.isascii()):
        return None
    return _assemble(layout, index, number, is_plain)


def _assemble(layout: _Layout, index: int, number: HeadingNumber | None, is_plain: bool) -> Heading | None:
    lines = layout.lines
    line, text, last = lines[index], lines[index].text.strip(), index
    mates = _list_mates(layout, index)
    if mates:
        # "3.1 | Attention" is one heading set with a tab
        if number is None or number.length < len(text) or mates != [index + 1] or lines[index + 1].bold != line.bold:
            return None
        text, last = f"{text} {lines[index + 1].text.strip()}", index + 1
        number = parse_heading_number(text)
    while last - index < MAX_HEADING_LINES and _continues(layout, last, line):
        last += 1
        text = f"{text} {lines[last].text.strip()}"
    style = Style((line.size + 12) // 25 * 25, line.bold, line.italic, text.upper() == text)
    is_tall = line.page in layout.scans and line.size * 100 >= layout.body_size * constants.RECOGNISED_SIZE_SHARE
    heading = Heading(index, last, text, number, style, is_plain, is_tall)
    return heading if _reads_as_heading(heading) and not _sits_in_table(layout, heading) else None


def _continues(layout: _Layout, last: int, line: Line) -> bool:
    """Whether the line after `last` is a wrapped part of the heading that begins at `line`."""
    if last + 1 >= len(layout.lines):
        return False
    before, after = layout.lines[last], layout.lines[last + 1]
    if (
        after.page != line.page
        or after.bold != line.bold
        or abs(after.size - line.size) > 50
        or after.italic != line.italic
    ):
        return False
    gap = after.box[1] - before.box[3]
    if not -200 < gap < (line.box[3] - line.box[1]) * 45 // 100 or _list_mates(layout, last + 1):
        return False
    text = after.text.strip()
    if not text or parse_heading_number(text) is not None:
        return False
    width = layout.widths.get(line.page, 61200)
    is_full = before.box[2] > width * 72 // 100 or text[0].islower() or text[0] in "(&"
    is_centred = abs(before.box[0] + before.box[2] - after.box[0] - after.box[2]) < 400 and before.box[0] > width // 6
    return is_full or (is_centred and before.block == after.block)


def _stands_apart(layout: _Layout, index: int, text: str) -> bool:
    """A short capitalised line at the margin with more white space around it than lines of its paragraph have."""
    if len(text) > MAX_HEADING_CHARACTERS // 3 or text[-1] in ".,;:!" or text[-1].isdigit():
        return False
    lines = layout.lines
    line = lines[index]
    height = line.box[3] - line.box[1]
    before = lines[index - 1] if index else None
    after = lines[index + 1] if index + 1 < len(lines) else None
    gap = height * HEADING_GAP_SHARE // 100
    if after is None or after.page != line.page or after.box[1] - line.box[3] < gap or after.is_furniture:
        return False
    if before is not None and before.page == line.page and not before.is_furniture:
        above = line.box[1] - before.box[3]
        if above < gap or above < (after.box[1] - line.box[3]) // 2:
            return False
    margin = layout.margins.get(line.page, line.box[0])
    width = layout.widths.get(line.page, 61200)
    is_followed = after.box[2] - after.box[0] > width * 45 // 100 and after.text.lstrip()[:1].isupper()
    return is_followed and abs(line.box[0] - margin) < 600 and abs(after.box[0] - line.box[0]) < 600


def _is_bold(line: Line) -> bool:
    """Whether all of a line is bold: a bold head that runs into its paragraph is no heading."""
    return line.bold and (line.bold_prefix == 0 or line.bold_prefix >= len(line.text.rstrip()) - 2)


def _is_plain_title(layout: _Layout, index: int, number: HeadingNumber) -> bool:
    """Whether a numbered line in plain type is a title ("12.1 Late delivery") and not a numbered paragraph."""
    text = layout.lines[index].text.strip()
    rest = text[number.length :]
    if not rest:
        return _begins_paragraph(layout, index)
    if not rest[0].isupper() or text[-1] in ".,;:" or len(text) > MAX_HEADING_CHARACTERS // 2:
        return False
    after = layout.lines[index + 1] if index + 1 < len(layout.lines) else None
    runs_on = after is not None and after.page == layout.lines[index].page and after.text.strip()[:1].islower()
    return not runs_on and _begins_paragraph(layout, index)


def _begins_paragraph(layout: _Layout, index: int) -> bool:
    """Whether a numbered line in plain type opens a paragraph, rather than going on with the sentence above it."""
    line, before = layout.lines[index], layout.lines[index - 1] if index else None
    if before is None or before.page != line.page or before.column != line.column or before.is_furniture:
        return True
    above = line.box[1] - before.box[3]
    return above * 4 >= line.box[3] - line.box[1] or before.text.rstrip()[-1:] in ".;:" or before.bold


def _reads_as_heading(heading: Heading) -> bool:
    text, number = heading.text, heading.number
    if len(text) > MAX_HEADING_CHARACTERS * 3 // 2 or not _WORDS.search(text) or _CAPTION.match(text):
        return False
    if number is not None and number.kind not in ("decimal", "letter", "roman"):
        # "Item 1A. Risk Factors" but not "Note 5 describes the ..." or "Section 3.2, we"
        rest = text[number.length :]
        return not rest or rest[0].isupper() or rest[0] in '[“"(' or not rest[0].isascii()
    if text[-1] in ",;" or (text[-1] == ":" and number is None and not heading.style.bold):
        return False
    if text[-1] == "." and not (number is not None and len(text) < MAX_HEADING_CHARACTERS // 2):
        return False
    if number is None and (_DATE_END.search(text) or text[0] in "(•*"):
        return False
    is_set = heading.style.bold or heading.is_tall
    is_count = number is not None and not number.is_dotted and (not is_set or len(number.label) > 2)
    return not is_count and (number is None or len(text) > number.length)


def _sits_in_table(layout: _Layout, heading: Heading) -> bool:
    """Between rows of cells, or centred over a row of column heads."""
    lines = layout.lines
    line = lines[heading.first]
    if heading.number is not None and heading.number.kind not in ("decimal", "letter", "roman"):
        return False
    height = line.box[3] - line.box[1]
    before, after = heading.first - 1, heading.last + 1
    has_row_below = _has_row(layout, after, line.page) and lines[after].box[1] - lines[heading.last].box[3] < 2 * height
    has_row_above = _has_row(layout, before, line.page) and line.box[1] - lines[before].box[3] < 3 * height // 2
    if has_row_below and has_row_above:
        return True
    margin = layout.margins.get(line.page, line.box[0])
    is_big = line.size * 100 >= layout.body_size * HEADING_SIZE_SHARE
    return has_row_below and line.box[0] > margin + 2000 and not is_big


def _has_row(layout: _Layout, index: int, page: int) -> bool:
    is_inside = 0 <= index < len(layout.lines) and layout.lines[index].page == page
    return is_inside and bool(_list_mates(layout, index))


def _keep_sequences(found: list[Heading]) -> list[Heading]:
    """Numbers without their sequence are not numbers of headings: `737 Program`, items of a list in plain type.

    A decimal number is kept when it is the next of its parent (or the first); otherwise a bold heading loses it and
    a plain line stops being a heading.
    """
    counts: dict[str, int] = {}
    kept: list[Heading] = []
    current = ""
    for heading in found:
        number = heading.number
        if number is None or number.kind not in ("decimal", "letter", "roman"):
            kept.append(heading)
            continue
        parent = number.label.rpartition(".")[0] if number.kind == "decimal" else number.kind
        ordinal = read_ordinal(number.label)
        is_next = ordinal in (0, 1) or 0 < ordinal - counts.get(parent, -9) <= 2
        is_strong = heading.style.bold or number.depth > 1 or heading.style.capitals or heading.is_tall
        # "1.1" after "5.2" is a version or a reference, not a heading
        is_open = number.depth == 1 or parent not in counts or f"{current}.".startswith(f"{parent}.")
        if is_next and is_strong and is_open:
            counts[parent] = ordinal
            if number.kind == "decimal":
                counts[number.label] = 0
                current = number.label
            kept.append(heading)
        elif heading.style.bold and not number.is_dotted:
            kept.append(heading._replace(number=None))
    return kept
