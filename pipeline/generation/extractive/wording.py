"""The words a figure is asked with: "net sales" is no "total revenue", and "Equipment revenues" are no "revenues"."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.narrowing import narrows, read_own_names
from pipeline.generation.extractive.rowlabels import drop_whole, split_label
from pipeline.question.concepts import find_concepts
from pipeline.question.periods import find_periods
from pipeline.question.terms import cue_of, split_words
from pipeline.text.matching import contains_folded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.lexicon import Lexicon
    from pipeline.question.terms import Word

MAX_BEHIND = 4
SAID_PERCENT = 60
"""Percent of the words asked that a label has at least when it is another spelling of them and no synonym."""


class Wording(NamedTuple):
    """The concept `name` as it is asked: printed words, their stems sorted, whose figures, and whether of a part."""

    name: str
    text: str
    words: tuple[str, ...]
    own: str
    is_narrowed: bool


def read_wording(task: ReaderTask, text: str, name: str) -> Wording | None:
    """The words around a concept in a question, from the first that belongs to its noun phrase to the last.

    "total Walmart shareholders' equity" and "net income attributable to Walmart" are asked with more words than the
    concept has. None where `text` does not name the concept.
    """
    lexicon = task.view.lexicon
    words = split_words(text, lexicon)
    place = next((entry for entry in find_concepts(words, lexicon) if entry.concept.name == name), None)
    if place is None:
        return None
    own = read_own_names(task)
    first = place.first
    while first and _is_joined(text, words[first - 1], words[first]) and _may_lead(task, words[first - 1], own):
        first -= 1
    stop = _find_end(task, words, place.stop)
    lead, core, tail = words[first : place.first], words[place.first : place.stop], words[place.stop : stop]
    # the name of whose figures they are says nothing of which figure is meant, nor does an abbreviation behind it
    kept = [word for word in (*lead, *tail) if not (word.is_name and contains_folded(word.folded, own))]
    plain = cue_of(lexicon.calculation_cues, "plain")
    telling = [word for word in kept if word.folded not in plain]
    shades = cue_of(lexicon.calculation_cues, "shades")
    # "positive working capital" asks of the whole company; a part is a noun, which only names show in such a question
    is_loose = task.part.shape == "boolean" or any(cue.label == name for cue in lexicon.formulas)
    narrowing = [word for word in telling if word.folded not in shades and (word.is_name or not is_loose)]
    stems = [stem for word in (*telling, *core) for stem in split_label(word.folded, lexicon)]
    return Wording(
        name,
        " ".join(word.text for word in words[first:stop]),
        tuple(sorted(drop_whole(stems, lexicon))),
        own,
        any(narrows(task, word, own) for word in narrowing),
    )


def says_wording(wording: Wording, label: str, lexicon: Lexicon) -> bool:
    """Whether a label is at least another spelling of the words asked; an abbreviation is spelled by its concept."""
    said = set(split_label(label, lexicon))
    asked = wording.words
    if "&" in asked or not " ".join(asked).count(" "):
        spelled = drop_whole(split_label(wording.name, lexicon), lexicon)
        if len(spelled) > len(asked) and _share(spelled, said) >= SAID_PERCENT:
            return True
    return _share(asked, said) >= SAID_PERCENT


def _share(asked: Sequence[str], said: set[str]) -> int:
    return sum(word in said for word in asked) * 100 // max(1, len(asked))


def _is_joined(text: str, one: Word, other: Word) -> bool:
    return text[one.end : other.start] == " "


def _may_lead(task: ReaderTask, word: Word, own: str) -> bool:
    """Whether a word before a concept may belong to its name: no small word, period, verb or word for any value."""
    lexicon = task.view.lexicon
    small = word.folded in lexicon.stop_word_set or word.folded in lexicon.question_words
    # who has the figure ("Acme's") is told by the part that it is of, not by the name of its row
    if (
        small
        or word.bare_end != word.end
        or word.is_number
        or find_periods(word.text)
        or word.folded in lexicon.light_verb_set
    ):
        return False
    is_named = contains_folded(word.folded, own) or word.folded in cue_of(lexicon.calculation_cues, "whole")
    return is_named or narrows(task, word, own)


def _find_end(task: ReaderTask, words: Sequence[Word], stop: int) -> int:
    """Where the name of a figure ends: it goes on with whom it belongs to ("attributable to Acme")."""
    lexicon = task.view.lexicon
    belongs = cue_of(lexicon.calculation_cues, "belongs")
    reach = [word.folded for word in words[max(0, stop - 1) : stop + 1]]
    if not any(word in belongs for word in reach):
        return stop
    end = stop
    # "attributable to Acme in 2018": the small word behind the name ends it
    fillers = cue_of(lexicon.calculation_cues, "filler")
    for index in range(stop, min(stop + MAX_BEHIND, len(words))):
        word = words[index]
        if word.is_number or find_periods(word.text) or (word.folded in fillers and word.folded != "to"):
            break
        end = index + 1
    return end
