"""What makes a reading doubtful whichever reader it is from: a year that stands nowhere, a term that is only used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.reading import EXACT_SHAPES
from pipeline.generation.extractive.shorter import PARTS
from pipeline.question.terms import cue_of, split_words
from pipeline.text.matching import contains_folded, fold
from pipeline.text.numbers import find_years

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask, Reading

MERE_USE, UNQUALIFIED = 400, 500
"""Thousandths of confidence at most where a term is used and not defined, and where a passage is of either of two."""


def mark_unsaid_years(task: ReaderTask, reading: Reading) -> Reading:
    """The reading with a caveat where the years that the question names are on no line: it is of another year then."""
    reading = _mark_unsaid_part(task, reading)
    if task.part.shape not in (*EXACT_SHAPES, "list", "text"):
        return reading
    dated = [anchor for anchor in task.part.anchors if anchor.source == "period" and find_years(anchor.text)]
    if not dated or any(task.view.positions_of(anchor) for anchor in dated):
        return reading
    told = ", ".join(dict.fromkeys(anchor.text for anchor in dated))
    caveat = f"{told} stands nowhere in this document"
    return reading.doubt(caveat)


def _mark_unsaid_part(task: ReaderTask, reading: Reading) -> Reading:
    """The reading with a caveat where a figure of months or of a quarter is asked and what is cited is of no such part.

    A figure of the whole year is wrong by a factor, and a passage that says no quarter is hardly of one.
    """
    text = fold(task.part.text)
    cues = task.view.lexicon.calculation_cues
    named = [cue for label in PARTS for cue in cue_of(cues, label) if contains_folded(cue, text)]
    # a period of a whole year is its number alone
    is_told = any(item.period and not item.period.isdigit() for item in reading.items)
    if not named or is_told or task.part.shape not in (*EXACT_SHAPES, "list", "text") or not task.question.periods:
        return reading
    said = fold(" ".join((reading.text, *(quote.quote for item in reading.items for quote in item.citations))))
    if any(contains_folded(cue, said) for label in PARTS for cue in cue_of(cues, label)):
        return reading
    caveat = f"no figure for {max(named, key=len)} was found; what is told may be of another period"
    return reading.doubt(caveat)


def mark_unsaid_qualifier(task: ReaderTask, reading: Reading) -> Reading:
    """A passage with a caveat where what tells two of a kind apart in the question ("big" from "base") is not said."""
    from pipeline.generation.extractive.qualifiers import find_qualifiers
    from pipeline.generation.extractive.unsaid import list_said

    lexicon = task.view.lexicon
    words = split_words(task.part.text, lexicon)
    # "how large" asks for a size, and of no large one
    degrees = {
        at
        for at, word in enumerate(words)
        if at and word.folded in lexicon.degree_words and words[at - 1].folded in lexicon.question_words
    }
    wanted = find_qualifiers(" ".join(word.folded for at, word in enumerate(words) if at not in degrees), lexicon)
    missing = wanted - find_qualifiers(" | ".join((reading.text, *list_said(task, reading))), lexicon) if wanted else ()
    if not missing:
        return reading
    told = ", ".join(f'"{member}"' for _, member in sorted(missing))
    return reading.doubt(f"nothing in what is quoted says {told}", UNQUALIFIED)


def mark_mere_use(task: ReaderTask, reading: Reading) -> Reading:
    """A passage quoted for a meaning, with a caveat and little confidence where it only uses the term."""
    # most questions ask for no meaning, and what knows the forms of definitions takes its time to import
    from pipeline.generation.extractive.defining import DEFERRED, rate_defining
    from pipeline.generation.extractive.definition import list_terms

    if task.part.shape != "definition" or reading.certificate is not None:
        return reading
    terms = list_terms(task)
    if any(rate_defining(task, item.text, term) < DEFERRED for item in reading.items for term in terms):
        return reading
    named = ", ".join(dict.fromkeys(term.text for term in terms))
    caveat = f"no sentence that defines {named} was found; what is quoted uses the term"
    return reading.doubt(caveat, MERE_USE)
