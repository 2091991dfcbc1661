"""Readings added to a parsed document: new lines behind those of their page; old ones stay, superseded or as they are.

Lines of other pages are the same objects afterwards, and no text of any line changes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from pipeline.models.document import Line, Page, ParsedDocument, Section
from pipeline.parsing.checks import find_text_faults, is_faulty_text
from pipeline.parsing.columns import build_lines
from pipeline.parsing.constants import MAX_NOISE_SHARE, MIN_LAYER_AGREEMENT
from pipeline.text.folding import fold
from pipeline.text.scripts import fold_line

if TYPE_CHECKING:
    from pipeline.models.base import Box, Position
    from pipeline.parsing.ocr import ReadLine


class Addition(NamedTuple):
    """A document after a reading and how many lines came to it; without any, `note` says why."""

    document: ParsedDocument
    line_count: int
    note: str = ""


def add_flow(document: ParsedDocument, page: int, flow: Sequence[tuple[Line, int]], method: str) -> Addition:
    """The lines of a page once more, in another order and with other columns; the old ones are superseded."""
    old = [line for line in document.lines_on(page) if line.is_evidence]
    moved = [(line.number, column) for line, column in flow]
    if not flow or moved == [(line.number, line.column) for line in old]:
        return Addition(document, 0, "the order of its lines is the same")
    first = _count_lines(document, page) + 1
    fresh = [
        _copy_line(line, number=number, column=column, method=method)
        for number, (line, column) in enumerate(flow, start=first)
    ]
    places = {line.position: made.position for (line, _), made in zip(flow, fresh, strict=True)}
    sections = tuple(_move_section(section, places, (page, first)) for section in document.sections)
    superseded = frozenset(line.number for line, _ in flow)
    columns = max(column for _, column in flow)
    made = document.pages[page - 1].model_copy(update={"column_count": max(1, columns)})
    return Addition(_rebuild(document, made, fresh, superseded, sections), len(fresh))


def _move_section(section: Section, places: dict[Position, Position], last: Position) -> Section:
    start, end = places.get(section.start, section.start), places.get(section.end, section.end)
    # a heading that the new order puts behind the end of its section is left where it was
    # the end of the last section on the page is moved when the lines are there
    is_last = section.end == last and start >= last
    if start < end or is_last:
        return section.model_copy(update={"start": start, "end": end})
    return section


def add_recognised(document: ParsedDocument, page: int, lines: Sequence[ReadLine]) -> Addition:
    """What OCR read on a page: all of it where the text is missing or unusable, else only where lines are faulty.

    A text layer that says what the picture shows stays as it is.
    """
    told = document.pages[page - 1]
    old = [line for line in document.lines_on(page) if line.is_evidence]
    if not lines:
        return Addition(document, 0, "nothing found")
    if _is_noise("\n".join(line.text for line in lines)):
        return Addition(document, 0, "what was read is noise")
    if told.state == "ok" and "text_under_image" in told.failed_checks and _agree(old, lines):
        return Addition(document, 0, "the picture shows what the text layer says")
    # a page that is sound but for a few lines keeps its own text: OCR is worse than what the file says
    chosen, superseded = _choose(told, old, lines)
    if not chosen:
        return Addition(document, 0, "nothing found where the text is faulty")
    first = _count_lines(document, page) + 1
    above = max((line.block for line in document.lines_on(page)), default=0)
    fresh = [
        Line(
            page=page, number=number, text=line.text, box=line.box, size=line.size, block=above + line.block,
            method="ocr",
        )
        for number, line in enumerate(chosen, start=first)
    ]  # fmt: skip
    made = told.model_copy(update={"state": "ok"})
    return Addition(_rebuild(document, made, fresh, superseded, document.sections), len(fresh))


def _is_noise(text: str) -> bool:
    """Whether what was read is as undecodable as what it should replace: a picture of garbage reads as garbage."""
    # letters of a wrong encoding look like letters with signs between and behind them
    signed = len(re.findall(r"[^\W\d_][§£©@€¢¤¦¨ª«¬¯¶|~]", text))
    return signed * 1000 >= MAX_NOISE_SHARE * len(text.split()) or find_text_faults(text)[1]


def _choose(page: Page, old: Sequence[Line], lines: Sequence[ReadLine]) -> tuple[list[ReadLine], frozenset[int]]:
    """The lines to add, and the numbers of those that they supersede."""
    if page.state != "ok" or "text_under_image" in page.failed_checks:
        return list(lines), frozenset(line.number for line in old)
    faulty = [line for line in old if is_faulty_text(line.text)]
    chosen = [line for line in lines if any(_overlap(line.box, other.box) for other in faulty)]
    replaced = [line for line in faulty if any(_overlap(line.box, other.box) for other in chosen)]
    if "figure_without_text" in page.failed_checks:
        chosen += [line for line in lines if not any(_overlap(line.box, other.box) for other in old)]
    return chosen, frozenset(line.number for line in replaced)


def _overlap(box: Box, other: Box) -> bool:
    """Whether two boxes share more than half of the height of the lower one, and some width."""
    height = min(box[3], other[3]) - max(box[1], other[1])
    width = min(box[2], other[2]) - max(box[0], other[0])
    return width > 0 and height * 2 > min(box[3] - box[1], other[3] - other[1])


def _agree(old: Sequence[Line], lines: Sequence[ReadLine]) -> bool:
    """Whether most words of a text layer were recognised on the picture too."""
    # words and not lines are compared: two programs break lines at different places
    layer = [word for line in old for word in fold(line.text).split()]
    seen = {word for line in lines for word in fold(line.text).split()}
    return sum(word in seen for word in layer) * 1000 >= MIN_LAYER_AGREEMENT * max(1, len(layer))


def _count_lines(document: ParsedDocument, page: int) -> int:
    return max((line.number for line in document.lines_on(page)), default=0)


def _extend_section(section: Section, first: Position, last: int) -> Section:
    """A section that ended with its page ends with what came to the page, too."""
    is_to_the_end = section.end == first and section.start <= section.end
    return section.model_copy(update={"end": (first[0], last + 1)}) if is_to_the_end else section


def _copy_line(line: Line, **changed: object) -> Line:
    return build_lines([{**line.__dict__, **changed}])[0]


def _rebuild(
    document: ParsedDocument, page: Page, fresh: Sequence[Line], superseded: frozenset[int], sections: Sequence[Section]
) -> ParsedDocument:
    """The document with one page and its lines exchanged; the profile keeps the account of the first reading."""
    low, high = document.index_of((page.number, 0)), document.index_of((page.number + 1, 0))
    own = [
        _copy_line(line, hidden="superseded") if line.number in superseded else line
        for line in document.lines[low:high]
    ]
    texts = (fold_line(line.text, line.raised, line.lowered) for line in fresh)
    if fresh:
        sections = [_extend_section(section, fresh[0].position, fresh[-1].number) for section in sections]
    return ParsedDocument(
        profile=document.profile,
        pages=(*document.pages[: page.number - 1], page, *document.pages[page.number :]),
        lines=(*document.lines[:low], *own, *fresh, *document.lines[high:]),
        folded=(*document.folded[:high], *texts, *document.folded[high:]),
        sections=tuple(sections),
        diagnostics=document.diagnostics,
    )


def settle_document(document: ParsedDocument, pages: Sequence[int]) -> ParsedDocument:
    """What follows from pages that were read for the first time: running heads, numbers, sections where none were."""
    from pipeline.parsing.furniture import EdgePage, find_furniture
    from pipeline.parsing.resettling import find_sections_again

    wanted = frozenset(pages)
    readable = [page for page in document.pages if page.state == "ok"]
    edges = [EdgePage(page.number, page.height, document.lines_on(page.number)) for page in readable]
    furniture = find_furniture(edges)
    repeated = {id(line) for line in furniture.lines}
    lines = tuple(
        _copy_line(line, is_furniture=True) if line.page in wanted and id(line) in repeated else line
        for line in document.lines
    )
    made = tuple(
        page.model_copy(update={"printed": furniture.printed[page.number]})
        if page.number in wanted and page.number in furniture.printed
        else page
        for page in document.pages
    )
    sections = find_sections_again(document, made, lines, wanted)
    return ParsedDocument(
        profile=document.profile,
        pages=made,
        lines=lines,
        folded=document.folded,
        sections=sections,
        diagnostics=document.diagnostics,
    )
