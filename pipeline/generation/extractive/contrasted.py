"""What tells two things apart: what the document says that each of them is, one item for each side.

A passage that names both says nothing of their difference; where only one is explained, the answer says which is not.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from pipeline.generation.extractive.definition import read_definition
from pipeline.generation.extractive.reading import Reading
from pipeline.models.question import Anchor
from pipeline.question.terms import cue_of, split_words
from pipeline.question.weights import CONCEPT_WEIGHT
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import contains_folded, fold
from pipeline.text.tokens import split_sentences, stem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.lexicon import Lexicon
    from pipeline.question.terms import Word

ONE_SIDED = 400
"""Thousandths of confidence at most where one of the two sides is not explained."""


def find_contrasted(text: str, lexicon: Lexicon) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """The words of the two things that a question wants told apart; None where it names not just two."""
    words = split_words(text, lexicon)
    joints = cue_of(lexicon.value_cues, "contrast joints")
    openers = cue_of(lexicon.value_cues, "contrast openers")
    verbs = cue_of(lexicon.value_cues, "contrast verbs")
    opener = next((at for at, word in enumerate(words) if word.folded in openers), None)
    verb = next((at for at, word in enumerate(words) if word.folded in verbs), None)
    if opener is not None:
        joint = next((at for at in range(opener + 2, len(words)) if words[at].folded in joints), None)
        first = words[opener + 1 : joint] if joint is not None else ()
    else:
        joint = verb + 1 if verb is not None and verb + 1 < len(words) else None
        first = words[1:verb] if joint is not None and words[joint].folded in joints else ()
    if joint is None or not first:
        return None
    sides = _trim(first, lexicon), _trim(_cut(text, words[joint + 1 :], lexicon), lexicon)
    return sides if all(sides) else None


def _cut(text: str, words: Sequence[Word], lexicon: Lexicon) -> list[Word]:
    """The noun phrase that words begin with: up to a small word, or a mark, that stands behind its first word."""
    phrase: list[Word] = []
    for word in words:
        is_small = word.folded in lexicon.stop_word_set
        is_parted = bool(phrase) and text[phrase[-1].bare_end : word.start].strip(" \"'\u201c\u201d") != ""
        if phrase and (is_parted or (is_small and phrase[-1].folded not in lexicon.stop_word_set)):
            break
        phrase.append(word)
    return phrase


def _trim(words: Sequence[Word], lexicon: Lexicon) -> tuple[str, ...]:
    small = frozenset((*lexicon.stop_word_set, *lexicon.question_words, *lexicon.copula_set))
    kept = [word for word in words if word.folded not in small]
    return tuple(word.text[: word.bare_end - word.start] for word in kept)


def read_contrast(task: ReaderTask) -> Reading | None:
    """What each of two things is, side by side; None where the document explains neither of them."""
    found = find_contrasted(task.part.text, task.view.lexicon)
    if found is None or any(char.isdigit() for side in found for word in side for char in word):
        return None
    sides = _share_heads(task, *found)
    readings = [_read_side(task, side) for side in sides]
    told = [reading for reading in readings if reading is not None]
    if not told or (len(told) == 2 and told[0].items[0].text == told[1].items[0].text):
        return None
    missing = [side for side, reading in zip(sides, readings, strict=True) if reading is None]
    names = [side for side, reading in zip(sides, readings, strict=True) if reading is not None]
    return Reading(
        text="\n".join(f"{side}: {reading.text}" for side, reading in zip(names, told, strict=True)),
        items=tuple(
            item.model_copy(update={"label": item.label or side})
            for side, reading in zip(names, told, strict=True)
            for item in reading.items
        ),
        has_typed_fit=not missing,
        is_complete=not missing,
        caveats=tuple(f"nothing was found that says what {side} is" for side in missing),
        max_confidence=ONE_SIDED if missing else 1000,
    )


def _share_heads(task: ReaderTask, first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, str]:
    """The names of both sides; an adjective takes the noun of the other side where the document has it so."""
    shared = (*first, *second[len(first) :])
    is_short = len(first) < len(second) and bool(task.view.positions_of(_make_anchor(task, shared)))
    return " ".join(shared if is_short else first), " ".join(second)


def _make_anchor(task: ReaderTask, words: Sequence[str]) -> Anchor:
    stems = [stem(fold(word), task.view.lexicon.language) for word in words]
    text = " ".join(words)
    source: Literal["compound", "word"] = "compound" if len(words) > 1 else "word"
    return Anchor(text=text, key=" ".join(stems), source=source, forms=(fold(text),), weight=CONCEPT_WEIGHT)


def _read_side(task: ReaderTask, side: str) -> Reading | None:
    anchor = _make_anchor(task, side.split())
    update = {"text": side, "shape": "definition", "intent": "definition", "anchors": (anchor,), "focus": (anchor,)}
    reading = read_definition(replace(task, part=task.part.model_copy(update=update)))
    return reading if reading is not None and reading.items else None


def mark_sides(task: ReaderTask, reading: Reading) -> Reading:
    """A passage for a difference, with a caveat where no sentence of it speaks of one side alone or sets both apart."""
    found = find_contrasted(task.part.text, task.view.lexicon)
    if found is None or reading.certificate is not None:
        return reading
    anchors = [_make_anchor(task, side.split()) for side in _share_heads(task, *found)]
    text = " ".join(item.text for item in reading.items)
    sentences = [text[start:end] for start, end in split_sentences(text)]
    named = [tuple(bool(find_anchor(anchor, sentence)) for anchor in anchors) for sentence in sentences]
    turns = cue_of(task.view.lexicon.value_cues, "contrast turns")
    both = [sentence for sentence, sides in zip(sentences, named, strict=True) if all(sides)]
    if any(contains_folded(turn, fold(sentence)) for sentence in both for turn in turns):
        return reading
    alone = [any(sides[at] and not sides[1 - at] for sides in named) for at in (0, 1)]
    if all(alone):
        return reading
    missing = ", ".join(anchor.text for anchor, is_told in zip(anchors, alone, strict=True) if not is_told)
    return reading.doubt(f"what is quoted does not say what sets {missing} apart", ONE_SIDED)
