"""Where a title of an outline stands in the text: the heading line itself, not the destination that the file claims."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from typing import NamedTuple

from pipeline.models.document import Line, Page
from pipeline.parsing.constants import NEAR_HEADING
from pipeline.parsing.headings import Heading
from pipeline.parsing.numbering import HeadingNumber, parse_heading_number
from pipeline.text.late import compile_late

_NOT_WORD = compile_late(r"[\W_]+")
_MAX_TITLE_LINES = 8
_KEY_LENGTH = 3
_SURE = 4


class Landing(NamedTuple):
    """Index of the first line of a heading, of its last one, and its whole text.

    `quality` is higher for surer finds.
    """

    first: int
    last: int
    text: str
    quality: int


def squeeze_title(text: str) -> str:
    """Letters and digits alone: titles in outlines lose and gain spaces, dots, dashes and quotes."""
    return _NOT_WORD.sub("", text)


class HeadingFinder:
    """Finds titles on pages. Work is done per page when first asked; nothing is searched twice."""

    def __init__(
        self, pages: tuple[Page, ...], lines: tuple[Line, ...], folded: tuple[str, ...], skipped: frozenset[int]
    ) -> None:
        """Keep the document; nothing is searched yet."""
        self._pages = {page.number: page for page in pages}
        self._lines = lines
        self._folded = folded
        self._skipped = skipped
        self._starts = [line.page for line in lines]
        self._keys: dict[int, dict[str, list[int]]] = {}
        self._by_title: dict[str, list[Heading]] = {}
        self.by_line: dict[int, Heading] = {}

    def add_headings(self, headings: list[Heading]) -> None:
        """Make headings known: they are preferred on their page, and the only ones found by title alone."""
        for heading in headings:
            self.by_line[heading.first] = heading
            for form in _list_forms(heading.text.casefold(), heading.number):
                self._by_title.setdefault(form, []).append(heading)

    def span_of(self, page: int) -> range:
        """Indexes of the lines of a page."""
        return range(bisect_left(self._starts, page), bisect_left(self._starts, page + 1))

    def page_of(self, index: int) -> int:
        """The physical page of a line."""
        return self._starts[index]

    def has_text(self, page: int) -> bool:
        """Whether the page has any line at all."""
        return bool(self.span_of(page))

    def find_line_at(self, page: int, y: int | None) -> int:
        """Index of the first line of a page at or below a destination; of the page where there is none."""
        span = self.span_of(page)
        if y is None:
            return span.start
        return next(
            (index for index in span if self._lines[index].box[3] > y and index not in self._skipped), span.start
        )

    def find_by_title(self, title: str) -> list[Heading]:
        """Headings anywhere whose squeezed text is the title's, with or without its number, in document order."""
        for form in _list_forms(title.casefold(), parse_heading_number(title.strip())):
            if found := self._by_title.get(form):
                return found
        return []

    def find_on(self, page: int, title: str, y: int | None) -> Landing | None:
        """The heading `title` on a page; of several the surest, then the nearest to `y` in either orientation."""
        # outlines often leave out the number that the page prints, or the other way round
        number = parse_heading_number(title.strip())
        wanted = _list_forms(title.casefold(), number)
        keys = self._index_page(page)
        best: tuple[tuple[int, int, int], Landing] | None = None
        for form in wanted:
            for index in keys.get(form[:_KEY_LENGTH], ()):
                landing = self._match(index, form, number)
                if landing is None:
                    continue
                order = (-landing.quality, self._measure_distance(index, y), index)
                if best is None or order < best[0]:
                    best = (order, landing)
        return best[1] if best else None

    def find_around(self, page: int, title: str, y: int | None, steps: tuple[int, ...]) -> Landing | None:
        """The heading on a page or, a real one, on its neighbours; plain type on the page itself comes last."""
        own = self.find_on(page, title, y)
        if own is not None and own.quality >= _SURE:
            return own
        for step in steps:
            landing = self.find_on(page + step, title, None)
            if landing is not None and landing.quality >= _SURE:
                return landing
        return own

    def find_near(self, page: int, title: str, y: int | None) -> Landing | None:
        """A heading near the destination that shares most words with a title that is not printed word for word."""
        words = set(re.findall(r"\w{3,}", title.casefold()))
        if y is None or not words:
            return None
        for index in self.span_of(page):
            heading = self.by_line.get(index)
            if heading is None or self._measure_distance(index, y) > NEAR_HEADING:
                continue
            printed = set(re.findall(r"\w{3,}", heading.text.casefold()))
            if 2 * len(words & printed) >= len(words):
                return Landing(heading.first, heading.last, heading.text, 1)
        return None

    def _measure_distance(self, index: int, y: int | None) -> int:
        if y is None:
            return 0
        # some writers count y from the top, some from the bottom: the nearer reading wins
        line = self._lines[index]
        height = self._pages[line.page].height if line.page in self._pages else 79200
        return min(abs(line.box[1] - y), abs(line.box[1] - (height - y)))

    def _index_page(self, page: int) -> dict[str, list[int]]:
        if page not in self._keys:
            keys: defaultdict[str, list[int]] = defaultdict(list)
            for index in self.span_of(page):
                line = self._lines[index]
                if line.is_furniture or line.hidden or index in self._skipped:
                    continue
                for key in self._list_keys(index, line.text.strip()):
                    if index not in keys[key][-1:]:
                        keys[key].append(index)
            self._keys[page] = keys
        return self._keys[page]

    def _list_keys(self, index: int, text: str) -> list[str]:
        """The first letters under which a line may be looked up, with and without its number."""
        folded = self._folded[index]
        heads = [folded[:16]]
        if (number := parse_heading_number(text)) is not None:
            heads.append(text[number.length : number.length + 16].casefold())
            if not number.label.isdigit() or number.kind != "decimal":
                heads.append(number.label.casefold() + heads[-1])
        # a number on a line of its own is the number of the title on the next line
        if len(folded) < 12 and index + 1 < len(self._folded):
            heads += [f"{folded} {self._folded[index + 1][:16]}", self._folded[index + 1][:16]]
        keys = (squeeze_title(head)[:_KEY_LENGTH] for head in heads)
        return [key for key in keys if key]

    def _match(self, index: int, wanted: str, number: HeadingNumber | None) -> Landing | None:
        """Consume the wanted title line by line from `index` on."""
        lines = self._lines
        text = lines[index].text.strip()
        own = parse_heading_number(text)
        for start in _list_forms(self._folded[index], own):
            rest, last = wanted, index
            piece = start
            if own is not None and own.length >= len(text) and not wanted.startswith(start):
                piece = ""  # the line is a bare number and the title has none
            overflow = 0
            while True:
                if rest.startswith(piece):
                    rest = rest[len(piece) :]
                elif piece.startswith(rest):
                    overflow, rest = len(piece) - len(rest), ""
                else:
                    break
                if not rest:
                    break
                last += 1
                if last - index >= _MAX_TITLE_LINES or last >= len(lines) or lines[last].page != lines[index].page:
                    break
                piece = squeeze_title(self._folded[last])
            if not rest:
                return self._grade(index, last, overflow, own, number)
        return None

    def _grade(
        self, index: int, last: int, overflow: int, own: HeadingNumber | None, number: HeadingNumber | None
    ) -> Landing | None:
        line = self._lines[index]
        heading = self.by_line.get(index)
        body = 0 if heading is None else 4
        is_styled = line.bold or heading is not None or line.bold_prefix > 0
        is_numbered_alike = own is not None and number is not None and own.printed == number.printed
        if overflow and not is_styled and not is_numbered_alike:
            return None
        quality = body + (0 if overflow else 3) + (2 if line.bold else 0)
        quality += 1 if is_numbered_alike else 0
        text = " ".join(each.text.strip() for each in self._lines[index : last + 1])
        if heading is not None and heading.last >= last:
            last, text = heading.last, heading.text
        return Landing(index, last, text, quality)


def _list_forms(folded: str, number: HeadingNumber | None) -> tuple[str, ...]:
    """Squeezed forms of a title: whole, and without its number; never empty ones."""
    whole = squeeze_title(folded)
    forms = [whole] if whole else []
    if number is not None:
        bare = squeeze_title(folded.strip()[number.length :])
        if len(bare) >= 2:
            forms.append(bare)
        if number.kind not in ("decimal", "letter", "roman") and bare:
            forms.append(squeeze_title(number.label.casefold()) + bare)
    return tuple(dict.fromkeys(forms))
