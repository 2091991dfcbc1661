"""The reader of operators: what a question wants computed over members, tried from the most telling operator on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.generation.extractive.wanted import find_counted_noun, read_wanted
from pipeline.models.lexicon import singular
from pipeline.question.operations import read_operation
from pipeline.question.terms import cue_of, split_words
from pipeline.text.matching import contains_folded, fold

UNCOMPUTED = "nothing was compared or added up: no values of the same kind stand side by side"
_COLONS = (":", "\uff1a")
UNCOMPUTED_DOUBT = 300
"""Thousandths of confidence at most of words that only stand near what was to be computed."""
UNCHANGED = "the change that is asked for was not computed; this is a value that it is of"

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.generation.extractive.reading import Reader, ReaderTask, Reading
    from pipeline.question.operations import Operation


def read_operated(task: ReaderTask) -> Reading | None:
    """An extreme, a choice, a sum, an average, a change or the members beyond a bound; None without an operator."""
    operation = read_operation(task.part.text, task.view.lexicon)
    # "from the three months to the three months" is no bound where a change is asked
    is_plain = not (operation.direction or operation.choice or operation.singles)
    turned = _read_turn(task) if is_plain else None
    if turned is not None or not operation.is_any:
        return turned or _read_share(task)
    return next((reading for read in _list_readers(task, operation) if (reading := read(task)) is not None), None)


def _read_share(task: ReaderTask) -> Reading | None:
    """A share in a whole that is asked for without an operator; a plain test first, most questions ask for none."""
    if task.part.value_type != "percent" and "percent" not in task.part.text:
        return None
    from pipeline.generation.extractive.ledger_sums import read_share

    return read_share(task)


def _read_turn(task: ReaderTask) -> Reading | None:
    """The change of a row between two years that is asked for without an operator; two years are rarely asked."""
    if len(task.question.periods) != 2 or task.part.shape not in ("value", "text"):
        return None
    from pipeline.generation.extractive.ledger_sums import asks_turn, read_over_years

    return read_over_years(task) if asks_turn(task) else None


def mark_uncomputed(task: ReaderTask, reading: Reading) -> Reading:
    """The reading with a caveat where the question asks for an extreme or a sum and only text was found for it."""
    singles = {"difference", "growth"} & set(read_operation(task.part.text, task.view.lexicon).singles)
    if singles and task.part.shape == "value" and all(item.extraction == "verbatim" for item in reading.items):
        doubt = 1000 if _says_turn(task, reading) else UNCOMPUTED_DOUBT
        return replace(
            reading,
            is_complete=False,
            has_typed_fit=False,
            max_confidence=min(reading.max_confidence, doubt),
            caveats=(*reading.caveats, UNCHANGED),
        )
    is_gap = "difference" in singles and task.part.shape == "comparison" and bool(task.question.periods)
    if is_gap and all(item.value is None and item.extraction == "verbatim" for item in reading.items):
        # what sets two figures of a year apart is a number, which no passage about them is
        return reading.doubt(UNCOMPUTED, UNCOMPUTED_DOUBT)
    if singles and task.part.shape == "count" and not _counts_asked(task, reading):
        return replace(reading, is_complete=False, has_typed_fit=False, caveats=(*reading.caveats, UNCHANGED))
    operation = read_operation(task.part.text, task.view.lexicon)
    is_asked = operation.direction or operation.choice or "sum" in operation.singles
    if not is_asked or reading.caveats or any(item.extraction != "verbatim" for item in reading.items):
        return reading
    # what was compared has the names of what was compared as labels
    # but a sentence that ends in a colon names nothing: it announces what was not read
    is_text = all(item.value is None and (not item.label or item.label.endswith(_COLONS)) for item in reading.items)
    is_vague = operation.cue in cue_of(task.view.lexicon.superlatives, "vague")
    if is_text and reading.certificate is None and (is_vague or not _says_cue(reading, operation)):
        # words that only stand near what is asked put nothing in order
        return replace(
            reading, has_typed_fit=False, has_second_place=False, max_confidence=UNCOMPUTED_DOUBT, caveats=(UNCOMPUTED,)
        )
    is_list = reading.certificate is not None and all(item.value is None for item in reading.items)
    return replace(reading, caveats=(UNCOMPUTED,)) if is_list or not reading.has_typed_fit else reading


def _says_turn(task: ReaderTask, reading: Reading) -> bool:
    """Whether what is quoted says that something fell or rose: it may state the change itself."""
    lexicon = task.view.lexicon
    said = fold(" ".join(quote.quote for item in reading.items for quote in item.citations))
    words = (*cue_of(lexicon.superlatives, "falls"), *cue_of(lexicon.superlatives, "rises"))
    return any(contains_folded(word, said) for word in words)


def _counts_asked(task: ReaderTask, reading: Reading) -> bool:
    """Whether what was read is in the unit that is asked for: basis points, not a percentage or an amount."""
    noun = find_counted_noun(task, split_words(task.part.text, task.view.lexicon))
    units = [word for item in reading.items for word in fold(f"{item.unit} {item.text}").split()]
    return any(singular(word) == noun for word in units)


def may_compare(task: ReaderTask, text: str) -> bool:
    """Whether a text may tell an extreme or a choice that is asked for: by a figure or a word that compares.

    True for all other questions, and for a sentence that introduces what follows it.
    """
    operation = read_operation(task.part.text, task.view.lexicon)
    if not (operation.direction or operation.choice) or text.rstrip().endswith((":", "\uff1a")):
        return True
    lexicon = task.view.lexicon
    is_told = any(word.folded in lexicon.operator_set for word in split_words(text, lexicon))
    return is_told or any(map(str.isdigit, text))


def _says_cue(reading: Reading, operation: Operation) -> bool:
    """Whether what was read says the operator itself: "the highest fee is that of the hall"."""
    return bool(operation.cue) and any(contains_folded(operation.cue, fold(item.text)) for item in reading.items)


def _read_computed_change(task: ReaderTask) -> Reading | None:
    """A computed change; where only one of its values is in the statements, the sentence that tells the change."""
    from pipeline.generation.extractive.computed import read_computed
    from pipeline.generation.extractive.stated import read_stated

    computed = read_computed(task)
    is_change = computed is not None and any("-" in item.period for item in computed.items)
    wanted = read_wanted(task) if not is_change else None
    stated = read_stated(task) if wanted is not None and wanted.role else None
    return stated or computed


def _list_readers(task: ReaderTask, operation: Operation) -> Iterator[Reader]:
    # most questions ask for nothing of the kind, and these readers take their time to import
    from pipeline.generation.extractive.bounds import read_bounded
    from pipeline.generation.extractive.changes import read_change
    from pipeline.generation.extractive.choices import read_choice
    from pipeline.generation.extractive.extremes import read_extreme
    from pipeline.generation.extractive.ledger_sums import read_over_years
    from pipeline.generation.extractive.ledger_top import read_top
    from pipeline.generation.extractive.parallel import read_parallel
    from pipeline.generation.extractive.totals import read_average, read_total

    singles = set(operation.singles)
    if task.part.shape == "boolean":
        if operation.choice:
            yield read_choice
        return
    if {"average", "growth", "difference"} & singles:
        # a figure of a statement is known by row and year, and its formula by the lexicon
        yield _read_computed_change
        yield read_over_years
        yield read_change
    if {"sum", "sum named"} & singles:
        yield read_total
    if operation.direction:
        yield read_parallel
        yield read_top
    if operation.direction or operation.choice:
        yield read_extreme
    if operation.choice or operation.direction or "difference" in singles:
        yield read_choice
    if {"average", "median"} & singles:
        yield read_average
    if operation.bounds:
        yield read_bounded
