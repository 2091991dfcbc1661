"""Contents pages: which lines they are, and the entries they print."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from pipeline.models.base import Box
from pipeline.models.document import Line, Page
from pipeline.parsing.constants import CONTENTS_PAGE_SHARE, MIN_CONTENTS_ROWS
from pipeline.parsing.numbering import parse_heading_number, read_roman
from pipeline.text.late import compile_late

_LEADERS = compile_late(r"(?:\s*[.·…‥_]\s*){4,}|…{2,}")
_NUMBER_END = compile_late(r"(?:^|[\s.·…_])([A-Z]{1,2}-)?(\d{1,4}|[ivxlc]{1,6})\s*$")
_CAPTION = compile_late(r"(?:table|figure|fig\.?|chart|tabela|figura|quadro|图|表)\s*[A-Z]?[.\-]?\d", re.IGNORECASE)
_LIST_TITLE = compile_late(
    r"(?:list|table|index|lista|índice) (?:of|de|to)|contents|index|conteúdo|sumário|índice|目录|目錄"
)


class RawLink(NamedTuple):
    """One internal link: the page and box it is drawn on (hundredths, top-down), and where it leads, if it resolves."""

    page: int
    box: Box
    target_page: int | None
    target_y: int | None = None


class ContentsEntry(NamedTuple):
    """One entry of a contents page: title, printed page ("" if none), link target, indent and the page it stands on."""

    title: str
    printed: str
    target_page: int | None
    target_y: int | None
    indent: int
    page: int


class Contents(NamedTuple):
    """Entries of all contents pages in order, and the indexes of every line of a contents page or list of figures."""

    entries: tuple[ContentsEntry, ...]
    line_indexes: frozenset[int]


class _Row(NamedTuple):
    cells: tuple[int, ...]
    title: str
    printed: str
    has_leaders: bool
    link: RawLink | None
    box: Box


def find_contents(pages: tuple[Page, ...], lines: tuple[Line, ...], links: Iterable[RawLink] = ()) -> Contents:
    """Contents pages among the first pages of a document.

    A page is one when several of its rows end in page numbers that rise, after leaders, at the right margin or
    under links.
    """
    last_page = max(12, len(pages) * CONTENTS_PAGE_SHARE // 100)
    linked: defaultdict[int, list[RawLink]] = defaultdict(list)
    for link in links:
        if link.page <= last_page and link.target_page is not None and link.target_page != link.page:
            linked[link.page].append(link)
    entries: list[ContentsEntry] = []
    indexes: set[int] = set()
    start = 0
    for page in pages[:last_page]:
        end = start
        while end < len(lines) and lines[end].page == page.number:
            end += 1
        rows = _read_rows(lines, range(start, end), linked[page.number], page)
        start = end
        if not _is_contents_page(rows, len(pages)):
            continue
        used = [row for row in rows if row.printed or row.link]
        # text above and below the list on the same page stays text
        low, high = used[0].box[1], used[-1].box[3]
        listed = [row for row in rows if low - 1500 <= row.box[1] <= high]
        indexes.update(i for row in listed if row.box[1] >= low or parse_heading_number(row.title) for i in row.cells)
        entries.extend(_read_entries(listed, page.number))
    return Contents(tuple(entries), frozenset(indexes))


def _read_rows(lines: tuple[Line, ...], span: range, links: list[RawLink], page: Page) -> list[_Row]:
    kept = [index for index in span if not lines[index].is_furniture and not lines[index].hidden]
    # pages of running prose are not worth the sorting; leaders, links or short lines ending in digits are
    hints = sum(
        1 for i in kept if lines[i].text.rstrip()[-1:].isdigit() or "...." in lines[i].text or ". . ." in lines[i].text
    )
    if hints < MIN_CONTENTS_ROWS and len(links) < MIN_CONTENTS_ROWS:
        return []
    kept.sort(key=lambda i: (lines[i].box[1] + lines[i].box[3], lines[i].box[0]))
    groups: list[list[int]] = []
    for index in kept:
        box = lines[index].box
        middle, height = box[1] + box[3], box[3] - box[1]
        if groups and middle - sum(lines[groups[-1][0]].box[1::2]) < height:
            groups[-1].append(index)
        else:
            groups.append([index])
    return [_read_row(lines, sorted(group, key=lambda i: lines[i].box[0]), links, page) for group in groups]


def _read_row(lines: tuple[Line, ...], cells: list[int], links: list[RawLink], page: Page) -> _Row:
    texts = [lines[index].text.strip() for index in cells]
    if (
        len(texts) > 1
        and texts[-1].isalpha()
        and lines[cells[-1]].box[0] * 100 > page.width * 80
        and len(texts[-1]) > 3
    ):
        texts.pop()  # the head of the column of page numbers
    joined = " ".join(texts)
    has_leaders = bool(_LEADERS.search(joined))
    printed = ""
    match = _NUMBER_END.search(joined)
    is_cell = len(texts) > 1 and lines[cells[-1]].box[0] * 2 > page.width
    if match and (has_leaders or (is_cell and _NUMBER_END.match(texts[-1]))):
        printed = match.group(2)
        joined = joined[: match.start()]
    title = " ".join(_LEADERS.sub(" ", joined).split())
    boxes = [lines[index].box for index in cells]
    box = (boxes[0][0], min(b[1] for b in boxes), boxes[-1][2], max(b[3] for b in boxes))
    link = next((link for link in links if _overlaps(link.box, box)), None)
    return _Row(tuple(cells), title, printed, has_leaders, link, box)


def _overlaps(link: Box, row: Box) -> bool:
    shared = min(link[3], row[3]) - max(link[1], row[1])
    return shared * 2 > min(row[3] - row[1], link[3] - link[1]) and link[0] < row[2] and row[0] < link[2]


def _is_contents_page(rows: list[_Row], page_count: int) -> bool:
    numbered = [row for row in rows if row.printed and sum(c.isalpha() for c in row.title) >= 2]
    values = [int(row.printed) if row.printed.isdigit() else -read_roman(row.printed.upper()) for row in numbered]
    if any(value > page_count + 500 for value in values):
        return False
    leaders = sum(1 for row in numbered if row.has_leaders)
    has_title = any(_LIST_TITLE.match(row.title.casefold()) for row in rows[:4] if len(row.title) < 40)
    if leaders >= MIN_CONTENTS_ROWS or (leaders >= 2 and has_title):
        return True
    # a table of small numbers also ends its rows in digits: only page numbers rise all the way
    falls = sum(1 for a, b in pairwise(values) if a > b >= 0)
    rises = len(set(values)) >= MIN_CONTENTS_ROWS and falls * 8 <= len(values) and len(numbered) * 2 >= len(rows)
    if rises and (has_title or len(numbered) >= 2 * MIN_CONTENTS_ROWS):
        return True
    targets = [row.link.target_page or 0 for row in rows if row.link]
    falls = sum(1 for a, b in pairwise(targets) if a > b)
    return len(set(targets)) >= MIN_CONTENTS_ROWS and falls * 8 <= len(targets) and len(targets) * 2 >= len(rows)


def _read_entries(rows: list[_Row], page: int) -> list[ContentsEntry]:
    """Entries of one page; a title that wraps gets its page number from its last row."""
    entries: list[ContentsEntry] = []
    pending: _Row | None = None
    for row in rows:
        number = parse_heading_number(row.title)
        if pending is not None and number is None and row.box[1] - pending.box[3] < row.box[3] - row.box[1]:
            row = row._replace(
                title=f"{pending.title} {row.title}", link=row.link or pending.link, box=(pending.box[0], *row.box[1:])
            )
            number = parse_heading_number(row.title)
        pending = None
        if not any(c.isalpha() for c in row.title) or _CAPTION.match(row.title):
            continue
        if (
            row.printed
            or (row.link and (number is None or number.kind == "part"))
            or (number is not None and number.kind == "part" and len(row.title) < 60)
        ):
            entries.append(_make_entry(row, page))
        elif number is not None or row.link:
            pending = row
    return entries


def _make_entry(row: _Row, page: int) -> ContentsEntry:
    target = (row.link.target_page, row.link.target_y) if row.link else (None, None)
    return ContentsEntry(row.title, row.printed, target[0], target[1], row.box[0], page)
