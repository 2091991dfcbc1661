"""Where the financial statements of a filing are: by title with all white space removed, confirmed by their rows.

Titles are set letter-spaced, with no-break spaces or cut ("Balance Shee t"), and they also stand on contents pages, in
audit reports and in running text. A page counts as a statement only when rows of that statement and enough figures
stand on it too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from pipeline.text.late import compile_late

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.models.lexicon import Cue
    from pipeline.structure.view import DocumentView

MIN_ROWS = 3
"""A page with fewer rows of the statement's vocabulary mentions the statement, it does not show it."""
FULL_ROWS = 10
"""A page with this many rows shows the whole statement."""
MIN_FIGURES = 12
"""Figures that a page needs to be a statement at all."""
TITLE_LINES = 12
"""Titles stand among the first lines of a statement's page."""
_NOISE = compile_late(r"[^a-z0-9\u00df-\u024f\u3400-\u9fff]+")
_PLAIN_NOISE = {code: None for code in range(128) if not chr(code).isalnum()}
_FIGURE = compile_late(r"\d[^\n]*")


class StatementPage(NamedTuple):
    """A page that shows a statement: its name, how many of its rows, whether its title heads the page; score 0 to 1."""

    page: int
    name: str
    row_count: int
    has_title: bool
    score: float


class PageText(NamedTuple):
    """A page as statements are looked for: its first lines and its text, squashed."""

    page: int
    heads: tuple[str, ...]
    text: str


def squash(folded: str) -> str:
    """Letters and digits of a folded text without anything between them."""
    # eighty times faster than the pattern, and nearly every line is plain
    return folded.translate(_PLAIN_NOISE) if folded.isascii() else _NOISE.sub("", folded)


def _squash_lines(lines: list[str]) -> str:
    text = "".join(lines)
    return squash(text) if text.isascii() else "".join(map(squash, lines))


def squash_pages(view: DocumentView) -> tuple[PageText, ...]:
    """All readable pages with enough figures to show a statement."""
    pages: list[PageText] = []
    for page in view.document.pages:
        if page.state != "ok":
            continue
        start, end = view.document.index_of((page.number, 0)), view.document.index_of((page.number + 1, 0))
        # what a reader cannot see shows no statement
        visible = (index for index in range(start, end) if not view.document.lines[index].hidden)
        lines = [view.document.folded[index] for index in visible]
        # one search a page instead of one a line: the rest of a line with a digit is skipped
        if len(_FIGURE.findall("\n".join(lines))) >= MIN_FIGURES:
            heads = tuple(squash(line) for line in lines[:TITLE_LINES])
            pages.append(PageText(page.number, heads, _squash_lines(lines)))
    return tuple(pages)


_PAGE_TEXTS: WeakKeyDictionary[DocumentView, tuple[PageText, ...]] = WeakKeyDictionary()


def list_page_texts(view: DocumentView) -> tuple[PageText, ...]:
    """The pages of a document as `squash_pages` reads them, once for each view."""
    found = _PAGE_TEXTS.get(view)
    if found is None:
        found = _PAGE_TEXTS[view] = squash_pages(view)
    return found


def find_statements(view: DocumentView, pages: Iterable[PageText], name: str) -> tuple[StatementPage, ...]:
    """Pages that show the statement with this name in the lexicon, best first, ties in page order."""
    titles = _read_cue(view.lexicon.statement_titles, name)
    rows = _read_cue(view.lexicon.statement_rows, name)
    found: list[StatementPage] = []
    for page in pages:
        row_count = sum(row in page.text for row in rows)
        if row_count < MIN_ROWS:
            continue
        has_title = any(_is_title(head, titles) for head in page.heads)
        share = min(1.0, row_count / max(1, min(len(rows), FULL_ROWS)))
        found.append(StatementPage(page.page, name, row_count, has_title, (share + has_title) / 2))
    return tuple(sorted(found, key=lambda entry: (-entry.score, -entry.row_count, entry.page)))


def _read_cue(cues: tuple[Cue, ...], name: str) -> tuple[str, ...]:
    return tuple(squash(phrase.casefold()) for cue in cues if cue.label == name for phrase in cue.phrases)


def _is_title(line: str, titles: Iterable[str]) -> bool:
    """Whether a line is little more than a title: a company's name or "consolidated" may stand around it."""
    return any(title in line and len(line) <= 2 * len(title) + 40 for title in titles)
