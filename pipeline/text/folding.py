"""The matching form of a text and its way back to verbatim offsets.

Lines are never normalised in place. What is compared is a derived form: NFKC, case folded, ligatures opened,
dashes and quotes unified, soft hyphens and zero-width marks removed, superscripts kept apart by a space,
letter-spaced headings collapsed to words, white space runs as one space.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from pipeline.text.late import compile_late

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\u02d7\ufe58\ufe63\uff0d\u2e3a\u2e3b"
_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u2032\u2035\u00b4\u02bc\uff07"
_DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\uff02"
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufeff" + "".join(map(chr, range(0xFE00, 0xFE10)))
)
_TRADE_MARKS = "\u2122\u2120\u00ae"  # NFKC would glue "tm" to the word before
_TABLE: dict[int, str | None] = {
    **{ord(char): "-" for char in _DASHES},
    **{ord(char): "'" for char in _SINGLE_QUOTES},
    **{ord(char): '"' for char in _DOUBLE_QUOTES},
    **{ord(char): None for char in _INVISIBLE + _TRADE_MARKS},
    0x2044: "/",
    **{
        code: f" {num}/{den}"
        for code, num, den in (
            (0xBC, 1, 4),
            (0xBD, 1, 2),
            (0xBE, 3, 4),
            (0x2153, 1, 3),
            (0x2154, 2, 3),
            (0x2155, 1, 5),
            (0x215B, 1, 8),
            (0x215C, 3, 8),
            (0x215D, 5, 8),
            (0x215E, 7, 8),
        )
    },
}
_SUPERSCRIPTS = "\u00b9\u00b2\u00b3\u2070\u2074-\u207e"
# The marks that make most lines of English prose non-ASCII; replacing them first keeps those lines on the fast path.
_COMMON = (
    ("\u2019", "'"),
    ("\u2013", "-"),
    ("\u2014", "-"),
    ("\u00a0", " "),
    ("\u201c", '"'),
    ("\u201d", '"'),
    ("\u2018", "'"),
    ("\u00ae", ""),
)
_find_spaced_hint = compile_late(r" [^\W\d_] +[^\W\d_] +[^\W\d_](?: |$)").search
# Printable characters that folding changes in nothing but case: ASCII, Latin letters, some bullets and signs.
_is_plain = compile_late(
    "[ -~\u00a1-\u00a7\u00a9\u00ac\u00b0\u00b1\u00b6\u00b7\u00bf-\u00ff\u2020-\u2022\u20ac\u25a0-\u25ff]*"
).fullmatch
_find_superscript = compile_late(f"(?<![{_SUPERSCRIPTS}])(?=[{_SUPERSCRIPTS}])")
_MIN_SPACED_LETTERS = 4


class FoldedText(NamedTuple):
    """A matching form; `offsets[i]` is the verbatim index of folded character i, the last entry is the verbatim end."""

    folded: str
    offsets: tuple[int, ...]


def fold(text: str) -> str:
    """Return the matching form of `text`; folding a folded text changes nothing."""
    # runs on every line of a document: each test here is one pass in C, and most lines leave at the last one
    if not text.isascii():
        for mark, plain in _COMMON:
            text = text.replace(mark, plain)
        if not text.isascii() and not _is_plain(text):
            return _collapse_spaces(_fold_characters(text))
    folded = text.casefold()
    if not text.isprintable() or _find_spaced_hint(folded):
        return _collapse_spaces(folded)
    return " ".join(folded.split()) if "  " in folded else folded.strip()


def fold_mapped(text: str) -> FoldedText:
    """Return the matching form together with the verbatim offset of each of its characters."""
    if text.isascii():
        folded = text.lower()
        if text.isprintable() and "  " not in folded and not _find_spaced_hint(folded):
            lead = len(text) - len(text.lstrip())
            stripped = folded.strip()
            return FoldedText(stripped, tuple(range(lead, lead + len(stripped) + 1)))
        return _collapse_mapped(folded, list(range(len(text) + 1)))
    return _collapse_mapped(*_map_characters(text))


def squeeze(text: str) -> str:
    """Return the matching form without the marks that typesetting adds or loses inside titles and names.

    White space goes, and so do hyphens, underscores and full stops between alphanumerics, except between two
    digits, where they tell numbers apart ("5.4" is not "54").
    """
    folded = re.sub(r"(?<![0-9]) | (?![0-9])", "", fold(text))
    return re.sub(r"(?<=[^\W_])[-_.]+(?=[^\W\d_])|(?<=[^\W\d_])[-_.]+(?=[^\W_])", "", folded)


def is_cjk(char: str) -> bool:
    """Tell whether `char` belongs to a script written without spaces (Han, kana, their punctuation excluded)."""
    return (
        "\u3400" <= char <= "\u9fff"
        or "\u3041" <= char <= "\u30ff"
        or "\uf900" <= char <= "\ufaff"
        or "\U00020000" <= char <= "\U0003ffff"
        or char in "\u3005\u3007"
    )


def is_bounded(text: str, start: int, end: int) -> bool:
    """Tell whether [start, end) of a folded text is whole words and whole numbers ("418" is not in "1,418")."""
    if start > 0 and _is_glued(text[start - 1], text[start], text[start - 2 : start - 1]):
        return False
    return end >= len(text) or not _is_glued(text[end], text[end - 1], text[end + 1 : end + 2])


def contains_folded(needle_folded: str, folded: str) -> bool:
    """Tell whether an already folded needle occurs as whole words in an already folded text."""
    at = folded.find(needle_folded)
    if not needle_folded:
        return False
    while at >= 0:
        if is_bounded(folded, at, at + len(needle_folded)):
            return True
        at = folded.find(needle_folded, at + 1)
    return False


def locate_end(mapped: FoldedText, end: int) -> int:
    """Return the verbatim end of the folded characters before `end`; a split ligature counts whole."""
    offsets = mapped.offsets
    last = offsets[end - 1]
    while end < len(offsets) - 1 and offsets[end] <= last:
        end += 1
    return max(offsets[end], last)


def _is_glued(outer: str, edge: str, beyond: str) -> bool:
    """Tell whether the character outside a match continues its edge character."""
    if edge.isdigit() and outer in ".," and beyond.isdigit():
        return True
    if not (outer.isalnum() or outer == "_") or not (edge.isalnum() or edge == "_"):
        return False
    return not (is_cjk(outer) or is_cjk(edge))


def _fold_characters(text: str) -> str:
    """Fold characters without touching white space runs; repeated until nothing changes, so it is idempotent."""
    text = _find_superscript.sub(" ", text)
    for _ in range(4):
        plain = text.translate(_TABLE)
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", plain).casefold())
        if folded == text or folded.isascii():
            return folded
        text = folded
    return text


@lru_cache(maxsize=4096)
def _fold_cluster(cluster: str) -> str:
    return _fold_characters(cluster)


def _map_characters(text: str) -> tuple[str, list[int]]:
    """Fold cluster by cluster (a base with its combining and invisible marks) and note where each came from."""
    starts: list[int] = []
    for index, char in enumerate(text):
        is_mark = char > "\u00ac" and (unicodedata.combining(char) or char in _INVISIBLE)
        if not starts or not is_mark:
            starts.append(index)
    pieces: list[str] = []
    offsets: list[int] = []
    superscripts = re.compile(f"[{_SUPERSCRIPTS}]")
    for start, end in pairwise([*starts, len(text)]):
        piece = _fold_cluster(text[start:end])
        if start and superscripts.match(text[start]) and superscripts.match(text[start - 1]):
            piece = piece[1:]  # a run of superscripts is set apart once, in front
        pieces.append(piece)
        offsets.extend([start] * len(piece))
    # clusters are folded alone; comparing with the whole finds the scripts where characters act on each other
    joined = "".join(pieces)
    whole = _fold_characters(text)
    if whole == joined:
        return whole, [*offsets, len(text)]
    return whole, _align_offsets(joined, offsets, whole, len(text))


def _align_offsets(joined: str, offsets: list[int], whole: str, length: int) -> list[int]:
    """Offsets for texts whose characters compose across clusters (Hangul, some Indic): exact outside that stretch."""
    shorter = min(len(joined), len(whole))
    head = next((i for i in range(shorter) if joined[i] != whole[i]), shorter)
    limit = shorter - head
    tail = next((i for i in range(limit) if joined[-1 - i] != whole[-1 - i]), limit)
    middle = offsets[head] if head < len(offsets) else length
    ending = offsets[len(offsets) - tail :] if tail else []
    return [*offsets[:head], *([middle] * (len(whole) - head - tail)), *ending, length]


def _collapse_spaces(text: str) -> str:
    """One space between words, none inside letter-spaced words or between CJK characters."""
    tokens = list(re.finditer(r"\S+", text))
    parts: list[str] = []
    for token, is_glued in zip(tokens, _find_glue(tokens), strict=True):
        parts.append(token[0] if is_glued or not parts else " " + token[0])
    return "".join(parts)


def _collapse_mapped(text: str, offsets: list[int]) -> FoldedText:
    """Collapse as `_collapse_spaces` does and carry the offsets along; a space maps to the end of the word before."""
    tokens = list(re.finditer(r"\S+", text))
    parts: list[str] = []
    kept: list[int] = []
    end = 0
    for token, is_glued in zip(tokens, _find_glue(tokens), strict=True):
        if parts and not is_glued:
            parts.append(" ")
            kept.append(offsets[end])
        parts.append(token[0])
        kept.extend(offsets[token.start() : token.end()])
        end = token.end()
    return FoldedText("".join(parts), (*kept, offsets[end] if parts else 0))


def _find_glue(tokens: list[re.Match[str]]) -> list[bool]:
    """For each token, whether it belongs to the token before it without a space."""
    glue = [False] * len(tokens)
    run: list[int] = []
    for index, token in enumerate(tokens):
        word = token[0]
        if index and is_cjk(word[0]) and is_cjk(tokens[index - 1][0][-1]):
            glue[index] = True
        if len(word) == 1 and word.isalpha() and not is_cjk(word):
            run.append(index)
            continue
        _glue_letters(tokens, run, glue)
        run = []
    _glue_letters(tokens, run, glue)
    return glue


def _glue_letters(tokens: list[re.Match[str]], run: list[int], glue: list[bool]) -> None:
    """Mark the gaps inside letter-spaced words: the narrowest gap of the run parts letters, wider ones part words."""
    letters = [tokens[index][0] for index in run]
    if len(run) < _MIN_SPACED_LETTERS or len(set(letters)) == 1:
        return
    if all(ord(right) - ord(left) == 1 for left, right in pairwise(letters)):
        return  # "A B C D" are column heads, not a word
    # white space is measured before it is collapsed: afterwards nothing tells letters from words
    gaps = [tokens[right].start() - tokens[left].end() for left, right in pairwise(run)]
    narrow = min(gaps)
    is_joined = [gap == narrow for gap in gaps]
    lone = "".join("1" if joined else "0" for joined in is_joined)
    # Three wide gaps in a row would leave letters that a second folding joins: then the gaps say nothing.
    has_lone_letters = re.search(r"(?:^0|00)00|000", lone) is not None
    for index, joined in zip(run[1:], is_joined, strict=True):
        glue[index] = joined or has_lone_letters
