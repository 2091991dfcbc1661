"""Places that a question names: sections, pages, tables, figures, appendices, statements and kinds of layout."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, get_args

from pipeline.models.lexicon import Lexicon
from pipeline.models.question import Hint, HintKind
from pipeline.question.terms import Word, cue_of, find_first, find_phrase, split_words
from pipeline.text.matching import fold
from pipeline.text.mentions import Mention, find_mentions

_KINDS: dict[str, HintKind] = {
    **dict.fromkeys(("section", "clause", "article", "chapter", "part", "item"), "section"),
    **dict.fromkeys(("appendix", "annex", "schedule", "exhibit"), "appendix"),
    "table": "table",
    "figure": "figure",
    **dict.fromkeys(("equation", "note", "footnote", "row", "column"), "layout"),
}
_NEAR_PAGE = 12  # characters before a page number in which "printed" may stand
_HINT_KINDS = frozenset(get_args(HintKind))


class PlacedHint(NamedTuple):
    """A hint with where it stands in the question."""

    hint: Hint
    start: int
    end: int


def find_hints(text: str, lexicon: Lexicon) -> tuple[PlacedHint, ...]:
    """Every place that `text` names, in order.

    A plain "page 15" may be the number in print or the page of the file: it gives both hints, the printed one first,
    because what is printed on the page wins. "page 15 of the PDF" and "printed page 15" give one.
    """
    words = split_words(text, lexicon)
    placed = [placed for mention in find_mentions(text) for placed in _place_mention(mention, text, lexicon)]
    placed.extend(_find_titles(text, words, lexicon))
    placed.extend(_find_layouts(words, lexicon))
    unique = {(item.hint.kind, item.hint.key): item for item in reversed(placed)}
    order = sorted(
        unique.values(), key=lambda item: (item.start, item.end, item.hint.kind == "physical_page", item.hint.key)
    )
    return tuple(order)


def find_page_words(text: str, lexicon: Lexicon) -> list[tuple[int, int]]:
    """Where words like "printed page" stand: they say which count of pages is meant, and need not occur anywhere."""
    words = split_words(text, lexicon)
    phrases = (*cue_of(lexicon.hint_cues, "printed_page"), *cue_of(lexicon.hint_cues, "physical_page"))
    places = (place for phrase in phrases if (place := find_phrase(phrase, words)) is not None)
    return [(words[place.first].start, words[place.stop - 1].end) for place in places]


def _place_mention(mention: Mention, text: str, lexicon: Lexicon) -> Iterator[PlacedHint]:
    value = mention.label + mention.sublabel
    if mention.kind == "page":
        yield from _place_pages(mention, text, lexicon)
    elif mention.kind in _KINDS and not mention.is_external:
        yield PlacedHint(Hint(kind=_KINDS[mention.kind], value=value, key=mention.key), mention.start, mention.end)


def _place_pages(mention: Mention, text: str, lexicon: Lexicon) -> Iterator[PlacedHint]:
    """Hints of a page with the words around the number that say which count is meant."""
    window = max(0, mention.start - _NEAR_PAGE)
    before = split_words(text[window : mention.start] + "page", lexicon)
    after = split_words("page " + text[mention.end :], lexicon)
    kinds: tuple[HintKind, ...] = ("printed_page", "physical_page")
    start, end = mention.start, mention.end
    for kind in kinds:
        phrases = cue_of(lexicon.hint_cues, kind)
        place = find_first(phrases, before)
        if place is not None:
            kinds, start = (kind,), window + before[place.first].start
            break
        place = find_first(phrases, after)
        if place is not None and place.first == 0:
            kinds, end = (kind,), mention.end + after[place.stop - 1].end - len("page ")
            break
    for kind in kinds:
        value = mention.label + mention.sublabel
        yield PlacedHint(Hint(kind=kind, value=value, key=mention.key), start, end)


def _find_titles(text: str, words: Sequence[Word], lexicon: Lexicon) -> Iterator[PlacedHint]:
    """Sections named by their title: "the Regularization section", 'section "Model Architecture"'."""
    nouns = cue_of(lexicon.hint_cues, "section")
    for match in re.finditer(
        r"(\w+)\s+(?:titled\s+|called\s+|named\s+)?[\"\u201c\u00ab]([^\"\u201d\u00bb]{2,120})[\"\u201d\u00bb]", text
    ):
        if fold(match[1]) in nouns:
            yield _place_title(match[2], match.start(), match.end())
    for index, word in enumerate(words):
        if word.folded not in nouns or index == 0:
            continue
        first = index
        while (
            first > 0
            and _is_title_word(words[first - 1], lexicon)
            and text[words[first - 1].end : words[first].start] == " "
        ):
            first -= 1
        if first < index:
            yield _place_title(text[words[first].start : words[index - 1].end], words[first].start, word.end)


def _is_title_word(word: Word, lexicon: Lexicon) -> bool:
    return (
        word.text[:1].isupper() and word.folded not in lexicon.stop_word_set and word.folded not in lexicon.light_verbs
    )


def _place_title(title: str, start: int, end: int) -> PlacedHint:
    return PlacedHint(Hint(kind="section", value=title.strip(), key=f"section:{fold(title)}"), start, end)


def _find_layouts(words: Sequence[Word], lexicon: Lexicon) -> Iterator[PlacedHint]:
    for cue in lexicon.layout_cues:
        kind, _, value = cue.label.partition(":")
        if kind not in _HINT_KINDS:
            continue
        for phrase in cue.phrases:
            place = find_phrase(phrase, words)
            if place is not None:
                hint = Hint.model_validate({"kind": kind, "value": value, "key": f"{kind}:{value}"})
                yield PlacedHint(hint, words[place.first].start, words[place.stop - 1].end)
                break
