"""Figures of a period or place that the question names and the answer does not: told with doubt, or not at all.

A filing has figures of two or three years. One of another year is no answer, however well its row fits; where the year
stands nowhere near what is asked, neither in a column nor in a sentence, there is none.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.generation.extractive.fiscal import shift_years
from pipeline.generation.extractive.ledger import list_entries
from pipeline.generation.extractive.ledger_words import drop_own_names, fit, is_enough, list_content, says, says_names
from pipeline.generation.extractive.unsaid import FIGURES, list_said
from pipeline.question.concepts import find_concepts
from pipeline.question.terms import split_words
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
EXACT_SHAPES = frozenset({"value", "count", "comparison"})


def judge_years(task: ReaderTask, reading: Reading) -> Reading | None:
    """The reading where it is of a year that is asked for, else with a caveat and little confidence.

    None where the document has what is asked in no column and no sentence of that year.
    """
    years = frozenset(int(key[:4]) for key in task.question.periods if key[:4].isdigit())
    may_ask = task.part.shape in (*EXACT_SHAPES, "text", "list")
    if not years or not may_ask or reading.conflict is not None:
        return reading
    words = list_content(task, task.part.text)
    is_quoted = all(item.value is None for item in reading.items) and reading.certificate is None
    if _quotes_year(reading, words, years) if is_quoted else _says_year(task, reading, years):
        return reading
    entries = list_entries(task, words)
    kept = drop_own_names(task, words, entries)
    others = [entry for entry in entries if _fits(task, kept, entry)]
    if not (asks_figure(task) or others):
        return reading
    if kept and not _is_placed(task, kept, entries, years):
        return None
    told = ", ".join(map(str, sorted(years)))
    caveat = f"nothing at this place says {told}: the figure may be of another year"
    doubt = min(reading.max_confidence, DOUBTFUL)
    return replace(
        reading,
        has_typed_fit=False,
        has_second_place=False,
        max_confidence=doubt,
        caveats=(*reading.caveats, caveat),
    )


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


def _quotes_year(reading: Reading, words: Sequence[Anchor], years: frozenset[int]) -> bool:
    """Whether a sentence of a passage says a year and any of what is asked: other sentences may be of other years."""
    marks = tuple(map(str, sorted(years)))
    for sentence in _SENTENCE.split(" ".join(item.text for item in reading.items)):
        folded = fold(sentence)
        if any(mark in folded for mark in marks) and (not words or any(says(anchor, folded) for anchor in words)):
            return True
    return False


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
    folded = task.view.document.folded
    marks = tuple(map(str, sorted(years)))
    names = [anchor for anchor in words if anchor.text[:1].isupper()]
    for at, line in enumerate(folded):
        if not any(mark in line for mark in marks):
            continue
        near = " ".join(folded[max(0, at - LINES_NEAR) : at + LINES_NEAR + 1])
        inside = sum(anchor.weight for anchor in words if says(anchor, near))
        if all(says(anchor, near) for anchor in names) and inside * 100 >= 70 * sum(a.weight for a in words):
            return True
    return False
