"""Counting the parts of a document by their kind: figures, tables, articles, clauses, appendices, over all pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import build_count, cite_lines
from pipeline.generation.extractive.reading import Reading
from pipeline.models.answer import Certificate, DetectorCount
from pipeline.structure.resolving import find_by_key
from pipeline.text.anchors import find_anchor
from pipeline.text.grammar import KIND_WORDS
from pipeline.text.late import compile_late
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.structure import Target

COUNTED = frozenset(
    "figure table equation section clause article appendix annex schedule chapter part exhibit note footnote".split()
)
CAPTIONED = frozenset({"figure", "table", "equation"})
SHOWN_GAPS = 20
_HEAD = compile_late(r"\d+|[A-Z](?![A-Za-z])|[IVXLC]+\b")


def read_kind_count(task: ReaderTask) -> Reading | None:
    """Count the parts of the kind that is asked for, each number once; None where the noun names no such kind."""
    kind = _find_kind(task)
    if not kind:
        return None
    named = [found for hint in task.question.hints for found in find_by_key(task.view, hint.key)]
    scope = named[0] if len(named) == 1 else None
    tops: dict[str, Target] = {}
    parts = 0
    for target in task.view.registry.targets:
        if target.kind != kind or (scope is not None and not scope.start < target.start < scope.end):
            continue
        head = _HEAD.match(target.label)
        is_top = scope is not None or kind in CAPTIONED or (head is not None and head.group() == target.label)
        if is_top:
            tops.setdefault(target.key, target)
        parts += not is_top
    return _tell(task, kind, sorted(tops.values(), key=lambda target: target.start), parts) if tops else None


def _find_kind(task: ReaderTask) -> str:
    """The kind that the first noun of the question names, where nothing else narrows it."""
    placed = [(spans[0], anchor) for anchor in task.part.anchors if (spans := find_anchor(anchor, task.part.text))]
    words = [(span, anchor) for span, anchor in placed if anchor.source == "word"]
    if not words:
        return ""
    span, first = min(words, key=lambda entry: entry[0])
    kind = KIND_WORDS.get(fold(first.text), "")
    # "how many tables are in the restaurant" asks for something that the document tells of
    others = [
        anchor
        for other, anchor in words
        if other != span and not _names_document(task, anchor.text) and task.view.positions_of(anchor)
    ]
    return kind if kind in COUNTED and not others else ""


def _names_document(task: ReaderTask, word: str) -> bool:
    """Whether a word means the document itself: by the lexicon, or because its title has it."""
    lexicon = task.view.lexicon
    nouns = {fold(noun) for noun in (*lexicon.document_nouns, *lexicon.generic_nouns)}
    return fold(word) in nouns or fold(word) in fold(task.view.document.profile.title).split()


def _tell(task: ReaderTask, kind: str, tops: list[Target], parts: int) -> Reading | None:
    first, last = tops[0], tops[-1]
    ends = (first, last) if len(tops) > 1 else (first,)
    lines = [line for target in ends if (line := task.view.document.line_at(*target.start)) is not None]
    citations = cite_lines(task.view, lines)
    if not citations:
        return None
    count = len(tops)
    labels = f"{kind} {first.label} to {kind} {last.label}" if count > 1 else f"{kind} {first.label}"
    inner = f"; {parts} more are numbered within them" if parts else ""
    item = build_count(task, count, labels, citations)
    return Reading(
        text=f"{count} ({labels}, counted over all pages{inner})",
        items=(item,),
        has_typed_fit=True,
        certificate=_certify(task, kind, tops),
    )


def _certify(task: ReaderTask, kind: str, tops: list[Target]) -> Certificate:
    """Complete where the numbers run on from the first one without a gap and every page was read."""
    numbers = [int(found.group()) for target in tops if (found := re.fullmatch(r"\d+", target.label))]
    gaps = tuple(str(n) for n in range(1, max(numbers, default=0)) if n not in numbers)[:SHOWN_GAPS]
    profile = task.view.document.profile
    is_whole = profile.ok_page_count == profile.page_count
    is_closed = is_whole and not gaps and (bool(numbers) or kind in task.view.registry.closed_kinds)
    why = f"{len(tops)} numbers of the kind {kind} over all pages"
    return Certificate(
        sub_question=task.part.id,
        denominator=len(tops) if is_closed else None,
        denominator_source="structural" if is_closed else "none",
        denominator_quote="",
        detectors=(DetectorCount(detector=kind, item_count=len(tops)),),
        item_count=len(tops),
        is_end_seen=is_whole,
        gaps=gaps,
        verdict="complete" if is_closed else "unverified",
        why=why if is_closed else f"{why}; nothing says how many there are",
    )
