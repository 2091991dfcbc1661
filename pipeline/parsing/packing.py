"""Pages as columns of plain values: what leaves the child, and what the cache keeps of it."""

from __future__ import annotations

import json
import re
from operator import attrgetter
from typing import TYPE_CHECKING

from pipeline.text.folding import fold

if TYPE_CHECKING:
    from pipeline.parsing.drafts import DraftPage

SPARSE: dict[str, object] = {
    "bold": False,
    "bold_prefix": 0,
    "italic": False,
    "column": 0,
    "hidden": "",
    "raised": (),
    "lowered": (),
}
"""Fields of a line that mostly hold these defaults; kept as (index, value) pairs."""

PAGE_FIELDS = (
    "number",
    "width",
    "height",
    "rotation",
    "state",
    "column_count",
    "image_cover",
    "failed_checks",
    "text_hash",
)
"""Fields of a page that the child knows, in the order of a page row."""

_read_page = attrgetter(*PAGE_FIELDS)


def pack_pages(drafts: list[DraftPage], extras: dict[str, object]) -> bytes:
    """JSON of the pages, their lines (in order, `counts` of them a page), and whatever else the child has to say."""
    lines = [line for draft in drafts for line in draft.lines]
    columns: dict[str, object] = {
        "state": "ok",
        "pages": [_read_page(draft) for draft in drafts],
        "errors": [(draft.number, draft.error) for draft in drafts if draft.error],
        "warnings": [(draft.number, warning) for draft in drafts for warning in draft.warnings],
        "links": [(draft.number, *link) for draft in drafts for link in draft.links],
        "counts": [len(draft.lines) for draft in drafts],
        "text": [line.text for line in lines],
        "folded": [fold(line.text) for line in lines],
        "box": [edge for line in lines for edge in line.box],
        "size": [line.size for line in lines],
        "block": [line.block for line in lines],
    }
    for name, default in SPARSE.items():
        values = map(attrgetter(name), lines)
        columns[name] = [(at, value) for at, value in enumerate(values) if value != default]
    return dump_json({**columns, **extras})


def dump_json(value: object) -> bytes:
    """Compact JSON on one line; a lone surrogate becomes U+FFFD."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        # A byte that the engine could not decode; no model and no record may hold it. Offsets stay as they are.
        return re.sub("[\ud800-\udfff]", "\ufffd", text).encode("utf-8")
