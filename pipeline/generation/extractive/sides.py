"""Values of one of two things that are put against each other: in its own table, row, column, section or sentence."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.cells import cite_cell, list_sights, match_words
from pipeline.generation.extractive.citing import cite_extents
from pipeline.generation.extractive.computed import read_computed
from pipeline.generation.extractive.hits import weigh
from pipeline.generation.extractive.measured import is_said
from pipeline.generation.extractive.measures import Measure, find_measures, read_cell_measure
from pipeline.generation.extractive.sentences import split_evidence
from pipeline.text.grammar import CURRENCY_SIGNS
from pipeline.text.matching import contains_folded, fold
from pipeline.text.numbers import find_years

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.cells import Sighted
    from pipeline.generation.extractive.measures import Kind
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.answer import Citation
    from pipeline.models.document import Line
    from pipeline.models.question import Anchor
    from pipeline.models.structure import Table
    from pipeline.question.alternatives import Alternative

MAX_PAGES = 12
LINES_ABOVE = 4


class SideValue(NamedTuple):
    """A value of one side: what row and column it is of without the names of the sides (`key`), and how it is told."""

    key: str
    label: str
    measure: Measure
    printed: str
    citations: tuple[Citation, ...]
    share: int
    units: str = ""


def list_pages(task: ReaderTask, own: Alternative | None) -> tuple[int, ...]:
    """Pages that may speak of a side: those of the evidence, then those with most of what is asked, in order."""
    view = task.view
    counts: dict[int, int] = {}
    for anchor in task.part.anchors:
        for page in sorted({page for page, _ in view.positions_of(anchor)}):
            counts[page] = counts.get(page, 0) + anchor.weight
    document = view.document
    named: set[int] = set()
    for number in range(1, len(document.pages) + 1) if own is not None else ():
        first, last = document.index_of((number, 0)), document.index_of((number + 1, 0))
        if own is not None and own.words[0] in (text := " ".join(document.folded[first:last])) and _holds(own, text):
            named.add(number)
    evident = [span.page for piece in task.evidence for span in piece.candidate.spans]
    ranked = sorted(counts, key=lambda page: (page not in named, -counts[page], page))
    return tuple(sorted(dict.fromkeys([*ranked[:MAX_PAGES], *evident[:MAX_PAGES]])))


def list_cell_values(
    task: ReaderTask, sides: Sequence[Alternative], kinds: Sequence[Kind], measured: Sequence[Anchor]
) -> tuple[SideValue, ...]:
    """The values of a side in cells whose row, column or table is named by it and not by the other side, best share."""
    own, other = sides
    found: list[SideValue] = []
    least = task.view.lexicon.thresholds.cell_named
    for page in list_pages(task, own):
        for table in task.view.tables_touching(page):
            around = _read_around(task, table)
            for sighted in list_sights(task, table):
                value = _read_sighted(task, sighted, (own, other), around)
                is_meant = is_said(measured, f"{sighted.name} {table.title}")
                if value is not None and is_meant and value.measure.kind in kinds and value.share >= least:
                    found.append(value)
    best = max((value.share for value in found), default=0)
    unique = {(value.key, value.citations): value for value in found if value.share == best}
    return tuple(unique.values())


def _read_sighted(
    task: ReaderTask, sighted: Sighted, sides: tuple[Alternative, Alternative], around: str
) -> SideValue | None:
    own, other = sides
    cell_name = fold(sighted.name)
    is_own_cell, is_other_cell = _holds(own, cell_name), _holds(other, cell_name)
    is_own_table, is_other_table = _holds(own, around), _holds(other, around)
    # a table of both sides tells them apart by its rows or columns, a table of one side by its name
    if is_other_cell or not (is_own_cell or (is_own_table and not is_other_table)):
        return None
    years = {str(year) for _, _, year in find_years(cell_name)}
    if years and task.question.periods and not years & set(task.question.periods):
        return None
    given = sighted.in_row | sighted.in_column
    share = weigh(task.view, task.part.anchors, given | sighted.in_title)
    header = f"{sighted.header} {sighted.table.units} {sighted.table.title}"
    measure = read_cell_measure(sighted.cell.text, header, task.view.lexicon)
    if measure is None:
        return None
    currency = find_currency_of(task, sighted.table, sighted.cell.column)
    if measure.kind == "quantity" and not measure.unit and currency:
        measure = measure._replace(kind="money", unit=currency, printed=currency)
    words = [word for word in cell_name.split() if word.strip(",") not in own.words]
    return SideValue(
        key=" ".join(words),
        label=sighted.name,
        measure=measure,
        printed=" ".join(sighted.cell.text.split()),
        citations=cite_cell(task, sighted),
        share=share,
        units=sighted.table.units,
    )


def find_currency_of(task: ReaderTask, table: Table, column: int) -> str:
    """The one currency that cells of a column print: statements set the sign on the first row only."""
    found = {
        entry.unit
        for cell in table.cells
        if cell.column == column and any(sign in cell.text for sign in CURRENCY_SIGNS)
        for entry in find_measures(cell.text, task.view.lexicon)
        if entry.kind == "money"
    }
    return next(iter(found)) if len(found) == 1 else ""


def _read_around(task: ReaderTask, table: Table) -> str:
    """What says what a table is of: its caption and corner, the headings over it, else the lines right above it."""
    named = f"{table.label} {table.title} {table.header[0] if table.header else ''}"
    headings = find_heading(task, table.start)
    page, line = table.start
    above = task.view.lines_in((page, max(1, line - LINES_ABOVE)), table.start)
    return fold(f"{named} {headings} {' '.join(entry.text for entry in above)}")


def list_sentence_values(
    task: ReaderTask, sides: Sequence[Alternative], kinds: Sequence[Kind], measured: Sequence[Anchor]
) -> tuple[SideValue, ...]:
    """The values of a side in sentences that name it, or stand under a heading that does, and say what is asked."""
    own, other = sides
    found: list[SideValue] = []
    least = task.view.lexicon.thresholds.cell_named
    for page in list_pages(task, own):
        for sentence in split_evidence(_list_prose(task, page)):
            folded, heading = fold(sentence.text), fold(find_heading(task, sentence.start))
            is_own = _holds(own, folded) or (_holds(own, heading) and not _holds(other, heading))
            if not is_own or _holds(other, folded):
                continue
            share = weigh(task.view, task.part.anchors, match_words(task, sentence.text))
            measures = [entry for entry in find_measures(sentence.text, task.view.lexicon) if entry.kind in kinds]
            if share >= least and len(measures) == 1 and is_said(measured, f"{heading} {sentence.text}"):
                citations = cite_extents(task.view, sentence.extents)
                key = " ".join(sorted(match_words(task, sentence.text)))
                found.append(SideValue(key, "", measures[0], measures[0].text, citations, share))
    best = max((value.share for value in found), default=0)
    return tuple(value for value in found if value.share == best and value.citations)


def read_figure(task: ReaderTask, text: str) -> SideValue | None:
    """The one figure of a statement that a question of its own asks for; None where there is not just one."""
    part = task.part.model_copy(update={"text": text, "shape": "value", "intent": "lookup"})
    question = task.question.model_copy(update={"text": text, "instructions": (), "sub_questions": (part,)})
    reading = read_computed(replace(task, question=question, part=part))
    if reading is None or len(reading.items) != 1 or reading.items[0].value is None or reading.conflict is not None:
        return None
    item = reading.items[0]
    size = Decimal(reading.items[0].value)
    kind: Kind = "percent" if item.unit == "%" else "money"
    printed = item.text.split(" (")[0]
    measure = Measure(kind, size, item.unit, size, size, size, item.unit, printed)
    return SideValue("", f"{item.label}, {item.period}", measure, printed, item.citations, 1000)


def _list_prose(task: ReaderTask, page: int) -> list[Line]:
    """The lines of a page that stand in no table: rows read as sentences would join what different cells say."""
    extents = [extent for table in task.view.tables_touching(page) for cell in table.cells for extent in cell.extents]
    inside = {
        number for extent in extents if extent.page == page for number in range(extent.line_start, extent.line_end + 1)
    }
    return [line for line in task.view.lines_in((page, 1), (page + 1, 1)) if line.number not in inside]


def find_heading(task: ReaderTask, place: tuple[int, int]) -> str:
    """The titles of the sections around a place, outermost first."""
    section = task.view.document.section_at(place)
    return " ".join((*section.breadcrumb, section.title)) if section is not None else ""


def _holds(side: Alternative, folded: str) -> bool:
    return all(contains_folded(word, folded) for word in side.words)
