"""What a referred place says to a question: its best sentences or rows, quoted within the room that is left."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.citing import cite_extents, cite_lines, limit_quotes, merge_extents
from pipeline.generation.extractive.sentences import Sentence, split_evidence
from pipeline.generation.extractive.weights import weigh_anchor
from pipeline.structure.selectors import find_table
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import fold

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
    """At most two sentences: those that weigh most, in reading order; the first ones where none carries anything.

    A sentence that opens a list takes the members along.
    """
    if target.kind == "footnote":
        # a note is short, and each of its sentences may change the value
        return list(split_evidence(lines))
    if target.kind == "definition":
        return _choose_defining(target, list(split_evidence(lines)))
    # the name of the place tells the heading already
    body = lines[1:] if len(lines) > 1 and _is_heading(target, lines[0], lines[1]) else lines
    sentences = list(split_evidence(body))
    weights = [_weigh(task, sentence.text) for sentence in sentences]
    order = sorted(range(len(sentences)), key=lambda at: (-weights[at], at))
    chosen: list[int] = []
    length = 0
    for at in order:
        is_poor = bool(chosen) and (not weights[at] or weights[at] * 2 < weights[chosen[0]])
        if len(chosen) >= MAX_SENTENCES or is_poor:
            break
        group = [at, *_list_members(sentences, at)]
        size = sum(len(sentences[each].text) for each in group if each not in chosen)
        if chosen and length + size > MAX_CHARACTERS:
            continue
        chosen += [each for each in group if each not in chosen]
        length += size
    return [sentences[at] for at in sorted(chosen)]


def _choose_defining(target: Target, sentences: list[Sentence]) -> list[Sentence]:
    """An entry of a term whole; of a sentence that defines one only that sentence."""
    name = fold(target.label)
    if not sentences or fold(sentences[0].text).lstrip(" \"'(").startswith(name):
        return sentences
    return [sentence for sentence in sentences if f'"{name}' in fold(sentence.text)] or sentences


def _list_members(sentences: Sequence[Sentence], at: int) -> list[int]:
    """The members of a list that the sentence at `at` opens, as far as there is room."""
    if not sentences[at].text.rstrip().endswith((":", "：")):
        return []
    members: list[int] = []
    length = len(sentences[at].text)
    for place in range(at + 1, len(sentences)):
        text = sentences[place].text.lstrip()
        length += len(text)
        if not (text[:1] in "(•–-▪" or text[:1].isdigit() or text[1:2] in ".)") or length > MAX_CHARACTERS:
            break
        members.append(place)
    return members


def _is_heading(target: Target, line: Line, following: Line) -> bool:
    """Whether the first line of a place is its title; the title of a numbered paragraph is its own text."""
    title = target.title.strip()
    if following.text.lstrip()[:1].islower():
        return False  # "12.2 The liability does not exceed 750,000 / euros": the line is the first one of a sentence
    return bool(title) and line.text.strip().endswith(title) and title[-1] not in ".:;,"


def _weigh(task: ReaderTask, text: str) -> int:
    return sum(weigh_anchor(task.view, anchor) for anchor in task.part.anchors if find_anchor(anchor, text))


def _choose_rows(task: ReaderTask, table: Table, target: Target, lines: Sequence[Line]) -> list[Line]:
    """The caption and the rows of a table that weigh most; the caption alone where no row carries anything."""
    weights: dict[int, int] = {}
    for row in sorted({cell.row for cell in table.cells}):
        weights[row] = _weigh(task, " ".join(cell.text for cell in table.cells if cell.row == row))
    best = max(weights.values(), default=0)
    # a row that carries less than the best one is a neighbour
    rows = {row for row, weight in weights.items() if weight == best and best}
    inside = {
        (extent.page, number)
        for cell in table.cells
        if cell.row in rows
        for extent in cell.extents
        for number in range(extent.line_start, extent.line_end + 1)
    }
    return [line for line in lines if target.start <= line.position < target.end or line.position in inside]
