"""Identifiers: coded names whose spelling varies but whose meaning does not ("ID.AM-1" is "ID.AM-01")."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from pipeline.text.folding import fold, fold_mapped, locate_end
from pipeline.text.late import compile_late
from pipeline.text.mentions import Mention, find_mentions, label_key
from pipeline.text.standards import key_standard

_DASH = r"[-\u2010\u2011\u2012\u2013]"
_NOT_FAMILIES = frozenset(("FY", "CY", "Q", "H", "US", "COVID"))
_SUFFIX = r"(?:\([0-9]{1,3}\))*(?:\([a-z]\))?"
_PATTERNS = (
    # GV.SC-01, ID.AM-1, AC-2(1), REQ-012, ECC-1-1, CVE-2021-44228, GPT-4
    rf"(?P<code>[A-Z][A-Z0-9]{{0,9}}(?:\.[A-Z]{{1,6}})*{_DASH}\d{{1,5}}(?:{_DASH}\d{{1,6}})*{_SUFFIX}(?![A-Za-z]))",
    r"(?P<category>[A-Z]{2,4}(?:\.[A-Z]{2,4})+)",  # GV.SC
    r"(?P<symbol>[A-Za-z][A-Za-z0-9]{0,15}(?:_[A-Za-z0-9]{1,16})+)",  # d_model, P_drop
    rf"(?P<form>\d{{1,2}}{_DASH}[A-Z]{{1,2}}(?:/A)?)",  # 10-K, 8-K/A
    r"(?P<model>[A-Z]{1,5}\d{2,5}(?:\.\d{1,3})?[a-z]?)",  # P100, T1059.001
)
# between the letters and the number of a code a document may set a word that only says that a number follows
_BETWEEN = (
    r"(?:[-_. ]{0,2}|[-_. ]{1,2}"
    r"(?:pub(?:lication|s|\.)?|no\.?|n\u00ba|number|num\.?|nr\.?|std\.?|standard|topic|document)"
    r"[-_. ]{1,2})"
)
_SPELLED = {
    "sp": "special publication",
    "asu": "accounting standards update",
    "asc": "accounting standards codification",
    "eo": "executive order",
    "rfc": "request for comments",
}
_find_code_hint = compile_late(rf"[A-Z0-9](?:(?<=[A-Z])(?:{_DASH}?\d|\.[A-Z][A-Z])|(?<=[0-9]){_DASH}[A-Z0-9])").search


class Identifier(NamedTuple):
    """One identifier at a verbatim place; `family` and `number` are "" where it has none ("d_model")."""

    start: int
    end: int
    text: str
    key: str
    family: str
    number: str


def find_identifiers(text: str) -> tuple[Identifier, ...]:
    """Return the identifiers in `text`, in order and without overlap: codes, symbols, forms, standards, references."""
    found: list[Identifier] = []
    spans = [(item.start, item.end) for item in find_mentions(text) if _names_itself(item)]
    if "_" in text or _find_code_hint(text):
        spans += [hit.span() for hit in _compile_codes().finditer(text) if not _is_period(hit[0])]
    # of overlapping readings the one that begins first and is longest is meant: "SP 800-53" over "SP 800"
    end = 0
    for start, stop in sorted(set(spans), key=lambda span: (span[0], -span[1])):
        if start >= end:
            found.append(_make_identifier(text, start, stop))
            end = stop
    return tuple(found)


@lru_cache(maxsize=8192)
def identifier_key(text: str) -> str:
    """Return one key for all spellings of an identifier.

    Case, leading zeros, and the marks between letters do not count: "ID.AM-1" is "ID.AM-01", "d_model" is "dmodel",
    "Fig. 2" is "Figure 2", "§ 5" is "Section 5". Marks between digits count: "AC-2-1" is not "AC-21".
    """
    plain = " ".join(text.split()).strip(" .,;:")
    if re.fullmatch(r"[a-z]+:\S+", plain):
        return plain
    mentions = find_mentions(plain)
    if mentions and mentions[0].start == 0 and mentions[0].end == len(plain):
        if mentions[0].kind == "standard":
            return key_standard(plain)
        if len(mentions) == 1:
            return mentions[0].key
    key = re.sub(r"^form (?=\d)", "", fold(plain))
    # between two digits a mark tells numbers apart and stays
    key = re.sub(r"(?<!\d)[-_. ]+|[-_. ]+(?!\d)", "", key)
    return re.sub(r"(?<![\d.])0+(?=\d)", "", key)


def identifier_family(text: str) -> str:
    """Return what the members of one numbering share: "GV.SC" for "GV.SC-01", "GV" for "GV.SC"; "" if none."""
    return _split_family(" ".join(text.split()))[0]


def contains_identifier(key: str, text: str) -> tuple[tuple[int, int], ...]:
    """Return the verbatim (start, end) of every variant of an identifier in `text`.

    `key` is an `identifier_key` or any spelling. "ID.AM-1" is not in "ID.AM-10", "AC-2" not in "AC-2(1)", "d_k" not
    in "d_kv".
    """
    key = identifier_key(key)
    if not key:
        return ()
    kind, colon, _ = key.partition(":")
    if colon:
        if key[-1].isalnum() and not _has_tail(key, text):
            return ()
        return tuple((item.start, item.end) for item in find_mentions(text) if item.key == key and kind)
    # marks may stand anywhere between letters, so the cheap look is at the line without them
    head = re.match(r"[^\W\d_]+|\d+", key)
    compact = fold(text).translate(_DROPPED)
    if head is not None and head[0] not in compact and _SPELLED.get(head[0], " ").replace(" ", "") not in compact:
        return ()
    mapped = fold_mapped(text)
    hits = _compile_variants(key).finditer(mapped.folded)
    return tuple((mapped.offsets[hit.start()], locate_end(mapped, hit.end())) for hit in hits)


_DROPPED = {ord(mark): None for mark in "-_. "}


def _names_itself(mention: Mention) -> bool:
    """Tell whether a reference carries its kind word; the later labels of a list and pages are no identifiers."""
    first = mention.text[0]
    if mention.kind == "standard":
        return True
    return mention.kind != "page" and mention.text != mention.label and (first.isalpha() or first == "§")


def _has_tail(key: str, text: str) -> bool:
    """Cheap test for a reference: its last run of digits or letters must be there, unless numerals may differ."""
    run = re.search(r"(\d+|[^\W\d_]+)$", key)
    return run is None or run[0] in text.casefold() or not text.isascii() or bool(re.search(r"\d\s*[-\u2013t]", text))


@cache
def _compile_codes() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.])(?:{'|'.join(_PATTERNS)})(?![\w])")


def _is_period(text: str) -> bool:
    """Tell whether a code-like text is a fiscal period ("FY18", "Q4", "CY2020")."""
    letters = re.match(r"[A-Z]+", text)
    return letters is not None and letters[0] in _NOT_FAMILIES and letters[0] not in ("US", "COVID")


def _make_identifier(text: str, start: int, end: int) -> Identifier:
    piece = text[start:end]
    family, number = _split_family(piece)
    return Identifier(start, end, piece, identifier_key(piece), family, number)


def _split_family(text: str) -> tuple[str, str]:
    mentions = find_mentions(text)
    if mentions and mentions[0].start == 0:
        first = mentions[0]
        if first.kind != "standard":
            return first.kind, first.label + first.sublabel
        named = re.match(r"\D+?(?=\s*[-\s]?\d)", text)
        return (named[0].strip(), text[named.end() :].strip(" -")) if named else ("", text)
    code = re.fullmatch(rf"([A-Za-z][A-Za-z0-9.]*?){_DASH}(\d[\d\-\u2010-\u2013]*{_SUFFIX})", text)
    if code is not None:
        return code[1], code[2]
    category = re.fullmatch(r"([A-Z]{2,4}(?:\.[A-Z]{2,4})*)\.([A-Z]{2,4})", text)
    if category is not None:
        return category[1], category[2]
    model = re.fullmatch(r"([A-Z]{1,5})(\d{2,5}(?:\.\d{1,3})?[a-z]?)", text)
    return (model[1], model[2]) if model is not None else ("", "")


@cache
def _compile_variants(key: str) -> re.Pattern[str]:
    """A pattern over folded text for every spelling of `key`: marks may stand between letters, zeros before digits."""
    parts: list[str] = []
    previous = ""
    for run in re.findall(r"[^\W\d_]|\d+|[^\w]+", key):
        if run.isdigit():
            between = (
                _BETWEEN if previous.isalpha() and len(parts) > 1 else r"[-_. ]{0,2}" if previous.isalpha() else ""
            )
            parts.append(between + ("" if previous == "." else "0*") + run)
        elif run.isalpha():
            parts.append((r"[-_.]?" if previous.isdigit() else r"[-_. ]?" if previous.isalpha() else "") + run)
        else:
            parts.append("".join(r"[-.]" if mark == "-" else rf"\s?{re.escape(mark)}" for mark in run))
        previous = run[-1]
    tail = r"(?![^\W_])(?!_[^\W_])(?!\([0-9])(?![-.]\d)"
    if re.fullmatch(r"(?:sp|fips|iso|ir|nistir|cswp)[\d-]+", key):
        tail = r"(?![^\W_]|[-.]\d)|(?=r\d|\s?rev)"  # a revision of a publication is that publication
    pattern = "".join(parts)
    family = re.match(r"[a-z]+(?=\d)", key)
    if family is not None and family[0] in _SPELLED:
        number = "".join(parts[len(family[0]) :])
        pattern = rf"{pattern}|{_SPELLED[family[0]].replace(' ', r'[ -]')}{number}"
    return re.compile(rf"(?<![^\W_])(?<![^\W_][_])(?:{pattern})(?:{tail})")


__all__ = ["Identifier", "contains_identifier", "find_identifiers", "identifier_family", "identifier_key", "label_key"]
