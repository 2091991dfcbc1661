"""Parts that a question names and an answer does not: a figure of the whole is none of the segment that was asked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.generation.extractive.narrowing import narrows, read_own_names
from pipeline.generation.extractive.parted import find_parted, find_segments
from pipeline.generation.extractive.shorter import mark_shorter
from pipeline.question.concepts import find_concepts
from pipeline.question.terms import split_words
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.generation.extractive.reading import ReaderTask, Reading
    from pipeline.models.answer import Citation
    from pipeline.models.structure import Extent, Table
    from pipeline.question.terms import Word

FIGURES = frozenset({"money", "percent", "number"})
LINES_BEFORE = 3
NO_FIGURE = "no figure was found for what is asked; this is what the document says of it"


def mark_unsaid_part(task: ReaderTask, reading: Reading) -> Reading:
    """The reading with a caveat where it gives a figure and nothing at its place says the part that was asked.

    A place says a part in its row or column, in the name over its rows, in the caption of its table or in a heading.
    """
    reading = mark_shorter(task, reading)
    names = _list_names(task) if reading.conflict is None else ()
    if not names:
        return reading
    said = fold(" | ".join(list_said(task, reading)))
    unsaid = [name for name in names if not contains_folded(name, said)]
    if not unsaid:
        return reading
    told = ", ".join(f'"{name}"' for name in unsaid)
    caveat = f"nothing at this place says {told}: the figure may be of the whole or of another part"
    return reading.doubt(caveat)


def mark_unsaid_figure(task: ReaderTask, reading: Reading) -> Reading:
    """The reading with a caveat where one figure of a year is asked for and only words were found."""
    asked = find_parted(task)
    if asked is None or not asked.figure:
        return reading
    return reading.doubt(NO_FIGURE)


def _list_names(task: ReaderTask) -> tuple[str, ...]:
    """Folded names of parts: those of segments, and other names beside a known figure that the document has too."""
    words = split_words(task.part.text, task.view.lexicon)
    segments = find_segments(task, words)
    places = find_concepts(words, task.view.lexicon)
    if not any(place.concept.value_type in FIGURES for place in places):
        return segments
    covered = {index for place in places for index in range(place.first, place.stop)}
    names = read_own_names(task)
    loose = [
        word
        for index, word in enumerate(words)
        if index and index not in covered and _is_named(word) and narrows(task, word, names)
    ]
    # what the document never says as a name is rather another name of the company than a part of it
    known = [word.folded for word in loose if _is_said_as_name(task, word)]
    return tuple(dict.fromkeys((*segments, *(name for name in known if not any(name in one for one in segments)))))


def _is_said_as_name(task: ReaderTask, word: Word) -> bool:
    """Whether a name stands in the document as a word with its capital, or in a line of capitals."""
    bare = word.text[: word.bare_end - word.start]
    shapes = (bare, bare.upper())
    for line, folded in zip(task.view.document.lines, task.view.document.folded, strict=True):
        if word.folded in folded and any(re.search(rf"(?<!\w){re.escape(shape)}(?!\w)", line.text) for shape in shapes):
            return True
    return False


def _is_named(word: Word) -> bool:
    return word.is_name and not word.is_capitals and word.text[:1].isupper()


def list_said(task: ReaderTask, reading: Reading) -> Iterator[str]:
    """What an answer says, what it quotes, and the heads, captions and headings over what it quotes."""
    for item in reading.items:
        yield from (item.text, item.label, *item.qualifiers)
        for citation in item.citations:
            yield citation.quote
            yield from _list_heads(task, citation)


def _list_heads(task: ReaderTask, citation: Citation) -> Iterator[str]:
    start, end = (citation.page, citation.line_start), (citation.page, citation.line_end)
    # a heading counts for all that stands below it, a head of a column for that column only
    section = task.view.document.section_at(start)
    if section is not None:
        yield from (section.title, *section.breadcrumb)
    for table in task.view.tables_on(citation.page):
        if table.start <= start and end <= table.end:
            yield from (table.title, table.label, *table.header[:1])
            yield from _list_table_heads(table, citation)
            return
    # what a text has named it goes on about; what it names next is something else
    first = (citation.page, max(1, citation.line_start - LINES_BEFORE))
    yield " ".join(line.text for line in task.view.lines_in(first, (citation.page, citation.line_start)))


def _list_table_heads(table: Table, citation: Citation) -> Iterator[str]:
    """The heads of the columns of what is quoted, and the name of the block of rows it stands in."""
    cited = [cell for cell in table.cells if any(_overlaps(extent, citation) for extent in cell.extents)]
    for cell in cited:
        yield from table.header[cell.column : cell.column + 1]
    if not cited:
        return
    # a row with a name and no figures heads the rows below it
    filled = {cell.row for cell in table.cells if cell.column}
    top = min(cell.row for cell in cited)
    blocks = [cell for cell in table.cells if cell.row < top and cell.row not in filled]
    yield from (cell.text for cell in sorted(blocks, key=lambda cell: cell.row)[-1:])


def _overlaps(extent: Extent, citation: Citation) -> bool:
    is_page = extent.page == citation.page
    return is_page and extent.line_start <= citation.line_end and extent.line_end >= citation.line_start
