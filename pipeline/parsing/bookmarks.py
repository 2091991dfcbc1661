"""The outline as the file has it, walked object by object, because the engine's own list drops broken ones in silence.

A bookmark whose destination leads nowhere stays in the list, with page None and a diagnostic.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from pipeline.parsing.constants import MAX_OUTLINE_ENTRIES
from pipeline.parsing.engine import ENGINE_ERRORS, convert_point
from pipeline.parsing.objects import decode_string
from pipeline.text.late import compile_late

_PLACE = compile_late(r"^\[\s*(?:(\d+)\s+\d+\s+R|(-?\d+)|null)\s*/?(\w*)\s*([^\]]*)\]")

Entry = tuple[int, str, int | None, int | None]
"""Level from 1, title, page (1-based) or None, y in hundredths of a point from the top of the page or None."""


class BookmarkReader:
    """Walks the outline of one document; `faults` counts what is wrong with its bookmarks, by diagnostic code."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self._pages: dict[int, int] | None = None
        self._names: dict[str, Any] | None = None
        self.faults: Counter[str] = Counter()

    def read(self) -> list[Entry]:
        """Bookmarks in document order; a ring of bookmarks is cut where it closes."""
        root = self._find_xref(self._document.pdf_catalog(), "Outlines")
        first = self._find_xref(root, "First") if root else 0
        entries: list[Entry] = []
        seen: set[int] = set()
        # A stack instead of recursion: damaged files nest thousands deep.
        stack = [(first, 1)] if first else []
        while stack:
            xref, level = stack.pop()
            if xref in seen:
                self.faults["outline-cycle"] += 1
                continue
            if len(entries) >= MAX_OUTLINE_ENTRIES:
                self.faults["outline-too-long"] += 1
                break
            seen.add(xref)
            entries.append(self._read_entry(xref, level))
            for key, depth in (("Next", level), ("First", level + 1)):
                if following := self._find_xref(xref, key):
                    stack.append((following, depth))
        return entries

    def _read_entry(self, xref: int, level: int) -> Entry:
        kind, value = self._document.xref_get_key(xref, "Title")
        if kind == "xref":
            kind, value = "string", decode_string(self._document.xref_object(int(value.split()[0]), compressed=True))
        title = " ".join(value.split()) if kind == "string" else ""
        try:
            page, y = self._read_destination(xref)
        except ENGINE_ERRORS:
            self.faults["outline-malformed"] += 1
            page, y = None, None
        return level, title, page, y

    def _read_destination(self, xref: int) -> tuple[int | None, int | None]:
        get_key = self._document.xref_get_key
        kind, value = get_key(xref, "Dest")
        if kind == "null":
            action = get_key(xref, "A/S")[1]
            if action == "/GoTo":
                kind, value = get_key(xref, "A/D")
            elif action not in ("null", ""):
                self.faults["outline-external"] += 1
                return None, None
        if kind == "xref":
            value = self._document.xref_object(int(value.split()[0]), compressed=True)
            kind = "array" if value.startswith("[") else "dict" if value.startswith("<<") else "name"
        if kind == "dict" and (match := re.search(r"/D\s*(\[[^\]]*\])", value)):
            kind, value = "array", match[1]
        if kind == "null":
            self.faults["outline-null"] += 1
            return None, None
        if kind in ("string", "name"):
            return self._read_named(value.lstrip("/") if kind == "name" else value)
        return self._read_place(value)

    def _read_named(self, name: str) -> tuple[int | None, int | None]:
        if self._names is None:
            self._names = self._document.resolve_names()
        target = self._names.get(name)
        if target is None:
            self.faults["outline-name-unresolved"] += 1
            return None, None
        index = target.get("page", -1)
        if not 0 <= index < self._document.page_count:
            self.faults["outline-out-of-range"] += 1
            return None, None
        to = target.get("to")
        # A destination without a place has "not a number" there, the one value that differs from itself.
        return index + 1, convert_point(self._document, index, to[1]) if to and to[1] == to[1] else None

    def _read_place(self, value: str) -> tuple[int | None, int | None]:
        match = _PLACE.match(value)
        if match is None or (match[1] is None and match[2] is None):
            self.faults["outline-null" if match else "outline-malformed"] += 1
            return None, None
        index = self._find_page(int(match[1])) if match[1] else int(match[2])
        if index is None or not 0 <= index < self._document.page_count:
            self.faults["outline-out-of-range"] += 1
            return None, None
        numbers = match[4].split()
        at = {"XYZ": 1, "FitH": 0, "FitBH": 0, "FitR": 3}.get(match[3])
        if at is None or at >= len(numbers) or numbers[at] == "null":
            return index + 1, None
        return index + 1, convert_point(self._document, index, float(numbers[at]))

    def _find_page(self, xref: int) -> int | None:
        if self._pages is None:
            self._pages = {}
            for index in range(self._document.page_count):
                self._pages.setdefault(self._document.page_xref(index), index)
        return self._pages.get(xref)

    def _find_xref(self, xref: int, key: str) -> int:
        kind, value = self._document.xref_get_key(xref, key)
        return int(value.split()[0]) if kind == "xref" else 0


def read_bookmarks(document: Any) -> tuple[list[Entry], dict[str, int]]:
    """Bookmarks in order, and how many have which fault, by diagnostic code."""
    reader = BookmarkReader(document)
    entries: list[Entry] = []
    try:
        entries = reader.read()
    except ENGINE_ERRORS:
        reader.faults["outline-unreadable"] += 1
    return entries, dict(reader.faults)
