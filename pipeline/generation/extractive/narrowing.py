"""Whether a question asks for a part of a figure: "Equipment revenues" are no revenues of the company."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.question.concepts import find_concepts
from pipeline.question.periods import find_periods
from pipeline.question.terms import split_words
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.question.terms import Word

HEADED_PAGES = 6


def is_narrowed(task: ReaderTask, text: str, name: str) -> bool:
    """Whether the concept of that name stands in `text` with a word before it, or a name behind "of", that narrows it.

    Names that the document carries in its title or running headers narrow nothing: they are whose figure it is.
    """
    lexicon = task.view.lexicon
    words = split_words(text, lexicon)
    place = next((entry for entry in find_concepts(words, lexicon) if entry.concept.name == name), None)
    if place is None:
        return False
    before = words[place.first - 1] if place.first else None
    is_joined = before is not None and text[before.end : words[place.first].start] == " "
    if before is not None and is_joined and before.bare_end == before.end and narrows(task, before):
        return True
    behind = words[place.stop : place.stop + 3]
    is_of = bool(behind) and behind[0].folded in lexicon.stop_word_set
    names = [word for word in behind[1:] if word.is_name and not word.is_number]
    return is_of and any(narrows(task, word) for word in names[:1])


def narrows(task: ReaderTask, word: Word, names: str | None = None) -> bool:
    """Whether a word may say what part is meant: not a small or general one, nor one of the document's own name.

    `names` is what `read_own_names` gives, for who asks about several words.
    """
    lexicon = task.view.lexicon
    empty = (lexicon.stop_word_set, lexicon.generic_set, lexicon.operator_set, lexicon.question_words)
    others = (lexicon.light_verb_set, lexicon.document_noun_set, lexicon.quantity_nouns)
    if word.is_number or find_periods(word.text) or any(word.folded in group for group in (*empty, *others)):
        return False
    return not contains_folded(word.folded, read_own_names(task) if names is None else names)


def read_own_names(task: ReaderTask) -> str:
    """The title, the running headers and the first page of a document, folded: there it says whose it is."""
    document = task.view.document
    last = document.index_of((HEADED_PAGES + 1, 1))
    kept = [
        folded
        for line, folded in zip(document.lines[:last], document.folded[:last], strict=True)
        if line.is_furniture or line.page == 1
    ]
    return " | ".join((fold(document.profile.title), *kept))
