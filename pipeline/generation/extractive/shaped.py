"""Whether a passage has the shape that a question asks for: an amount for "what fee", the noun of "in which state".

Of two paragraphs of one section that speak of the same, the one with what is asked for answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.measured import find_asked
from pipeline.generation.extractive.typed import find_typed
from pipeline.question.anchors import make_word_anchor
from pipeline.question.terms import cue_of, split_words
from pipeline.text.anchors import find_anchor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.ranked import Passage
    from pipeline.generation.extractive.reading import ReaderTask

MIN_SHARED = 75
"""Percent of what the best passage has of the question that another one needs to be preferred for its shape."""


def asks_amount(task: ReaderTask) -> bool:
    """Whether a question asks for a price, fee or the like: what stands right behind "what is the", or "what fee"."""
    lexicon = task.view.lexicon
    nouns = cue_of(lexicon.value_cues, "price nouns")
    words = [word for word in split_words(task.part.text, lexicon) if word.folded not in lexicon.copula_set]
    opener = next((at for at, word in enumerate(words) if word.folded in lexicon.list_opener_set), None)
    if opener is None or task.part.shape in ("list", "boolean", "definition"):
        return False
    phrase: list[str] = []
    for word in words[opener + 1 :]:
        # the noun phrase ends with the next small word: "the price of the plan" asks for the price
        if word.folded in lexicon.stop_word_set:
            if phrase:
                break
            continue
        phrase.append(word.folded)
    return any(noun in nouns for noun in phrase[:4])


def has_shape(task: ReaderTask, text: str) -> bool:
    """Whether a text has what is asked for by kind; true where the question asks for no kind that could be told."""
    if asks_amount(task):
        return bool(find_typed(text, "money", task.view.lexicon))
    noun = find_asked(task)
    if noun is None or not noun.folded.isalpha() or noun.is_name:
        return True
    return bool(find_anchor(make_word_anchor(noun, task.view.lexicon), text))


def prefer_shaped(task: ReaderTask, passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """The passages, with one of the shape asked first where the best lacks it and both stand in one section."""
    if not passages or has_shape(task, passages[0].text):
        return tuple(passages)
    best = passages[0]
    section = task.view.document.section_at(best.sentences[0].start)
    for at, passage in enumerate(passages):
        shared = len(best.matched & passage.matched) * 100
        is_beside = task.view.document.section_at(passage.sentences[0].start) == section
        if is_beside and shared >= MIN_SHARED * len(best.matched) and has_shape(task, passage.text):
            return (passage, *passages[:at], *passages[at + 1 :])
    return tuple(passages)
