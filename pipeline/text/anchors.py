"""Where an anchor occurs: words on stems, identifiers in any spelling, phrases in any form of their words."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, permutations, product
from typing import NamedTuple

from pipeline.models.question import Anchor
from pipeline.text.folding import fold_mapped, is_bounded, is_cjk, locate_end
from pipeline.text.identifiers import contains_identifier
from pipeline.text.late import compile_late
from pipeline.text.tokens import stem

_LANGUAGES = ("en", "pt")
_WORDS = compile_late(r"[^\W_]+")
_POINTED = compile_late(r"(?:[^\W\d_]\.)+[^\W\d_]\.?")
_GAP = r"(?:[^\w.;:?!]|_){1,4}"  # between the words of a phrase: never the end of a sentence
_MIN_STEM = 3
_MIN_MARKED = 4  # letters of a word that may have a footnote mark glued to it
_VERBATIM = ("number", "period", "quoted", "identifier")
_Span = tuple[int, int]


def occurs(anchor: Anchor, folded: str) -> bool:
    """Whether an anchor occurs in a folded line: one of its forms, or inflections of the words of a form side by side.

    The words of a compound may stand in any order ("authentication, multi-factor").
    """
    if anchor.source == "identifier" and (":" not in anchor.key or contains_identifier(anchor.key, folded)):
        return bool(contains_identifier(anchor.key, folded))
    matcher = _compile(anchor.source, anchor.key, anchor.forms)
    return next(_find_spans(matcher, folded, matcher.least), None) is not None


def find_anchor(anchor: Anchor, text: str) -> tuple[_Span, ...]:
    """Verbatim (start, end) of every occurrence of an anchor in `text`, in order, without overlap."""
    if anchor.source == "identifier":
        found = contains_identifier(anchor.key, text)
        if found or ":" not in anchor.key:
            return found
    mapped = fold_mapped(text)
    kept: list[_Span] = []
    matcher = _compile(anchor.source, anchor.key, anchor.forms)
    spans = set(_find_spans(matcher, mapped.folded, matcher.forms))
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return tuple((mapped.offsets[start], locate_end(mapped, end)) for start, end in kept)


class FoldedLines:
    """The folded lines of a document made ready for finding an anchor in all of them at once.

    An anchor may run over the end of a line; a hyphen there is read both ways ("insur-/ance", "quantum-/safe").
    """

    __slots__ = ("_lines", "_texts")

    def __init__(self, folded: Sequence[str]) -> None:
        """Join the lines, once a document."""
        self._lines = folded
        starts = tuple(accumulate((len(line) + 1 for line in folded), initial=0))
        self._texts = [(" ".join(folded), starts, tuple(range(len(folded))))]
        self._add_joints([index for index, line in enumerate(folded[:-1]) if line.endswith("-")], 1)
        cjk = [index for index, line in enumerate(folded[:-1]) if line and is_cjk(line[-1])]
        self._add_joints([index for index in cjk if is_cjk(folded[index + 1][:1] or " ")], 0)

    def find(self, anchor: Anchor) -> tuple[int, ...]:
        """Indices of all lines on which the anchor begins, ascending."""
        if anchor.source == "identifier":
            return self._find_identifier(anchor)
        matcher = _compile(anchor.source, anchor.key, anchor.forms)
        found: set[int] = set()
        for text, starts, owners in self._texts:
            found.update(
                owners[bisect_right(starts, start) - 1] for start, _ in _find_spans(matcher, text, matcher.least)
            )
        return tuple(sorted(found))

    def _add_joints(self, indices: Sequence[int], dropped: int) -> None:
        """Lines that go on in the next without a space, joined with it; `dropped` characters go from their end."""
        if indices:
            pairs = [
                self._lines[index][: len(self._lines[index]) - dropped] + self._lines[index + 1] for index in indices
            ]
            starts = tuple(accumulate((len(pair) + 3 for pair in pairs), initial=0))
            self._texts.append((" . ".join(pairs), starts, tuple(indices)))

    def _find_identifier(self, anchor: Anchor) -> tuple[int, ...]:
        text, starts, _ = self._texts[0]
        found = (bisect_right(starts, at) - 1 for probe in _list_probes(anchor) for at in _find_all(probe, text))
        return tuple(index for index in sorted(set(found)) if occurs(anchor, self._lines[index]))


class _Form(NamedTuple):
    """Words of a form as stems; `pivot` is the word looked for first, `pattern` what the others look like around it."""

    language: str
    stems: tuple[str, ...]
    probes: tuple[str, ...]
    pivot: str
    pattern: re.Pattern[str]
    reach: int


class _Matcher(NamedTuple):
    """An anchor made ready: forms that count as written and forms that count in any inflection.

    `least` are the forms that hold no other: where one of all forms occurs, one of these does.
    """

    literals: tuple[str, ...]
    forms: tuple[_Form, ...]
    least: tuple[_Form, ...]


@lru_cache(maxsize=1024)
def _compile(source: str, key: str, forms: tuple[str, ...]) -> _Matcher:
    """Forms as stems; none where a form counts only as it is written."""
    split = {form: _split_form(form) if source not in _VERBATIM else () for form in forms if form}
    own = next(iter(split.values()), ())
    keyed = next((name for name in _LANGUAGES if " ".join(stem(word, name) for word in own) == key), _LANGUAGES[0])
    orders: dict[tuple[str, tuple[str, ...]], None] = {}
    for language, words in product(_LANGUAGES, split.values()):
        # a key is made of stems and tells their language; that of a concept is its name, which tells none, so its forms
        # are tried in each; a single word is too easily one of another language
        is_tried = source == "concept" and len(words) > 1
        stems = tuple(stem(word, language) for word in words)
        if stems and (is_tried or language == keyed):
            is_free = source == "compound" and len(stems) <= _MIN_STEM
            found = sorted(permutations(stems)) if is_free else (stems,)
            orders.update(dict.fromkeys((language, order) for order in found))
    literals = tuple(form for form, words in split.items() if not words)
    compiled = tuple(_compile_form(*order) for order in orders)
    least = tuple(form for form in compiled if not any(_holds((form.language, form.stems), each) for each in orders))
    return _Matcher(literals, compiled, least)


def _holds(form: tuple[str, tuple[str, ...]], other: tuple[str, tuple[str, ...]]) -> bool:
    """Whether `other` is a shorter run of words inside a form of the same language."""
    stems, count = form[1], len(other[1])
    is_shorter = form[0] == other[0] and count < len(stems)
    return is_shorter and any(stems[at : at + count] == other[1] for at in range(len(stems) - count + 1))


def _compile_form(language: str, stems: tuple[str, ...]) -> _Form:
    probes = tuple(map(_probe, stems))
    pivot = max(range(len(probes)), key=lambda index: (min(len(probes[index]), _MIN_STEM + 1), -index))
    pattern = _GAP.join(r"([^\W_]*)" if not probe else rf"({re.escape(probe)}[^\W_]*)" for probe in probes)
    reach = sum(len(probe) + 16 for probe in probes[:pivot])
    return _Form(language, stems, probes, probes[pivot], re.compile(rf"(?<![^\W_]){pattern}"), reach)


def _probe(stemmed: str) -> str:
    """What every inflection of a stem begins with: the last letter may change ("policy", "policies")."""
    return stemmed[:-1] if len(stemmed) > _MIN_STEM and stemmed.isalpha() else stemmed


@lru_cache(maxsize=4096)
def _split_form(form: str) -> tuple[str, ...]:
    """Words of a form without its marks; none for a script without spaces and for letters with points ("u.s")."""
    if _POINTED.fullmatch(form):
        return ()
    words = tuple(_WORDS.findall(form))
    return () if any(is_cjk(char) for word in words for char in word) else words


def _find_spans(matcher: _Matcher, folded: str, forms: tuple[_Form, ...]) -> Iterator[_Span]:
    """Places of forms in a folded text, form by form; the same place may come twice."""
    for literal in matcher.literals:
        for at in _find_all(literal, folded):
            if is_bounded(folded, at, at + len(literal)):
                yield at, at + len(literal)
    for form in forms:
        if all(map(folded.__contains__, form.probes)):
            yield from _find_form(form, folded)


def _find_form(form: _Form, folded: str) -> Iterator[_Span]:
    """Places of a form; with a reach, the words before the pivot are looked for first."""
    for at in _find_all(form.pivot, folded):
        if form.reach:
            match = form.pattern.search(folded, max(0, at - form.reach), at + form.reach + 80)
        else:
            match = form.pattern.match(folded, at)
        if match is None or _cuts_number(folded, *match.span()):
            continue
        if all(_is_inflection(word, own, form.language) for word, own in zip(match.groups(), form.stems, strict=True)):
            yield match.span()


def _cuts_number(folded: str, start: int, end: int) -> bool:
    """Whether [start, end) begins or ends inside a number ("418" in "1,418"); letters are whole by the pattern."""
    has_digit_edge = folded[start].isdigit() or folded[end - 1].isdigit()
    return has_digit_edge and not is_bounded(folded, start, end)


def _is_inflection(word: str, stemmed: str, language: str) -> bool:
    if word == stemmed or stem(word, language) == stemmed:
        return True
    if not word[-1:].isdigit():
        return False
    # a footnote mark that the text layer glues to its word ("agreement1"); codes have fewer letters or more digits
    plain = word.rstrip("0123456789")
    is_marked = _MIN_MARKED <= len(plain) < len(word) <= len(plain) + 2 and plain.isalpha()
    return is_marked and (plain == stemmed or stem(plain, language) == stemmed)


def _find_all(probe: str, text: str) -> Iterator[int]:
    at = text.find(probe)
    while at >= 0:
        yield at
        at = text.find(probe, at + 1)


def _list_probes(anchor: Anchor) -> tuple[str, ...]:
    """What stands in every spelling of an identifier: its longest run of digits, else its first letter."""
    runs = re.findall(r"[^\W\d_]+|\d+", anchor.key.partition(":")[2] or anchor.key)
    digits = [run.lstrip("0") or "0" for run in runs if run.isdigit()]
    if digits:
        return (max(digits, key=len),)
    own = anchor.forms[:1] if ":" in anchor.key else ()
    return tuple(dict.fromkeys((*(run[:1] for run in runs[:1]), *own)))
