"""A cell of a table of words that a question names by one label and by what the cell says.

"How is information shared at Tier 2?" says a row and no column: the sentence of that row that speaks of sharing answers
it, whatever a glossary says of tiers. "At which Tier ..." asks the other way round, for the label of the row that has
the words.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.citing import cite_extents, limit_quotes, merge_extents, say_under
from pipeline.generation.extractive.ledger_words import list_content
from pipeline.generation.extractive.naming import (
    MAX_LABEL_CHARACTERS,
    Asked,
    find_named,
    list_words,
    read_columns,
    read_head,
    spell_numbers,
)
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.tabled import MAX_SHORT_CELL, list_tables
from pipeline.models.answer import Item
from pipeline.models.structure import Extent
from pipeline.question.terms import cue_of, split_words
from pipeline.structure.table_cells import is_value
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import join_lines
from pipeline.text.tokens import split_sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.document import Line
    from pipeline.models.question import Anchor
    from pipeline.models.structure import Table, TableCell

MIN_ROWS = 2
MIN_SAID_PERCENT = 60
MAX_SENTENCES = 3


class _Sentence(NamedTuple):
    """A sentence of a cell and its own lines."""

    text: str
    extents: tuple[Extent, ...]


class _Grid(NamedTuple):
    """A table of words: its heads, the first cells of its rows, their names, and its other cells."""

    table: Table
    heads: dict[int, str]
    firsts: dict[int, TableCell]
    labels: dict[int, str]
    cells: tuple[TableCell, ...]


class _Found(NamedTuple):
    """Cells of a row or column, with the sentences that answer (none where all of a cell does) and how sure that is."""

    grid: _Grid
    cells: tuple[TableCell, ...]
    sentences: tuple[_Sentence, ...]
    share: int


def read_row_cell(task: ReaderTask) -> Reading | None:
    """What a named row or column of a table of words says of the rest of the question; None where no cell says it."""
    asked = Asked(list_words(spell_numbers(task.part.text, task.view.lexicon), task.view.lexicon))
    for table in list_tables(task):
        grid = _read_grid(task, table)
        if grid is None:
            continue
        noun = _find_noun(task, grid)
        if noun is not None:
            return _tell_label(task, grid, noun)
        found = _look_up(task, grid, asked)
        if found is not None:
            return found if isinstance(found, Reading) else _tell(task, found)
    return None


def _read_grid(task: ReaderTask, table: Table) -> _Grid | None:
    heads, start = read_columns(table)
    cells = [cell for cell in table.cells if cell.row >= start]
    firsts = {cell.row: cell for cell in cells if cell.column == 0}
    others = tuple(cell for cell in cells if cell.column and not is_value(cell.text))
    lengths = sorted(len(cell.text) for cell in others)
    if len(firsts) < MIN_ROWS or not lengths or lengths[len(lengths) // 2] <= MAX_SHORT_CELL:
        return None
    names = {row: read_head(task.view, cell)[0] for row, cell in firsts.items()}
    short = {row: name for row, name in names.items() if 0 < len(name) <= MAX_LABEL_CHARACTERS}
    return _Grid(table, heads, firsts, short, others)


def _look_up(task: ReaderTask, grid: _Grid, asked: Asked) -> _Found | Reading | None:
    lexicon = task.view.lexicon
    rows = find_named(grid.labels, asked, lexicon)
    columns = find_named({at: head for at, head in grid.heads.items() if at}, asked.without(rows.stems), lexicon)
    # a row and a column name a cell, which the reader of labels tells whole
    if rows.is_whole == columns.is_whole or len({grid.labels[row] for row in rows.places}) > 1:
        return None
    named = rows if rows.is_whole else columns
    line = tuple(cell for cell in grid.cells if (cell.row if rows.is_whole else cell.column) in named.places)
    corner = set(list_words(grid.heads.get(0, ""), lexicon))
    known = set(named.stems) | corner | {stem for row in rows.places for stem in list_words(grid.labels[row], lexicon)}
    rest = [one for one in list_content(task, task.part.text) if not set(list_words(one.text, lexicon)) <= known]
    left = set(asked.words) - known
    if not rest and rows.is_whole and any(word[:1].isdigit() for word in rows.stems):
        names = {word for cue in cue_of(lexicon.value_cues, "asks name") for word in list_words(cue, lexicon)}
        if left & names or task.part.value_type == "name":
            return _tell_name(task, grid, rows.places[0], ())
        return _Found(grid, line, (), 1000) if line and task.part.shape == "definition" else None
    return _choose(task, grid, line, rest)


def _choose(task: ReaderTask, grid: _Grid, line: Sequence[TableCell], rest: Sequence[Anchor]) -> _Found | None:
    """The one cell that says most of the rest, and the sentences of it that do."""
    total = sum(anchor.weight for anchor in rest)
    headed = [cell for cell in line if total and _weigh(rest, grid.heads.get(cell.column, "")) == total]
    if len({cell.extents for cell in headed}) == 1:
        return _Found(grid, tuple(headed[:1]), (), 1000)
    rated = sorted(((_weigh(rest, cell.text), cell.column, cell.row, cell) for cell in line), key=lambda one: one[:3])
    if not rated or rated[-1][0] * 100 < MIN_SAID_PERCENT * max(1, total):
        return None
    top, _, _, cell = rated[-1]
    if len(rated) > 1 and rated[-2][0] == top and rated[-2][3].extents != cell.extents:
        return None
    return _Found(grid, (cell,), _pick_sentences(task, cell, rest), top * 1000 // max(1, total))


def _weigh(rest: Sequence[Anchor], text: str) -> int:
    return sum(anchor.weight for anchor in rest if find_anchor(anchor, text))


def _pick_sentences(task: ReaderTask, cell: TableCell, rest: Sequence[Anchor]) -> tuple[_Sentence, ...]:
    """The sentences of a cell that say most of the rest; none where it has only one."""
    sentences = _split_cell(task, cell)
    rated = [(_weigh(rest, sentence.text), sentence) for sentence in sentences]
    top = max((rate for rate, _ in rated), default=0)
    best = tuple(sentence for rate, sentence in rated if rate == top)
    return best if top and len(best) <= MAX_SENTENCES and len(sentences) > 1 else ()


def _split_cell(task: ReaderTask, cell: TableCell) -> tuple[_Sentence, ...]:
    """The sentences of a cell, each on its own lines: between two of them lines of the cells beside it may stand."""
    places = [
        (extent.page, number)
        for extent in cell.extents
        for number in range(extent.line_start, extent.line_end + 1)
    ]  # fmt: skip
    lines = [line for place in places if (line := task.view.document.line_at(*place)) is not None]
    starts = list(accumulate((len(line.text) + 1 for line in lines), initial=0))
    text = " ".join(line.text for line in lines)
    found: list[_Sentence] = []
    for start, end in split_sentences(text):
        extents, parts = [], []
        for line, at in zip(lines, starts, strict=False):
            low, high = max(0, start - at), min(len(line.text), end - at)
            if low < high and line.text[low:high].strip():
                extents.append(_make_extent(line, low, high))
                parts.append(line.text[low:high].strip())
        if parts:
            found.append(_Sentence(join_lines(parts).display, tuple(extents)))
    return tuple(found)


def _make_extent(line: Line, low: int, high: int) -> Extent:
    end = high if high < len(line.text) else None
    return Extent(page=line.page, line_start=line.number, line_end=line.number, start_offset=low, end_offset=end)


def _tell(task: ReaderTask, found: _Found) -> Reading | None:
    grid = found.grid
    items: list[Item] = []
    room = task.max_quote_characters
    for cell in sorted({cell.extents: cell for cell in found.cells}.values(), key=lambda one: (one.row, one.column)):
        own = tuple(extent for sentence in found.sentences for extent in sentence.extents) or cell.extents
        name = grid.labels.get(cell.row, "")
        label = ", ".join(filter(None, (" ".join(name.split()), grid.heads.get(cell.column, ""))))
        citations, is_cut = limit_quotes(cite_extents(task.view, (*merge_extents(own), *_cite_first(grid, cell))), room)
        if not citations:
            break
        room -= sum(len(citation.quote) for citation in citations)
        text = " ".join(sentence.text for sentence in found.sentences) or " ".join(cell.text.split())
        items.append(
            Item(sub_question=task.part.id, text=text, label=label, citations=citations, extraction="verbatim")
        )
        if is_cut:
            break
    if not items:
        return None
    return Reading(
        text="\n".join(say_under(item.label, item.text) for item in items),
        items=tuple(items),
        is_complete=len(items) == len({cell.extents for cell in found.cells}),
        has_typed_fit=True,
    )


def _cite_first(grid: _Grid, cell: TableCell) -> tuple[Extent, ...]:
    first = grid.firsts.get(cell.row)
    return tuple(merge_extents(first.extents)) if first is not None else ()


def _tell_name(task: ReaderTask, grid: _Grid, row: int, sentences: Sequence[_Sentence]) -> Reading | None:
    own = [extent for sentence in sentences for extent in sentence.extents]
    extents = (*merge_extents(grid.firsts[row].extents), *merge_extents(tuple(own)))
    citations = limit_quotes(cite_extents(task.view, extents), task.max_quote_characters)[0]
    if not citations:
        return None
    label = " ".join(grid.labels[row].split())
    item = Item(
        sub_question=task.part.id,
        text=label,
        label=grid.heads.get(0, ""),
        citations=citations,
        extraction="verbatim",
        picked=bool(sentences),
    )
    said = " ".join(sentence.text for sentence in sentences)
    return Reading(text=say_under(label, said) if said else label, items=(item,), has_typed_fit=True)


def _find_noun(task: ReaderTask, grid: _Grid) -> frozenset[str] | None:
    """The stems of the noun behind "which" where it is what the rows of a table are; None where it is not."""
    lexicon = task.view.lexicon
    corner = frozenset(list_words(grid.heads.get(0, ""), lexicon))
    words = split_words(task.part.text, lexicon)
    choosers = cue_of(lexicon.value_cues, "selects")
    for at, word in enumerate(words[:-1]):
        if word.folded in choosers:
            noun = frozenset(list_words(words[at + 1].text, lexicon))
            return noun if noun and noun <= corner and len(corner) <= len(noun) + 1 else None
    return None


def _tell_label(task: ReaderTask, grid: _Grid, noun: frozenset[str]) -> Reading | None:
    """The row one cell of which says what the question says of it; None where several do as well."""
    lexicon = task.view.lexicon
    text = task.question.text if len(task.question.sub_questions) == 1 else task.part.text
    rest = [one for one in list_content(task, text) if not set(list_words(one.text, lexicon)) <= noun]
    total = sum(anchor.weight for anchor in rest)
    labelled = [row for row, label in grid.labels.items() if total and _weigh(rest, label) == total]
    if len({grid.labels[row] for row in labelled}) == 1:
        return _tell_name(task, grid, labelled[0], ())
    best: dict[int, tuple[int, TableCell]] = {}
    for cell in grid.cells:
        rate = _weigh(rest, cell.text)
        if cell.row in grid.labels and rate > best.get(cell.row, (0, cell))[0]:
            best[cell.row] = (rate, cell)
    rated = sorted(((rate, row) for row, (rate, _) in best.items()), reverse=True)
    if not rated or rated[0][0] * 1000 < lexicon.thresholds.cell_told * max(1, total):
        return None
    if len(rated) > 1 and rated[1][0] == rated[0][0]:
        return None
    row = rated[0][1]
    return _tell_name(task, grid, row, _pick_sentences(task, best[row][1], rest))
