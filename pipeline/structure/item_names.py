"""What an item of a list is called: the words before a colon or dash, and codes at the end of a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.text.late import compile_late

if TYPE_CHECKING:
    from pipeline.models.structure import EnumerationItem

_MAX_HEAD = 80
_HEAD = compile_late(r"(.{2,80}?)(?:\s*:(?=\s|$)|\s+[–—-]\s|\s*—\s*)")
_CODE = compile_late(r"\(([A-Z]{2,4}(?:\.[A-Z]{2,4})*(?:-\d{1,3})?)\)$")


def read_head(text: str) -> str:
    """The short name of an item: up to a colon or dash, or the whole of a short item."""
    match = _HEAD.match(text)
    if match and "http" not in match.group(1) and not match.group(1).rstrip().endswith(","):
        return match.group(1).strip()
    return text.rstrip(" ;,.") if len(text) <= _MAX_HEAD else ""


def read_codes(items: list[EnumerationItem]) -> list[EnumerationItem] | None:
    """Bullets whose heads all end in a code, "Oversight (GV.OV)": the code is the marker of the item."""
    own = [item for item in items if item.level == 0]
    if not all(_CODE.search(item.head) for item in own):
        return None
    coded: list[EnumerationItem] = []
    for item in items:
        match = _CODE.search(item.head) if item.level == 0 else None
        if match is None:
            coded.append(item)
        else:
            coded.append(item.model_copy(update={"marker": match.group(1), "head": item.head[: match.start()].strip()}))
    return coded
