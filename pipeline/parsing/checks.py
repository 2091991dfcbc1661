"""Cheap checks of one page's text: what cannot be decoded, and what a flat reading may have torn apart."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pipeline.parsing.constants import (
    MAX_BLANK_RULES,
    MAX_CELL_CHARACTERS,
    MAX_MOJIBAKE_SHARE,
    MAX_NOISE_SHARE,
    MAX_NOISY_PAIRS,
    MAX_RULE_WIDTH,
    MAX_UNDEFINED_SHARE,
    MIN_COMMON_PAIRS,
    MIN_FIGURE_COVER,
    MIN_GRID_RULES,
    MIN_JUDGED_LETTERS,
    MIN_NOISE_TOKENS,
    MIN_SCAN_COVER,
    MIN_TABLE_ROWS,
    MIN_UNDEFINED,
    MIN_USUAL_LETTERS,
    PAGE_ROW_HEIGHT,
)
from pipeline.parsing.drafts import Box, DraftLine, DraftPage
from pipeline.parsing.reflow import find_gutters
from pipeline.parsing.vocabulary import load_vocabulary

if TYPE_CHECKING:
    from pipeline.models.document import PageCheck

_VECTOR_BLOCK = 3
_UNDEFINED = r"[\ufffd\x00-\x08\x0e-\x1f\x7f-\x9f]|(?<=\S)[\ue000-\uf8ff]|[\ue000-\uf8ff](?=\S)"
_MOJIBAKE = r"[ÂÃâÅÄÐÑ][€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ\xa0-\xbf]"
_NOISE = r"[^\W\d_][0-9|!+@$~·;]+[^\W\d_]|[^\W\d_][~·@+$|]\s"
_NOT_LETTERS = bytes(code for code in range(128) if not 97 <= code <= 122)
_NOT_FREQUENT = _NOT_LETTERS + b"etaoinsr"


def check_page(draft: DraftPage, blocks: list[dict[str, Any]], images: tuple[Box, ...]) -> None:
    """Set `failed_checks` and `state` of a page that was read; `images` are boxes of its images."""
    checks = list(draft.failed_checks)
    visible = [line for line in draft.lines if not line.hidden]
    text = "\n".join([line.text for line in visible])
    if not text or text.isspace() or (len(text) < 8 and draft.image_cover >= MIN_SCAN_COVER):
        draft.state = "without_text"
        # A page with nothing on it has no text to miss.
        if (
            draft.lines
            or draft.image_cover
            or sum(block["type"] == _VECTOR_BLOCK for block in blocks) > MAX_BLANK_RULES
        ):
            checks.append("no_text")
    else:
        faults = find_text_faults(text)
        if faults[1]:
            draft.state = "garbled"
        checks += faults[0]
        if any([_is_spaced(line.text) for line in visible]):
            checks.append("letter_spaced")
        if _count_cell_rows(visible) >= MIN_TABLE_ROWS or _has_grid(blocks):
            checks.append("flattened_table")
        elif draft.column_count == 1 and find_gutters(visible):
            checks.append("mixed_columns")
    if any(_is_bare_figure(box, draft, visible) for box in images):
        checks.append("figure_without_text")
    draft.failed_checks = tuple(checks)


def find_text_faults(text: str) -> tuple[list[PageCheck], bool]:
    """Faults of a page's characters, and whether they are so many that the page must not be quoted."""
    faults: list[PageCheck] = []
    is_garbled = False
    count = max(1, len(text) - text.count(" ") - text.count("\n"))
    if not text.isascii() or not text.replace("\n", " ").isprintable():
        undefined = _count_undefined(text)
        if undefined >= MIN_UNDEFINED:
            faults.append("undefined_characters")
            is_garbled = undefined * 1000 >= MAX_UNDEFINED_SHARE * count
        if ("Ã" in text or "â" in text or "Â" in text or "Å" in text or "Ð" in text) and (
            len(re.findall(_MOJIBAKE, text)) * 1000 >= MAX_MOJIBAKE_SHARE * count
        ):
            faults.append("wrong_encoding")
            is_garbled = True
    pairs = None if _has_usual_letters(text) else measure_pairs(text)
    if pairs is not None and pairs < MIN_COMMON_PAIRS:
        if "wrong_encoding" not in faults:
            faults.append("wrong_encoding")
        is_garbled = True
    # Noise breaks pairs of letters too, so that pages with ordinary ones need no closer look.
    if pairs is not None and pairs < MAX_NOISY_PAIRS:
        tokens = len(text.split())
        if tokens >= MIN_NOISE_TOKENS and len(re.findall(_NOISE, text)) * 1000 >= MAX_NOISE_SHARE * tokens:
            faults.append("ocr_noise")
            is_garbled = True
    return faults, is_garbled


def _has_usual_letters(text: str) -> bool:
    """Whether the letters that are frequent in every Latin language are frequent: then they mean what they say."""
    raw = text.lower().encode("ascii", "ignore")
    letters = len(raw.translate(None, _NOT_LETTERS))
    return (letters - len(raw.translate(None, _NOT_FREQUENT))) * 1000 >= MIN_USUAL_LETTERS * letters


def measure_pairs(text: str) -> int | None:
    """Thousandths of letters that begin one of the pairs every Latin language uses; None for too few Latin letters."""
    # Bytes are counted several times as fast as characters.
    raw = text.lower().encode("ascii", "ignore")
    letters = len(raw.translate(None, _NOT_LETTERS))
    if letters < MIN_JUDGED_LETTERS or letters * 2 < len(text) - text.count(" "):
        return None
    return sum(map(raw.count, _load_pairs())) * 1000 // letters


@lru_cache(maxsize=1)
def _load_pairs() -> tuple[bytes, ...]:
    return tuple(pair.encode() for pair in load_vocabulary().pairs)


def is_faulty_text(text: str) -> bool:
    """Whether a line or quote itself cannot be relied on: characters without meaning, or letters set apart."""
    return _count_undefined(text) > 0 or _is_spaced(text)


def _count_undefined(text: str) -> int:
    """Characters without meaning; a private one alone between blanks is a bullet of a symbol font."""
    if "\ufffd" not in text and text.replace("\n", " ").replace("\xa0", " ").isprintable():
        return 0
    return len(re.findall(_UNDEFINED, text))


def _is_spaced(text: str) -> bool:
    """Whether a line begins with four letters set apart by blanks."""
    return len(text) > 6 and text[1] == text[3] == text[5] == " " and text[0:7:2].isalpha()


def _count_cell_rows(lines: list[DraftLine]) -> int:
    """Rows that hold at least three short cells with figures."""
    rows: Counter[int] = Counter()
    for line in lines:
        if len(line.text) <= MAX_CELL_CHARACTERS and line.text.strip("$€£¥()%-–—+ \xa0")[:1].isdigit():
            rows[line.box[3] // PAGE_ROW_HEIGHT] += 1
    return sum(count >= 2 for count in rows.values())


def _has_grid(blocks: list[dict[str, Any]]) -> bool:
    """Whether ruled lines in both directions make a grid."""
    across: set[int] = set()
    down: set[int] = set()
    for block in blocks:
        if block["type"] == _VECTOR_BLOCK:
            x0, y0, x1, y1 = block["bbox"]
            if y1 - y0 <= MAX_RULE_WIDTH and x1 - x0 > 10 * MAX_RULE_WIDTH:
                across.add(round(y0))
            elif x1 - x0 <= MAX_RULE_WIDTH and y1 - y0 > 3 * MAX_RULE_WIDTH:
                down.add(round(x0))
    return len(across) >= MIN_GRID_RULES and len(down) >= MIN_GRID_RULES


def _is_bare_figure(box: Box, draft: DraftPage, lines: list[DraftLine]) -> bool:
    """Whether an image takes a good part of the page, is no scan, and no line stands on it."""
    cover = (box[2] - box[0]) * (box[3] - box[1]) * 1000
    area = draft.width * draft.height
    if not MIN_FIGURE_COVER * area <= cover < MIN_SCAN_COVER * area:
        return False
    return not any(box[0] <= line.box[0] <= box[2] and box[1] <= line.box[1] <= box[3] for line in lines)
