"""Notes below tables that the text calls by their sign: "note b to Table 2", "footnote 3", "note (c) below"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.models.structure import Target
from pipeline.structure.around import place_of, read_after
from pipeline.structure.marks import find_note_end, opens_note
from pipeline.structure.selectors import find_table
from pipeline.text.late import compile_late
from pipeline.text.mentions import find_mentions

if TYPE_CHECKING:
    from pipeline.models.base import Position
    from pipeline.models.document import Line
    from pipeline.models.structure import MentionAt
    from pipeline.structure.view import DocumentView

_OF = compile_late(r"^\s*(?:to|of|under|below|in|da|do)\s+(?:the\s+)?")
MAX_PAGES_BELOW = 1
"""The notes of a table stand on the page where it ends, or on the one after."""


def find_signed_notes(view: DocumentView, mention: MentionAt) -> tuple[Target, ...]:
    """Notes whose sign the mention names: below the table named behind it, else on the page of the mention."""
    sign = mention.key.partition(":")[2]
    if not (sign.isdigit() or (len(sign) == 1 and sign.isalpha())):
        return ()
    places = _list_ranges(view, mention)
    found: dict[Position, Target] = {}
    for start, end in places:
        lines = view.lines_in(start, end)
        for line in lines:
            if opens_note(line, sign) and _is_note(view, line, mention):
                last = find_note_end(lines, line)
                found[line.position] = Target(
                    kind="footnote", key=f"footnote:{sign}", label=sign, title=line.text.strip()[:80],
                    start=line.position, end=(last.page, last.number + 1),
                )  # fmt: skip
    return tuple(found[position] for position in sorted(found))


def _list_ranges(view: DocumentView, mention: MentionAt) -> list[tuple[Position, Position]]:
    after = read_after(view, mention)
    joint = _OF.match(after)
    named = [other for other in find_mentions(after[:60]) if other.kind == "table"] if joint is not None else []
    if named and joint is not None and named[0].start <= joint.end() + 1:
        tables = [target for target in view.registry.find(named[0].key) if target.kind == "table"]
        if len(tables) != 1:
            return []
        table = find_table(view, tables[0])
        start = tables[0].start
        end = table.end if table is not None else tables[0].end
        # the next table has notes of its own
        following = [t.start for t in view.registry.targets if t.kind == "table" and t.start > start]
        stop = min([(end[0] + MAX_PAGES_BELOW + 1, 0), *following])
        return [(start, stop)]
    page = place_of(mention)[0]
    return [((page, 1), (page + 1, 0))]


def _is_note(view: DocumentView, line: Line, mention: MentionAt) -> bool:
    """Whether a line that opens with a sign is a note: set smaller, or with its sign raised; a list is neither."""
    if line.position == place_of(mention):
        return False
    usual = max((other.size for other in view.document.lines_on(line.page) if other.is_evidence), default=line.size)
    is_raised = bool(line.raised) and line.raised[0][0] == 0
    return is_raised or line.size * 100 < usual * 97
