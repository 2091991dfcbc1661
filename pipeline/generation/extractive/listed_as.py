"""Whether a list is the one asked for: what speaks against it lowers its confidence and takes `complete` from it.

A certificate counts the members of a list. Where nothing shows that the list is of what was asked for, that all of
its members are there says nothing of the answer.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.generation.extractive.announcing import weigh_general
from pipeline.generation.extractive.leadins import read_lead_in
from pipeline.generation.extractive.lists import list_headers
from pipeline.generation.extractive.meant import is_led, tell_others
from pipeline.generation.extractive.nouns import UNNAMED_CEILING, doubt_noun, find_noun, is_owner
from pipeline.generation.extractive.parted import find_segments
from pipeline.generation.extractive.verdict import is_subject
from pipeline.question.terms import split_words
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.lists import RatedList
    from pipeline.generation.extractive.reading import ReaderTask, Reading
    from pipeline.models.structure import Enumeration

ROWS_CEILING = 600
"""Thousandths of confidence in the rows under a title."""
UNNAMED_ROWS = "nothing says that the rows of this table are what was asked for"
OTHER_THINGS = "the line over the list speaks of other things than were asked for"


def weigh_listing(task: ReaderTask, reading: Reading, rated: Sequence[RatedList]) -> Reading:
    """The reading of the best of the rated lists with what speaks against it: other lists, another name, only rows."""
    own = rated[0].enumeration
    others = tell_others(task, rated) if task.part.expected_count is None else ""
    if others:
        reading = _unvouch(reading.doubt(others), others)
    doubt, ceiling = doubt_noun(task, own, list_headers(task.view, own))
    if doubt:
        caveats, ceiling = (*reading.caveats, doubt), min(ceiling, reading.max_confidence)
        is_fit = reading.has_typed_fit and ceiling > UNNAMED_CEILING
        reading = replace(reading, has_typed_fit=is_fit, max_confidence=ceiling, caveats=caveats)
        reading = _unvouch(reading, doubt)
    if weigh_general(task, read_lead_in(task.view, own)) < 1000:
        reading = replace(
            reading,
            max_confidence=min(UNNAMED_CEILING, reading.max_confidence),
            caveats=(*reading.caveats, OTHER_THINGS),
        )
        reading = _unvouch(reading, OTHER_THINGS)
    unsaid = _find_unsaid_name(task, own)
    if unsaid:
        doubt = f'nothing at this list says "{unsaid}": it may be of another one'
        reading = _unvouch(reading.doubt(doubt, UNNAMED_CEILING), doubt)
    if own.kind == "table_rows" and not is_led(task, own):
        # a table that is about something has rows of any kind
        reading = replace(reading, max_confidence=min(reading.max_confidence, ROWS_CEILING))
        if not find_noun(task):
            # "every matter" is no name that a table could carry
            reading = _unvouch(replace(reading, caveats=(*reading.caveats, UNNAMED_ROWS)), UNNAMED_ROWS)
    return reading


def _find_unsaid_name(task: ReaderTask, own: Enumeration) -> str:
    """The first name in the question, other than what the document is about, that stands nowhere at the list.

    What one segment sells is not what its sibling sells. A name that the document does not have is none of its parts.
    """
    view, text = task.view, task.part.text
    if not any(map(str.islower, text)):
        return ""
    section = view.document.section_at(own.start)
    above = (*section.breadcrumb, section.title) if section is not None else ()
    members = (f"{item.marker} {item.head} {item.text}" for item in own.items)
    said = " | ".join((read_lead_in(view, own), *above, *list_headers(view, own), *members))
    segments = find_segments(task, split_words(text, view.lexicon))
    unsaid = next((name for name in segments if not contains_folded(name, fold(said))), "")
    if unsaid:
        return unsaid
    for anchor in task.part.anchors:
        places = find_anchor(anchor, text) if anchor.source == "word" and anchor.text[:1].isupper() else ()
        # the first word of a question has its capital anyway
        if not places or places[0][0] == 0 or is_owner(text, places[0]):
            continue
        if find_anchor(anchor, said) or is_subject(task, anchor):
            continue
        if view.positions_of(anchor):
            return anchor.text
    return ""


def _unvouch(reading: Reading, doubt: str) -> Reading:
    """A reading whose certificate is not `complete`: all members of a list that may not be the one asked for."""
    own = reading.certificate
    if own is None or own.verdict != "complete":
        return reading
    return replace(reading, certificate=own.model_copy(update={"verdict": "unverified", "why": f"{own.why}; {doubt}"}))
