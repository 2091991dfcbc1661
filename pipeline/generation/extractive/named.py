"""What is called so: "which optimizer was used" is answered by the name that stands before or behind "optimizer"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.citing import cite_extents
from pipeline.generation.extractive.hits import weigh
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.sentences import Sentence, evidence_lines, split_evidence
from pipeline.models.answer import Item
from pipeline.models.lexicon import singular
from pipeline.question.operations import read_operation
from pipeline.question.terms import cue_of, split_words
from pipeline.text.anchors import find_anchor
from pipeline.text.late import compile_late
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.lexicon import Lexicon

MAX_NOUN_WORDS = 3
MAX_RANK, RANK_COST = 10, 15
_PART = r"(?:[A-Z][\w+#./'\u2019-]*|\d[\w.-]*)"
_NAME = rf"(?P<name>{_PART}(?:[ -]{_PART}){{0,4}})"
_BEFORE = compile_late(rf"(?<![\w.]){_NAME}\s+$")
_AFTER = compile_late(
    rf"^s?(?:\s*\[\d+\])?\s*(?:,|:|\(|is|was|are|were|called|named|known as)\s*(?:called |the |an? )?[\"\u201c]?{_NAME}"
)
_AS = compile_late(rf"(?<![\w.]){_NAME}(?:\s*\[\d+\])?\s+as\s+(?:the|our|an?|its)\s+(?:\w+\s+)?$")


class _Named(NamedTuple):
    score: int
    sentence: Sentence
    name: str


def read_named(task: ReaderTask) -> Reading | None:
    """The name of the thing that a question asks for by its kind; None where no sentence joins a name to the kind."""
    noun = _find_noun(task)
    if not noun:
        return None
    operation = read_operation(task.part.text, task.view.lexicon)
    named = _list_named(task, noun)
    if operation.direction or operation.choice:
        # which of several has the highest is only told by a sentence that says so
        named = (each for each in named if contains_folded(operation.cue, fold(each.sentence.text)))
    found = sorted(named, key=lambda named: (-named.score, named.sentence.start))
    if not found:
        return None
    best = found[0]
    agreeing = [named for named in found if fold(named.name) == fold(best.name)]
    # two names that are told alike are two answers, which a passage says better
    if any(named.score == best.score and named not in agreeing for named in found):
        return None
    citations = cite_extents(task.view, best.sentence.extents)
    if not citations:
        return None
    told = best.name if fold(best.name).endswith(noun.split()[-1]) else f"{best.name} ({noun})"
    item = Item(
        sub_question=task.part.id, text=told, value=best.name, citations=citations,
        extraction="verbatim",
    )  # fmt: skip
    return Reading(text=item.text, items=(item,), has_typed_fit=True, has_second_place=len(agreeing) > 1)


def _find_noun(task: ReaderTask) -> str:
    """The kind that "which <kind> was used" asks for: one to three words in the singular before an auxiliary."""
    lexicon = task.view.lexicon
    words = split_words(task.part.text, lexicon)
    if len(words) < 3 or words[0].folded not in lexicon.list_opener_set:
        return ""
    auxiliaries = cue_of(lexicon.value_cues, "auxiliary")
    place = next((at for at, word in enumerate(words) if word.folded in auxiliaries), 0)
    noun = words[1:place]
    if not 0 < len(noun) <= MAX_NOUN_WORDS or any(word.folded in lexicon.stop_word_set for word in noun):
        return ""
    last = noun[-1].folded
    is_open = last in lexicon.generic_set or last in lexicon.quantity_nouns or singular(last) != last
    # "which optimizer performed best" chooses among several
    return "" if is_open else " ".join(word.folded for word in noun)


def _list_named(task: ReaderTask, noun: str) -> Iterator[_Named]:
    last = noun.split()[-1]
    kind = re.compile(rf"\b{re.escape(last)}\b", re.IGNORECASE)
    others = [
        anchor for anchor in task.part.anchors if anchor.source != "compound" and fold(anchor.text) not in noun.split()
    ]
    cited = cue_of(task.view.lexicon.value_cues, "bibliography titles")
    for rank, piece in enumerate(task.evidence):
        if any(fold(title).strip(" .:") in cited for title in piece.breadcrumb[-1:]):
            continue
        heading = " ".join(piece.breadcrumb)
        for sentence in split_evidence(evidence_lines(task.view, piece)):
            hit = kind.search(sentence.text)
            if hit is None or len(sentence.text.split()) < 4:
                continue
            name = _read_name(task.view.lexicon, sentence.text, hit.start(), hit.end())
            if not name:
                continue
            if hit[0][0].isupper() and sentence.text[: hit.start()].rstrip().endswith(name):
                # "the New York Stock Exchange": the kind is part of the name
                name = f"{name} {hit[0]}"
            held = frozenset(
                anchor.key for anchor in others if find_anchor(anchor, sentence.text) or find_anchor(anchor, heading)
            )
            share = weigh(task.view, tuple(others), held) if others else 1000
            if share >= task.view.lexicon.thresholds.displayed:
                yield _Named(share - RANK_COST * min(rank, MAX_RANK), sentence, name)


def _read_name(lexicon: Lexicon, text: str, start: int, end: int) -> str:
    """A name right before the kind, or behind it and a join; a word that only opens the sentence is none."""
    for found in (_BEFORE.search(text[:start]), _AFTER.match(text[end:]), _AS.search(text[:start])):
        if found is None:
            continue
        words = found["name"].split()
        is_opening = found.string is not text and found.start("name") == 0 and found.re is not _AFTER
        while words and (words[0].casefold() in lexicon.stop_word_set or words[0].isdigit()):
            words, is_opening = words[1:], False
        if words and is_opening and lexicon.zipf_of(words[0].casefold()) > 0:
            words = words[1:]
        if words and any(any(map(str.isalpha, word)) for word in words):
            return " ".join(words)
    return ""
