"""What a referred place says to a question: its best sentences or rows, quoted within the room that is left."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.citing import cite_extents, cite_lines, limit_quotes, merge_extents
from pipeline.generation.extractive.sentences import Sentence, split_evidence
from pipeline.generation.extractive.weights import weigh_anchor
from pipeline.structure.selectors import find_table
from pipeline.text.anchors import find_anchor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.answer import Citation
    from pipeline.models.document import Line
    from pipeline.models.structure import Table, Target
    from pipeline.structure.resolving import Resolution

MAX_SENTENCES = 2
MAX_CHARACTERS = 500


class Excerpt(NamedTuple):
    """The words of a place with their citations, and the lines that they stand on."""

    text: str
    citations: tuple[Citation, ...]
    lines: tuple[Line, ...]


def read_excerpt(task: ReaderTask, resolution: Resolution, lines: tuple[Line, ...], room: int) -> Excerpt | None:
    """The part of a referred place that carries most of what was asked, else its beginning; None without room.

    Rows of a table are read whole; a caption alone says where the table is.
    """
    target = resolution.target
    if target is None or not lines:
        return None
    if resolution.cells:
        return _quote_lines(task, lines, room)
    table = find_table(task.view, target) if target.kind == "table" else None
    if table is not None:
        return _quote_lines(task, _choose_rows(task, table, target, lines), room)
    return _quote_sentences(task, _choose_sentences(task, target, lines), room)


def carries_anchor(task: ReaderTask, lines: Sequence[Line], keys: frozenset[str] | None = None) -> bool:
    """Whether lines carry an anchor of the part (one of the given keys)."""
    positions = {line.position for line in lines}
    anchors = (anchor for anchor in task.part.anchors if keys is None or anchor.key in keys)
    return any(not positions.isdisjoint(task.view.positions_of(anchor)) for anchor in anchors)


def _quote_lines(task: ReaderTask, lines: Sequence[Line], room: int) -> Excerpt | None:
    citations, _ = limit_quotes(cite_lines(task.view, lines), min(room, MAX_CHARACTERS))
    if not citations:
        return None
    text = " ".join(citation.quote.replace("\n", " ") for citation in citations)
    return Excerpt(text, citations, tuple(lines))


def _quote_sentences(task: ReaderTask, sentences: Sequence[Sentence], room: int) -> Excerpt | None:
    extents = merge_extents(tuple(extent for sentence in sentences for extent in sentence.extents))
    citations, _ = limit_quotes(cite_extents(task.view, extents), room)
    if not citations or not sentences:
        return None
    places = {(e.page, number) for e in extents for number in range(e.line_start, e.line_end + 1)}
    lines = (task.view.document.line_at(page, number) for page, number in sorted(places))
    text = " ".join(sentence.text for sentence in sentences)
    return Excerpt(text, citations, tuple(line for line in lines if line is not None and line.is_evidence))


def _choose_sentences(task: ReaderTask, target: Target, lines: Sequence[Line]) -> list[Sentence]:
    """At most two sentences: those that weigh most, in reading order; the first ones where none carries anything."""
    sentences = list(split_evidence(lines))
    if len(sentences) > 1 and sentences[0].text.strip() in _name_forms(target):
        # the heading is told by the name of the place
        sentences = sentences[1:]
    weights = [_weigh(task, sentence.text) for sentence in sentences]
    order = sorted(range(len(sentences)), key=lambda at: (-weights[at], at))
    chosen: list[int] = []
    length = 0
    for at in order:
        is_poor = bool(chosen) and weights[at] * 2 < weights[chosen[0]]
        if len(chosen) == MAX_SENTENCES or is_poor:
            break
        if chosen and length + len(sentences[at].text) > MAX_CHARACTERS:
            continue
        chosen.append(at)
        length += len(sentences[at].text)
    return [sentences[at] for at in sorted(chosen)]


def _name_forms(target: Target) -> frozenset[str]:
    label, title = target.label, target.title
    names = (title, f"{label} {title}", f"{label}. {title}", f"{target.kind.capitalize()} {label}. {title}")
    return frozenset(
        (*names, f"{target.kind.capitalize()} {label} {title}", f"{target.kind.capitalize()} {label}: {title}")
    )


def _weigh(task: ReaderTask, text: str) -> int:
    return sum(weigh_anchor(task.view, anchor) for anchor in task.part.anchors if find_anchor(anchor, text))


def _choose_rows(task: ReaderTask, table: Table, target: Target, lines: Sequence[Line]) -> list[Line]:
    """The caption and the rows of a table that weigh most; the caption alone where no row carries anything."""
    weights: dict[int, int] = {}
    for row in sorted({cell.row for cell in table.cells}):
        weights[row] = _weigh(task, " ".join(cell.text for cell in table.cells if cell.row == row))
    best = max(weights.values(), default=0)
    rows = {row for row, weight in weights.items() if weight == best and best}
    inside = {
        (extent.page, number)
        for cell in table.cells
        if cell.row in rows
        for extent in cell.extents
        for number in range(extent.line_start, extent.line_end + 1)
    }
    return [line for line in lines if target.start <= line.position < target.end or line.position in inside]
