"""Pages that may hold a figure of a part of a year: statements, those of the evidence, and those that speak of both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.question.terms import cue_of
from pipeline.structure.statements import find_statements, list_page_texts, squash

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.lexicon import Concept
    from pipeline.models.question import Anchor
    from pipeline.structure.statements import PageText

MAX_EVIDENCE_PAGES = 6
MAX_STATED_PAGES = 4
MAX_OTHER_PAGES = 8
MIN_STATEMENT_ROWS = 5
TITLE_WEIGHT = 12
"""A page that says that it shows quarters goes before one that speaks of each of them."""
_PARTS = ("span 3", "span 6", "span 9")
_QUARTERS = tuple(f"quarter {number}" for number in (1, 2, 3, 4))


def list_pages(
    task: ReaderTask, needed: Sequence[Anchor], concept: Concept | None, *, is_open: bool
) -> list[tuple[int, int]]:
    """(page, 0 for a statement of the concept, else 1), each page once; only statements where `is_open`."""
    texts = list_page_texts(task.view)
    found = dict.fromkeys(_list_stated(task, concept), 0)
    if is_open:
        # statements of whole years are read by their years alone
        return list(found.items()) if _has_parts(task, texts, found) else []
    evidence = dict.fromkeys(span.page for piece in task.evidence for span in piece.candidate.spans)
    for page in list(evidence)[:MAX_EVIDENCE_PAGES]:
        found.setdefault(page, 1)
    cues = task.view.lexicon.calculation_cues
    words = [squash(phrase) for label in (*_QUARTERS, "span 3") for phrase in cue_of(cues, label)]
    titles = [squash(phrase) for phrase in cue_of(cues, "quarterly")]
    forms = [tuple(filter(None, map(squash, (*anchor.forms, anchor.text.casefold())))) for anchor in needed]
    rated = [
        (
            -sum(word in page.text for word in words) - TITLE_WEIGHT * any(title in page.text for title in titles),
            page.page,
        )
        for page in texts
        if all(any(form in page.text for form in own) for own in forms)
    ]
    for count, page in sorted(rated)[:MAX_OTHER_PAGES]:
        if count:
            found.setdefault(page, 1)
    return list(found.items())


def _list_stated(task: ReaderTask, concept: Concept | None) -> list[int]:
    """The titled pages of the statements of a concept; a figure that none is known for may stand in any of them."""
    known = sorted({cue.label for cue in task.view.lexicon.statement_titles})
    pages: list[int] = []
    for place in concept.places if concept is not None else known:
        if place in known:
            stated = find_statements(task.view, list_page_texts(task.view), place)
            shown = [page for page in stated if page.row_count >= MIN_STATEMENT_ROWS][:MAX_STATED_PAGES]
            pages += [page.page for page in shown if page.has_title]
    return pages


def _has_parts(task: ReaderTask, texts: Sequence[PageText], stated: Collection[int]) -> bool:
    """Whether statements say that they are of months or weeks and none that it is of a whole year.

    A page of days alone has parts where the others of its document do, so all statements are asked.
    """
    cues = task.view.lexicon.calculation_cues
    every = {*stated, *_list_stated(task, None)}
    text = " ".join(page.text for page in texts if page.page in every)
    parts = [squash(phrase) for label in _PARTS for phrase in cue_of(cues, label) if " " in phrase]
    wholes = [squash(phrase) for phrase in cue_of(cues, "span 12")]
    return any(part in text for part in parts) and not any(whole in text for whole in wholes)
