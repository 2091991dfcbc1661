"""What a cell far from the evidence would have to say, and on which pages a table may say all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.ledger_words import list_asked_years, list_content
from pipeline.generation.extractive.narrowing import read_own_names
from pipeline.generation.extractive.wanted import find_counted_noun
from pipeline.question.operations import read_operation
from pipeline.question.terms import cue_of, split_words
from pipeline.structure.times import read_time
from pipeline.text.grammar import MONTHS
from pipeline.text.late import compile_late
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.question import Anchor

MIN_WORDS = 2
MAX_PAGES = 6
MIN_FOR_MISSING = 3
"""Of so many words one may be printed in another form than a page is searched for."""
FIGURES = frozenset({"any", "number", "money", "percent"})
READ = frozenset({"lookup", "count", "calculation"})
_DAY = compile_late(
    rf"(?i)\b({'|'.join(sorted(MONTHS, key=len, reverse=True))})\b\.?,?\s+(\d{{1,2}}(?!\d)|(?=(?:19|20)\d\d))"
)


class Sought(NamedTuple):
    """What is sought: words, years, days ((5, 7): May 7; (5, 0): May), the noun of what is counted, if it is a sum."""

    words: tuple[Anchor, ...]
    years: tuple[int, ...]
    days: frozenset[tuple[int, int]]
    noun: str
    is_sum: bool


def read_sought(task: ReaderTask) -> Sought | None:
    """What is asked of one cell; None where a time of another kind, several or something to be computed is asked."""
    part, lexicon = task.part, task.view.lexicon
    is_figure = part.value_type in FIGURES and part.intent in READ
    if not is_figure or task.question.exclusions or len(task.question.periods) > 1:
        return None
    operation = read_operation(part.text, lexicon)
    if operation.direction or operation.choice or operation.bounds or set(operation.singles) - {"sum"}:
        return None
    days = list_days(part.text)
    years = list_asked_years(task)
    time, _ = read_time(part.text, lexicon)
    if time.months or time.quarter or (task.question.periods and not years):
        return None  # the times of columns are read elsewhere
    # "the company" is whose tables all are
    words = list_content(task, part.text, cue_of(lexicon.calculation_cues, "plain"))
    if len(words) + bool(days) < MIN_WORDS:
        return None
    noun = find_counted_noun(task, split_words(part.text, lexicon)) if part.shape == "count" else ""
    asked = fold(part.text)
    is_sum = any(contains_folded(cue, asked) for cue in cue_of(lexicon.superlatives, "total"))
    return Sought(words, years, days, noun, is_sum)


def list_days(text: str) -> frozenset[tuple[int, int]]:
    """The months that stand in a text with a day (else 0) or a year behind them."""
    return frozenset((MONTHS[found[1].casefold()], int(found[2] or 0)) for found in _DAY.finditer(text))


def list_shared_pages(task: ReaderTask, words: tuple[Anchor, ...]) -> tuple[int, ...]:
    """The pages that carry the words, or all of many but one: no other table can say them. Most words first.

    Names of the document's owner need not stand there.
    """
    names = read_own_names(task)
    counts: dict[int, int] = {}
    needed = 0
    for anchor in words:
        is_own = anchor.text[:1].isupper() and contains_folded(fold(anchor.text), names)
        needed += not is_own
        for page in () if is_own else sorted({page for page, _ in task.view.positions_of(anchor)}):
            counts[page] = counts.get(page, 0) + 1
    least = max(1, needed - (needed >= MIN_FOR_MISSING))
    kept = [page for page, count in counts.items() if count >= least]
    return tuple(sorted(sorted(kept, key=lambda page: (-counts[page], page))[:MAX_PAGES]))
