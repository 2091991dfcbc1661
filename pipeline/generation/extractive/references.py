"""The last look at a reading: what it leaves to other places is joined to it, or reported as pending.

Every shape profits: a clause that holds "subject to clause 14" gains what clause 14 says, a value with a footnote mark
gains the note, "as Table 2 states" gains the row. Nothing is joined that was not read: a place that is not in the
evidence is reported, and the loop decides whether to go there.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import name_target
from pipeline.generation.extractive.excerpts import Excerpt, carries_anchor, read_excerpt
from pipeline.generation.extractive.needs import Need, find_needs, read_needs
from pipeline.models.answer import Item, ReferenceReport
from pipeline.structure.around import place_of
from pipeline.structure.pointers import is_read, list_target_lines, make_pointer
from pipeline.structure.resolving import resolve_mark, resolve_mention

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask, Reading
    from pipeline.models.answer import ReferenceState
    from pipeline.models.base import Position
    from pipeline.models.document import Line
    from pipeline.structure.resolving import Resolution

MAX_DEPTH = 3
"""References of references: an answer may be as many steps away as a run has iterations after the first."""
_FAILED_WORDS = {
    "dangling": "the text refers to {text}, and this document has no such place",
    "external": "{text} is outside of this document and was not read",
    "ambiguous": "what {text} means is not plain: {why}",
}


@dataclass(slots=True)
class _Joining:
    """A reading while references are joined to it."""

    task: ReaderTask
    items: list[Item]
    read: frozenset[Position]
    linked: frozenset[Position]
    has_fit: bool
    room: int
    added: list[Item] = field(default_factory=list)
    caveats: list[str] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    reports: list[ReferenceReport] = field(default_factory=list)
    visited: set[tuple[Position, Position]] = field(default_factory=set)


def join_references(task: ReaderTask, reading: Reading) -> Reading:
    """A reading with what its references lead to; references that lead to unread places are pending."""
    needs = list(find_needs(task, reading.items))
    if not needs:
        return reading
    quoted = sum(len(citation.quote) for item in reading.items for citation in item.citations)
    joining = _Joining(
        task=task,
        items=list(reading.items),
        read=_list_positions(task, is_linked=False),
        linked=_list_positions(task, is_linked=True),
        has_fit=reading.has_typed_fit,
        room=task.max_quote_characters - quoted,
    )
    # each turn takes one need away, and joined places add theirs at a depth that is bounded
    while needs:
        needs += _join(joining, needs.pop(0))
    texts = [reading.text, *(f"{item.label}: {item.text}" for item in joining.added)]
    return replace(
        reading,
        text="\n".join(texts),
        items=(*joining.items, *joining.added),
        caveats=(*reading.caveats, *dict.fromkeys(joining.caveats)),
        pending_references=(*reading.pending_references, *dict.fromkeys(joining.pending)),
        references=(*reading.references, *dict.fromkeys(joining.reports)),
    )


def _list_positions(task: ReaderTask, *, is_linked: bool) -> frozenset[Position]:
    pieces = task.linked if is_linked else task.evidence
    return frozenset((line.page, line.number) for piece in pieces for line in piece.lines)


def _join(joining: _Joining, need: Need) -> list[Need]:
    """Deal with one reference; the needs of the place that was joined are returned."""
    if need.kind == "none":
        _report(joining, need, "not needed", f"{need.mention.text} is not what was asked for")
        return []
    view = joining.task.view
    resolution = resolve_mark(view, need.mark) if need.mark else resolve_mention(view, need.mention)
    if resolution.target is None:
        return _fail(joining, need, resolution)
    place = (resolution.target.start, resolution.target.end)
    if resolution.target.start <= place_of(need.mention) < resolution.target.end:
        # a caption, a heading or "this clause 11": the reference stands in what it names
        return []
    if place in joining.visited:
        _report(joining, need, "already there", resolution.why)
        return []
    lines = list_target_lines(view, resolution.target, resolution.cells)
    if not _is_needed(joining, need, lines):
        _report(joining, need, "not needed", f"{resolution.why}, and carries nothing that was asked for")
        return []
    is_linked = is_read(lines, joining.linked)
    if not is_linked and not is_read(lines, joining.read):
        joining.pending.append(make_pointer(joining.task.part.id, need.mention).text)
        _report(joining, need, "pending", resolution.why)
        return []
    joining.visited.add(place)
    _report(joining, need, "followed" if is_linked else "already there", resolution.why)
    return _attach(joining, need, resolution, lines)


def _report(joining: _Joining, need: Need, state: ReferenceState, why: str) -> None:
    pointer = make_pointer(joining.task.part.id, need.mention)
    joining.reports.append(ReferenceReport(target=pointer.name, state=state, why=why))


def _fail(joining: _Joining, need: Need, resolution: Resolution) -> list[Need]:
    """A reference that leads nowhere: a caveat where the answer depends on it; a mark without a note is no mark."""
    if need.mark is not None or resolution.state == "resolved":
        return []
    _report(joining, need, resolution.state, resolution.why)
    if need.kind in ("asked", "defers", "limits"):
        words = _FAILED_WORDS[resolution.state]
        joining.caveats.append(words.format(text=need.mention.text, why=resolution.why))
    return []


def _is_needed(joining: _Joining, need: Need, lines: tuple[Line, ...]) -> bool:
    """Whether a place serves what is open: what limits or marks a value always does, else it carries an anchor."""
    task = joining.task
    if need.kind in ("asked", "note", "limits"):
        return True
    if need.kind == "defers" and need.depth == 0:
        return not joining.has_fit or carries_anchor(task, lines)
    if need.kind == "defers":
        # deeper on, the sentence itself must speak of what was asked: a clause defers many things
        page, number = place_of(need.mention)
        return carries_anchor(task, lines) and carries_anchor(
            task, task.view.lines_in((page, number - 1), (page, number + 1))
        )
    # a mere pointer is followed for what no quote says
    quoted = {
        (citation.page, number)
        for item in (*joining.items, *joining.added)
        for citation in item.citations
        for number in range(citation.line_start, citation.line_end + 1)
    }
    unsaid = frozenset(a.key for a in task.part.anchors if quoted.isdisjoint(task.view.positions_of(a)))
    return bool(unsaid) and carries_anchor(task, lines, unsaid)


def _attach(joining: _Joining, need: Need, resolution: Resolution, lines: tuple[Line, ...]) -> list[Need]:
    excerpt = read_excerpt(joining.task, resolution, lines, joining.room)
    if excerpt is None or resolution.target is None:
        return []
    joining.room -= sum(len(citation.quote) for citation in excerpt.citations)
    if need.kind in ("note", "limits") and need.depth == 0:
        _qualify(joining, need, resolution, excerpt)
    else:
        joining.added.append(
            Item(
                sub_question=joining.task.part.id,
                text=excerpt.text,
                label=name_target(resolution.target),
                citations=excerpt.citations,
                extraction="verbatim",
            )
        )
    if need.depth + 1 >= MAX_DEPTH:
        return []
    quote = "\n".join(citation.quote for citation in excerpt.citations)
    return read_needs(joining.task, excerpt.lines, need.item, quote, need.depth + 1)


def _qualify(joining: _Joining, need: Need, resolution: Resolution, excerpt: Excerpt) -> None:
    """A note or a condition belongs to the item that carries it: as a qualifier, a citation and a caveat."""
    item = joining.items[need.item]
    name = f"note {need.mark.sign}" if need.mark else f"subject to {need.mention.text}"
    said = f"{name}: {excerpt.text}"
    joining.items[need.item] = item.model_copy(
        update={"qualifiers": (*item.qualifiers, said), "citations": (*item.citations, *excerpt.citations)}
    )
    joining.caveats.append(said)


def prefer_typed(joined: Reading, direct: Reading | None) -> Reading:
    """What a referred place says in the type asked for, with the words that point there; else the joined reading."""
    if direct is None or not direct.has_typed_fit or not direct.items:
        return joined
    pointing = joined.items[0]
    # the sentence that points stays as the first citation: it says why the value stands elsewhere
    first = direct.items[0]
    items = (first.model_copy(update={"citations": (*pointing.citations, *first.citations)}), *direct.items[1:])
    return replace(
        direct,
        items=items,
        caveats=(*direct.caveats, *joined.caveats),
        pending_references=joined.pending_references,
        references=joined.references,
    )
