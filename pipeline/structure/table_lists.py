"""Rows of tables as lists: the members of a first column, and the rows under each of them."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.models.lexicon import Lexicon
from pipeline.models.structure import Enumeration, EnumerationItem, Extent, Table, TableCell
from pipeline.question.terms import cue_of
from pipeline.structure.cues import find_cue
from pipeline.text.late import compile_late
from pipeline.text.matching import fold

_CODE = compile_late(r"[A-Z][A-Z0-9]{0,9}(?:[.-][A-Z0-9]{1,6}){1,3}")

_MAX_TOTAL_WORDS = 4


def list_rows(
    table: Table, lexicon: Lexicon, above: tuple[str, tuple[Extent, ...]] = ("", ())
) -> Iterator[Enumeration]:
    """The table as a list of its first cells; where one of them stands for several rows, those rows as a list too.

    `above` is the sentence that introduces a table without a caption, with its place.
    """
    rows: dict[int, dict[int, TableCell]] = {}
    for cell in table.cells:
        rows.setdefault(cell.row, {})[cell.column] = cell
    groups: list[tuple[TableCell, list[dict[int, TableCell]]]] = []
    for _, cells in sorted(rows.items()):
        first = cells.get(0)
        # the sum of the members is no member
        if first is None or is_total(first.text, lexicon):
            continue
        # the reader of tables repeats a cell that spans rows: the same lines mean the same cell
        if groups and groups[-1][0].extents == first.extents:
            groups[-1][1].append(cells)
        else:
            groups.append((first, [cells]))
    if len(groups) < 2:
        return
    lead = table.title.strip() or above[0]
    items = [_make_item("", first.text, members[0] if len(members) == 1 else {0: first}) for first, members in groups]
    yield _make_list(table, lead, items, lexicon, above[1])
    for first, members in groups:
        if len(members) > 1:
            own = [_make_group_item(cells) for cells in members]
            yield _make_list(table, first.text, own, lexicon, first.extents)


def is_total(text: str, lexicon: Lexicon) -> bool:
    """Whether a row or column of this name sums up the others: "Total", "Total net sales"."""
    words = fold(text).strip(" :.").split()
    totals = cue_of(lexicon.superlatives, "total")
    return " ".join(words) in totals or (bool(words) and words[0] in totals and len(words) <= _MAX_TOTAL_WORDS)


def _make_group_item(cells: dict[int, TableCell]) -> EnumerationItem:
    others = {column: cell for column, cell in cells.items() if column > 0}
    # a code beside a name is the member's identifier, whichever column it stands in
    codes = [cell.text for cell in others.values() if _CODE.fullmatch(cell.text)]
    names = [cell.text for cell in others.values() if not _CODE.fullmatch(cell.text)]
    return _make_item(codes[0] if codes else "", names[0] if names else "", others)


def _make_item(marker: str, head: str, cells: dict[int, TableCell]) -> EnumerationItem:
    ordered = [cell for _, cell in sorted(cells.items())]
    extents: tuple[Extent, ...] = tuple(extent for cell in ordered for extent in cell.extents)
    return EnumerationItem(
        marker=marker, head=head, text=" ".join(cell.text for cell in ordered), level=0, extents=extents
    )


def _make_list(
    table: Table, lead: str, items: list[EnumerationItem], lexicon: Lexicon, extents: tuple[Extent, ...] = ()
) -> Enumeration:
    places = [(extent.page, extent.line_start) for item in items for extent in item.extents]
    ends = [(extent.page, extent.line_end + 1) for item in items for extent in item.extents]
    return Enumeration(
        kind="table_rows",
        items=tuple(items),
        start=min(places, default=table.start),
        end=max(ends, default=table.end),
        lead=lead,
        lead_extents=extents,
        cue=find_cue(lead, len(items), lexicon),
        is_closed=True,
    )
