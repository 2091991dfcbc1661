"""The last look at a reading: what it leaves to other places is joined to it, or reported as pending.

Every shape profits: a clause that holds "subject to clause 14" gains what clause 14 says, a value with a footnote mark
gains the note, "as Table 2 states" gains the row. Nothing is joined that was not read: a place that is not in the
evidence is reported, and the loop decides whether to go there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.citing import drop_name, name_target, say_under
from pipeline.generation.extractive.enumerated import read_enumeration
from pipeline.generation.extractive.excerpts import Excerpt, carries_anchor, read_excerpt
from pipeline.generation.extractive.linked import has_value_in
from pipeline.generation.extractive.needs import Need, find_needs, read_needs
from pipeline.models.answer import Item, ReferenceReport
from pipeline.structure.around import place_of
from pipeline.structure.external import find_exit
from pipeline.structure.pointers import OPENING_LINES, is_read, list_target_lines, make_pointer
from pipeline.structure.relatives import is_relative
from pipeline.structure.resolving import resolve_mark, resolve_mention
from pipeline.text.anchors import find_anchor

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask, Reading
    from pipeline.models.answer import ReferenceState
    from pipeline.models.base import Position
    from pipeline.models.document import Line
    from pipeline.models.evidence import Evidence
    from pipeline.models.structure import Enumeration, Target
    from pipeline.structure.resolving import Resolution

MAX_DEPTH = 6
"""References of references: places that were read already cost no iteration, and each is visited once."""
MAX_LINK_LINES = 3
"""Lines of a section, its heading among them, that only passes on to another one."""
_FAILED_WORDS = {
    "dangling": "the text refers to {text}, but {why}",
    "external": "{text} is outside of this document and was not read",
    "ambiguous": "{why}",
}


class _Place(NamedTuple):
    """A place that the text defers to: its title and lines."""

    title: str
    lines: tuple[Line, ...]


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
    deferred: list[_Place] = field(default_factory=list)


Reread = Callable[["ReaderTask"], "Reading | None"]


def join_references(task: ReaderTask, reading: Reading, read_again: Reread) -> Reading:
    """A reading with what its references lead to; references that lead to unread places are pending.

    Where the reading itself is no answer of the kind that was asked for, the readers are tried on the places that it
    defers to.
    """
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
    if not _fits(task, reading):
        # the deepest first: that is where the text stops pointing further
        for place in reversed(joining.deferred):
            again = _read_place(task, place, read_again)
            if again is not None and _fits(task, again):
                return _prefer(again, reading, joining)
    texts = [reading.text, *(say_under(item.label, item.text) for item in joining.added)]
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
    if need.kind == "none" and need.mark is None and (reason := find_exit(joining.task.view, need.mention)):
        _report(joining, need, "external", f"{need.mention.text}: {reason}")
        return []
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
        _report(joining, need, "already there", f"{resolution.why}, where the reference itself stands")
        return []
    if resolution.target.kind == "table" and has_value_in(joining.items, place):
        _report(joining, need, "already there", f"{resolution.why}, where the answer stands")
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
    if need.kind in ("asked", "defers", "limits") and not is_relative(need.mention):
        words = _FAILED_WORDS[resolution.state]
        joining.caveats.append(words.format(text=need.mention.text, why=resolution.why))
    return []


def _is_needed(joining: _Joining, need: Need, lines: tuple[Line, ...]) -> bool:
    """Whether a place serves what is open: what limits or marks a value always does, else it carries an anchor."""
    task = joining.task
    if need.kind in ("asked", "note", "limits"):
        return True
    if need.kind == "defers" and need.depth == 0:
        # a value that was found needs no second place; a text gains by one that speaks of what was asked
        is_settled = joining.has_fit and task.part.shape in ("value", "count")
        is_open = not joining.has_fit or carries_anchor(task, lines) or _only_defers(task, place_of(need.mention))
        return is_open and not is_settled
    if need.kind == "defers":
        # deeper on, the sentence itself must speak of what was asked: a clause defers many things
        page, number = place_of(need.mention)
        is_asked = carries_anchor(task, task.view.lines_in((page, number - 1), (page, number + 1)))
        return is_asked and (carries_anchor(task, lines) or _only_defers(task, (page, number)))
    # a mere pointer is followed for what no quote says
    quoted = {
        (citation.page, number)
        for item in (*joining.items, *joining.added)
        for citation in item.citations
        for number in range(citation.line_start, citation.line_end + 1)
    }
    unsaid = frozenset(a.key for a in task.part.anchors if quoted.isdisjoint(task.view.positions_of(a)))
    return bool(unsaid) and carries_anchor(task, lines, unsaid)


def _only_defers(task: ReaderTask, place: Position) -> bool:
    """Whether the section of a reference says no more than that another place says it: a link of a chain."""
    section = task.view.document.section_at(place)
    return section is not None and len(task.view.lines_in(section.start, section.end)) <= MAX_LINK_LINES


def _attach(joining: _Joining, need: Need, resolution: Resolution, lines: tuple[Line, ...]) -> list[Need]:
    excerpt = read_excerpt(joining.task, resolution, lines, joining.room)
    if excerpt is None or resolution.target is None:
        return []
    if need.kind == "defers":
        joining.deferred.append(_Place(resolution.target.title, lines))
    joining.room -= sum(len(citation.quote) for citation in excerpt.citations)
    if need.kind in ("note", "limits") and need.depth == 0:
        _qualify(joining, need, excerpt)
    else:
        joining.added.append(
            Item(
                sub_question=joining.task.part.id,
                text=drop_name(resolution.target, name := _name(resolution.target, excerpt.text), excerpt.text),
                label=name,
                citations=excerpt.citations,
                extraction="verbatim",
            )
        )
    quote = "\n".join(citation.quote for citation in excerpt.citations)
    further = read_needs(joining.task, excerpt.lines, need.item, quote, need.depth + 1)
    if need.depth + 1 < MAX_DEPTH:
        return further
    for beyond in further:
        if beyond.kind in ("asked", "defers", "limits"):
            _report(joining, beyond, "pending", f"a chain of more than {MAX_DEPTH} references leads to it")
    return []


def _name(target: Target, text: str) -> str:
    """What a joined place is called; a clause whose title is its own first words goes by its number."""
    if not target.label:
        return f"{target.kind.capitalize()} on page {target.start[0]}"
    plain = name_target(target.model_copy(update={"title": ""}))
    return plain if target.title in text else name_target(target)


def _qualify(joining: _Joining, need: Need, excerpt: Excerpt) -> None:
    """A note or a condition belongs to the item that carries it: as a qualifier, a citation and a caveat."""
    item = joining.items[need.item]
    name = f"note {need.mark.sign}" if need.mark else f"subject to {need.mention.text}"
    said = f"{name}: {excerpt.text}"
    joining.items[need.item] = item.model_copy(
        update={"qualifiers": (*item.qualifiers, said), "citations": (*item.citations, *excerpt.citations)}
    )
    joining.caveats.append(said)


def _fits(task: ReaderTask, reading: Reading) -> bool:
    """Whether a reading is of the kind asked for: a list with its certificate, or a value of the type."""
    return reading.certificate is not None if task.part.shape == "list" else reading.has_typed_fit


def _read_place(task: ReaderTask, place: _Place, read_again: Reread) -> Reading | None:
    """What a place that the text defers to says in the kind asked for.

    A list must be the only one there, and the title of the place must speak of what was asked.
    """
    lines = place.lines
    if task.part.shape != "list":
        return read_again(replace(task, evidence=_restrict(task, lines), linked=()))
    if not any(find_anchor(anchor, place.title) for anchor in task.part.anchors):
        return None
    last = lines[-1].position
    found = task.view.enumerations_in(lines[0].position, (last[0], last[1] + 1))
    lists = [each for each in found if len(each.items) > 1 and each.kind not in ("inline", "headings")]
    outer = [each for each in lists if not any(_lies_in(each, other) for other in lists)]
    return read_enumeration(task, outer[0]) if len(outer) == 1 else None


def _lies_in(inner: Enumeration, outer: Enumeration) -> bool:
    return outer != inner and outer.start <= inner.start and inner.end <= outer.end


def _restrict(task: ReaderTask, lines: tuple[Line, ...]) -> tuple[Evidence, ...]:
    """The evidence that holds a place, cut down to the place."""
    wanted = {line.position for line in lines}
    for piece in (*task.linked, *task.evidence):
        inside = tuple(line for line in piece.lines if (line.page, line.number) in wanted)
        if len(inside) >= min(len(lines), OPENING_LINES):
            return (piece.model_copy(update={"lines": inside}),)
    return ()


def _prefer(again: Reading, reading: Reading, joining: _Joining) -> Reading:
    """What the place says in the kind asked for; the sentence that points there stays as the first citation."""
    first = again.items[0]
    pointing = reading.items[0].citations
    items = (first.model_copy(update={"citations": (*pointing, *first.citations)}), *again.items[1:])
    return replace(
        again,
        items=items,
        caveats=(*again.caveats, *dict.fromkeys(joining.caveats)),
        pending_references=tuple(dict.fromkeys(joining.pending)),
        references=tuple(dict.fromkeys(joining.reports)),
    )
