"""Names of persons and firms as they stand in signature blocks and lists: a cell of its own, not a sentence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.text.late import compile_late

if TYPE_CHECKING:
    from pipeline.models.lexicon import Lexicon

MIN_WORDS, MAX_WORDS = 2, 5
_LEADS = compile_late(
    r"^(?:\W*/\s*s\s*/+|\W*(?:by|name|signed(?:\s+(?:by|for\b[^:]{0,40}))?)\s*:|(?:mr|mrs|ms|dr|prof)\.?\s)\s*",
    re.IGNORECASE,
)
_TAIL = compile_late(r"(?:\s+\d{2}|[\s*†‡§_.,;:]+)$")
_NAME_WORD = compile_late(r"[^\W\d_a-z](?:[^\W\d_]|['’.-])*")
_PARTICLES = frozenset("de da do dos la van von der den del di".split())
# "R EED H ASTINGS" is set in capitals of two sizes: the text has lost its words
_SPLIT_CAPITALS = compile_late(r"(?:^|\s)[A-Z] [A-Z]{2,}")
_RUN = compile_late(r"[A-Z][\w'’.-]*(?: (?:d[aeio]s? |v[ao]n )?[A-Z][\w'’.-]*)+")
_FIRM = compile_late(
    r"(?:[A-Z][\w&.'’-]*|&|and)(?:,?\s+(?:[A-Z][\w.'’-]*|&|and))*?,?\s+"
    r"(?:LLP|L\.L\.P\.?|LLC|L\.L\.C\.|PLC|plc|P\.C\.|PC|GmbH|AG|S\.A\.|Ltd\.?|Limited|& Co\.?)(?![\w])"
)


def clean_name(text: str) -> str:
    """A name without what signature blocks print around it: "/s/", "By:", "Name:", titles, age and marks."""
    plain = " ".join(text.split())
    before = ""
    while before != plain:
        before, plain = plain, _TAIL.sub("", _LEADS.sub("", plain))
        # a lone initial or "Jr" keeps its full stop
        if before.endswith(".") and re.search(r"(?:\b[A-Z]|\bJr|\bSr)$", plain):
            plain += "."
            break
    return plain


def is_person(name: str, lexicon: Lexicon) -> bool:
    """Whether a text names a person: two to five capitalised words, none of which names an office or a firm."""
    words = [word.strip(",") for word in name.split()]
    if not MIN_WORDS <= len(words) <= MAX_WORDS or _SPLIT_CAPITALS.search(name) or not words[0][:1].isupper():
        return False
    if any(word.casefold().strip(".") in lexicon.office_word_set for word in words):
        return False
    is_spelled = all(word in _PARTICLES or _NAME_WORD.fullmatch(word) for word in words)
    return is_spelled and len(words[-1].strip(".")) > 1


def has_person(text: str, lexicon: Lexicon) -> bool:
    """Whether a person's name stands anywhere in a text: a run of capitalised words, none of an office or a firm."""
    return any(is_person(found[0].rstrip(".,"), lexicon) for found in _RUN.finditer(text))


def find_firm(text: str) -> str:
    """The first name of a firm in a text, with its legal form ("KPMG LLP"); "" where there is none."""
    found = _FIRM.search(text)
    return " ".join(found[0].split()) if found is not None else ""
