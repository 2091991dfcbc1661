"""A run of text as the engine gives it: one or several spans of one baseline, made into drafts of lines."""

from __future__ import annotations

from typing import Any

from pipeline.parsing.constants import (
    MAX_SCRIPT_SIZE,
    MAX_TINY_SIZE,
    MAX_TRANSPARENT_ALPHA,
    MIN_BOLD_SHARE,
    MIN_SCRIPT_SHIFT,
)
from pipeline.parsing.drafts import Box, DraftLine, Ranges

# Bits of a span's `flags` and `char_flags` (fz_stext_char flags of MuPDF).
_BOLD = 16
_ITALIC = 2
_FAKE_BOLD = 8
_PAINTED = 16 | 32
_CLIPPING = 64

Span = dict[str, Any]


def build_run(run: dict[str, Any], paint: int) -> list[DraftLine]:
    """Drafts of one run: usually one, more where a part of it is hidden, none where it is only white space."""
    spans: list[Span] = run["spans"]
    if not spans:
        return []
    lines = _build_plain(spans[0], run["bbox"], paint) if len(spans) == 1 else _build_mixed(spans, run["bbox"], paint)
    if run["dir"][0] < 0.99:
        for line in lines:
            line.is_upright = False
    return lines


def _build_mixed(spans: list[Span], bbox: tuple[float, float, float, float], paint: int) -> list[DraftLine]:
    text = "".join([span["text"] for span in spans])
    if text.isspace() or not text:
        return []
    # A run may go on in another render mode or colour, and only that part of it is hidden.
    reasons = [find_span_reason(span) for span in spans]
    if len(set(reasons)) == 1:
        line = _style_line(text, to_box(bbox), spans)
        line.hidden, line.paint = reasons[0], paint
        return [line]
    return _split_hidden(spans, reasons, paint)


def find_span_reason(span: Span) -> str:
    """Why a span cannot be seen by what it says of itself, or "" (its surroundings are judged later)."""
    if span["alpha"] <= MAX_TRANSPARENT_ALPHA:
        if span["char_flags"] & (_PAINTED | _CLIPPING):
            return "transparent"
        return "invisible" if not span["text"].isspace() else "transparent"
    if not span["char_flags"] & _PAINTED:
        return "invisible"
    return "tiny" if span["size"] * 100 < MAX_TINY_SIZE else ""


def to_box(bbox: tuple[float, float, float, float]) -> Box:
    """Points as hundredths."""
    return (round(bbox[0] * 100), round(bbox[1] * 100), round(bbox[2] * 100), round(bbox[3] * 100))


def _build_plain(span: Span, bbox: tuple[float, float, float, float], paint: int) -> list[DraftLine]:
    text = span["text"]
    if not text or text.isspace():
        return []
    is_bold = bool(span["flags"] & _BOLD or span["char_flags"] & _FAKE_BOLD)
    return [
        DraftLine(
            text,
            to_box(bbox),
            round(span["size"] * 100),
            is_bold,
            len(text) if is_bold else 0,
            bool(span["flags"] & _ITALIC),
            hidden=find_span_reason(span),
            baseline=round(span["origin"][1] * 100),
            paint=paint,
            colour=span["color"],
        )
    ]


def _split_hidden(spans: list[Span], reasons: list[str], paint: int) -> list[DraftLine]:
    """Visible and hidden spans of one run become lines of their own; white space goes with what stands before it."""
    lines: list[DraftLine] = []
    start = 0
    for at in range(1, len(spans) + 1):
        if at < len(spans) and (reasons[at] == reasons[start] or spans[at]["text"].isspace()):
            continue
        part = spans[start:at]
        text = "".join([span["text"] for span in part])
        if text.strip():
            boxes = [to_box(span["bbox"]) for span in part]
            box = (
                min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes),
            )  # fmt: skip
            line = _style_line(text, box, part)
            line.hidden, line.paint = reasons[start], paint
            lines.append(line)
        start = at
    return lines


def _style_line(text: str, box: Box, spans: list[Span]) -> DraftLine:
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
    colour = max(spans, key=lambda span: len(span["text"]))["color"]
    return DraftLine(
        text, box, round(main[0] * 100), bold_count * 1000 >= MIN_BOLD_SHARE * len(text), prefix,
        italic_count * 2 > len(text), raised=raised, lowered=lowered, baseline=round(main[1] * 100), colour=colour,
    )  # fmt: skip


def _find_scripts(spans: list[Span], main: tuple[float, float]) -> tuple[Ranges, Ranges]:
    size, baseline = main
    raised: list[tuple[int, int]] = []
    lowered: list[tuple[int, int]] = []
    offset = 0
    for span in spans:
        end = offset + len(span["text"])
        shift = (span["origin"][1] - baseline) * 1000
        is_script = span["size"] * 1000 <= size * MAX_SCRIPT_SIZE and abs(shift) >= MIN_SCRIPT_SHIFT * size
        if is_script and not span["text"].isspace():
            ranges = raised if shift < 0 else lowered
            if ranges and ranges[-1][1] == offset:
                ranges[-1] = (ranges[-1][0], end)
            else:
                ranges.append((offset, end))
        offset = end
    return tuple(raised), tuple(lowered)
