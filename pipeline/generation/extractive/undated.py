"""Figures of a period or place that the question names and the answer does not: told with doubt, or not at all.

A filing has figures of two or three years. One of another year is no answer, however well its row fits; where the year
stands nowhere near what is asked, neither in a column nor in a sentence, there is none.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.generation.extractive.borders import is_beyond, read_border
from pipeline.generation.extractive.fiscal import shift_years
from pipeline.generation.extractive.ledger import list_entries
from pipeline.generation.extractive.ledger_words import (
    MIN_SAID_PERCENT,
    drop_own_names,
    fit,
    is_enough,
    list_content,
    says,
    says_names,
)
from pipeline.generation.extractive.reading import EXACT_SHAPES, FIGURE_SHAPES
from pipeline.generation.extractive.unsaid import FIGURES, list_said
from pipeline.generation.extractive.wanted import list_named_parts
from pipeline.question.concepts import find_concepts
from pipeline.question.terms import cue_of, split_words
from pipeline.text.late import compile_late
from pipeline.text.matching import fold
from pipeline.text.numbers import find_years

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.ledger import Entry
    from pipeline.generation.extractive.reading import ReaderTask, Reading
    from pipeline.models.question import Anchor

DOUBTFUL = 300
"""Thousandths of confidence at most where nothing at the place of a figure says the year that is asked for."""
LINES_NEAR = 3
FRONT_PAGES = 2
_SENTENCE = compile_late(r"(?<=[.!?;])\s+(?=[A-Z\d])")


def judge_years(task: ReaderTask, reading: Reading) -> Reading | None:
    """The reading where it is of a year that is asked for, else with a caveat and little confidence.

    None where a figure is asked for and the document has it in no column and no sentence of that year.
    """
    years = frozenset(int(key[:4]) for key in task.question.periods if key[:4].isdigit())
    may_ask = task.part.shape in (*EXACT_SHAPES, "text", "list")
    if not years or not may_ask:
        return reading
    words = list_content(task, task.part.text)
    is_quoted = all(item.value is None for item in reading.items) and reading.certificate is None
    if _quotes_year(task, reading, words, years) if is_quoted else _says_year(task, reading, years):
        return reading
    entries = list_entries(task, words)
    kept = drop_own_names(task, words, entries)
    others = [entry for entry in entries if _fits(task, kept, entry)]
    if not (asks_figure(task) or others):
        return reading
    # a passage that is told with doubt helps where only words are asked for; a figure of another year misleads
    may_decline = (task.part.shape in FIGURE_SHAPES or bool(others)) and task.part.intent != "reason"
    if may_decline and kept and not _is_placed(task, kept, entries, years):
        return None
    told = ", ".join(map(str, sorted(years)))
    caveat = f"nothing at this place says {told}: the figure may be of another year"
    return reading.doubt(caveat, DOUBTFUL)


def judge_parts(task: ReaderTask, reading: Reading) -> Reading | None:
    """The reading, with little confidence where it says no place or group that was asked ("in Canada").

    None where a number is asked and the document nowhere speaks of it near that name.
    """
    parts = list_named_parts(task) if task.part.shape in ("count", "value") and reading.conflict is None else ()
    said = " | ".join(list_said(task, reading)) if parts else ""
    unsaid = [part for part in parts if not says(part, fold(said))]
    if not unsaid:
        return reading
    words = list_content(task, task.part.text)
    names = [fold(part.text) for part in unsaid]
    if task.part.shape == "count" and not _stands_near(task, words, names):
        return None
    told = ", ".join(f'"{part.text}"' for part in unsaid)
    caveat = f"nothing at this place says {told}"
    caveats = reading.caveats if any(told in known for known in reading.caveats) else (*reading.caveats, caveat)
    doubt = min(reading.max_confidence, DOUBTFUL)
    return replace(reading, has_typed_fit=False, has_second_place=False, max_confidence=doubt, caveats=caveats)


def judge_border(task: ReaderTask, reading: Reading) -> Reading | None:
    """The reading; None where it is of a table of what is at home and what is abroad was asked, or the other way."""
    lexicon = task.view.lexicon
    wanted = read_border(task.part.text, lexicon)
    if not wanted or task.part.shape not in EXACT_SHAPES:
        return reading
    for item in reading.items:
        for citation in item.citations:
            start, end = (citation.page, citation.line_start), (citation.page, citation.line_end)
            tables = task.view.tables_on(citation.page)
            around = [table for table in tables if table.start <= start and end <= table.end]
            names = tuple(text for table in around for text in (*table.header[:1], table.title))
            if names and is_beyond(wanted, (citation.quote, *names), lexicon):
                return None
    return reading


def asks_figure(task: ReaderTask) -> bool:
    """Whether a part asks for a figure: by its shape, or by the name of one."""
    if task.part.shape in EXACT_SHAPES:
        return True
    places = find_concepts(split_words(task.part.text, task.view.lexicon), task.view.lexicon)
    return task.part.shape in ("text", "list") and any(place.concept.value_type in FIGURES for place in places)


def _says_year(task: ReaderTask, reading: Reading, years: frozenset[int]) -> bool:
    """Whether an answer, its quotes or what stands over them says one of the years, or it is that of the document."""
    texts = [*(item.period for item in reading.items), reading.text, *list_said(task, reading)]
    said = {year for text in texts for _, _, year in find_years(text)}
    shift = shift_years(task, texts)
    if years & (said | {year + shift for year in said}):
        return True
    short = "|".join(str(year)[2:] for year in sorted(years))
    if any(re.search(rf"(?:\bq[1-4]|\b[1-4]q|\bfy|['\u2019])\s?(?:{short})\b", fold(text)) for text in texts):
        return True
    # a figure without any year is of the year that the document is of
    return not said and bool(years & _list_front_years(task))


def _quotes_year(task: ReaderTask, reading: Reading, words: Sequence[Anchor], years: frozenset[int]) -> bool:
    """Whether a sentence of a passage says a year and any of what is asked: other sentences may be of other years.

    A passage that says no year but those it compares with ("compared to 23.9% in 2021") is of the document's year.
    """
    marks = tuple(map(str, sorted(years)))
    text = " ".join(item.text for item in reading.items)
    for sentence in _SENTENCE.split(text):
        folded = fold(sentence)
        if any(mark in folded for mark in marks) and (not words or any(says(anchor, folded) for anchor in words)):
            return True
    said = {year for sentence in _SENTENCE.split(text) for _, _, year in find_years(_cut_compared(task, sentence))}
    return not said and bool(years & _list_front_years(task))


def _cut_compared(task: ReaderTask, sentence: str) -> str:
    """A sentence up to what it compares with."""
    cues = "|".join(map(re.escape, cue_of(task.view.lexicon.value_cues, "moved from")))
    return re.split(rf"\b(?:{cues})\b", fold(sentence), maxsplit=1)[0] if cues else sentence


def _list_front_years(task: ReaderTask) -> frozenset[int]:
    document = task.view.document
    lines = document.folded[: document.index_of((FRONT_PAGES + 1, 0))]
    return frozenset(year for line in lines for _, _, year in find_years(line))


def _fits(task: ReaderTask, words: Sequence[Anchor], entry: Entry) -> bool:
    """Whether an entry of a table says what is asked, of whatever year it is."""
    found = fit(task, words, entry)
    return bool(words and found.own) and is_enough(words, found) and says_names(words, entry)


def _is_placed(task: ReaderTask, words: Sequence[Anchor], entries: Sequence[Entry], years: frozenset[int]) -> bool:
    """Whether an entry of a table of the years, or lines near one of them, say what is asked."""
    if any(years & set(entry.years) and _fits(task, words, entry) for entry in entries):
        return True
    return _stands_near(task, words, tuple(map(str, sorted(years))))


def _stands_near(task: ReaderTask, words: Sequence[Anchor], marks: Sequence[str]) -> bool:
    """Whether most of the words, and all names among them, stand within a few lines of one of the marks."""
    folded = task.view.document.folded
    names = [anchor for anchor in words if anchor.text[:1].isupper()]
    for at, line in enumerate(folded):
        if not any(mark in line for mark in marks):
            continue
        near = " ".join(folded[max(0, at - LINES_NEAR) : at + LINES_NEAR + 1])
        inside = sum(anchor.weight for anchor in words if says(anchor, near))
        is_most = inside * 100 >= MIN_SAID_PERCENT * sum(anchor.weight for anchor in words)
        if is_most and all(says(anchor, near) for anchor in names):
            return True
    return False
