"""Tokens for retrieval: folded words, numbers without thousands separators, identifiers whole and in parts."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from pipeline.text.folding import fold, is_cjk
from pipeline.text.grammar import ABBREVIATIONS, KIND_WORDS, STEMMER_LANGUAGES
from pipeline.text.late import compile_late

PLAIN_WORD = compile_late(r"(?:[^\W\d_]\.){2,}|[^\W_]+(?:[-'\u2019&][^\W_]+)*")
"""A word as it is written, with its hyphens and apostrophe; "U.S." is one."""
_KEPT = "-_.,'&"
# ASCII marks that end a token; the kept ones may stand inside an identifier or a number.
_SEPARATORS = bytes(code if chr(code).isalnum() or chr(code) in _KEPT else 32 for code in range(256))
_is_grouped = compile_late(r"\d{1,3}(?:,\d\d\d)+(?:\.\d+)?").fullmatch
_is_number = compile_late(r"\d+(?:[.,]\d+)*").fullmatch
_is_acronym = compile_late(r"[a-z](?:\.[a-z])+").fullmatch
_find_cjk_runs = compile_late(r"[\u3005\u3007\u3400-\u9fff\u3041-\u30ff\uf900-\ufaff\U00020000-\U0003ffff]+").finditer
_STOPS = r"[.!?]+[)\]\"'\u201d\u2019]*(?=\s)|[\u3002\uff01\uff1f]+[\u201d\u2019\u300d\uff09]*|\n\s*\n"
_memo: dict[str, dict[str, str]] = {}


def tokenize(text: str) -> tuple[str, ...]:
    """Return the tokens of `text` in order.

    Words are folded; "4,000" is "4000"; "GV.SC-01" is itself and "gv", "sc", "01"; Han and kana are bigrams of
    characters (one character alone is itself). Punctuation and signs are no tokens.
    """
    folded = fold(text)
    is_ascii = folded.isascii()
    # bytes translate several times faster than text
    spaced = folded.encode("ascii").translate(_SEPARATORS).decode("ascii") if is_ascii else _separate_marks(folded)
    words = spaced.replace(", ", " ").replace(". ", " ").split()
    if is_ascii and "".join(words).isalpha():
        return tuple(words)  # most lines of prose end here
    tokens: list[str] = []
    append = tokens.append
    for word in words:
        if word.isalpha():
            append(word)
        else:
            core = word.strip(_KEPT)
            if core.isalnum():
                append(core)
            elif core:
                _split_compound(core, tokens)
    if not is_ascii:
        return _split_cjk(tokens)
    return tuple(tokens)


def stem(token: str, language: str) -> str:
    """Return the Snowball stem of a word (Porter 2 for English, words in -ective apart); other languages unchanged.

    Identifiers and numbers are left as they are.
    """
    # a document has far fewer distinct words than tokens; the memo lives as long as the process
    known = _memo.setdefault(language, {})
    found = known.get(token)
    if found is None:
        found = known[token] = _stem_new(token, language)
    return found


def split_sentences(text: str) -> tuple[tuple[int, int], ...]:
    """Return the (start, end) of each sentence, without the white space around it.

    A full stop ends a sentence where white space and no lower-case letter follow, unless it closes an abbreviation,
    an initial or a number that is a label ("No. 5"). An empty line ends a sentence, and so do CJK full stops.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for stop in re.finditer(_STOPS, text):
        if stop[0][0] == "." and not _is_sentence_end(text, stop.start(), stop.end()):
            continue
        _add_span(spans, text, start, stop.end())
        start = stop.end()
    _add_span(spans, text, start, len(text))
    return tuple(spans)


def _separate_marks(folded: str) -> str:
    """Blank every mark but the kept ones; combining marks stay with their letter."""
    return re.sub(r"[^\w\-.,'&\u0300-\u036f\u0900-\u0dff]+", " ", folded)


def _split_compound(core: str, tokens: list[str]) -> None:
    if "'" in core:
        for part in core.removesuffix("'s").split("'"):
            tokens.extend(tokenize(part))  # "company's" is "company"
        return
    if _is_grouped(core):
        tokens.append(core.replace(",", ""))
    elif _is_number(core) or _is_acronym(core):
        tokens.append(core)
    elif "," in core:
        for part in core.split(","):
            tokens.extend(tokenize(part))
    else:
        # whole and in parts, so that "multi-head" answers to itself and to "head"
        tokens.append(core)
        tokens.extend(part for part in re.split(r"[-_.&]+", core) if part)


def _split_cjk(tokens: list[str]) -> tuple[str, ...]:
    split: list[str] = []
    for token in tokens:
        end = 0
        for run in _find_cjk_runs(token):
            split.extend(part for part in [token[end : run.start()].strip(_KEPT)] if part)
            characters = run[0]
            split.extend(characters[i : i + 2] for i in range(max(1, len(characters) - 1)))
            end = run.end()
        rest = token[end:].strip(_KEPT) if end else token
        if rest:
            split.append(rest)
    return tuple(split)


def _stem_new(token: str, language: str) -> str:
    if language not in STEMMER_LANGUAGES or not token.isalpha() or is_cjk(token[0]):
        return token
    found = str(_load_stemmer(language).stemWord(token))
    # "effective", "objective" and "directive" are words of their own, not forms of "effect", "object" and "direct"
    is_own = language == "en" and found.endswith("ect") and token.startswith(f"{found}iv")
    return f"{found}iv" if is_own else found


@cache
def _load_stemmer(language: str) -> Any:  # noqa: ANN401  # PyStemmer has no types
    import Stemmer  # imported late: only runs that rank need it

    return Stemmer.Stemmer(STEMMER_LANGUAGES[language])


def _is_sentence_end(text: str, stop: int, end: int) -> bool:
    following = re.match(r"\s*[(\[\"'\u201c\u2018]*(.?)", text[end : end + 12], re.DOTALL)
    opener = following[1] if following else ""
    if opener.islower():
        return False
    word = re.search(r"[\w.]*$", text[max(0, stop - 24) : stop])
    last = word[0].lower().lstrip("_") if word else ""
    if end - stop > 1 or not last:
        return True
    if last in ABBREVIATIONS.always:
        return False
    if last in ABBREVIATIONS.before_label:
        return not (opener.isdigit() or opener in "(" or _is_label(text[end:]))
    if len(last) == 1 and last.isalpha():
        return not opener.isupper() or _closes_label(text, stop)
    # "U.S." and "e.g." close no sentence unless a new one clearly opens
    return not ("." in last and _is_acronym(last)) or _opens_sentence(text[end:])


def _is_label(rest: str) -> bool:
    return re.match(r"\s*(?:[A-Z\d]|[IVX]+)[\d.\-]*(?:[\s,.;)]|$)", rest) is not None


def _closes_label(text: str, stop: int) -> bool:
    """Tell whether a single capital before the full stop is a label ("see Appendix A."), not an initial."""
    words = text[max(0, stop - 30) : stop].split()
    return len(words) > 1 and words[-2].casefold() in KIND_WORDS


def _opens_sentence(rest: str) -> bool:
    first = re.match(r"\s+([A-Z][a-z]*)\b", rest)
    return first is not None and first[1].lower() in ABBREVIATIONS.openers


def _add_span(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if end > start:
        spans.append((start, end))
