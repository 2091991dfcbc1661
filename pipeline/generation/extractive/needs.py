"""Which references an answer needs: what the quoted text leaves to another place, and what the question asks for.

A reference that is merely there ("a breach of clause 17") is no part of the answer and is not followed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from pipeline.generation.extractive.linked import asks_terms
from pipeline.structure.around import list_mentions, place_of, read_after, read_before
from pipeline.structure.marks import Mark, find_marks
from pipeline.text.late import compile_late
from pipeline.text.matching import fold, is_cjk

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.answer import Item
    from pipeline.models.document import Line
    from pipeline.models.lexicon import Lexicon
    from pipeline.models.structure import MentionAt
    from pipeline.structure.view import DocumentView

NeedKind = Literal["asked", "defers", "points", "limits", "note", "none"]

MAX_LINES = 80
"""Quoted lines that are looked at; an answer that quotes more is a list whose members refer for themselves."""
_JOINT = compile_late(r"\s*(?:,|;|and|or|e|ou|/|和|与|及|或|、)?\s*(?:and|or|e|ou)?\s*")
_NEAR = 90
_CONDITION_SHAPES = frozenset({"value", "text", "definition", "boolean", "count"})
_EXACT_SHAPES = frozenset({"value", "count", "definition", "list"})
_OPEN_INTENTS = frozenset({"summary", "reason", "comparison"})


class Need(NamedTuple):
    """A reference on a quoted line, what it does there, and the item (by place) whose quote it stands in."""

    mention: MentionAt
    kind: NeedKind
    item: int
    depth: int = 0
    mark: Mark | None = None


def find_needs(task: ReaderTask, items: Sequence[Item]) -> tuple[Need, ...]:
    """Every reference and footnote mark in the quotes of an answer, in the order of the items."""
    needs: list[Need] = []
    seen: set[tuple[int, int]] = set()
    for place, item in enumerate(items):
        for citation in item.citations:
            lines = [
                line
                for line in task.view.lines_in(
                    (citation.page, citation.line_start), (citation.page, citation.line_end + 1)
                )
                if line.position not in seen
            ]
            if not lines or len(seen) >= MAX_LINES:
                continue
            seen |= {line.position for line in lines}
            needs += read_needs(task, lines, place, citation.quote)
    if asks_terms(task):
        # few questions ask for the terms that a definition uses
        from pipeline.generation.extractive.termneeds import find_terms

        needs += [Need(each.mention, "asked" if each.is_asked else "none", 0) for each in find_terms(task, items)]
    if task.part.shape == "list" and len(items) > 1:
        # what one member of several points at ("See Figure 2.") explains that member and is none of its own
        return tuple(need._replace(kind="none") if _only_points(task, need) else need for need in needs)
    return tuple(needs)


def _only_points(task: ReaderTask, need: Need) -> bool:
    return need.kind in ("points", "defers") and need.mark is None and _read_cue(task.view, need.mention) == "points"


def read_needs(task: ReaderTask, lines: Sequence[Line], item: int, quote: str, depth: int = 0) -> list[Need]:
    """The references on some lines; only those that stand in the quote count."""
    first, last = lines[0].position, lines[-1].position
    # a section is quoted as it stands, with its marks
    marks = [] if task.part.shape == "section" else find_marks(lines)
    needs = [Need(mark.mention, "note", item, depth, mark) for mark in marks]
    before: Need | None = None
    for mention in list_mentions(task.view, first, (last[0], last[1] + 1)):
        if not _stands_in(mention, quote) or _is_own_label(task.view, mention):
            continue
        kind = _classify(task, mention, before, depth)
        before = Need(mention, kind, item, depth)
        needs.append(before)
    return needs


def _stands_in(mention: MentionAt, quote: str) -> bool:
    return " ".join(mention.text.split()) in " ".join(quote.split())


def _is_own_label(view: DocumentView, mention: MentionAt) -> bool:
    """Whether a mention is the label of a caption or heading: "Table 2: Results", "Note 5. Goodwill"."""
    line = view.document.line_at(*place_of(mention))
    if line is None or line.text[: mention.extent.start_offset].strip():
        return False
    section = view.document.section_at(line.position)
    is_heading = section is not None and section.start == line.position
    # an article begins with its own number: "第二条 ..."
    is_article = is_cjk(mention.text[:1] or " ") and line.text[mention.extent.end_offset or 0 :][:1].isspace()
    return is_heading or is_article or read_after(view, mention).lstrip()[:1] in (":", ".", "|", "—", "–", "")


def _classify(task: ReaderTask, mention: MentionAt, previous: Need | None, depth: int) -> NeedKind:
    named = frozenset(hint.key for hint in task.question.hints)
    if mention.key in named:
        # what the question names is found without the reference
        return "none"
    kind = _read_cue(task.view, mention)
    if kind == "none" and previous is not None and _goes_on(task.view, previous.mention, mention):
        kind = previous.kind
    if kind == "points" and task.part.shape in _EXACT_SHAPES:
        # where one thing is asked for, a text that only says where it stands has not said it
        kind = "defers"
    if depth == 0 and task.question.asks_for_references and kind not in ("defers", "limits"):
        return "asked"
    if task.part.shape == "section" or (kind == "limits" and not _is_limited(task, depth)):
        return "none"
    return kind


def _is_limited(task: ReaderTask, depth: int) -> bool:
    """Whether a condition matters: for one fact it does, for a survey of a text it is one thing of many."""
    return depth == 0 and task.part.shape in _CONDITION_SHAPES and task.part.intent not in _OPEN_INTENTS


def _goes_on(view: DocumentView, previous: MentionAt, mention: MentionAt) -> bool:
    """Whether two mentions are one list: "clauses 12 and 14"."""
    one, other = previous.extent, mention.extent
    if place_of(previous) != place_of(mention) or one.end_offset is None or other.start_offset < one.end_offset:
        return False
    line = view.document.line_at(one.page, one.line_start)
    return line is not None and _JOINT.fullmatch(line.text[one.end_offset : other.start_offset]) is not None


def _read_cue(view: DocumentView, mention: MentionAt) -> NeedKind:
    """What the words right before (and after) a mention make of it."""
    lexicon: Lexicon = view.lexicon
    # what stands between the cue and the name is only an article or a bracket
    before = fold(read_before(view, mention)[-_NEAR:]).rstrip(' "(“«')
    before = re.sub(r"\s(?:the|standard|o|a)$|《[^》]*》$", "", before)
    if _ends_with(before, lexicon.condition_cues):
        return "limits"
    if _ends_with(before, lexicon.deferral_cues):
        return "defers"
    opens = not before or before[-1] in ".;:。；" or _ends_with(before, lexicon.deferral_openers)
    after = fold(read_after(view, mention)[:30]).lstrip()
    # "as section 4 says", and a sentence that begins with "Table 1 lists"
    if opens and any(after.startswith(word) for word in lexicon.deferral_followers):
        return "defers"
    return "points" if _ends_with(before, lexicon.pointer_cues) else "none"


def _ends_with(text: str, cues: Iterable[str]) -> bool:
    """Whether a folded text ends in one of the cues, on a word boundary where words are parted by spaces."""
    for cue in cues:
        if text.endswith(cue):
            rest = text[: len(text) - len(cue)]
            if not rest or not rest[-1].isalnum() or not cue[0].isascii():
                return True
    return False
