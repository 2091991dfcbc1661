"""Figures of a shorter period or of fewer years than a question asks for: told all the same, and not surely."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.question.terms import cue_of
from pipeline.text.matching import contains_folded, fold
from pipeline.text.periods import find_years

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask, Reading
    from pipeline.models.answer import Item

SHORTER = 400
"""Thousandths of confidence at most of a figure of months for a question of years, or of one year for two."""
PARTS = ("span 3", "span 6", "span 9", "quarter 1", "quarter 2", "quarter 3", "quarter 4")
TO_DATE = "span to date"


def mark_shorter(task: ReaderTask, reading: Reading) -> Reading:
    """A figure, with a caveat and little confidence where its own column says months or a quarter and years were asked.

    The same caveat falls on an answer of one figure to a question that names several years: it tells of one of them.
    """
    if reading.conflict is not None or not task.question.periods:
        return reading
    figures = [item for item in reading.items if item.value]
    cues = task.view.lexicon.calculation_cues
    parts = [cue for label in (*PARTS, TO_DATE) for cue in cue_of(cues, label)]
    asked = fold(task.question.text)
    # "in the quarter" and "for the three months" ask for what the column says
    if not figures or any(contains_folded(cue, asked) for cue in (*parts, *cue_of(cues, "parts of years"))):
        return reading
    told = [cue for item in figures for cue in parts if contains_folded(cue, _read_label(item))]
    if told:
        return reading.doubt(f"this figure is of {max(told, key=len)}, and whole years are asked for", SHORTER)
    return _mark_fewer_years(task, reading, figures)


def _mark_fewer_years(task: ReaderTask, reading: Reading, figures: list[Item]) -> Reading:
    """The reading with a caveat where one quoted figure says which of several years it is of."""
    years = _list_years(task.part.text)
    # what is computed is of all the years that it is computed from
    if len(figures) != 1 or len(years) < 2 or figures[0].extraction != "verbatim":
        return reading
    said = _list_years(_read_label(figures[0]))
    untold = [year for year in years if year not in said]
    if len(untold) != len(years) - 1:
        return reading
    named = ", ".join(str(year) for year in untold)
    return reading.doubt(f"no figure for {named} was found", SHORTER)


def _list_years(text: str) -> tuple[int, ...]:
    return tuple(dict.fromkeys(year for _, _, year in find_years(text)))


def _read_label(item: Item) -> str:
    """What an item says of itself: a quotation may speak of other columns too."""
    return fold(" | ".join((item.label, item.text, item.period, *item.qualifiers)))
