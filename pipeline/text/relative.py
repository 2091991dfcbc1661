"""References that name no label: "the preceding paragraph", "the table below", "o artigo anterior", "前款"."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

# Closed classes of the reference grammar, as in text/grammar.py: a kind, and whether it stands before or after.
_ENGLISH_KINDS = {
    **dict.fromkeys(("paragraph", "para"), "paragraph"),
    **{kind: kind for kind in ("section", "clause", "article", "chapter", "table", "figure", "schedule")},
}
_PORTUGUESE_KINDS = {
    "parágrafo": "paragraph", "artigo": "article", "cláusula": "clause", "seção": "section", "secção": "section",
    "capítulo": "chapter", "tabela": "table", "quadro": "table", "figura": "figure",
}  # fmt: skip
_CHINESE_KINDS = {
    "款": "paragraph", "条": "article", "條": "article", "节": "section", "節": "section", "章": "chapter",
    "表": "table", "图": "figure", "圖": "figure",
}  # fmt: skip
_STEPS = {
    **dict.fromkeys(("preceding", "previous", "foregoing", "above", "anterior", "precedente", "acima"), -1),
    **dict.fromkeys(("following", "next", "below", "seguinte", "abaixo"), 1),
    **dict.fromkeys(("前", "上", "上一", "前一"), -1),
    **dict.fromkeys(("后", "下", "下一", "后一"), 1),
}
_MARKS = (
    "preced",
    "previous",
    "foregoing",
    "above",
    "below",
    "following",
    "next ",
    "anterior",
    "seguinte",
    "acima",
    "abaixo",
)
_CHINESE_MARKS = ("前", "上", "下", "后")


class RelativeMention(NamedTuple):
    """A reference by place: `step` is -1 for the last one of its kind before, +1 for the first one after."""

    start: int
    end: int
    text: str
    kind: str
    step: int

    @property
    def key(self) -> str:
        """The normal form, "paragraph:-1"."""
        return f"{self.kind}:{self.step:+d}"


def find_relative_mentions(text: str) -> tuple[RelativeMention, ...]:
    """Every reference in `text` that names a kind and a direction, in order; references to "this section" are none."""
    found: list[RelativeMention] = []
    # plain tests first: hardly a line of a document says where something stands
    lowered = text.lower()
    if any(mark in lowered for mark in _MARKS):
        for match in _compile_western().finditer(text):
            words = {name: word.lower() for name, word in match.groupdict().items() if word}
            kind = next(word for name, word in words.items() if name.startswith("kind"))
            step = next(word for name, word in words.items() if name.startswith("step"))
            named = _ENGLISH_KINDS.get(kind) or _PORTUGUESE_KINDS[kind]
            found.append(RelativeMention(match.start(), match.end(), match[0], named, _STEPS[step]))
    if not text.isascii() and any(mark in text for mark in _CHINESE_MARKS):
        for match in _compile_chinese().finditer(text):
            found.append(
                RelativeMention(match.start(), match.end(), match[0], _CHINESE_KINDS[match[2]], _STEPS[match[1]])
            )
    return tuple(sorted(found))


@cache
def _compile_western() -> re.Pattern[str]:
    english, portuguese = "|".join(_ENGLISH_KINDS), "|".join(_PORTUGUESE_KINDS)
    # a kind word that goes on with a label ("the following Section 3") is a named reference
    no_label = r"(?!\s*[\w(]*\d)"
    return re.compile(
        rf"\bthe\s+(?P<step_a>preceding|previous|foregoing|above|following|next)\s+(?P<kind_a>{english})\b{no_label}"
        rf"|\bthe\s+(?P<kind_b>{english})\s+(?P<step_b>above|below)\b"
        rf"|\b[oa]\s+(?P<kind_c>{portuguese})\s+(?P<step_c>anterior|precedente|acima|seguinte|abaixo)\b"
        rf"|\b(?:n|d|pel|a)[oa]\s+(?P<kind_d>{portuguese})\s+(?P<step_d>anterior|precedente|acima|seguinte|abaixo)\b",
        re.IGNORECASE,
    )


@cache
def _compile_chinese() -> re.Pattern[str]:
    return re.compile(rf"(上一|前一|下一|后一|前|上|下|后)({'|'.join(_CHINESE_KINDS)})(?!\w*\d)")
