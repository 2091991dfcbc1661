"""What stands around a mention: the running text before and after it, line ends closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.models.structure import Extent, MentionAt
from pipeline.text.notes import find_lettered_notes
from pipeline.text.relative import find_relative_mentions
from pipeline.text.titled import find_titled_mentions

if TYPE_CHECKING:
    from pipeline.models.base import Position
    from pipeline.models.document import Line
    from pipeline.structure.view import DocumentView

_LINES_AROUND = 2


def list_mentions(view: DocumentView, start: Position, end: Position) -> tuple[MentionAt, ...]:
    """Every reference from `start` up to `end` in document order: by label, and by place ("the next table")."""
    found = list(view.mentions_in(start, end))
    for line in view.lines_in(start, end):
        # they have no label, so that the registry cannot know them
        for relative in find_relative_mentions(line.text):
            extent = Extent(
                page=line.page, line_start=line.number, line_end=line.number,
                start_offset=relative.start, end_offset=relative.end,
            )  # fmt: skip
            found.append(
                MentionAt(kind=relative.kind, key=relative.key, text=relative.text, extent=extent)  # type: ignore[arg-type]
            )
        found += _list_named(line)
    return tuple(sorted(found, key=lambda mention: (place_of(mention), mention.extent.start_offset, mention.key)))


def _list_named(line: Line) -> list[MentionAt]:
    """References by title ("the Glossary") and notes called by a letter, which no registry knows by number."""
    named = [(each.start, each.end, each.text, each.kind, each.key) for each in find_titled_mentions(line.text)]
    named += [
        (note.start, note.end, note.text, note.kind, f"{note.kind}:{note.letter}")
        for note in find_lettered_notes(line.text)
        if "(" not in note.text
    ]
    return [
        MentionAt(
            kind=kind,  # type: ignore[arg-type]
            key=key,
            text=text,
            extent=Extent(
                page=line.page, line_start=line.number, line_end=line.number, start_offset=start, end_offset=end
            ),
        )
        for start, end, text, kind, key in named
    ]


def place_of(mention: MentionAt) -> Position:
    """Page and line where a mention begins."""
    return (mention.extent.page, mention.extent.line_start)


def read_before(view: DocumentView, mention: MentionAt) -> str:
    """The text in front of a mention: its line and the two before it."""
    document = view.document
    index = document.index_of(place_of(mention))
    # twice as many, because furniture and empty lines in between say nothing
    before = _take(document.lines[max(0, index - 2 * _LINES_AROUND) : index])[-_LINES_AROUND:]
    own = document.lines[index].text[: mention.extent.start_offset]
    return _join([*(line.text for line in before), own])


def read_after(view: DocumentView, mention: MentionAt) -> str:
    """The text behind a mention: the rest of its line and the two after it."""
    document = view.document
    extent = mention.extent
    index = document.index_of((extent.page, extent.line_end))
    line = document.lines[index]
    # a mention that runs over the page ends somewhere on the next line: nothing behind it is known
    own = "" if extent.end_offset is None else line.text[extent.end_offset :]
    after = _take(document.lines[index + 1 : index + 1 + 2 * _LINES_AROUND])[:_LINES_AROUND]
    return _join([own, *(following.text for following in after)])


def _take(lines: tuple[Line, ...]) -> list[Line]:
    return [line for line in lines if line.is_evidence and line.text.strip()]


def _join(parts: list[str]) -> str:
    return " ".join(part.strip("\n") for part in parts)
