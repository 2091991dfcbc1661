"""References to published standards and statutes, which always lead out of the document."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from pipeline.text.late import compile_late

# Bodies and series whose numbers name a document; longer names first.
_BODIES = (
    r"(?:NIST\s+)?(?:SP|CSWP|FIPS(?:\s+PUBS?)?|NISTIR|IR)|NIST|ISO(?:/IEC)?(?:/TS|/TR)?|IEC|IEEE(?:\s+Std)?|RFC|EN|ETSI|"
    r"ITU-T|ANSI|ASTM|BS|DIN|GB/T|GB|IFRS|IAS|IFRIC|ASC|ASU|SFAS|FAS|SAB|FIN|PCI\s+DSS|ABNT\s+NBR|NBR"
)
_NUMBER = (
    r"(?:Topic\s+|No\.\s*|v)?(?:[A-Z]\.)?\d+(?:[-.]\d+)*[A-Z]?(?![a-z])"
    r"(?:(?:r|\s*[Rr]ev(?:ision|\.)?\s*)\d+)?(?::\d{4})?"
)
_STATUTES = (
    r"\d+\s+U\.?\s?S\.?\s?C\.?(?:,?\s*(?:(?i:sec(?:tions?|s?\.)?|chapter)|§{1,2})?\s*\d+[a-z]*(?:-\d+)?(?:\([A-Za-z0-9]+\))*)?",
    r"\d+\s+C\.?\s?F\.?\s?R\.?(?:,?\s*(?:(?i:part|sec(?:tions?|s?\.)?)|§{1,2})?\s*\d+(?:\.\d+)*(?:\([A-Za-z0-9]+\))*)?",
    r"(?:Pub(?:lic|\.)\s+L(?:aw|\.)|P\.L\.)\s*(?:No\.\s*)?\d+-\d+",
    r"(?:Executive\s+Order|E\.O\.)\s*(?:\([A-Z]+\)\s*)?\d+",
    r"(?:OMB\s+)?(?:Circular|Memorandum)\s+(?:No\.\s*)?[A-Z]-\d+(?:-\d+)?",
    r"(?:Regulation|Directive|Regulamento|Diretiva|Directiva)\s+(?:\((?:EU|EC|UE|CE|EEC)\)\s*)?(?:[Nn][o.º]+\s*)?\d+/\d+(?:/[A-Z]{2,3})?",
    r"(?:Lei|Decreto(?:-Lei)?)\s+(?:[Nn]\.?\s?[º°o]\.?\s*)?\d+(?:\.\d+)*(?:/\d+)?",
)


# The last word before the number of a standard.
_WORDS_BEFORE = frozenset(
    "SP CSWP FIPS PUB PUBS NISTIR IR NIST ISO IEC TS TR IEEE Std RFC EN ETSI T ITU ANSI ASTM BS DIN GB IFRS IAS IFRIC "
    "ASC ASU SFAS FAS SAB FIN DSS NBR Topic No v C R Sec Section Part part Law L Order O Circular Memorandum "
    "Regulation Directive EU EC UE CE EEC Regulamento Diretiva Directiva Lei Decreto n N".split()
) | {"\u00ba", "\u00a7"}
# One leading character class lets the engine skip the rest of the line quickly.
_iterate_labels = compile_late(r"[0-9A-Z(](?:(?<=[0-9])[0-9]*|(?<=[A-Z])[A-Z]*(?![a-z])|(?<=\()[a-z]\))").finditer
_find_last_word = compile_late(r"([^\W\d_]+|\u00a7)\.?[)\s(#-]*$").search


class StandardReference(NamedTuple):
    """A place that names a standard or statute; `key` is its matching form without separators and issuer."""

    start: int
    end: int
    text: str
    key: str


def find_standards(text: str) -> tuple[StandardReference, ...]:
    """Return the standards and statutes named in `text`, in order."""
    return match_standards(text) if has_standard_word(list_label_words(text), text) else ()


def list_label_words(text: str) -> list[str]:
    """Return the words that stand right before something label-like: one cheap pass, since labels are rare."""
    words: list[str] = []
    for hit in _iterate_labels(text):
        at = hit.start()
        if at and text[at - 1] not in ",$€£%/:" and (not text[at - 1].isalpha() or text[at].isdigit()):
            before = _find_last_word(text[max(0, at - 18) : at])
            if before:
                words.append(before[1])
    return words


def has_standard_word(words: list[str], text: str) -> bool:
    """Tell whether a standard may be named, given the words before labels."""
    return not _WORDS_BEFORE.isdisjoint(words) or "U.S.C" in text or "C.F.R" in text or "CFR" in text


def match_standards(text: str) -> tuple[StandardReference, ...]:
    """Match without looking first."""
    return tuple(
        StandardReference(found.start(), found.end(), found[0], key_standard(found[0]))
        for found in _compile_standards().finditer(text)
    )


def key_standard(text: str) -> str:
    """Return one key for the spellings of a standard: "NIST SP 800-53 Rev. 5", "SP 800-53r5" -> "sp800-53r5"."""
    key = " ".join(text.casefold().replace("\u2013", "-").replace("\u2011", "-").split())
    key = re.sub(r"^nist (?=(?:sp|cswp|fips|nistir|ir)\b)", "", key)
    key = key.replace("fips pubs", "fips").replace("fips pub", "fips")
    # the issuer and the joint committee are left out as often as they are printed
    key = re.sub(r"^iso/iec", "iso", key)
    key = re.sub(r",? ?(?:\b(?:sections?|secs?\.?)|§§?) ?(?=\d)", "s", key)
    key = re.sub(r"\s*rev(?:ision|\.)?\s*(?=\d)", "r", key)
    key = re.sub(r"\b(?:no\.|topic) ?", "", key)
    key = re.sub(r"(?<!\d)[\s.-]+|[\s-]+(?!\d)|\.(?!\d)", "", key)
    return re.sub(r"(?<![\d.])0+(?=\d)", "", re.sub(r"(?<=\d)\s+(?=\d)", "-", key))


@cache
def _compile_standards() -> re.Pattern[str]:
    statutes = "|".join(_STATUTES)
    return re.compile(rf"(?<![\w.-])(?:{statutes}|(?:{_BODIES})[\s-]?{_NUMBER})(?![\w])")
