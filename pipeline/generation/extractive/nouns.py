"""The noun that a question for a list asks for, and whether a list is one of such things."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.leadins import read_lead_in
from pipeline.models.lexicon import singular
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.question import Anchor
    from pipeline.models.structure import Enumeration

MAX_PLACES, MIN_PLURAL, NAMING_WORDS = 60, 5, 8
_POSSESSIVES = ("'s", "\u2019s", "s'", "s\u2019")


def find_noun(task: ReaderTask) -> tuple[Anchor, ...]:
    """The anchors of the noun that is asked for, "plans" in "what plans does the company offer"; none if it is generic.

    They are the words that the question names first, with the compounds that hold them, the head of them last; whose
    they are ("Acme's plans") is no part of it.
    """
    lexicon = task.view.lexicon
    placed = [(span, anchor) for anchor in task.part.anchors for span in find_anchor(anchor, task.part.text)[:1]]
    words = [(span, anchor) for span, anchor in placed if anchor.source in ("word", "concept")]
    others = [(span, anchor) for span, anchor in words if not _is_owner(task.part.text, span)]
    words = others or words
    if not words:
        return ()
    start, end = min(words, key=lambda entry: entry[0])[0]
    runs = [span for span, anchor in placed if anchor.source == "compound" and span[0] == start]
    end = max((end, *(stop for _, stop in runs)))
    noun = tuple(anchor for span, anchor in sorted(words, key=lambda entry: entry[0]) if start <= span[0] < end)
    return () if any(anchor.forms[0] in lexicon.generic_set for anchor in noun) else noun


def _is_owner(text: str, span: tuple[int, int]) -> bool:
    """Whether a word at a span is whose something is: "Acme's"."""
    return text[span[1] :].startswith(_POSSESSIVES[:2]) or text[span[0] : span[1] + 1].endswith(_POSSESSIVES)


def says_word(task: ReaderTask, anchor: Anchor) -> bool:
    """Whether the document has the word itself, be it in the singular: what is limited has no limitations yet."""
    words = {fold(anchor.text), singular(fold(anchor.text)), _shorten_plural(fold(anchor.text))}
    if anchor.source != "word":
        return bool(task.view.positions_of(anchor))
    lines = (task.view.document.line_at(*place) for place in task.view.positions_of(anchor)[:MAX_PLACES])
    return any(word in fold(line.text) for line in lines if line is not None for word in words)


def _shorten_plural(word: str) -> str:
    """What plural and singular share: "categor" of "categories"."""
    return word.removesuffix("ies") if word.endswith("ies") and len(word) > MIN_PLURAL else word


def doubt_noun(task: ReaderTask, own: Enumeration, header: str) -> str:
    """The caveat of a list that is nowhere called what the question asks for; "" where something over it says so.

    Sub-layers are no layers' list of parts, and countries are not the cities: the head of the noun decides.
    """
    noun = find_noun(task)
    if not noun:
        return ""
    section = task.view.document.section_at(own.start)
    above = (*section.breadcrumb, section.title) if section is not None else ()
    said = " ".join((read_lead_in(task.view, own), header, *above))
    # a paragraph that mentions the noun is none of it
    members = [f"{item.marker} {item.head} {' '.join(item.text.split()[:NAMING_WORDS])}" for item in own.items]
    head = noun[-1]
    is_said = bool(find_anchor(head, said)) or sum(1 for text in members if find_anchor(head, text)) * 2 >= len(members)
    return "" if is_said else f'nothing says of the list that it is one of "{head.text}"'
