"""The reader of lists for questions that ask for no list by name: "what must a claim include", with bullets below."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.generation.extractive.enumerated import read_enumeration
from pipeline.generation.extractive.leadins import read_lead_in
from pipeline.generation.extractive.listing import read_list
from pipeline.generation.extractive.lists import rate_lists
from pipeline.question.terms import cue_of, split_words
from pipeline.text.anchors import find_anchor

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask, Reading

MIN_SHARE, MIN_LEAD_SHARE = 800, 500
"""Thousandths of what the question says that lead and headings carry together, and that the lead carries alone."""
SET_APART = frozenset({"bullet", "numbered", "lettered"})


def read_led(task: ReaderTask) -> Reading | None:
    """The list right below the sentence with a colon that says what is asked for; None where none says all of it."""
    if _asks_them(task):
        return _read_them(task)
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


def _asks_them(task: ReaderTask) -> bool:
    """Whether a part says nothing but "which are they", behind one that says how many there are."""
    first = task.question.sub_questions[0]
    lexicon = task.view.lexicon
    words = [word.folded for word in split_words(task.part.text, lexicon)]
    plain = (*lexicon.list_openers, *lexicon.copulas, *cue_of(lexicon.value_cues, "asks them"))
    is_pointing = any(word in lexicon.anaphora for word in words)
    return first.shape == "count" and is_pointing and all(word in plain or word in lexicon.anaphora for word in words)


def _read_them(task: ReaderTask) -> Reading | None:
    """The members of what the first part counts: "how many tiers are there" as "which tiers are there"."""
    first = task.question.sub_questions[0]
    text = first.text
    for cue in cue_of(task.view.lexicon.intent_cues, "count"):
        plain = cue.removeprefix("^")
        if text.casefold().startswith(plain):
            text = f"{task.view.lexicon.list_openers[-1]}{text[len(plain) :]}"
            break
    part = task.part.model_copy(update={"text": text, "shape": "list", "anchors": first.anchors, "focus": first.focus})
    return read_list(replace(task, part=part))
