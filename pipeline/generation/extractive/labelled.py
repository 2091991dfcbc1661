"""The reader of tables of words: the cells of the rows and columns that a question says by their labels.

A row and a column name one cell, a column asked "for each" or of a named table all of its cells, a row of a named table
all cells of that row. Each cell is told whole and apart from its neighbours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.cells import match_words
from pipeline.generation.extractive.celltext import Chosen, build_items, tell_items
from pipeline.generation.extractive.hits import weigh
from pipeline.generation.extractive.naming import (
    MAX_LABEL_CHARACTERS,
    NOTHING,
    Asked,
    Naming,
    find_named,
    list_words,
    read_columns,
    read_head,
    spell_numbers,
)
from pipeline.generation.extractive.pick import pick_items
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.tabled import list_tables
from pipeline.question.terms import cue_of, split_words
from pipeline.structure.selectors import find_table
from pipeline.structure.table_cells import is_value
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.structure import Table, TableCell

MIN_TITLE_WORDS = 2
TITLE_WORDS = 3
EXHIBIT = "exhibit:"
CUT = "some cells of the table do not fit into the answer"
MARKS = "*#+^\u2020\u2021 "
LEAD_LINES = 3
"""Lines above a table that may introduce it."""


class _Found(NamedTuple):
    """Cells of a table, what names their rows and columns, and how much of the question that says (thousandths).

    `is_row_open`: the question says something that no label of a row says.
    """

    chosen: Chosen
    rows: Naming
    columns: Naming
    is_table_named: bool
    is_row_open: bool
    share: int


def read_labelled(task: ReaderTask) -> Reading | None:
    """The text of the cells that the question names by row, by column or by both; None where no labels are said."""
    if task.part.value_type in ("person", "organisation"):
        return None
    found = [one for table in _list_candidates(task) if (one := _look_up(task, table)) is not None]
    if not found:
        return None
    # of equal ones the first, which stands on the better page
    best = max(found, key=lambda one: (one.is_table_named, one.rows.is_whole, one.columns.is_whole, one.share))
    items, is_cut = build_items(task, best.chosen)
    if not items:
        return None
    items, doubt = pick_items(task.part, items)
    is_sure = (best.columns.is_whole or best.rows.is_whole) and not best.is_row_open
    doubts = ("no row of the table is called as the question says; all of the column are told",)
    caveats = (*(doubts if best.is_row_open else ()), *((CUT,) if is_cut else ()), *((doubt,) if doubt else ()))
    return Reading(
        text=tell_items(items),
        items=items,
        is_complete=not is_cut,
        has_typed_fit=is_sure,
        has_second_place=is_sure and best.is_table_named,
        caveats=caveats,
    )


def asks_table(task: ReaderTask) -> bool:
    """Whether the part speaks of a table, by its number or by the word."""
    if any(hint.kind == "table" for hint in task.question.hints):
        return True
    nouns = cue_of(task.view.lexicon.value_cues, "table nouns")
    return any(word.folded in nouns for word in split_words(task.part.text, task.view.lexicon))


def _list_candidates(task: ReaderTask) -> Iterator[Table]:
    """The tables that the question names by number, else those near the evidence."""
    named = [hint for hint in task.question.hints if hint.kind == "table"]
    for hint in named:
        targets = task.view.registry.find(hint.key)
        table = find_table(task.view, targets[0]) if len(targets) == 1 else None
        if table is not None:
            yield table
    if not named:
        yield from _list_exhibits(task) if _find_exhibit(task) else list_tables(task)


def _find_exhibit(task: ReaderTask) -> str:
    """The number of the exhibit that the part asks for, "" for none; a list of exhibits has a row for each number."""
    hints = (hint for hint in task.question.hints if hint.key.startswith(EXHIBIT) and hint.value in task.part.text)
    return next((hint.key.removeprefix(EXHIBIT) for hint in hints), "")


def _list_exhibits(task: ReaderTask) -> Iterator[Table]:
    """The tables with a line that begins with the number of the exhibit, where exhibits are spoken of on the page."""
    document, number = task.view.document, _find_exhibit(task)
    pages = dict.fromkeys(
        document.lines[index].page
        for index, text in enumerate(document.folded)
        if text.startswith(number) and not text[len(number) :][:1].isalnum()
    )
    for page in pages:
        first, last = document.index_of((page, 0)), document.index_of((page + 1, 0))
        if any(EXHIBIT[:-1] in text for text in document.folded[first:last]):
            yield from task.view.tables_touching(page)


def _look_up(task: ReaderTask, table: Table) -> _Found | None:
    """The cells of one table that the question names, where the question says enough of them."""
    asked = _read_asked(task)
    heads, start = read_columns(table)
    exhibit = _find_exhibit(task)
    is_named = bool(exhibit) or _is_table_named(task, table, asked)
    named = {at: head for at, head in heads.items() if at}
    columns = find_named(named, asked, task.view.lexicon, may_part=True)
    if columns == NOTHING and (meant := _read_meant(task)):
        columns = find_named(named, Asked((*asked.words, *meant)), task.view.lexicon)
    cells = [cell for cell in table.cells if cell.row >= start]
    firsts = {cell.row: cell for cell in cells if cell.column == 0}
    rows = _find_exhibit_row(firsts, exhibit) if exhibit else _find_rows(task, firsts, asked, columns, is_named)
    aside = {} if exhibit else _find_aside(task, cells, asked, heads, columns)
    if aside and (kept := tuple(row for row in rows.places or aside if row in aside)):
        rows = Naming(kept, rows.stems, True)
        own = {aside[row].column for row in kept}
        columns = columns._replace(places=tuple(place for place in columns.places if place not in own))
    is_each = _asks_each(task)
    # "the jurisdiction of each guarantor" says the heads of both columns, if not in all their words
    is_column_said = columns.is_whole or (is_each and columns != NOTHING and _says_corner(task, heads, asked, 1))
    if columns == NOTHING and not (rows.is_whole and (is_named or _says_corner(task, heads, asked))):
        return None
    if not (is_named or rows.is_whole or (is_column_said and is_each)) or (exhibit and not rows.places):
        return None
    chosen = _choose_cells(task, cells, rows, columns)
    names = {cell.row: firsts[cell.row] for cell in chosen if cell.row in firsts}
    # what stands beside one name is a list of its members, which the reader of lists knows better
    is_group = len(names) > 1 and len({cell.extents for cell in names.values()}) == 1
    if not chosen or (is_group and task.part.shape == "list" and not is_named):
        return None
    # where no row is named, the heads have to say what is asked: the cells would say anything
    told = [*chosen, *names.values(), *(aside[row] for row in rows.places if row in aside)] if rows.places else []
    share = _weigh(task, table, [heads.get(at, "") for at in sorted({0, *(cell.column for cell in chosen)})], told)
    limits = task.view.lexicon.thresholds
    if share < (limits.table_told if is_named and not exhibit else limits.cell_told):
        return None
    # a row that is asked for in words that no label has may not be in the table
    is_open = rows == NOTHING and not is_each and share < limits.cell_told
    return _Found(Chosen(table, chosen, heads, firsts, start, aside), rows, columns, is_named, is_open, share)


def _choose_cells(task: ReaderTask, cells: list[TableCell], rows: Naming, columns: Naming) -> tuple[TableCell, ...]:
    """The cells in the rows and columns that are named, in all of them where none is; none where they hold figures."""
    chosen = tuple(
        cell
        for cell in cells
        if cell.column
        and (not columns.places or cell.column in columns.places)
        and (not rows.places or cell.row in rows.places)
    )
    # figures are read by other readers, which know their units and periods
    worded = [cell for cell in chosen if not is_value(cell.text)]
    return chosen if len(worded) * 2 >= len(chosen) else ()


def _find_rows(task: ReaderTask, firsts: dict[int, TableCell], asked: Asked, columns: Naming, is_named: bool) -> Naming:
    labels = {row: read_head(task.view, cell)[0] for row, cell in firsts.items()}
    short = {row: text for row, text in labels.items() if len(text) <= MAX_LABEL_CHARACTERS}
    # a word that names the column names no row by itself ("category identifiers" and the row "Identify")
    rows = find_named(short, asked.without(columns.stems), task.view.lexicon, may_part=is_named)
    if rows == NOTHING:
        again = find_named(short, asked, task.view.lexicon)
        return again if not again.stems <= columns.stems else rows
    return rows


def _find_exhibit_row(firsts: dict[int, TableCell], number: str) -> Naming:
    rows = tuple(row for row, cell in firsts.items() if cell.text.rstrip(MARKS).casefold() == number)
    return Naming(rows, frozenset(), True) if rows else NOTHING


def _find_aside(
    task: ReaderTask, cells: list[TableCell], asked: Asked, heads: dict[int, str], columns: Naming
) -> dict[int, TableCell]:
    """The cells beside the first ones that name their rows: the member of a group ("Oversight" of "Govern").

    The head of their own column may be said with them ("the Gate Office" under "Office").
    """
    for column in sorted({cell.column for cell in cells} - {0}):
        others = [place for place in columns.places if place != column]
        if not others:
            continue
        said = frozenset(word for place in others for word in list_words(heads.get(place, ""), task.view.lexicon))
        own = {cell.row: cell for cell in cells if cell.column == column and not is_value(cell.text)}
        labels = {row: cell.text for row, cell in own.items() if len(cell.text) <= MAX_LABEL_CHARACTERS}
        found = find_named(labels, asked.without(said), task.view.lexicon)
        if found.is_whole:
            return {row: own[row] for row in found.places}
    return {}


def _says_corner(task: ReaderTask, heads: dict[int, str], asked: Asked, least: int = 0) -> bool:
    """Whether the question says what the rows of a table are, in more than one word ("therapeutic area").

    With `least`, in at least so many of the words.
    """
    corner = list_words(heads.get(0, ""), task.view.lexicon)
    if least:
        return len(set(corner) & set(asked.words)) >= least
    return len(corner) > 1 and asked.says(corner)


def _is_table_named(task: ReaderTask, table: Table, asked: Asked) -> bool:
    """Whether the part names a table by its number or its title, or by the head of its labels and the word "table"."""
    text = fold(task.part.text)
    if table.label and any(
        hint.kind == "table" and fold(hint.value) == fold(table.label) for hint in task.question.hints
    ):
        return True
    title = " ".join(fold(table.title).split())
    if len(title.split()) >= MIN_TITLE_WORDS and contains_folded(title, text):
        return True
    if not asks_table(task):
        return False
    corner = list_words(table.header[0] if table.header else "", task.view.lexicon)
    nouns = [list_words(noun, task.view.lexicon) for noun in cue_of(task.view.lexicon.value_cues, "table nouns")]
    if corner and any(asked.holds((*noun, *corner)) or asked.holds((*corner, *noun)) for noun in nouns):
        return True
    # a part of a long title will do: "the table of potential impact definitions"
    words = list_words(table.title, task.view.lexicon)
    size = min(len(words), TITLE_WORDS)
    runs = [words[at : at + size] for at in range(len(words) - size + 1)] if size > 1 else []
    return (len(corner) > 1 and asked.says(corner)) or any(asked.holds(run) for run in runs)


def _read_asked(task: ReaderTask) -> Asked:
    """The words of the part without the number of the table ("Table 2"), which counts no row."""
    numbers = {fold(hint.value) for hint in task.question.hints if hint.kind == "table"}
    nouns = cue_of(task.view.lexicon.value_cues, "table nouns")
    words = split_words(spell_numbers(task.part.text, task.view.lexicon), task.view.lexicon)
    places = [at + 1 for at, word in enumerate(words) if word.folded in nouns]
    left_out = {words[at].start for at in places if at < len(words) and words[at].folded in numbers}
    text = "".join(f" {word.text}" for word in words if word.start not in left_out)
    return Asked(list_words(text, task.view.lexicon))


def _read_meant(task: ReaderTask) -> tuple[str, ...]:
    """The words of the part before that this one points at: "... of a HIGH impact, and how does Table 1 define it"."""
    lexicon = task.view.lexicon
    if not any(word.folded in lexicon.anaphora for word in split_words(task.part.text, lexicon)):
        return ()
    before = [part.text for part in task.question.sub_questions if part.id < task.part.id]
    return list_words(" ".join(before[-1:]), lexicon)


def _asks_each(task: ReaderTask) -> bool:
    each = cue_of(task.view.lexicon.value_cues, "distributive")
    return any(word.folded in each for word in split_words(task.part.text, task.view.lexicon))


def _weigh(task: ReaderTask, table: Table, heads: list[str], cells: list[TableCell]) -> int:
    """How much of the question the labels, the cells and what stands over the table say, in thousandths."""
    section = task.view.document.section_at(table.start)
    page, first = table.start
    lead = task.view.lines_in((page, max(1, first - LEAD_LINES)), table.start)
    above = [line.text for line in lead]
    above += (*section.breadcrumb, section.title) if section is not None else ()
    texts = (table.title, *above, *heads, *(cell.text for cell in cells))
    keys = match_words(task, " \n ".join(texts))
    nouns = cue_of(task.view.lexicon.value_cues, "table nouns")
    named = {anchor.key for anchor in task.part.anchors if set(anchor.forms) & set(nouns)}
    named |= {hint.key for hint in task.question.hints if hint.kind == "table" or hint.key.startswith(EXHIBIT)}
    return weigh(task.view, task.part.anchors, keys | named)
