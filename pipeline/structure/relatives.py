"""References by place: "the preceding paragraph", "the table below", "前款", resolved only where the place is plain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.models.structure import Target
from pipeline.structure.around import place_of

if TYPE_CHECKING:
    from pipeline.models.base import Position
    from pipeline.models.document import Line, Section
    from pipeline.models.structure import MentionAt
    from pipeline.structure.view import DocumentView

_NUMBERED_KINDS = ("section", "clause", "article", "chapter", "schedule")
_ENDINGS = (".", "!", "?", ";", ":", "。", "；", ")")
_WIDE_GAP = 30
_NEAR_LINES = 4


def is_relative(mention: MentionAt) -> bool:
    """Whether a mention names a direction instead of a label."""
    return mention.key.endswith((":-1", ":+1"))


def resolve_relative(view: DocumentView, mention: MentionAt) -> Target | None:
    """What stands before or after a mention; None where that is not plain."""
    kind, _, step = mention.key.partition(":")
    is_back = step == "-1"
    if kind == "paragraph":
        return _find_paragraph(view, mention, is_back=is_back)
    if kind in ("table", "figure"):
        return _find_float(view, mention, kind, is_back=is_back)
    return _find_peer(view, mention, kind, is_back=is_back)


def _find_peer(view: DocumentView, mention: MentionAt, kind: str, *, is_back: bool) -> Target | None:
    """The numbered neighbour of the deepest numbered place that the mention stands in, under the same parent."""
    place = place_of(mention)
    same = [
        target
        for target in view.registry.targets
        if target.kind == kind or (target.kind == "section" and kind in ("clause", "section"))
    ]
    # sections hold their paragraphs: the deepest place is the one that has the neighbour meant
    around = [target for target in same if target.start <= place < target.end and kind in _NUMBERED_KINDS]
    if not around:
        return None
    own = max(around, key=lambda target: target.start)
    parent, _, number = own.label.rpartition(".")
    if not number.isdigit():
        return None
    label = f"{parent}.{int(number) - 1}" if parent else str(int(number) - 1)
    if not is_back:
        label = f"{parent}.{int(number) + 1}" if parent else str(int(number) + 1)
    found = {target.start: target for target in same if target.label == label}
    if len(found) != 1:
        return None
    target = next(iter(found.values()))
    # numbers that run backwards on the page are no order to trust
    return target if (target.start < own.start) == is_back else None


def _find_float(view: DocumentView, mention: MentionAt, kind: str, *, is_back: bool) -> Target | None:
    """The nearest captioned table or figure in that direction within the section of the mention."""
    place = place_of(mention)
    section = view.document.section_at(place)
    start: Position = section.start if section is not None else (place[0], 0)
    end: Position = section.end if section is not None else (place[0] + 1, 0)
    inside = [
        target
        for target in view.registry.targets
        if target.kind == kind and start <= target.start < end and (target.start < place) == is_back
    ]
    # a caption that says "the following table" speaks of itself
    if any(target.start <= place < target.end for target in inside):
        return None
    if inside:
        return inside[-1] if is_back else inside[0]
    return _find_grid(view, mention, is_back=is_back) if kind == "table" else None


def _find_grid(view: DocumentView, mention: MentionAt, *, is_back: bool) -> Target | None:
    """A table without a caption that begins right behind the mention, or ends right before it, on the same page."""
    page, number = place_of(mention)
    # without a caption only nearness says which table is meant
    for table in view.tables_on(page):
        distance = number - table.end[1] if is_back else table.start[1] - number
        if table.end[0] == page and 0 <= distance <= _NEAR_LINES:
            return Target(
                kind="table", key=mention.key, label=table.label, title=table.title, start=table.start, end=table.end
            )
    return None


def _find_paragraph(view: DocumentView, mention: MentionAt, *, is_back: bool) -> Target | None:
    """The neighbouring paragraph in the same section, told apart by numbers, else by wide gaps on one page."""
    place = place_of(mention)
    numbered = _find_peer(view, mention, "section", is_back=is_back)
    section = view.document.section_at(place)
    # in contracts a paragraph is what has a number, whatever the gaps on the page look like
    if numbered is not None and "." in numbered.label and (section is None or section.start < numbered.start):
        return numbered.model_copy(update={"kind": "paragraph"})
    start: Position = section.start if section is not None else (place[0], 1)
    end: Position = section.end if section is not None else (place[0] + 1, 0)
    lines = [
        line for line in view.lines_in(max(start, (place[0], 1)), min(end, (place[0] + 1, 0))) if line.text.strip()
    ]
    paragraphs = _split(lines, section)
    own = next((at for at, lines in enumerate(paragraphs) if any(line.position == place for line in lines)), None)
    beside = None if own is None else own - 1 if is_back else own + 1
    if own is None or beside is None or not 0 <= beside < len(paragraphs):
        return None
    # a heading, a caption or cells in between mean that no paragraph precedes
    found = paragraphs[beside]
    if not _is_prose(found) or not _is_prose(paragraphs[own]) or found[0].column != paragraphs[own][0].column:
        return None
    return Target(
        kind="paragraph",
        key=mention.key,
        label="",
        title=found[0].text.strip()[:60],
        start=found[0].position,
        end=(found[-1].page, found[-1].number + 1),
    )


def _split(lines: list[Line], section: Section | None) -> list[list[Line]]:
    """Paragraphs: a gap wider than between the lines, another column or type, and the heading alone."""
    paragraphs: list[list[Line]] = []
    for line in lines:
        before = paragraphs[-1][-1] if paragraphs else None
        is_heading = section is not None and before is not None and before.position == section.start
        height = line.box[3] - line.box[1]
        is_apart = (
            before is None
            or is_heading
            or before.column != line.column
            or before.bold != line.bold
            or (line.box[1] - before.box[3]) * 100 > height * _WIDE_GAP
            or line.box[1] < before.box[1] - height
        )
        if is_apart:
            paragraphs.append([line])
        else:
            paragraphs[-1].append(line)
    return paragraphs


def _is_prose(lines: list[Line]) -> bool:
    """Whether lines are a paragraph of sentences, not a heading, a caption or cells of a table."""
    return (
        not lines[0].bold
        and len(lines[-1].text.split()) + len(lines) > 3
        and lines[-1].text.rstrip().endswith(_ENDINGS)
    )
