"""Who wrote the document itself: the names between its title and its abstract, or behind "by" on its first page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_lines
from pipeline.generation.extractive.reading import Reading
from pipeline.models.answer import Item
from pipeline.question.terms import cue_of
from pipeline.text.anchors import find_anchor
from pipeline.text.late import compile_late
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.document import Line
    from pipeline.models.lexicon import Lexicon

MAX_NAME_WORDS = 5
_PARTS = compile_late(r",| and | & |;")
_MARKS = compile_late(r"[\s\d*\u2217\u2020\u2021\u00a7\u00b6\u2016]+$")
_SIGNED = compile_late(
    r"^\s*(?:(?:written|authored|prepared)\s+by|by|authors?\s*:|autor(?:es)?\s*:|por)\s+(?=[^\W\d_])", re.IGNORECASE
)


def read_authors(task: ReaderTask) -> Reading | None:
    """The authors that the first page names, one item each; None for other questions and where it names none."""
    lexicon = task.view.lexicon
    cues = cue_of(lexicon.value_cues, "wrote")
    if not any(contains_folded(cue, fold(task.part.text)) for cue in cues) or task.question.hints:
        return None
    lines = [line for line in task.view.document.lines_on(1) if line.is_evidence and line.text.strip()]
    shown = " ".join(line.text for line in lines)
    named = [anchor for anchor in task.part.anchors if not any(cue in anchor.forms[0] for cue in cues)]
    # the first page names who wrote the document, not who wrote everything that it mentions
    if not all(find_anchor(anchor, shown) for anchor in named):
        return None
    found = _read_signed(lines) or _read_byline(lines, lexicon)
    items = tuple(
        Item(sub_question=task.part.id, text=name, value=name, citations=citations, extraction="verbatim")
        for line, name in found
        if (citations := cite_lines(task.view, (line,)))
    )
    text = ", ".join(item.text for item in items)
    return Reading(text=text, items=items, has_typed_fit=True) if items else None


def _read_signed(lines: Sequence[Line]) -> list[tuple[Line, str]]:
    """Names behind "by" or "Author:" at the beginning of a line."""
    signed = [(line, match) for line in lines if (match := _SIGNED.match(line.text))]
    names = [(line, _split_names(line.text[match.end() :])) for line, match in signed]
    return [(line, name) for line, found in names for name in found or ()]


def _read_byline(lines: Sequence[Line], lexicon: Lexicon) -> list[tuple[Line, str]]:
    """Names on lines of their own between the title, the largest type, and the abstract; no abstract, no byline."""
    ends = cue_of(lexicon.value_cues, "byline end")
    stop = next((at for at, line in enumerate(lines) if fold(line.text).startswith(ends)), 0)
    largest = max((line.size for line in lines[:stop]), default=0)
    heads = [at for at, line in enumerate(lines[:stop]) if line.size == largest]
    start = heads[-1] + 1 if len(heads) < stop else 0
    found: list[tuple[Line, str]] = []
    for line in lines[start:stop]:
        names = _split_names(line.text)
        # an institution is made of words that everybody uses; of a name at least one word is rare
        words = [word.strip(".") for name in names or () for word in fold(name).split()]
        if names and any(len(word) > 1 and not lexicon.zipf_of(word) for word in words):
            found += [(line, name) for name in names]
    return found


def _split_names(text: str) -> list[str] | None:
    """The names that make up a text; None where anything else stands in it."""
    names = [_MARKS.sub("", part).strip() for part in _PARTS.split(text)]
    names = [name for name in names if name]
    return names if names and all(map(_is_name, names)) else None


def _is_name(text: str) -> bool:
    words = text.split()
    is_plain = all(word[0].isupper() and re.fullmatch(r"[^\W\d_]+(?:['\u2019.-][^\W\d_]*)*", word) for word in words)
    return is_plain and 2 <= len(words) <= MAX_NAME_WORDS and not text.isupper()
