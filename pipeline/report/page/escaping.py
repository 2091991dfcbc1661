"""Text put into HTML: nothing in it can become markup, steer the reader's eye, or leave its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.text.surrogates import escape_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterable

_MARKUP = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}
# controls of C0 have pictures; the others are named, and so is what would turn the order of the letters around
_PICTURES = {chr(code): chr(0x2400 + code) for code in range(32) if chr(code) not in "\t\n"}
_NAMED = (0x7F, *range(0x80, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x2028, 0x2029, 0xFFFE, 0xFFFF)
_TABLE = str.maketrans({**_MARKUP, **_PICTURES, **{chr(code): f"\u27e8U+{code:04X}\u27e9" for code in _NAMED}})


def escape(text: str) -> str:
    """A text as it may stand in an element or a quoted attribute; control and direction characters become visible."""
    # half a surrogate pair cannot be written as UTF-8
    if not text.isascii():
        text = escape_surrogates(text)
    return text.replace("\r\n", "\n").translate(_TABLE)


def join_items(items: Iterable[str], kind: str = "") -> str:
    """A list of items that are HTML already; empty for none. `kind` is the class of the list."""
    listed = "".join(f"<li>{item}</li>" for item in items)
    name = f' class="{kind}"' if kind else ""
    return f"<ul{name}>{listed}</ul>" if listed else ""


def join_pairs(pairs: Iterable[tuple[str, str]]) -> str:
    """Terms and what they are, as HTML; pairs without a value are left out."""
    listed = "".join(f"<div><dt>{escape(term)}</dt><dd>{value}</dd></div>" for term, value in pairs if value)
    return f'<dl class="pairs">{listed}</dl>' if listed else ""


def fold_away(title: str, content: str, count: int | None = None) -> str:
    """Content that is folded until somebody opens it; nothing for no content. The title is plain text."""
    if not content:
        return ""
    counted = "" if count is None else f' <span class="count">{count}</span>'
    return f'<details class="fold"><summary>{escape(title)}{counted}</summary><div>{content}</div></details>'


def spell_words(name: str) -> str:
    """A name of the program as words: `not_found` is "not found"."""
    return escape(name.replace("_", " "))


def spell_share(thousandths: int) -> str:
    """Thousandths as a decimal number with two or three digits."""
    text = f"{thousandths // 1000}.{thousandths % 1000:03}"
    return text.removesuffix("0")


def count_words(count: int, one: str, many: str = "") -> str:
    """A count with its noun."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
