"""Who or what bears a footnote mark, and what the note says: the two ends of a mark, either from the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.citing import cite_lines
from pipeline.generation.extractive.hits import weigh
from pipeline.generation.extractive.reading import Reading
from pipeline.models.answer import Item
from pipeline.question.terms import cue_of
from pipeline.structure.marks import Mark, find_marks, find_note, find_note_end
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import fold, join_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.document import Line
    from pipeline.models.question import Anchor

MIN_SHARE = 600
"""Thousandths of the weight of what a question names that a note or the bearer of its mark has."""
MAX_PAGES = 6


class _Noted(NamedTuple):
    """What a mark stands behind, and the note that it leads to."""

    bearer: str
    line: Line
    note: str
    lines: tuple[Line, ...]


def read_noted(task: ReaderTask) -> Reading | None:
    """The note of the mark behind what a question names, or what bears the mark of the note that it names."""
    words = frozenset(cue_of(task.view.lexicon.value_cues, "mark words"))
    named = [a for a in task.part.anchors if a.source != "compound" and not words & set(fold(a.text).split())]
    names = [anchor for anchor in named if anchor.text[:1].isupper()] or named
    if not names:
        return None
    found = [noted for page in _list_pages(task, names) for noted in _list_noted(task, page)]
    bearing = [noted for noted in found if _share(task, names, noted.bearer) >= MIN_SHARE]
    if bearing:
        return _tell(task, bearing, is_note=True)
    best = max((_share(task, names, noted.note) for noted in found), default=0)
    told = [noted for noted in found if _share(task, names, noted.note) == best >= MIN_SHARE]
    return _tell(task, told, is_note=False) if told else None


def _share(task: ReaderTask, names: Sequence[Anchor], text: str) -> int:
    return weigh(task.view, tuple(names), frozenset(name.key for name in names if find_anchor(name, text)))


def _list_pages(task: ReaderTask, names: Sequence[Anchor]) -> list[int]:
    """The pages with most of what is named, in order."""
    counts: dict[int, int] = {}
    for name in names:
        for page in {page for page, _ in task.view.positions_of(name)}:
            counts[page] = counts.get(page, 0) + 1
    return sorted(sorted(counts, key=lambda page: (-counts[page], page))[:MAX_PAGES])


def _list_noted(task: ReaderTask, page: int) -> Iterator[_Noted]:
    lines = [line for line in task.view.document.lines_on(page) if line.is_evidence]
    for mark in find_marks(lines):
        # two marks behind one name are printed as one: each leads to a note of its own
        signs = mark.sign if not mark.sign.isalnum() else (mark.sign,)
        for sign in signs:
            note = find_note(task.view, Mark(sign, mark.line, mark.start, mark.end))
            held = task.view.lines_in(note.start, note.end) if note is not None else _find_signed(lines, mark, sign)
            if held:
                text = join_lines([line.text for line in held]).display.strip()
                yield _Noted(mark.line.text[: mark.start].strip(), mark.line, text, held)


def _find_signed(lines: Sequence[Line], mark: Mark, sign: str) -> tuple[Line, ...]:
    """The one note below a mark whose raised sign is no letter or digit, with the lines that it runs over."""
    below = [line for line in lines if line.box[1] > mark.line.box[1]]
    opened = [line for line in below if line.raised and line.raised[0][0] == 0 and line.text.startswith(sign)]
    if sign.isalnum() or len(opened) != 1:
        return ()
    last = find_note_end(lines, opened[0])
    return tuple(line for line in lines if opened[0].number <= line.number <= last.number)


def _tell(task: ReaderTask, found: Sequence[_Noted], *, is_note: bool) -> Reading | None:
    items = [
        Item(
            sub_question=task.part.id,
            text=noted.note if is_note else noted.bearer,
            label=noted.bearer if is_note else "",
            qualifiers=() if is_note else (f"note: {noted.note}",),
            citations=(*cite_lines(task.view, (noted.line,)), *cite_lines(task.view, noted.lines)),
            extraction="verbatim",
        )
        for noted in found
    ]
    unique = {item.text: item for item in items if item.citations}
    if not unique:
        return None
    return Reading(text="\n".join(unique), items=tuple(unique.values()), has_typed_fit=True)
