"""The reader of last resort and of open questions: the passages that say most about what was asked, verbatim."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_extents, cite_heading, merge_extents
from pipeline.generation.extractive.enumerated import read_enumeration
from pipeline.generation.extractive.lists import find_introduced
from pipeline.generation.extractive.meant import asks_advice, gives_advice
from pipeline.generation.extractive.measured import find_asked
from pipeline.generation.extractive.operated import may_compare
from pipeline.generation.extractive.persons import find_deed, says_deed
from pipeline.generation.extractive.ranked import Passage, rank_passages
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.wanted import list_named_parts
from pipeline.generation.extractive.weights import weigh_anchor
from pipeline.models.answer import Item
from pipeline.models.lexicon import singular
from pipeline.question.terms import cue_of, split_words
from pipeline.structure.names import has_person
from pipeline.structure.resolving import find_by_key
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.answer import Citation
    from pipeline.models.question import Anchor
    from pipeline.models.structure import Enumeration

# How many passages an answer of each breadth may hold; the room for quotes caps them as well.
OPEN_INTENTS = frozenset({"summary", "reason", "procedure", "comparison"})
OPEN_PASSAGES, CLOSED_PASSAGES = 3, 1
NUMBERED = frozenset({"section", "appendix"})
NAME_CHARACTERS = 60
"""So near to an office stands who holds it."""
MAX_LEADING = 3
"""Sentences of a paragraph that leads a list as a whole."""


def read_passage(task: ReaderTask) -> Reading | None:
    """Quote the best passages of the evidence; None when no anchor occurs in any of them."""
    # a passage that uses an abbreviation does not say what it stands for
    expands = cue_of(task.view.lexicon.value_cues, "expands")
    is_spelling = any(contains_folded(cue, fold(task.part.text)) for cue in expands)
    passages = () if is_spelling else tuple(found for found in rank_passages(task) if _says_enough(task, found))
    if not passages:
        return None
    wanted = OPEN_PASSAGES if task.part.intent in OPEN_INTENTS else CLOSED_PASSAGES
    chosen = _choose(passages, wanted, task.max_quote_characters)
    introduced = _find_introduced(task, chosen)
    if introduced is not None:
        return read_enumeration(task, introduced)
    items = tuple(
        Item(
            sub_question=task.part.id,
            text=" ".join(sentence.text for sentence in passage.sentences),
            citations=_cite_passage(task, passage),
            extraction="verbatim",
        )
        for passage in chosen
    )
    items = tuple(item for item in items if item.citations)
    if not items:
        return None
    caveats = (*_miss_places(task), *_tell_loose(task, chosen))
    is_sure = not caveats and _covers_focus(task, chosen)
    return Reading(
        text="\n".join(item.text for item in items),
        items=items,
        has_typed_fit=_fits_shape(task) and is_sure,
        has_second_place=len(passages) > 1 and passages[1].matched >= passages[0].matched and is_sure,
        caveats=caveats,
    )


def _tell_loose(task: ReaderTask, chosen: Sequence[Passage]) -> tuple[str, ...]:
    """A caveat for a concept that the chosen passages only name by another word, in passing."""
    loose = frozenset.intersection(*(passage.loose for passage in chosen))
    named = [anchor.text for anchor in task.part.focus if anchor.key in loose]
    return tuple(f"the text does not say {name}, only another word that may stand for it" for name in named)


def _covers_focus(task: ReaderTask, chosen: Sequence[Passage]) -> bool:
    """Whether passages have most of the focus: one that mentions a part of it is no sure answer."""
    held = frozenset().union(*(passage.matched for passage in chosen))
    focus = [anchor for anchor in task.part.focus if anchor.source != "compound"] or list(task.part.focus)
    total = sum(weigh_anchor(task.view, anchor) for anchor in focus)
    given = sum(weigh_anchor(task.view, anchor) for anchor in focus if anchor.key in held)
    return given * 1000 >= task.view.lexicon.thresholds.passage_sure * total


def _fits_shape(task: ReaderTask) -> bool:
    """Whether a passage may be all that is asked: no list of several, and no reason where no sentence gave one."""
    if task.part.value_type != "any" or task.part.intent == "reason":
        return False
    noun = find_asked(task)
    # "which law governs" asks for one; in Chinese the noun does not tell
    is_single = noun is not None and noun.folded.isascii() and singular(noun.folded) == noun.folded
    return task.part.shape != "list" or is_single


def _miss_places(task: ReaderTask) -> tuple[str, ...]:
    """Caveats for places that the question asks for and that the text only mentions: no heading of them was found."""
    if task.part.shape != "section":
        return ()
    # a title may be worded otherwise than its heading; a number is there or is not
    named = [hint for hint in task.question.hints if hint.kind in NUMBERED and any(map(str.isdigit, hint.value))]
    return tuple(
        f"no heading of {hint.key.replace(':', ' ')} was found; the text only mentions it"
        for hint in named
        if hint.value in task.part.text and not find_by_key(task.view, hint.key)
    )


def _says_enough(task: ReaderTask, passage: Passage) -> bool:
    """Whether a passage has enough of what was asked, where some word of it occurs nowhere in the document.

    "Who is the chief of <company>" is not answered by whatever names the company.
    """
    if not may_compare(task, " ".join(sentence.text for sentence in passage.sentences)):
        return False
    if task.part.shape == "count" and any(not task.view.positions_of(part) for part in list_named_parts(task)):
        return False  # what is counted "in Peru" is told by no passage of a document that never names Peru
    focus = {anchor.key for anchor in task.part.focus}
    single = [anchor for anchor in task.part.anchors if anchor.source in ("word", "concept")]
    if task.part.value_type == "person" and not _may_name(task, passage, single):
        return False
    missing = [anchor for anchor in single if anchor.key in focus and not task.view.positions_of(anchor)]
    if not missing:
        return True
    given = sum(weigh_anchor(task.view, anchor) for anchor in single if anchor.key in passage.matched)
    return given * 1000 >= task.view.lexicon.thresholds.passage * (given + sum(anchor.weight for anchor in missing))


def _may_name(task: ReaderTask, passage: Passage, single: Sequence[Anchor]) -> bool:
    """Whether a passage may say who somebody is: it speaks of the office or deed, and names who holds the office."""
    lexicon = task.view.lexicon
    signs = cue_of(lexicon.value_cues, "signs")
    if single and all(anchor.forms[0] in signs for anchor in single):
        # who signed the document itself is told by its signatures and by no sentence about others
        return False
    # who holds an office is not told by a passage that only names the house
    offices = [anchor for anchor in single if anchor.text.islower()]
    if offices and not {anchor.key for anchor in offices} & passage.matched:
        return False
    words = split_words(task.part.text, lexicon)
    is_holder = len(words) > 1 and words[1].folded in lexicon.copula_set
    held = [anchor for anchor in single if set(anchor.key.split()) & lexicon.office_word_set]
    # "the director of the harbour board" is no other director
    if is_holder and held and any(each.key not in passage.matched for each in single if each in task.part.focus):
        return False
    text = " ".join(sentence.text for sentence in passage.sentences)
    deed = find_deed(task)
    rest = [anchor for anchor in single if anchor != deed]
    # the deed and what it was done to stand in one sentence
    if deed is not None and not any(_says_both(task, sentence.text, rest) for sentence in passage.sentences):
        return False
    spans = [span for anchor in held for span in find_anchor(anchor, text)]
    near = [text[max(0, start - NAME_CHARACTERS) : end + NAME_CHARACTERS] for start, end in spans]
    return not (is_holder and held) or any(has_person(part, lexicon) for part in near)


def _says_both(task: ReaderTask, sentence: str, rest: Sequence[Anchor]) -> bool:
    """Whether a sentence tells who did what is asked, of something that is asked for."""
    return says_deed(task, sentence) and (not rest or any(find_anchor(anchor, sentence) for anchor in rest))


def _cite_passage(task: ReaderTask, passage: Passage) -> tuple[Citation, ...]:
    """The passage, and before it the heading that it stands under where the heading carries what was asked for."""
    extents = merge_extents(tuple(extent for sentence in passage.sentences for extent in sentence.extents))
    heading = cite_heading(task.view, task.part.anchors, passage.sentences[0].start)
    return (*heading, *cite_extents(task.view, extents))


def _find_introduced(task: ReaderTask, chosen: list[Passage]) -> Enumeration | None:
    """The list that the best passage introduces, when the sentence before the colon carries what was asked for."""
    best = max(chosen, key=lambda passage: passage.score)
    texts = [sentence.text for sentence in best.sentences]
    for place, sentence in enumerate(best.sentences):
        # a short paragraph that ends in a colon leads as a whole: "There are things that ... These include:"
        is_end = place + 1 == len(texts) <= MAX_LEADING
        lead = " ".join(texts) if is_end else sentence.text
        if sentence.text.rstrip().endswith((":", "：")) and _carries_most(task, best, lead):
            is_other = gives_advice(task, sentence.text) and not asks_advice(task)
            return None if is_other else find_introduced(task.view, sentence.extents[-1])
    return None


def _carries_most(task: ReaderTask, passage: Passage, lead: str) -> bool:
    """Whether a lead has most of what the passage was chosen for; what only its heading has speaks for all of it."""
    matched = [anchor for anchor in task.part.anchors if anchor.key in passage.matched]
    text = " ".join(sentence.text for sentence in passage.sentences)
    lent = {anchor.key for anchor in matched if not find_anchor(anchor, text)}
    inside = sum(anchor.weight for anchor in matched if anchor.key in lent or find_anchor(anchor, lead))
    return inside * 2 >= sum(anchor.weight for anchor in matched)


def _choose(passages: tuple[Passage, ...], wanted: int, max_characters: int) -> list[Passage]:
    """The best passages that do not overlap, back in reading order, within the room for quotes."""
    chosen: list[Passage] = []
    taken: set[tuple[int, int]] = set()
    room = max_characters
    for passage in passages:
        starts = {sentence.start for sentence in passage.sentences}
        length = sum(len(sentence.text) for sentence in passage.sentences)
        if starts & taken or length > room or (chosen and passage.score * 2 < chosen[0].score):
            continue
        chosen.append(passage)
        taken |= starts
        room -= length
        if len(chosen) == wanted:
            break
    return sorted(chosen, key=lambda passage: passage.sentences[0].start)
