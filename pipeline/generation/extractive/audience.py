"""Whom a document is written for: what stands under a heading for its readers, or a sentence that says it of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_extents, limit_quotes
from pipeline.generation.extractive.narrowing import read_own_names
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.sentences import split_evidence
from pipeline.models.answer import Item
from pipeline.question.terms import cue_of, split_words
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.generation.extractive.sentences import Sentence

LINES_BELOW, LINES_AROUND = 14, 4
MAX_SENTENCES = 3
MAX_BEFORE = 6
"""Words before a cue among which the noun for the document stands: "this handbook has been written for"."""


def read_audience(task: ReaderTask) -> Reading | None:
    """The readers that the document names for itself; None where another thing is meant, or none are named."""
    if not _is_of_document(task):
        return None
    sentences = next((found for found in (_read_headed(task), _read_told(task)) if found), ())
    if not sentences:
        return None
    extents = tuple(extent for sentence in sentences for extent in sentence.extents)
    citations = limit_quotes(cite_extents(task.view, extents), task.max_quote_characters)[0]
    if not citations:
        return None
    text = " ".join(sentence.text for sentence in sentences)
    item = Item(sub_question=task.part.id, text=text, citations=citations, extraction="verbatim")
    return Reading(text=text, items=(item,), has_typed_fit=True)


def _cues(task: ReaderTask, label: str) -> tuple[str, ...]:
    return cue_of(task.view.lexicon.value_cues, label)


def _is_of_document(task: ReaderTask) -> bool:
    """Whether all that the question names beside the words for readers is the document, by a noun or by its name."""
    lexicon = task.view.lexicon
    known = {word for cue in _cues(task, "asks audience") for word in cue.split()}
    names = read_own_names(task)
    small = (lexicon.stop_word_set, lexicon.question_words, lexicon.light_verb_set, lexicon.document_noun_set, known)
    rest = [word for word in split_words(task.part.text, lexicon) if not any(word.folded in group for group in small)]
    # the front page speaks of much; what it calls the document by is written as a name
    return all(word.is_name and contains_folded(word.folded, names) for word in rest)


def _read_headed(task: ReaderTask) -> tuple[Sentence, ...]:
    """The first sentences of the paragraph below a heading for readers."""
    document = task.view.document
    heads = _cues(task, "audience heads")
    for index, folded in enumerate(document.folded):
        if folded.strip(" .:0123456789") not in heads:
            continue
        below = [line for line in document.lines[index + 1 : index + 1 + LINES_BELOW] if line.is_evidence]
        sentences = split_evidence(below)
        own = [sentence for sentence in sentences if sentence.paragraph == sentences[0].paragraph]
        # an entry of a list of contents has no sentence below it
        if own and own[0].text.rstrip().endswith((".", "!")) and own[0].start[0] == document.lines[index].page:
            return tuple(own[:MAX_SENTENCES])
    return ()


def _read_told(task: ReaderTask) -> tuple[Sentence, ...]:
    """The first sentence that says of the document whom it is for."""
    nouns = task.view.lexicon.document_noun_set
    cues = _cues(task, "tells audience")
    for sentence in _list_near(task, cues):
        folded = fold(sentence.text)
        cue = next((cue for cue in cues if contains_folded(cue, folded)), "")
        before = folded.partition(cue)[0].split()[-MAX_BEFORE:] if cue else []
        if any(word.strip(",") in nouns for word in before):
            return (sentence,)
    return ()


def _list_near(task: ReaderTask, cues: tuple[str, ...]) -> Iterator[Sentence]:
    document = task.view.document
    firsts = {cue.split()[0] for cue in cues}
    for index, folded in enumerate(document.folded):
        # a cue may be parted by the end of a line
        if not any(first in folded for first in firsts):
            continue
        joined = " ".join(document.folded[index : index + 2])
        if any(cue in joined for cue in cues):
            around = document.lines[max(0, index - LINES_AROUND) : index + LINES_AROUND + 1]
            yield from split_evidence([line for line in around if line.is_evidence])
