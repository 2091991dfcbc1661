"""Anchors of one part of a question: quoted phrases, identifiers, concepts, compounds, words, numbers, periods."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from pipeline.models.lexicon import Lexicon
from pipeline.models.question import Anchor
from pipeline.question.concepts import find_concept, find_concepts, list_forms
from pipeline.question.hints import PlacedHint, find_page_words
from pipeline.question.periods import find_periods
from pipeline.question.periods import list_forms as list_period_forms
from pipeline.question.terms import Word, cue_of, cut_spans, is_asked_noun, split_words
from pipeline.question.weights import (
    CAPITALS_WEIGHT,
    CONCEPT_WEIGHT,
    EXACT_WEIGHT,
    HINT_WEIGHT,
    INPUT_WEIGHT,
    NUMBER_WEIGHT,
    PERIOD_WEIGHT,
    weigh_compound,
    weigh_word,
)
from pipeline.text.grammar import list_kind_forms
from pipeline.text.greek import spell_symbol
from pipeline.text.identifiers import find_identifiers
from pipeline.text.late import compile_late
from pipeline.text.matching import fold, is_cjk
from pipeline.text.tokens import stem

_QUOTED = compile_late(
    r"[\"\u201c\u00ab\u300c]([^\"\u201d\u00bb\u300d|]{2,200})[\"\u201d\u00bb\u300d]|(?<!\w)['\u2018]([^'\u2019|]{2,200})['\u2019](?!\w)"
)
_MAX_COMPOUND_WORDS = 3
_JOINERS_IN_NAMES = compile_late(r" (?:of|de|da|do|dos|das|&) ", re.IGNORECASE)


def build_anchors(core: str, hints: Sequence[PlacedHint], lexicon: Lexicon) -> tuple[Anchor, ...]:
    """All anchors of a part, strongest kinds first, each key once. `core` is blank where nothing is asked."""
    found: list[Anchor] = [
        _make_hint_anchor(core, hint) for hint in hints if hint.hint.kind not in ("layout", "statement")
    ]
    text = cut_spans(core, [(hint.start, hint.end) for hint in hints if hint.hint.kind != "layout"])
    text = cut_spans(text, find_page_words(text, lexicon))
    for match in _QUOTED.finditer(text):
        quoted = match[1] or match[2]
        found.append(_make(quoted, fold(quoted), "quoted", (fold(quoted),), EXACT_WEIGHT))
    text = blank_quotes(text)
    periods = find_periods(text)
    for period in periods:
        forms = list_period_forms(period, text)
        found.append(_make(text[period.start : period.end], period.key, "period", forms, PERIOD_WEIGHT))
    text = cut_spans(text, [(period.start, period.end) for period in periods])
    identifiers = find_identifiers(text)
    for item in identifiers:
        if fold(item.text) in lexicon.document_noun_set:
            continue
        symbols = spell_symbol(fold(item.text))
        forms = tuple(dict.fromkeys((fold(item.text), item.key, *symbols)))
        # a symbol with a Greek letter is a word: an identifier has one spelling but for its marks
        found.append(_make(item.text, item.key, "word" if symbols else "identifier", forms, EXACT_WEIGHT))
    text = cut_spans(text, [(item.start, item.end) for item in identifiers])
    words = split_words(text, lexicon)
    places = find_concepts(words, lexicon)
    for place in places:
        own = text[words[place.first].start : words[place.stop - 1].bare_end]
        forms = list_forms(place.concept, own, lexicon)
        anchor = _make(own, fold(place.concept.name), "concept", forms, CONCEPT_WEIGHT)
        zipf = min(lexicon.zipf_of(word.folded) for word in words[place.first : place.stop])
        found.append(anchor.model_copy(update={"zipf": zipf}))
    taken = frozenset(index for place in places for index in range(place.first, place.stop))
    found.extend(_build_compounds(text, words, places_of(taken, words), lexicon))
    found.extend(_build_words(words, taken, lexicon))
    for place in places:
        found.extend(_build_inputs(place.concept.inputs, lexicon))
    return merge_anchors(found or _build_verbs(words, lexicon))


def _build_verbs(words: Sequence[Word], lexicon: Lexicon) -> Iterator[Anchor]:
    """Anchors of a question without a word of content: its verb ("whom may you cover") with the nouns for documents.

    Verbs of telling stay out: "what does it say" names nothing.
    """
    telling = cue_of(lexicon.value_cues, "telling")
    verbs = [word for word in words if word.folded in lexicon.light_verb_set and word.folded not in telling]
    nouns = [word for word in words if word.folded in lexicon.document_noun_set]
    for word in (*verbs, *nouns) if verbs else ():
        key = stem(word.folded, lexicon.language)
        yield _make(word.text, key, "word", (word.folded,), weigh_word(word.folded, lexicon))


def blank_quotes(text: str) -> str:
    """The text with quoted phrases blanked: their words say nothing about the shape of the answer."""
    return _QUOTED.sub(lambda match: "|" * len(match[0]), text)


def places_of(taken: frozenset[int], words: Sequence[Word]) -> tuple[bool, ...]:
    """For each word, whether a concept holds it."""
    return tuple(index in taken for index in range(len(words)))


def merge_anchors(anchors: Iterable[Anchor]) -> tuple[Anchor, ...]:
    """The anchors in order, each matching key once, the first kept."""
    unique: dict[str, Anchor] = {}
    for anchor in anchors:
        if anchor.key:
            unique.setdefault(anchor.key, anchor)
    return tuple(unique.values())


def is_content(word: Word, lexicon: Lexicon) -> bool:
    """Whether a word can say what a question is about: neither function word, light verb nor name for the document."""
    folded = word.folded
    if word.is_capitals and folded not in lexicon.stop_word_set and folded not in lexicon.question_words:
        return True  # "PROTECT" is a name, "protect" is not
    known = (
        lexicon.stop_word_set,
        lexicon.light_verb_set,
        lexicon.document_noun_set,
        lexicon.question_words,
        lexicon.cardinals,
    )
    return folded[0].isalnum() and not any(folded in words for words in known)


def is_adverb(folded: str, lexicon: Lexicon) -> bool:
    """Whether a word is a known word with the ending of an adverb ("historically"): it says how, not what."""
    endings = (ending for ending in lexicon.adverb_endings if folded.endswith(ending))
    return any(lexicon.zipf_of(folded.removesuffix(ending)) > 0 for ending in endings)


def list_content(words: Sequence[Word], lexicon: Lexicon) -> tuple[bool, ...]:
    """For each word whether it is content; a word in capitals is, where its neighbour is too ("NOT APPLICABLE")."""
    if not words:
        return ()
    is_shouted = all(not word.text.islower() for word in words)
    capitals = [not is_shouted and word.text.isupper() and len(word.text) > 1 for word in words]
    beside = [before or after for before, after in zip([False, *capitals], [*capitals[1:], False], strict=False)]
    contents: list[bool] = []
    for word, own, other in zip(words, capitals, beside, strict=True):
        before = words[len(contents) - 1] if contents and contents[-1] else None
        is_named = before is not None and before.text[:1].isupper() and word.text[:1].isupper()
        # "Northwind Standard" is a name; "file size" and "policy number" are compounds of what follows
        following = words[len(contents) + 1] if len(contents) + 1 < len(words) else None
        modifies = following is not None and following.start - word.end == 1 and is_content(following, lexicon)
        is_title = word.folded in lexicon.document_noun_set and (is_named or modifies)
        contents.append(is_content(word, lexicon) or (own and other) or is_title)
    return tuple(contents)


def _make(text: str, key: str, source: str, forms: tuple[str, ...], weight: int) -> Anchor:
    return Anchor.model_validate({"text": text.strip(), "key": key, "source": source, "forms": forms, "weight": weight})


def _make_hint_anchor(core: str, hint: PlacedHint) -> Anchor:
    text = core[hint.start : hint.end]
    return _make(text, hint.hint.key, "identifier", (fold(text),), HINT_WEIGHT)


def _build_inputs(names: Sequence[str], lexicon: Lexicon) -> Iterator[Anchor]:
    for name in names:
        concept = find_concept(name, lexicon)
        if concept is not None:
            yield _make(name, fold(name), "concept", tuple(map(fold, concept.forms)), INPUT_WEIGHT)


def _build_words(words: Sequence[Word], taken: frozenset[int], lexicon: Lexicon) -> Iterator[Anchor]:
    is_shouted = all(not word.text.islower() for word in words)
    for index, word in enumerate(words):
        # a Chinese character alone is rather a piece of a word that the lexicon lacks; its compound holds it
        is_piece = len(word.folded) == 1 and is_cjk(word.folded)
        is_degree = (
            index > 0 and words[index - 1].folded in lexicon.question_words and word.folded in lexicon.degree_words
        )
        is_empty = not is_content(word, lexicon) and not is_asked_noun(words, index, lexicon)
        if index in taken or is_piece or is_degree or is_empty:
            continue
        if word.is_number:
            yield _make(word.text, word.folded, "number", (word.folded,), NUMBER_WEIGHT)
        else:
            yield make_word_anchor(word, lexicon, word.is_capitals and not is_shouted)


def make_word_anchor(word: Word, lexicon: Lexicon, is_name: bool = False) -> Anchor:
    """The anchor of one word; "DIRECT" in a sentence is a name, however common the word "direct" is."""
    weight = weigh_word(word.folded, lexicon)
    return Anchor(
        text=word.text[: word.bare_end - word.start],
        key=stem(word.folded, lexicon.language),
        source="word",
        forms=list_word_forms(word.folded),
        weight=max(weight, CAPITALS_WEIGHT) if is_name else weight,
        zipf=0 if is_name else lexicon.zipf_of(word.folded),
    )


def list_word_forms(folded: str) -> tuple[str, ...]:
    """A word and its other spellings: a hyphenated one with a space and in one, a Greek letter by name and by sign."""
    symbols = spell_symbol(folded)
    if "-" not in folded:
        return (folded, *symbols, *list_kind_forms(folded))
    return tuple(dict.fromkeys((folded, folded.replace("-", " "), folded.replace("-", ""), *symbols)))


def _build_compounds(text: str, words: Sequence[Word], is_taken: Sequence[bool], lexicon: Lexicon) -> Iterator[Anchor]:
    """Runs of two or three content words side by side; longer runs give their pairs; names keep an inner "of"."""
    runs = [part for run in _find_runs(text, words, lexicon) for part in _part_run(run, words, is_taken, lexicon)]
    for run in runs:
        for group in _group_run(run, words):
            members = [words[index] for index in group]
            if len(members) > 1 and not all(member.folded in lexicon.generic_set for member in members):
                yield make_compound(text[members[0].start : members[-1].bare_end], members, lexicon)
    yield from _build_names(text, words, lexicon)


def _group_run(run: list[int], words: Sequence[Word]) -> list[list[int]]:
    """A run of up to three words whole; a longer one parted where names end or begin, then in pairs."""
    if len(run) <= _MAX_COMPOUND_WORDS:
        return [run]
    pieces: list[list[int]] = [run[:1]]
    for index in run[1:]:
        if words[index].text[:1].isupper() == words[pieces[-1][-1]].text[:1].isupper():
            pieces[-1].append(index)
        else:
            pieces.append([index])
    if len(pieces) == 1 or all(len(piece) == 1 for piece in pieces):
        return [run[at : at + 2] for at in range(len(run) - 1)]
    return [group for piece in pieces for group in (_group_run(piece, words) if len(pieces) > 1 else [piece])]


def _part_run(run: list[int], words: Sequence[Word], is_taken: Sequence[bool], lexicon: Lexicon) -> Iterator[list[int]]:
    """A run as it is; without its concepts where it is long; nothing where only generic words are added to them."""
    added = [index for index in run if not is_taken[index] and words[index].folded not in lexicon.generic_set]
    if any(is_taken[index] for index in run) and not added:
        return
    if len(run) <= _MAX_COMPOUND_WORDS or not any(is_taken[index] for index in run):
        yield run
        return
    part: list[int] = []
    for index in run:
        if not is_taken[index]:
            part.append(index)
        elif part:
            yield part
            part = []
    if part:
        yield part


def _find_runs(text: str, words: Sequence[Word], lexicon: Lexicon) -> Iterator[list[int]]:
    run: list[int] = []
    contents = list_content(words, lexicon)
    for index, word in enumerate(words):
        gap = text[words[index - 1].end : word.start] if index else ""
        joins = gap == " " or (gap == "" and lexicon.language == "zh")
        # a possessive ends a name: "Netflix's quick ratio" is no compound
        is_broken = not joins or words[index - 1].bare_end != words[index - 1].end
        if run and is_broken:
            yield run
            run = []
        # a number belongs to the name before it ("Tier 3"), else it counts what follows
        # "the longest notice period" is a notice period; "Longest" inside a sentence is part of a name
        is_operator = word.folded in lexicon.comparative_set and not word.text[:1].isupper()
        is_member = contents[index] and not is_operator and not is_adverb(word.folded, lexicon)
        if is_member and (not word.is_number or (run and words[run[-1]].text[:1].isupper())):
            run.append(index)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _build_names(text: str, words: Sequence[Word], lexicon: Lexicon) -> Iterator[Anchor]:
    """Names with a joining word inside: "Coordination of Benefits", "Notice of Availability"."""
    for before, joiner, after in zip(words, words[1:], words[2:], strict=False):
        joined = text[before.end : after.start]
        if _JOINERS_IN_NAMES.fullmatch(joined) and before.text[:1].isupper() and after.text[:1].isupper():
            members = [word for word in (before, joiner, after) if is_content(word, lexicon)]
            if len(members) > 1 and not before.is_number and not after.is_number:
                yield make_compound(text[before.start : after.bare_end], members, lexicon)


def make_compound(text: str, members: Sequence[Word], lexicon: Lexicon) -> Anchor:
    """A compound anchor: its key are the stems of its members, its zipf that of the rarest."""
    own = fold(text)
    forms = (own, own.replace("-", " "), own.replace("-", ""))
    zipfs = [lexicon.zipf_of(member.folded) for member in members]
    return Anchor(
        text=text,
        key=" ".join(stem(member.folded, lexicon.language) for member in members),
        source="compound",
        forms=tuple(dict.fromkeys(forms)),
        weight=weigh_compound(members, lexicon),
        zipf=min(zipfs),
    )
