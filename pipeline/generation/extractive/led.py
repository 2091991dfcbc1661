"""The reader of lists for questions that ask for no list by name: "what must a claim include", with bullets below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.leadins import read_lead_in
from pipeline.generation.extractive.listing import read_enumeration
from pipeline.generation.extractive.lists import rate_lists
from pipeline.text.anchors import find_anchor

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask, Reading

MIN_SHARE, MIN_LEAD_SHARE = 800, 500
"""Thousandths of what the question says that lead and headings carry together, and that the lead carries alone."""
SET_APART = frozenset({"bullet", "numbered", "lettered"})


def read_led(task: ReaderTask) -> Reading | None:
    """The list right below the sentence with a colon that says what is asked for; None where none says all of it."""
    words = task.part.text.split()
    if not words or words[0].casefold() not in task.view.lexicon.list_opener_set:
        return None
    for entry in rate_lists(task)[:1]:
        own = entry.enumeration
        if own.kind not in SET_APART or entry.share < MIN_SHARE or not own.lead.rstrip().endswith((":", "\uff1a")):
            continue
        lead = read_lead_in(task.view, own)
        single = [anchor for anchor in task.part.anchors if anchor.source != "compound"]
        held = sum(anchor.weight for anchor in single if find_anchor(anchor, lead))
        places = [(spans[0], anchor) for anchor in single if (spans := find_anchor(anchor, task.part.text))]
        first = min(places, key=lambda entry: entry[0], default=None)
        # "what information must a report include": the list is led in as information, under the heading of reports
        is_named = first is not None and bool(find_anchor(first[1], lead))
        if is_named or held * 1000 >= MIN_LEAD_SHARE * sum(anchor.weight for anchor in single):
            return read_enumeration(task, own)
    return None
