"""Expert concepts in a question: the longest forms first, on word boundaries, singular or plural."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pipeline.models.lexicon import Concept, Lexicon, singular
from pipeline.question.terms import Word
from pipeline.text.matching import fold

_OPENING = 4  # characters of a form that must occur in the question before the form is looked at


class ConceptPlace(NamedTuple):
    """A concept at the words [first, stop)."""

    concept: Concept
    first: int
    stop: int


def find_concepts(words: Sequence[Word], lexicon: Lexicon) -> tuple[ConceptPlace, ...]:
    """Concepts in order of place, without overlap; where two share a form, the first of the lexicon wins."""
    parts: list[str] = []
    owners: list[int] = []
    for place, word in enumerate(words):
        for part in _split_form(word.folded):
            parts.append(part)
            owners.append(place)
    index = _index_forms(" ".join(word.folded for word in words), lexicon)
    found: list[ConceptPlace] = []
    at = 0
    while at < len(parts):
        best = _match_longest(parts, owners, at, index)
        if best is None:
            at += 1
            continue
        concept, stop = best
        found.append(ConceptPlace(concept, owners[at], owners[stop - 1] + 1))
        at = stop
    return tuple(found)


def find_concept(name: str, lexicon: Lexicon) -> Concept | None:
    """The concept of that name, or None."""
    return next((concept for concept in lexicon.concepts if concept.name == name), None)


def _index_forms(text: str, lexicon: Lexicon) -> dict[str, list[tuple[tuple[str, ...], Concept]]]:
    """Forms that may occur in `text` by their first word, the longest first; the others are not even split."""
    index: dict[str, list[tuple[tuple[str, ...], Concept]]] = {}
    for concept in lexicon.concepts:
        for form in concept.forms:
            opening = form[:_OPENING]
            if (opening if opening.isalnum() else form[:1]) in text and (words := _split_form(form.casefold())):
                index.setdefault(words[0], []).append((tuple(words), concept))
    for forms in index.values():
        forms.sort(key=lambda item: -len(item[0]))
    return index


def _match_longest(
    parts: Sequence[str],
    owners: Sequence[int],
    at: int,
    index: Mapping[str, Sequence[tuple[tuple[str, ...], Concept]]],
) -> tuple[Concept, int] | None:
    if at and owners[at - 1] == owners[at]:
        return None  # a form never begins inside a hyphenated word
    for form, concept in index.get(parts[at], ()):
        stop = at + len(form)
        if tuple(parts[at:stop]) == form and (stop == len(parts) or owners[stop] != owners[stop - 1]):
            return concept, stop
    return None


def _split_form(folded: str) -> list[str]:
    return [singular(part) for part in folded.replace("-", " ").replace(",", " ").split()]


def list_forms(concept: Concept, own: str, lexicon: Lexicon) -> tuple[str, ...]:
    """Folded forms of a concept, the one asked first; a derived figure also counts where its inputs stand.

    Of the inputs only forms that are unmistakable count: several words or a rare one ("net sales", not "sales").
    """
    inputs = (find_concept(name, lexicon) for name in concept.inputs)
    spelled = (form for item in inputs if item is not None for form in item.forms)
    sure = (form for form in spelled if " " in form or lexicon.zipf_of(form) < lexicon.max_focus_zipf)
    return tuple(dict.fromkeys((fold(own), *map(fold, (*concept.forms, *sure)))))
