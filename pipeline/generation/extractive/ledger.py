"""Entries of tables all over a document: each value with its row, its column, the block it is in and its years.

A question that compares, ranks or adds up is answered by a table, wherever the passages that carry its words stand.
Entries are what such questions are computed on: two entries are alike where all but what is compared is the same.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from pipeline.generation.extractive.citing import cite_extents, limit_quotes, merge_extents
from pipeline.generation.extractive.fiscal import shift_years
from pipeline.generation.extractive.measures import Measure, read_cell_measure
from pipeline.generation.extractive.series_rows import heads_group
from pipeline.generation.extractive.sides import find_currency_of
from pipeline.question.terms import cue_of
from pipeline.structure.times import read_time
from pipeline.text.grammar import SCALE_WORDS
from pipeline.text.matching import contains_folded, fold
from pipeline.text.numbers import find_years, parse_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.answer import Citation
    from pipeline.models.base import Position
    from pipeline.models.lexicon import Lexicon
    from pipeline.models.question import Anchor
    from pipeline.models.structure import Table, TableCell
    from pipeline.structure.view import DocumentView

MAX_PAGES, MAX_EVIDENCE_PAGES = 12, 4
LINES_ABOVE = 3
MAX_CELL_CHARACTERS = 24
MIN_FIGURE_LINES = 4
MAX_CITED = 12

Rows = dict[int, dict[int, "TableCell"]]


class Entry(NamedTuple):
    """A value of a table; all texts are folded but `name`, which is the label of the row as printed.

    `root` is where the table begins, on an earlier page where it is continued.

    `label`, `head` and `block` are without their years; `group` counts the parts of a table between its sums; `years`
    are those of the column, else of the row, the block or the caption; `is_change` where the column is of a change.
    """

    root: Position
    table: Table
    cell: TableCell
    labels: tuple[TableCell, ...]
    name: str
    heading: str
    label: str
    head: str
    block: str
    group: int
    around: str
    years: tuple[int, ...]
    measure: Measure
    is_change: bool
    is_partial: bool

    @property
    def own(self) -> str:
        """Block, row and column in words."""
        return f"{self.block} | {self.label} | {self.head}"

    @property
    def page(self) -> int:
        """The page that the value stands on."""
        return self.cell.extents[0].page

    @property
    def printed(self) -> str:
        """The value as printed."""
        return " ".join(self.cell.text.split())


# what was read of a document goes with its view
_ENTRIES: WeakKeyDictionary[DocumentView, dict[tuple[Position, Position, Position], tuple[Entry, ...]]] = (
    WeakKeyDictionary()
)


def list_entries(task: ReaderTask, words: Sequence[Anchor], pages: Sequence[int] = ()) -> list[Entry]:
    """The entries of the tables on some pages, by default those with most of the words, in the document's order."""
    tables: dict[tuple[object, object], Table] = {}
    for page in pages or list_ledger_pages(task, words):
        for table in task.view.tables_touching(page):
            tables.setdefault((table.start, table.end), table)
    found: list[Entry] = []
    for table in sorted(tables.values(), key=lambda one: one.start):
        before = found[-1].table if found else None
        goes_on = before is not None and before.header == table.header and table.start[0] - before.end[0] <= 1
        root = found[-1].root if goes_on and table.is_continued else table.start
        found += _read_once(task, table, root)
    return found


def _read_once(task: ReaderTask, table: Table, root: Position) -> tuple[Entry, ...]:
    """The entries of a table, which depend on the document alone: several readers and iterations ask for them."""
    known = _ENTRIES.setdefault(task.view, {})
    key = (table.start, table.end, root)
    if key not in known:
        known[key] = tuple(_read(task, table, root))
    return known[key]


def list_ledger_pages(task: ReaderTask, words: Sequence[Anchor]) -> tuple[int, ...]:
    """The pages with most of the words by weight that have lines of figures, and the best of the evidence."""
    weights: dict[int, int] = {}
    for anchor in words:
        for page in sorted({page for page, _ in task.view.positions_of(anchor)}):
            weights[page] = weights.get(page, 0) + anchor.weight
    evident = dict.fromkeys(span.page for piece in task.evidence for span in piece.candidate.spans)
    ranked: list[int] = []
    for page in sorted(weights, key=lambda page: (-weights[page], page)):
        if len(ranked) < MAX_PAGES and _has_figures(task, page):
            ranked.append(page)
    return tuple(sorted(dict.fromkeys([*ranked, *list(evident)[:MAX_EVIDENCE_PAGES]])))


def _has_figures(task: ReaderTask, page: int) -> bool:
    document = task.view.document
    lines = document.lines[document.index_of((page, 0)) : document.index_of((page + 1, 0))]
    return sum(line.text.strip()[-1:].isdigit() or "%" in line.text for line in lines) >= MIN_FIGURE_LINES


class _Over(NamedTuple):
    """What stands over the rows of a table: its heads, all that is said around it, and the years of that."""

    heads: tuple[str, ...]
    first: int
    around: str
    years: tuple[int, ...]
    shift: int


class _Part(NamedTuple):
    """The part of a table that a row is in: its block, the block over that, and its number."""

    cell: TableCell | None = None
    outer: str = ""
    group: int = 0


def _read(task: ReaderTask, table: Table, root: Position) -> Iterator[Entry]:
    rows: Rows = defaultdict(dict)
    for cell in table.cells:
        rows[cell.row][cell.column] = cell
    over = _read_over(task, table, rows)
    names = [row[0].text for _, row in sorted(rows.items()) if 0 in row and set(row) != {0}]
    part, is_open, before = _Part(), False, ""
    for number in sorted(rows):
        row = rows[number]
        if number < over.first:
            continue
        if set(row) == {0} and (not before or is_open or heads_group(task, row[0], before, names)):
            outer = part.cell.text if is_open and part.cell is not None else ""
            part, is_open = _Part(row[0], outer, part.group + 1), True
            continue
        is_open = False
        before = row[0].text if 0 in row else before
        if 0 in row:
            yield from _read_row(task, (table, root), row, over, part)
        if 0 not in row or is_sum(task.view.lexicon, row[0].text):
            part = part._replace(group=part.group + 1)


def _read_over(task: ReaderTask, table: Table, rows: Rows) -> _Over:
    heads, first = _read_heads(table, rows)
    corner = heads[0] if heads else ""
    page, line = table.start
    section = task.view.document.section_at(table.start)
    above = task.view.lines_in((page, max(1, line - LINES_ABOVE)), table.start)
    said = (*(section.breadcrumb[-1:] if section else ()), section.title if section else "", table.title, corner)
    near = " ".join(entry.text for entry in above[-2:])
    return _Over(
        heads=heads,
        first=first,
        around=fold(" | ".join((*said, *(entry.text for entry in above)))),
        years=_list_years(table.title) or _list_years(corner) or _list_years(near),
        shift=shift_years(task, heads),
    )


def _read_row(
    task: ReaderTask, place: tuple[Table, Position], row: dict[int, TableCell], over: _Over, part: _Part
) -> Iterator[Entry]:
    lexicon = task.view.lexicon
    table, root = place
    name = " ".join(row[0].text.split())
    block = part.cell.text if part.cell is not None else ""
    for column in sorted(row):
        head = over.heads[column] if column < len(over.heads) else ""
        measure = _read_measure(task, table, row[column], f"{head} {name}") if column else None
        if measure is None:
            continue
        years = _list_years(head) or _list_years(name) or _list_years(block) or over.years
        yield Entry(
            root=root,
            table=table,
            cell=row[column],
            labels=(part.cell, row[0]) if part.cell is not None else (row[0],),
            name=name,
            heading=" ".join(head.split()),
            label=_cut_time(name, lexicon),
            head=_cut_time(head, lexicon),
            block=_cut_time(f"{part.outer} {block}", lexicon),
            group=part.group,
            around=over.around,
            years=tuple(year + over.shift for year in years),
            measure=measure,
            is_change=_says(lexicon, "change heads", head),
            is_partial=_is_partial(lexicon, head) or _is_partial(lexicon, block),
        )


def _read_heads(table: Table, rows: Rows) -> tuple[tuple[str, ...], int]:
    """The heads of the columns, with a first row that goes on with them: years and words over the values."""
    heads = tuple(table.header)
    if not rows:
        return heads, 0
    first = min(rows)
    cells = [cell for column, cell in rows[first].items() if column]
    is_head = len(cells) > 1 and all(find_years(cell.text) or parse_number(cell.text) is None for cell in cells)
    # a row of dashes is one of values
    if not is_head or not any(any(map(str.isalnum, cell.text)) for cell in cells):
        return heads, 0
    width = max(len(heads), max(column for row in rows.values() for column in row) + 1)
    joined = [
        f"{heads[at] if at < len(heads) else ''} {rows[first][at].text if at in rows[first] else ''}"
        for at in range(width)
    ]
    return tuple(" ".join(text.split()) for text in joined), first + 1


def _list_years(text: str) -> tuple[int, ...]:
    return tuple(dict.fromkeys(year for _, _, year in find_years(text)))


def _cut_time(text: str, lexicon: Lexicon) -> str:
    rest = read_time(text, lexicon)[1]
    # a hyphen at the end of a line of a head is one of the word
    return " ".join(fold(rest).replace("- ", "-").split()).strip(" /|:;,")


def _says(lexicon: Lexicon, label: str, text: str) -> bool:
    folded = f" {fold(text)} "
    return any(contains_folded(cue, folded) for cue in cue_of(lexicon.superlatives, label))


def is_sum(lexicon: Lexicon, name: str) -> bool:
    """Whether a label stands for a sum, a difference or what is left over, and for no member."""
    return _says(lexicon, "rest", name)


def _is_partial(lexicon: Lexicon, text: str) -> bool:
    cues, folded = lexicon.calculation_cues, fold(text)
    is_part = any(contains_folded(cue, folded) for cue in cue_of(cues, "partial"))
    return is_part and not any(contains_folded(cue, folded) for cue in cue_of(cues, "annual"))


def _read_measure(task: ReaderTask, table: Table, cell: TableCell, context: str) -> Measure | None:
    if len(cell.text) > MAX_CELL_CHARACTERS:
        return None
    measure = read_cell_measure(cell.text, context, task.view.lexicon)
    if measure is None or measure.kind == "date":
        return None
    if measure.kind == "quantity" and not measure.unit:
        above = [one.text for one in table.cells if one.column == cell.column and one.row < cell.row]
        if above and "%" in above[-1] and not find_currency_of(task, table, cell.column):
            return measure._replace(kind="percent", unit="%", printed="%")
        currency = find_currency_of(task, table, cell.column)
        return measure._replace(kind="money", unit=currency, printed=currency) if currency else measure
    return measure


def tell_units(entry: Entry) -> str:
    """What the caption or the corner says that amounts are in; empty for shares."""
    if entry.measure.kind == "percent":
        return ""
    corner = entry.table.header[0] if entry.table.header else ""
    is_scale = any(word in SCALE_WORDS for word in fold(corner).replace(")", " ").replace("(", " ").split())
    return entry.table.units or (" ".join(corner.split()).strip("()") if is_scale else "")


def cite_entries(task: ReaderTask, entries: Iterable[Entry]) -> tuple[Citation, ...]:
    """The lines of the values and of the labels of their rows."""
    extents = [
        extent for entry in entries for cell in (entry.cell, *entry.labels) for extent in merge_extents(cell.extents)
    ]
    citations = cite_extents(task.view, tuple(dict.fromkeys(extents)))
    return limit_quotes(citations[:MAX_CITED], task.max_quote_characters)[0]
