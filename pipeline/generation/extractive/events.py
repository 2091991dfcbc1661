"""When something was done: the date right behind the deed, "was incorporated in 1929", on any page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_extents
from pipeline.generation.extractive.hits import ValueHit
from pipeline.generation.extractive.sentences import split_evidence
from pipeline.generation.extractive.typed import find_typed
from pipeline.question.anchors import make_word_anchor
from pipeline.question.terms import cue_of, split_words
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.generation.extractive.sentences import Sentence
    from pipeline.generation.extractive.typed import Typed
    from pipeline.models.question import Anchor

EVENT_SCORE, SUBJECT_SCORE = 700, 150
MAX_PLACES, MAX_BETWEEN_WORDS = 200, 8
AROUND_LINES = 2


def find_event_hits(task: ReaderTask) -> list[ValueHit]:
    """The dates of the deed that the question names; none where places of the same weight tell different dates."""
    deed = _find_deed(task)
    if deed is None:
        return []
    others = [anchor for anchor in task.part.anchors if anchor.source == "word" and anchor.key != deed.key]
    subject = [anchor for anchor in others if anchor.text[:1].isupper() or any(map(str.isdigit, anchor.text))]
    objects = [anchor for anchor in others if anchor not in subject]
    hits: list[ValueHit] = []
    speakers = cue_of(task.view.lexicon.value_cues, "speakers")
    for sentence in _list_sentences(task, deed):
        if not all(find_anchor(anchor, sentence.text) for anchor in objects):
            continue
        typed = _find_date(task, deed, sentence.text)
        citations = cite_extents(task.view, sentence.extents) if typed is not None else ()
        if typed is None or not citations:
            continue
        keys = [anchor.key for anchor in task.part.anchors if find_anchor(anchor, sentence.text)]
        is_named = bool(subject) and all(anchor.key in keys for anchor in subject)
        is_said = any(word.folded in speakers for word in split_words(sentence.text, task.view.lexicon))
        if subject and not (is_named or is_said):
            continue
        hits.append(
            ValueHit(
                typed=typed,
                score=EVENT_SCORE + SUBJECT_SCORE * is_named,
                place=sentence.start,
                citations=citations,
                matched=tuple(sorted(keys)),
                qualifiers=frozenset(),
                context=sentence.text,
            )
        )
    best = [hit for hit in hits if hit.score == max(each.score for each in hits)]
    return best if len({hit.typed.value for hit in best}) == 1 else []


def _find_deed(task: ReaderTask) -> Anchor | None:
    """The verb of "when was X <verb>" or "when did X <verb> Y": the first plain word behind the subject."""
    lexicon = task.view.lexicon
    words = split_words(task.part.text, lexicon)
    if len(words) < 3 or words[0].folded not in lexicon.question_words:
        return None
    auxiliaries = cue_of(lexicon.value_cues, "auxiliary")
    if words[1].folded not in auxiliaries and words[1].folded not in lexicon.copula_set:
        return None
    telling = [word for word in words[2:] if word.folded not in lexicon.stop_word_set and word.text.islower()]
    if words[1].folded in lexicon.copula_set:
        telling = [word for word in telling if word.folded.endswith(tuple(lexicon.verb_endings))]
    return make_word_anchor(telling[0], lexicon) if telling else None


def _list_sentences(task: ReaderTask, deed: Anchor) -> Iterator[Sentence]:
    document = task.view.document
    seen: set[tuple[tuple[int, int], str]] = set()
    for place in task.view.positions_of(deed)[:MAX_PLACES]:
        index = document.index_of(place)
        around = document.lines[max(0, index - AROUND_LINES) : index + AROUND_LINES + 1]
        lines = [line for line in around if line.is_evidence and line.page == place[0] and line.text.strip()]
        if not any(map(str.isdigit, " ".join(line.text for line in lines))):
            continue
        for sentence in split_evidence(lines):
            if (sentence.start, sentence.text) not in seen and find_anchor(deed, sentence.text):
                seen.add((sentence.start, sentence.text))
                yield sentence


def _find_date(task: ReaderTask, deed: Anchor, text: str) -> Typed | None:
    """The first date that a deed is said to be of, with "in" or the like before it and little between."""
    leads = cue_of(task.view.lexicon.value_cues, "before date")
    dates = find_typed(text, "date", task.view.lexicon)
    asked = split_words(task.part.text, task.view.lexicon)[1].folded
    is_passive = asked in task.view.lexicon.copula_set
    for start, end in find_anchor(deed, text):
        # "is incorporated by reference" is another deed than "was incorporated"
        before = fold(text[:start]).split()[-1:]
        if is_passive and before not in ([asked], ["been"]):
            continue
        after: Sequence[Typed] = [typed for typed in dates if typed.start >= end]
        between = text[end : after[0].start] if after else ";"
        words = fold(between).split()
        if re.search(r"[;:()\u201c\"]", between) or not 0 < len(words) <= MAX_BETWEEN_WORDS:
            continue
        if any(contains_folded(lead, words[-1]) for lead in leads):
            return after[0]
    return None
