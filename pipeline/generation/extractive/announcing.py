"""Whether a lead says that its members are what is asked for, all of them, and not the parts of one of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.models.lexicon import singular
from pipeline.question.terms import cue_of
from pipeline.structure.cues import read_cardinal
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.question import Anchor

COMMON_SHARE, COUNTED, MAX_AFTER = 5, 2, 8
"""A name that stands on the first page and on one page of so many is what the document is about."""
SAME_NOUN, OTHER_NOUN, OPENING_WORDS = 1250, 500, 5
_CLAUSE = re.compile(r"[.:;]\s")
_MARKS = ".,:;()\u2013\u2014-"


def announces(task: ReaderTask, head: Anchor, lead: str) -> bool:
    """Whether a lead is of the noun: "it has four segments, as follows:", "The outcomes of this part are:"."""
    spans = find_anchor(head, lead)
    lexicon = task.view.lexicon
    if spans and lead[spans[-1][1] :].strip() == ":":
        # "patents by segment:" has a member for each of them
        each = cue_of(lexicon.value_cues, "each words")
        if any(word in each for word in fold(lead[: spans[-1][0]]).split()[-1:]):
            return True
    if not spans or not _is_plural(lead[spans[-1][0] : spans[-1][1]]):
        return False
    announcing = cue_of(lexicon.value_cues, "announcing words")
    start, end = spans[-1]
    after = [word.strip(_MARKS) for word in fold(lead[end:]).split()]
    # "services and treatments such as" are services all the same
    joined = after[2:] if after[:1] and after[0] in cue_of(lexicon.value_cues, "joining words") else after
    if all(not word or word in announcing for word in joined):
        return True
    # "five segments for reporting purposes, as follows:" counts what follows
    nearest = [word.strip(_MARKS) for word in fold(lead[:start]).split()[-COUNTED:]]
    if lead.rstrip().endswith(":") and any(word in cue_of(lexicon.value_cues, "pointing ahead") for word in nearest):
        return True
    counted = [read_cardinal(word, lexicon.language) for word in nearest]
    if any(counted) and after[-1] in announcing and len(after) <= MAX_AFTER:
        return True
    # as the subject of its sentence the noun needs not be the last word
    before = fold(_CLAUSE.split(lead[:start])[-1]).split()
    is_subject = all(word in announcing or word in lexicon.stop_word_set for word in before)
    # "in some counties the right can be lost as follows" is of the right
    is_place = before[:1] and before[0] in cue_of(lexicon.value_cues, "placing words")
    return is_subject and not is_place and after[-1] in announcing


def ends_as_asked(task: ReaderTask, lead: str) -> bool:
    """Whether a lead ends with what is asked, in more than one word: "the values for potential impact are"."""
    words = lead.split()
    lexicon = task.view.lexicon
    if not words or words[-1].casefold() not in lexicon.copulas or words[-1].casefold() in lexicon.singular_copulas:
        return False
    said = " ".join(words[:-1])
    asked = (anchor for anchor in task.part.anchors if anchor.source == "compound")
    return any(spans[-1][1] == len(said) for anchor in asked if (spans := find_anchor(anchor, said)))


def is_of_one(task: ReaderTask, head: Anchor, lead: str) -> bool:
    """Whether several are asked for and a lead speaks of one: "this segment comprises" lists parts of one segment."""
    spans = find_anchor(head, lead)
    if not spans or not _is_plural(head.text):
        return False
    each = cue_of(task.view.lexicon.value_cues, "each words")
    for start, end in spans:
        before = fold(lead[:start]).split()[-2:]
        if _is_plural(lead[start:end]) or any(word in each for word in before):
            return False
    return True


def _is_plural(text: str) -> bool:
    last = fold(text).split()[-1:] or [""]
    return singular(last[0]) != last[0]


def list_subjects(task: ReaderTask) -> frozenset[str]:
    """Keys of the names that the whole document is about: no list has to say them again; none where nothing else is."""
    keys = set()
    for anchor in task.part.anchors:
        pages = {page for page, _ in task.view.positions_of(anchor)} if not anchor.text[:1].islower() else set()
        is_named = any(map(str.isalpha, anchor.text)) and 1 in pages
        if is_named and len(pages) * COMMON_SHARE > len(task.view.document.pages):
            keys.add(anchor.key)
    return frozenset(keys) if any(anchor.key not in keys for anchor in task.part.anchors) else frozenset()


def weigh_general(task: ReaderTask, lead: str) -> int:
    """Thousandths for a lead by its general noun: "the following information" leads to no ways in which one files."""
    groups = [frozenset(line.split()) for line in cue_of(task.view.lexicon.value_cues, "general nouns")]
    asked = _find_group(fold(task.part.text).split()[:OPENING_WORDS], groups)
    led = fold(lead).split()[::-1]
    if asked is None or _find_group(led, groups) is None:
        return 1000
    # "the steps below show one way" leads to steps all the same
    return SAME_NOUN if _find_group(led, [groups[asked]]) is not None else OTHER_NOUN


def _find_group(words: list[str], groups: list[frozenset[str]]) -> int | None:
    """The group of the first word that is in one."""
    found = (at for word in words for at, group in enumerate(groups) if word.strip(_MARKS) in group)
    return next(found, None)
