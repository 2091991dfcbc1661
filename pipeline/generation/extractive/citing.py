"""Citations from extents: verbatim text, boxes and the reference that names the place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.models.answer import Citation, Item
from pipeline.models.evidence import Span
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.base import Position
    from pipeline.models.document import Line
    from pipeline.models.question import Anchor
    from pipeline.models.structure import Extent, Target
    from pipeline.structure.view import DocumentView


def cite_extent(view: DocumentView, extent: Extent) -> Citation | None:
    """Quote an extent: its visible lines, cut at its offsets; None when nothing visible is on it."""
    parts: list[tuple[Line, str]] = []
    for number in range(extent.line_start, extent.line_end + 1):
        line = view.document.line_at(extent.page, number)
        if line is None or not line.is_evidence:
            continue
        start = extent.start_offset if number == extent.line_start else 0
        end = extent.end_offset if number == extent.line_end else None
        text = line.text[start:end].strip()
        if text:
            parts.append((line, text))
    return _build_citation(view, parts)


def cite_lines(view: DocumentView, lines: Sequence[Line]) -> tuple[Citation, ...]:
    """Quote whole lines, one citation for each run of lines on one page; furniture and hidden lines are left out."""
    citations: list[Citation] = []
    run: list[tuple[Line, str]] = []
    for line in lines:
        if not line.is_evidence or not line.text.strip():
            continue
        if run and line.page != run[-1][0].page:
            citations.extend(_as_citations(view, run))
            run = []
        run.append((line, line.text.strip()))
    citations.extend(_as_citations(view, run))
    return tuple(citations)


def cite_extents(view: DocumentView, extents: Iterable[Extent]) -> tuple[Citation, ...]:
    """Quote several extents in their order; those without visible text are left out."""
    found = (cite_extent(view, extent) for extent in extents)
    return tuple(citation for citation in found if citation is not None)


def merge_extents(extents: Sequence[Extent]) -> tuple[Extent, ...]:
    """Join extents that follow one another on the same or the next line of a page, so that they are quoted as one."""
    merged: list[Extent] = []
    for extent in extents:
        last = merged[-1] if merged else None
        if last is not None and last.page == extent.page and 0 <= extent.line_start - last.line_end <= 1:
            end = {"line_end": extent.line_end, "end_offset": extent.end_offset}
            merged[-1] = last.model_copy(update=end)
        else:
            merged.append(extent)
    return tuple(merged)


def cite_heading(view: DocumentView, anchors: Sequence[Anchor], place: Position) -> tuple[Citation, ...]:
    """The deepest heading above a place that carries an anchor, for what is said below it is said of that."""
    section = view.document.section_at(place)
    while section is not None:
        line = view.document.line_at(*section.start)
        if line is not None and section.start < place and any(find_anchor(anchor, line.text) for anchor in anchors):
            return cite_lines(view, (line,))
        section = None if section.parent is None else view.document.sections[section.parent]
    return ()


def name_target(target: Target) -> str:
    """A target in words: "Figure 2 CSF Functions", "Section 5.4 Regularization"; a page is named by its label."""
    if target.kind == "definition":
        return target.label
    label = target.label if target.kind == "page" else f"{target.kind.capitalize()} {target.label}"
    # a title may say what it is of by itself ("Schedule B")
    is_said = bool(label) and _begins_with(target.title, label)
    return target.title if is_said else " ".join(part for part in (label, target.title) if part)


def say_under(label: str, text: str) -> str:
    """A text under its label; the text alone where it begins with the label ("Table 1: Fees in pounds")."""
    return text if not label or _begins_with(text, label) else f"{label}: {text}"


def drop_label(label: str, text: str) -> str:
    """A text without the label that it begins with; the whole text where the label is all of it, or another one."""
    plain = text.lstrip()
    rest = plain[len(label) :].lstrip(" .:\u2013\u2014-") if label and plain.startswith(label) else ""
    return rest if rest and _begins_with(text, label) else text


def drop_name(target: Target, name: str, text: str) -> str:
    """A text of a target without the name, or the bare number, that the label says before it."""
    rest = drop_label(name, text)
    # "A" may be an article, a number is none
    return drop_label(target.label, rest) if any(map(str.isdigit, target.label)) else rest


def _begins_with(text: str, label: str) -> bool:
    plain, name = fold(text).lstrip(), fold(label)
    return plain.startswith(name) and not plain[len(name) : len(name) + 1].isalnum()


def limit_quotes(citations: Sequence[Citation], max_characters: int) -> tuple[tuple[Citation, ...], bool]:
    """Keep citations in order while their quotes fit; say whether any had to be left out."""
    kept: list[Citation] = []
    total = 0
    for citation in citations:
        if total + len(citation.quote) > max_characters:
            return tuple(kept), True
        kept.append(citation)
        total += len(citation.quote)
    return tuple(kept), False


def _as_citations(view: DocumentView, parts: list[tuple[Line, str]]) -> tuple[Citation, ...]:
    citation = _build_citation(view, parts)
    return () if citation is None else (citation,)


def _build_citation(view: DocumentView, parts: list[tuple[Line, str]]) -> Citation | None:
    if not parts:
        return None
    first, last = parts[0][0], parts[-1][0]
    span = Span(page=first.page, line_start=first.number, line_end=last.number, method=first.method)
    return Citation(
        page=first.page,
        line_start=first.number,
        line_end=last.number,
        quote="\n".join(text for _, text in parts),
        ref=view.reference((span,)),
        boxes=tuple(line.box for line, _ in parts),
    )


def build_count(task: ReaderTask, count: int, label: str, citations: tuple[Citation, ...]) -> Item:
    """The item of what was counted over all pages."""
    return Item(
        sub_question=task.part.id,
        text=str(count),
        value=str(count),
        label=label,
        citations=citations,
        extraction="computed",
    )
