"""Lines of one page from the engine's blocks: runs of one baseline joined, cells kept apart, text verbatim."""

from __future__ import annotations

from typing import Any

from pipeline.parsing.constants import (
    MAX_BASELINE_SHIFT,
    MAX_JOIN_GAP,
    MAX_MARKER_GAP,
    MAX_SCRIPT_SIZE,
    MIN_BOLD_SHARE,
    MIN_SCRIPT_SHIFT,
    MIN_WORD_GAP,
)
from pipeline.parsing.drafts import DraftLine

_BOLD = 16
_ITALIC = 2
_FAKE_BOLD = 8
_BULLETS = "•◦▪▫●○■□➢►▶–—-*·‣⁃✓❖\uf0b7\uf0a7\uf0d8\uf076\u2751"


def build_lines(blocks: list[dict[str, Any]]) -> list[DraftLine]:
    """Lines of a page in the order of the content stream, from the text blocks of PyMuPDF's `dict` output."""
    lines: list[DraftLine] = []
    for block in blocks:
        if block["type"] != 0:
            continue
        for run in block["lines"]:
            line = _build_line(run["spans"], run["bbox"])
            if line is None:
                continue
            line.block = block["number"]
            if lines and _is_continued(lines[-1], line):
                lines[-1] = _join_runs(lines[-1], line)
            else:
                lines.append(line)
    return lines


def _build_line(spans: list[dict[str, Any]], bbox: tuple[float, float, float, float]) -> DraftLine | None:
    first = spans[0]
    text = first["text"] if len(spans) == 1 else "".join([span["text"] for span in spans])
    if not text or text.isspace():
        return None
    x0, y0, x1, y1 = bbox
    box = (round(x0 * 100), round(y0 * 100), round(x1 * 100), round(y1 * 100))
    if len(spans) == 1:
        is_bold = bool(first["flags"] & _BOLD or first["char_flags"] & _FAKE_BOLD)
        return DraftLine(
            text, box, round(first["size"] * 100), round(first["origin"][1] * 100),
            is_bold, len(text) if is_bold else 0, bool(first["flags"] & _ITALIC),
        )  # fmt: skip
    return _style_line(text, box, spans)


def _style_line(text: str, box: tuple[int, int, int, int], spans: list[dict[str, Any]]) -> DraftLine:
    """A line of several spans: its size is the one most characters have; scripts stand off its baseline."""
    weights: dict[tuple[float, float], int] = {}
    bold_count = italic_count = prefix = offset = 0
    is_prefix = True
    for span in spans:
        length = len(span["text"])
        key = (span["size"], span["origin"][1])
        weights[key] = weights.get(key, 0) + length
        is_bold = span["flags"] & _BOLD or span["char_flags"] & _FAKE_BOLD
        if is_bold:
            bold_count += length
        if span["flags"] & _ITALIC:
            italic_count += length
        offset += length
        is_prefix = is_prefix and bool(is_bold or span["text"].isspace())
        if is_prefix and is_bold:
            prefix = offset
    main = max(weights, key=lambda key: (weights[key], key[0], -key[1]))
    raised, lowered = _find_scripts(spans, main) if len(weights) > 1 else ((), ())
    return DraftLine(
        text, box, round(main[0] * 100), round(main[1] * 100), bold_count * 1000 >= MIN_BOLD_SHARE * len(text), prefix,
        italic_count * 2 > len(text), raised=raised, lowered=lowered,
    )  # fmt: skip


def _find_scripts(
    spans: list[dict[str, Any]], main: tuple[float, float]
) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    size, baseline = main
    raised: list[tuple[int, int]] = []
    lowered: list[tuple[int, int]] = []
    offset = 0
    for span in spans:
        end = offset + len(span["text"])
        shift = (span["origin"][1] - baseline) * 1000
        if span["size"] * 1000 <= size * MAX_SCRIPT_SIZE and abs(shift) >= MIN_SCRIPT_SHIFT * size:
            target = raised if shift < 0 else lowered
            if span["text"].isspace():
                pass
            elif target and target[-1][1] == offset:
                target[-1] = (target[-1][0], end)
            else:
                target.append((offset, end))
        offset = end
    return tuple(raised), tuple(lowered)


def _is_continued(before: DraftLine, after: DraftLine) -> bool:
    """Whether two runs are one line of text: same baseline and a gap of a word, or a list marker and its text."""
    size = max(before.size, after.size)
    shift = abs(before.baseline - after.baseline) * 1000
    if shift > MAX_BASELINE_SHIFT * size and not _is_script_of(before, after):
        return False
    gap = (after.box[0] - before.box[2]) * 1000
    if gap < -MAX_JOIN_GAP * size or after.box[0] < before.box[0]:
        return False
    if gap <= MAX_JOIN_GAP * size:
        return True
    return gap <= MAX_MARKER_GAP * size and _is_marker(before.text) and after.text.lstrip()[:1].isalpha()


def _is_script_of(before: DraftLine, after: DraftLine) -> bool:
    """Whether one run is so small and so near that it is a superscript or subscript of the other."""
    small, large = sorted((before, after), key=lambda line: line.size)
    if small.size * 1000 > large.size * MAX_SCRIPT_SIZE:
        return False
    return large.box[1] <= (small.box[1] + small.box[3]) // 2 <= large.box[3]


def _is_marker(text: str) -> bool:
    """Whether a run is a bullet or a heading number, so that the text after the gap belongs to it."""
    marker = text.strip()
    if marker in _BULLETS:
        return True
    if len(marker) > 12:
        return False
    core = marker.strip("().")
    if not core or len(core) > 8:
        return False
    if core != marker or "." in core:
        parts = core.split(".")
        return all(part.isdigit() or (len(part) <= 4 and part.isalpha() and part.isascii()) for part in parts)
    return core.isdigit() and len(core) <= 2


def _join_runs(before: DraftLine, after: DraftLine) -> DraftLine:
    size = max(before.size, after.size)
    gap = (after.box[0] - before.box[2]) * 1000
    needs_space = gap > MIN_WORD_GAP * size and not (before.text[-1:].isspace() or after.text[:1].isspace())
    head = f"{before.text} " if needs_space else before.text
    shift = len(head)
    large = before if len(before.text) >= len(after.text) else after
    raised = before.raised + tuple((start + shift, end + shift) for start, end in after.raised)
    lowered = before.lowered + tuple((start + shift, end + shift) for start, end in after.lowered)
    if after.size * 1000 <= before.size * MAX_SCRIPT_SIZE and after.baseline != before.baseline:
        span = (shift, shift + len(after.text))
        if after.baseline < before.baseline:
            raised = (*raised, span)
        else:
            lowered = (*lowered, span)
    prefix = before.bold_prefix
    if prefix >= len(before.text) and after.bold_prefix:
        prefix = shift + after.bold_prefix
    return DraftLine(
        head + after.text, _unite(before.box, after.box), large.size, large.baseline,
        before.bold and after.bold, prefix, large.italic, block=before.block,
        hidden=before.hidden or after.hidden, raised=raised, lowered=lowered,
    )  # fmt: skip


def _unite(first: tuple[int, int, int, int], second: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    return (min(first[0], second[0]), min(first[1], second[1]), max(first[2], second[2]), max(first[3], second[3]))
