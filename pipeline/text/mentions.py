"""The reference grammar: how a text refers to its own parts and to other documents."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from pipeline.text.grammar import (
    CHINESE_NAME_KINDS,
    CHINESE_UNIT_KINDS,
    DOTTED_KIND_WORDS,
    EXTERNAL_WORDS,
    KIND_WORDS,
    LIST_JOINERS,
    PLURAL_KIND_WORDS,
    RANGE_JOINERS,
)
from pipeline.text.headings import parse_heading_number
from pipeline.text.late import compile_late
from pipeline.text.number_words import parse_chinese_number
from pipeline.text.standards import find_standards, has_standard_word, key_standard, list_label_words, match_standards
from pipeline.text.subdivisions import find_chinese_parts, find_portuguese_parts

__all__ = ["Mention", "find_mentions", "label_key", "parse_heading_number"]

_ROMAN_KINDS = frozenset(("part", "chapter", "article", "appendix", "annex", "schedule", "section", "table", "item"))
_PORTUGUESE_ARTICLES = frozenset(("artigo", "cláusula", "art"))
_NUMERIC_KINDS = frozenset(("page", "footnote"))
_LABEL = (
    r"(?P<open>\()?(?P<label>\d{2,3}\.[A-Z]{3}(?![A-Za-z])|\d+(?:\.\d+)*(?:[-\u2011]\d+(?:\.\d+)*)?(?:[A-Za-z](?![A-Za-z]))?|"
    r"[IVXLC]+(?![A-Za-z])|[A-Z](?:[.-]?\d+)*(?:\.\d+)*(?![A-Za-z])|(?<=\()[a-z](?=\)))"
    r"(?(open)\))(?P<ordinal>\.?[º°ª])?(?P<sub>(?:\s?\([A-Za-z0-9]{1,4}\))*)"
)
# "EX-10.2" is written without a full stop; "ex" before any other number is no reference
_FILED = r"ex(?=-\d|\s\d{1,3}\.\d)"
_EXAMPLE_WORDS = ("p.", "por")
_MAX_RANGE = 60
_DASHES = ("\u2010", "\u2011", "\u2012", "\u2013")
_find_chinese_head = compile_late("[\u7b2c\u9644\u516c\u811a\u8868\u56fe\u5716\u6ce8\u7ae0]").search
_CHINESE_PARTS = frozenset("款项項")
_NUMBER_SIGNS = frozenset(("No", "Nos", "no", "nos", "N", "n", "\u00ba", "number", "Number", "n\u00famero"))


class Mention(NamedTuple):
    """One reference; a list or range gives one for each label. `sublabel` keeps its parentheses ("(2)(a)")."""

    start: int
    end: int
    text: str
    kind: str
    label: str
    sublabel: str
    is_external: bool

    @property
    def key(self) -> str:
        """The normal form of this reference, equal for all its spellings."""
        return label_key(self.kind, self.label + self.sublabel)


def find_mentions(text: str) -> tuple[Mention, ...]:
    """Return every reference in `text`, in order, English, Portuguese and Chinese."""
    found: list[Mention] = []
    words = list_label_words(text)
    # standards first: the section number inside "44 U.S.C., Sec. 3542" is none of this document
    standards = match_standards(text) if has_standard_word(words, text) else ()
    for standard in standards:
        found.append(Mention(standard.start, standard.end, standard.text, "standard", standard.text, "", True))
    if not any(word in _NUMBER_SIGNS or word.lower() in KIND_WORDS for word in words):
        return _add_chinese(text, found)
    taken = [(standard.start, standard.end) for standard in standards]
    for head in _compile_heads().finditer(text):
        if not any(start <= head.start() < end for start, end in taken):
            found.extend(_read_labels(text, head))
    return _add_chinese(text, found)


def _add_chinese(text: str, found: list[Mention]) -> tuple[Mention, ...]:
    if not text.isascii() and _find_chinese_head(text):
        found.extend(_find_chinese(text))
    return tuple(sorted(found, key=lambda mention: (mention.start, mention.end)))


def label_key(kind: str, label: str) -> str:
    """Return the normal form of a reference: ("fig.", "2") and ("figure", "Fig. 2") are both "figure:2"."""
    plain = " ".join(label.casefold().split())
    head = _compile_heads().match(plain + " ") or re.match(r"([^\W\d_]+\.?)\s+(?=[\w(])", plain)
    named = ""
    if head is not None:
        named = KIND_WORDS.get(head[1].rstrip("."), "")
        plain = plain[head.end(1) :].strip(" .") if named else plain
    word = kind.casefold().strip().rstrip(".")
    kind = KIND_WORDS.get(word, word) or named
    if kind == "standard":
        return "standard:" + key_standard(label)
    plain = re.sub(r"\.?[º°ª]", "", plain.rstrip(".:,; ")).replace(" ", "").replace("\u2011", "-")
    if re.fullmatch(r"\([^()]+\)", plain):
        plain = plain[1:-1]
    # leading zeros are typography in labels, except behind a point
    plain = re.sub(r"(?<![\w.])0+(?=\d)", "", plain)
    return f"{kind}:{plain}"


@cache
def _compile_heads() -> re.Pattern[str]:
    """One pattern for every kind word that a label follows; group 1 is the word, with its full stop."""
    plain = sorted((word for word in KIND_WORDS if word not in DOTTED_KIND_WORDS and word[0] != "§"), key=len)
    dotted = sorted(DOTTED_KIND_WORDS, key=len)
    words = "|".join([*reversed(plain), _FILED, *(rf"{word}\." for word in reversed(dotted))])
    label = r"(?=\(?(?:[0-9]|[A-Z](?![a-z])|[a-z]\)))"
    number = r"(?:(?:[Nn]os?\.|[Nn]\.?[º°]|(?i:number|número)(?=\s))\s*)?"
    return re.compile(rf"(?<![\w-])((?i:{words})|§§?)(?:(?<=[Ee][Xx])-)?\s*[\s(#]?{number}{label}")


@cache
def _compile_label() -> re.Pattern[str]:
    return re.compile(_LABEL)


@cache
def _compile_joiner() -> re.Pattern[str]:
    words = "|".join(sorted(LIST_JOINERS, key=len, reverse=True))
    comma, dash = r",\s*(?:(?:and|or|e|ou)\s+)?", r"[-\u2010-\u2013]"
    return re.compile(rf"\s*(?:{comma}|{dash}|(?:{words})\s+(?=[\d(A-Z])|[和与及至到])\s*")


def _read_labels(text: str, head: re.Match[str]) -> list[Mention]:
    """Read the label after a kind word, and the list or range that goes on from it after a plural."""
    word = head[1].casefold().rstrip(".")
    kind = KIND_WORDS[word]
    at = head.end() - (1 if text[head.end() - 1] == "(" else 0)
    first = _match_label(text, at, kind)
    # "p. ex. 5" is an example in Portuguese
    if first is None or (word == "ex" and text[: head.start()].rstrip().casefold().endswith(_EXAMPLE_WORDS)):
        return []
    # only a plural goes on to further labels: "Table 1 and 5 rows" names one table
    is_plural = word in PLURAL_KIND_WORDS or word in ("§", "art", "sec")
    hyphen = re.search(r"[-\u2011]", first["label"])
    if is_plural and hyphen and first["label"][0].isdigit():
        labels = _expand_range(first["label"][: hyphen.start()], first["label"][hyphen.end() :])
        mentions = [
            Mention(head.start(), first.end(), text[head.start() : first.end()], kind, label, "", False)
            for label in labels
        ]
    else:
        mentions = [_make_mention(text, head.start(), first, kind)]
    end = first.end()
    # "section 3(a) and (b)" goes on with parts of the one place that it names
    joiner = _compile_joiner().match(text, end) if is_plural or first["sub"] else None
    while joiner is not None:
        following = _match_label(text, joiner.end(), kind)
        is_year = joiner[0].strip() == "," and following is not None and re.fullmatch(r"\d{4,}", following["label"])
        if following is None or is_year or not (is_plural or _is_part(mentions[-1], following)):
            break
        mark = joiner[0].strip(" ,")
        if (mark in RANGE_JOINERS or mark in _DASHES) and not _is_part(mentions[-1], following):
            between = _expand_range(mentions[-1].label, following["label"])[1:-1]
            start = joiner.start() + len(joiner[0]) - len(joiner[0].lstrip())
            span = (start, following.end(), text[start : following.end()])
            mentions.extend(Mention(*span, kind, label, "", False) for label in between)
        mentions += _continue_list(text, joiner, mentions[-1], following)
        end = following.end()
        joiner = _compile_joiner().match(text, end)
    is_external = _leaves_document(text, head.start(), end, kind)
    if len(mentions) == 1 and word in _PORTUGUESE_ARTICLES and not mentions[0].sublabel:
        parts = find_portuguese_parts(text, head.start(), end)
        if parts is not None:
            whole = text[parts.start : parts.end]
            mentions = [mentions[0]._replace(start=parts.start, end=parts.end, text=whole, sublabel=parts.sublabel)]
    return [mention._replace(is_external=is_external) for mention in mentions]


def _is_part(last: Mention, label: re.Match[str]) -> bool:
    """Whether a label in a list is a further part of the one before it: "4(a) to (c)"."""
    return bool(last.sublabel and label["open"]) and not label["label"].isdigit()


def _continue_list(text: str, joiner: re.Match[str], last: Mention, label: re.Match[str]) -> list[Mention]:
    """The references that one more label of a list gives; a part alone goes with the label before it."""
    if not _is_part(last, label):
        return [_make_mention(text, label.start(), label, last.kind)]
    base, _, first = last.sublabel.rstrip(")").rpartition("(")
    is_range = joiner[0].strip(" ,") in RANGE_JOINERS or joiner[0].strip() in _DASHES
    parts = _expand_range(first, label["label"])[1:] if is_range else [label["label"]]
    span = (label.start(), label.end(), text[label.start() : label.end()])
    return [Mention(*span, last.kind, last.label, f"{base}({part})", False) for part in parts]


def _match_label(text: str, at: int, kind: str) -> re.Match[str] | None:
    label = _compile_label().match(text, at)
    if label is None:
        return None
    value = label["label"]
    following = text[label.end() : label.end() + 2]
    if re.match(r"[A-Za-z0-9]|[%,]\d", following) or re.match(r"\.\d", following):
        return None
    if value.isalpha() and value.isupper() and len(value) > 1 and kind not in _ROMAN_KINDS:
        return None
    if value[0].isalpha() and kind in _NUMERIC_KINDS:
        return None
    # "Note A", but not "Note I am": a bare letter before a lower-case word is that sentence's own word.
    if value in ("A", "I") and not label["open"] and re.match(r"\s+[a-z]", text[label.end() :]) and kind == "note":
        return None
    return label


def _make_mention(text: str, start: int, label: re.Match[str], kind: str) -> Mention:
    return Mention(
        start, label.end(), text[start : label.end()], kind, label["label"], label["sub"].replace(" ", ""), False
    )


def _expand_range(first: str, last: str) -> list[str]:
    """The labels from `first` to `last`; only the two ends where the steps between them are not plain."""
    head, dot, low = first.rpartition(".")
    last_head, _, high = last.rpartition(".")
    prefix = head + dot
    if low.isdigit() and high.isdigit() and (last_head == head or not last_head):
        if 0 < int(high) - int(low) <= _MAX_RANGE:
            return [f"{prefix}{number}" for number in range(int(low), int(high) + 1)]
    elif len(first) == len(last) == 1 and first.isupper() == last.isupper() and 0 < ord(last) - ord(first) < 26:
        return [chr(code) for code in range(ord(first), ord(last) + 1)]
    return [first, last]


def _leaves_document(text: str, start: int, end: int, kind: str) -> bool:
    """Tell whether "Section 302 of the Sarbanes-Oxley Act" or "SP 800-53, Section 3" points at another document."""
    if (
        kind in ("table", "figure", "row", "column", "note", "footnote", "equation")
        and " of " not in text[end : end + 5]
    ):
        return False
    joined = r",?\s+(?:of|to|do|da|under|in)\s+(?:the\s+|a\s+|o\s+)?(?!this|these|such|present)"
    after = re.match(joined + r"([^;:.]{3,70})", text[end:])
    if after is not None:
        rest = after[1]
        if rest[0].isupper() or rest[0].isdigit():
            named = re.search(rf"\b(?:{'|'.join(EXTERNAL_WORDS)})\b", rest.casefold())
            if named is not None and rest[named.start()].isupper():
                return True
            standard = find_standards(rest)
            return bool(standard) and standard[0].start == 0
    preceding = text[max(0, start - 50) : start].rstrip(" ,(")
    before = find_standards(preceding)
    return bool(before) and before[-1].end == len(preceding)


def _find_chinese(text: str) -> list[Mention]:
    found: list[Mention] = []
    units, names = "|".join(CHINESE_UNIT_KINDS), "|".join(CHINESE_NAME_KINDS)
    number = r"[0-9零〇一二两兩三四五六七八九十百]+(?:\.[0-9]+)*"
    for hit in re.finditer(rf"第\s*({number})(?:\s*(?:至|到|-|–)\s*第?\s*({number}))?\s*({units})", text):
        kind, first = CHINESE_UNIT_KINDS[hit[3]], _plain_number(hit[1])
        labels = _expand_range(first, _plain_number(hit[2])) if hit[2] else [first]
        if hit[3] in _CHINESE_PARTS:
            # the paragraph of an article is counted in each of them: alone it names no place
            continue
        parts = find_chinese_parts(text, hit.start(), hit.end()) if kind == "article" and not hit[2] else None
        end, sub = (parts.end, parts.sublabel) if parts is not None else (hit.end(), "")
        found.extend(Mention(hit.start(), end, text[hit.start() : end], kind, label, sub, False) for label in labels)
    label = r"(?:[A-Z](?:[.-]?\d+)*(?![A-Za-z])|\d+(?:[.-]\d+)*(?![\d%])|[一二三四五六七八九十]+)"
    for hit in re.finditer(rf"({names})\s*[(（]?({label})[)）]?", text):
        kind = CHINESE_NAME_KINDS[hit[1]]
        found.append(Mention(hit.start(), hit.end(), hit[0], kind, _plain_number(hit[2]), "", False))
    return found


def _plain_number(label: str) -> str:
    value = parse_chinese_number(label)
    return label if value is None else str(value)
