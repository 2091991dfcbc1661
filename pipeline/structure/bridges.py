"""Bridges: a symbol in the prose ("a rate of P_drop = 0.1") heads a column of a table, though nothing cites the table.

The table shows what the prose speaks of. Only symbols count, words do not: lowered letters, underscores, Greek letters.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pipeline.structure.selectors import find_table
from pipeline.text.anchors import occurs
from pipeline.text.late import compile_late
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pipeline.models.document import Line
    from pipeline.models.question import Anchor
    from pipeline.models.structure import Table, Target
    from pipeline.structure.view import DocumentView

_UNDERSCORED = compile_late(r"(?<!\w)[^\W\d_]+_\{?[^\W_]+\}?(?!\w)")
_GREEK = compile_late(r"(?<!\w)[\u0370-\u03ff][^\W_]{1,8}(?!\w)")
_WORD = compile_late(r"\w+")
_MIN_LENGTH = 2
_MAX_LENGTH = 12


class Symbol(NamedTuple):
    """A symbol in the prose: as printed, its matching key, and its line."""

    text: str
    key: str
    line: Line


class Bridge(NamedTuple):
    """A table whose heads carry symbols of the prose, best first: its caption, grid and the symbols."""

    target: Target
    table: Table
    symbols: tuple[Symbol, ...]

    @property
    def why(self) -> str:
        """The reason in words: "symbol P_drop in the prose is a column of Table 3"."""
        names = ", ".join(dict.fromkeys(symbol.text for symbol in self.symbols))
        word = "symbol" if len({symbol.key for symbol in self.symbols}) == 1 else "symbols"
        verb = "is a column" if word == "symbol" else "are columns"
        return f"{word} {names} in the prose {verb} of Table {self.target.label}"


def find_symbols(lines: Iterable[Line]) -> tuple[Symbol, ...]:
    """Symbols on lines, each key once, in document order."""
    found: dict[str, Symbol] = {}
    for line in lines:
        for start, end in _list_spans(line):
            text = line.text[start:end].strip()
            key = key_symbol(text)
            if _MIN_LENGTH <= len(key) <= _MAX_LENGTH and not key.isdigit():
                found.setdefault(key, Symbol(text, key, line))
    return tuple(found.values())


def key_symbol(text: str) -> str:
    """The form in which spellings of a symbol agree: "P_{drop}", "P_drop" and a P with a lowered "drop"."""
    return re.sub(r"[_{}\s]", "", fold(text))


def find_bridges(view: DocumentView, lines: Sequence[Line], wanted: Sequence[Anchor]) -> tuple[Bridge, ...]:
    """Captioned tables with a column headed by a symbol of the lines, and an anchor in another head or the caption.

    Most symbols first, then in document order.
    """
    symbols = find_symbols(lines)
    if not symbols or not wanted:
        return ()
    own = {line.position for line in lines}
    pages = _find_pages(view, symbols, own)
    found: list[Bridge] = []
    for target in view.registry.targets:
        if target.kind != "table" or target.start[0] not in pages:
            continue
        table = find_table(view, target)
        # a symbol that was read off the table itself is no bridge to it
        if table is None or any(table.start <= position < table.end for position in own):
            continue
        heads = {key_symbol(word) for head in table.header for word in _WORD.findall(head)}
        matched = tuple(symbol for symbol in symbols if symbol.key in heads)
        # the head with the symbol is spent; the anchor must stand in another head or in the caption
        others = " ".join(head for head in table.header if not any(s.key in key_symbol(head) for s in matched))
        carried = fold(f"{target.title} {others}")
        if matched and any(occurs(anchor, carried) for anchor in wanted):
            found.append(Bridge(target, table, matched))
    return tuple(sorted(found, key=lambda bridge: (-len(bridge.symbols), bridge.target.start)))


def _list_spans(line: Line) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for low, high in line.lowered:
        start = low
        while start and (line.text[start - 1].isalnum() or line.text[start - 1] == "_"):
            start -= 1
        while start < high and not line.text[start].isalpha():
            start += 1
        # a lowered sign without a letter before it belongs to a formula that runs over lines
        if start < low:
            spans.append((start, high))
    for pattern in (_UNDERSCORED, _GREEK):
        spans += [match.span() for match in pattern.finditer(line.text) if "_" in line.text or not line.text.isascii()]
    return sorted(set(spans))


def _find_pages(view: DocumentView, symbols: Sequence[Symbol], own: set[tuple[int, int]]) -> frozenset[int]:
    """Pages (and the one before, where the caption may stand) on which a symbol stands alone on a short line."""
    # reading tables is dear: only pages on which a symbol stands in something as short as a head are read
    keys = [symbol.key for symbol in symbols]
    pages: set[int] = set()
    for line, folded in zip(view.document.lines, view.document.folded, strict=True):
        if len(folded) < 40 and line.position not in own and any(key in re.sub(r"[_{}]", "", folded) for key in keys):
            pages |= {line.page, line.page - 1}
    return frozenset(pages)
