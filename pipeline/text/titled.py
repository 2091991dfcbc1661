"""References by a name instead of a number: 'see "Returns and refunds"', "as defined in the Glossary"."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from pipeline.text.late import compile_late
from pipeline.text.matching import fold

# Closed classes of the reference grammar, as in text/grammar.py.
_PARTS = {
    "glossary": "section", "definitions": "section", "glossário": "section", "definições": "section",
    "appendix": "appendix", "annex": "annex", "schedule": "schedule", "anexo": "annex", "apêndice": "appendix",
    "术语表": "section", "定义": "section", "附录": "appendix", "附件": "annex",
}  # fmt: skip
_CUES = (
    r"(?:see|refer to|defined in|described in|discussed (?:in|under)|set out in|listed in|given in|under|ver|"
    r"definid[oa]s? n[oa])"
)
_QUOTED = compile_late(
    rf"\b{_CUES}\s+(?:also\s+)?(?:the\s+)?(?:sections?\s+)?[\"\u201c\u00ab]([^\"\u201d\u00bb]{{3,90}})[\"\u201d\u00bb]",
    re.IGNORECASE,
)
_MARKS = ('see "', "see \u201c", "efer to", "efined in", "lossar", "efinition", "efini", "nnex", "ppendix", "chedule",
          " in \"", " in \u201c", " under \u201c", ' under "', "nexo", "pêndice")  # fmt: skip


class TitledMention(NamedTuple):
    """A reference to a section by its title, or to the one part of its name: `key` is the normal form."""

    start: int
    end: int
    text: str
    kind: str
    key: str


def find_titled_mentions(text: str) -> tuple[TitledMention, ...]:
    """Every reference by title in `text`, in order."""
    found: list[TitledMention] = []
    # plain tests first: hardly a line refers by title
    if any(mark in text for mark in _MARKS):
        for match in _QUOTED.finditer(text):
            title = " ".join(match[1].split()).strip(" .,")
            found.append(TitledMention(match.start(1), match.end(1), match[1], "section", f"section:{fold(title)}"))
        for match in _compile_parts().finditer(text):
            word = match["part"]
            kind = _PARTS[word.lower()]
            found.append(TitledMention(match.start("part"), match.end("part"), word, kind, f"{kind}:{word.lower()}"))
    if not text.isascii():
        for match in _compile_chinese().finditer(text):
            kind = _PARTS[match[1]]
            found.append(TitledMention(match.start(1), match.end(1), match[1], kind, f"{kind}:{match[1]}"))
    return tuple(sorted(found))


@cache
def _compile_parts() -> re.Pattern[str]:
    words = "|".join(word.capitalize() for word in _PARTS if word.isascii() or word[0] in "gdaG")
    # written as a name and without a label of its own: "the Glossary", never "the glossary of birds"
    return re.compile(
        rf"\b(?:in|see|of|to|under|n[oa]|d[oa]|a[oa]?)\s+(?:the\s+|o\s+|a\s+)?(?P<part>{words})\b(?!\s*(?:[\dA-Z(]|of\b|to\b|d[oa]\b))"
    )


@cache
def _compile_chinese() -> re.Pattern[str]:
    words = "|".join(word for word in _PARTS if not word[0].isascii() and word[0] > "\u3000")
    return re.compile(rf"(?:见|按|依照|载于)(?:本合同)?({words})(?![0-9A-Z一二三四五六七八九十])")
