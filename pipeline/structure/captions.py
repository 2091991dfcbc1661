"""Captions: kind, number and terminator on a line of their own, never a sentence that begins with "Table 2"."""

from __future__ import annotations

import re

from pipeline.models.document import Line, ParsedDocument
from pipeline.models.structure import Caption, Extent, TargetKind
from pipeline.text.late import compile_late

_KINDS: dict[str, TargetKind] = {
    "table": "table", "tab": "table", "tabela": "table", "quadro": "table", "表": "table",
    "figure": "figure", "fig": "figure", "figura": "figure", "图": "figure", "圖": "figure",
    "chart": "figure", "diagram": "figure", "gráfico": "figure", "equation": "equation",
}  # fmt: skip
_FIRSTS = ("table", "tab", "fig", "quadro", "表", "图", "圖", "chart", "diagram", "gráfico", "equation")
_START = compile_late(
    r"(table|tab|tabela|quadro|figure|fig|figura|chart|diagram|gráfico|equation|表|图|圖)\.?\s*"
    r"([A-Za-z]?[.\-–]?\d{1,3}(?:[.\-–]\d{1,3}){0,3}[a-z]?|[IVXL]{1,5}|[A-Z])(?![\w%])\s*([.:|)\-–—]*)\s*",
    re.IGNORECASE,
)
_MAX_CAPTION_LINES = 6
_STOPS = frozenset("。，；！？")
_MAX_FORMULA, _FORMULA_REACH, _MAX_PIECE = 8, 2, 60
_EQUATION = compile_late(r"\((\d{1,3}(?:\.\d{1,3})?)\)\s*$")


def find_captions(document: ParsedDocument, skipped: frozenset[int]) -> tuple[Caption, ...]:
    """Captions in document order; lines in `skipped` (contents pages, lists of figures) hold none."""
    found: list[Caption] = []
    lines = document.lines
    for index, text in enumerate(document.folded):
        if text.startswith(_FIRSTS):
            line = lines[index]
            if line.is_evidence and index not in skipped and (caption := _read_caption(document, index)):
                found.append(caption)
        elif (
            text.endswith(")")
            and len(text) < 10
            and text.startswith("(")
            and (equation := _read_equation(document, index))
        ):
            found.append(equation)
    return tuple(found)


def _read_caption(document: ParsedDocument, index: int) -> Caption | None:
    line = document.lines[index]
    text = line.text.strip()
    match = _START.match(text)
    if match is None or not _is_label(match.group(2)):
        return None
    rest = text[match.end() :]
    mark = match.group(3)
    # without a mark after its number only type sets a caption apart from a sentence
    is_own = not rest or line.bold or line.bold_prefix >= match.end(2) or line.italic
    # Chinese sets a space and no stop: "表1 验收标准", but "表1列出了……。"
    is_own = is_own or (match.group(1) in "表图圖" and match.group().endswith(" ") and not _STOPS & set(rest))
    if not mark and not (is_own and (not rest or not rest[0].islower())):
        return None
    # after a full stop in running text ("... shown in / Fig. 2. The Functions ...") the line goes on with a sentence
    if _continues_sentence(document, index):
        return None
    last = _find_last(document, index, bool(rest))
    title = [rest] if rest else []
    title += [each.text.strip() for each in document.lines[index + 1 : last + 1]]
    return Caption(
        kind=_KINDS[match.group(1).casefold()],
        label=match.group(2),
        title=" ".join(title),
        extent=Extent(page=line.page, line_start=line.number, line_end=document.lines[last].number),
    )


def _is_label(label: str) -> bool:
    return label[0].isdigit() or label[0].isupper() or label[-1].isdigit()


def _continues_sentence(document: ParsedDocument, index: int) -> bool:
    if index == 0:
        return False
    line, before = document.lines[index], document.lines[index - 1]
    if before.page != line.page or before.column != line.column or not before.is_evidence:
        return False
    gap = line.box[1] - before.box[3]
    is_close = gap * 5 < 2 * (line.box[3] - line.box[1]) and before.box[1] < line.box[1]
    is_same = before.bold == line.bold and abs(before.size - line.size) < 60
    return is_close and is_same and before.text.rstrip()[-1:] not in ".:;!?" and len(before.text) > 30


def _find_last(document: ParsedDocument, index: int, has_title: bool) -> int:
    """The last line of the caption: lines of its type close below it, up to the end of its paragraph."""
    lines = document.lines
    first, last = lines[index], index
    while last + 1 < len(lines) and last - index < _MAX_CAPTION_LINES - 1:
        before, after = lines[last], lines[last + 1]
        gap = after.box[1] - before.box[3]
        height = first.box[3] - first.box[1]
        if after.page != first.page or after.is_furniture or not -height < gap < height * 6 // 10:
            break
        if has_title or last > index:
            is_same = abs(after.size - first.size) < 60 and after.bold == first.bold and after.block == before.block
            is_full = before.box[2] - before.box[0] > 25000 or not before.text.rstrip().endswith(".")
            if (
                not is_same
                or not is_full
                or after.column != first.column
                or document.folded[last + 1].startswith(_FIRSTS)
            ):
                break
            if _shares_row(lines, last + 1):
                break
        last += 1
    return last


def _shares_row(lines: tuple[Line, ...], index: int) -> bool:
    after = lines[index + 1] if index + 1 < len(lines) else None
    line = lines[index]
    return after is not None and after.page == line.page and abs(after.box[1] - line.box[1]) < 200


def _read_equation(document: ParsedDocument, index: int) -> Caption | None:
    """A number in parentheses at the right margin, beside a formula that may be set in several lines."""
    line = document.lines[index]
    match = _EQUATION.match(line.text.strip())
    page = document.pages[line.page - 1] if line.page <= len(document.pages) else None
    if match is None or page is None or not line.is_evidence or line.box[0] * 100 < page.width * 70:
        return None
    # roots, fractions and indices are lines of their own, each a little above or below the number
    reach = (line.box[3] - line.box[1]) * _FORMULA_REACH
    for before in reversed(document.lines[max(0, index - _MAX_FORMULA) : index]):
        if before.page != line.page or abs(before.box[1] - line.box[1]) > reach:
            return None
        if "=" in before.text:
            extent = Extent(page=line.page, line_start=before.number, line_end=line.number)
            return Caption(kind="equation", label=match.group(1), title="", extent=extent)
        if len(before.text.strip()) > _MAX_PIECE:
            return None
    return None
