"""Members with a value each, from a row or column of a table or from the items of a list, ready to be computed on."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.cells import match_words
from pipeline.generation.extractive.certificate import certify_list, list_members
from pipeline.generation.extractive.citing import cite_extents, cite_heading, limit_quotes, merge_extents
from pipeline.generation.extractive.foreign import is_foreign
from pipeline.generation.extractive.hits import weigh
from pipeline.generation.extractive.lists import list_rated
from pipeline.generation.extractive.measured import is_said, list_measured
from pipeline.generation.extractive.measures import find_measures
from pipeline.generation.extractive.members import Member, read_item, shorten
from pipeline.generation.extractive.series import rate_series
from pipeline.models.lexicon import singular
from pipeline.question.terms import cue_of, split_words
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.lists import RatedList
    from pipeline.generation.extractive.measures import Kind
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.generation.extractive.series import Point, Series
    from pipeline.models.answer import Certificate, Citation
    from pipeline.models.lexicon import Lexicon
    from pipeline.models.question import Anchor
    from pipeline.models.structure import Enumeration, Extent
    from pipeline.question.operations import Operation

MIN_MEMBERS, SHOWN_MEMBERS, MAX_CITED = 2, 8, 40
LINES_BEFORE = 6


class Group(NamedTuple):
    """Comparable members: what they are called together, and where that stands.

    `missing` are members without a value of the kind, `total` what is printed as their sum, `label` the lines that
    name the row, `matched` the keys of the anchors that speak for it. `has_name` says whether the row, column or list
    is itself named by the question; `certificate` is that of the list, None for a table.
    """

    members: tuple[Member, ...]
    name: str
    label: tuple[Extent, ...]
    has_name: bool
    matched: frozenset[str]
    units: str = ""
    missing: tuple[str, ...] = ()
    total: Member | None = None
    certificate: Certificate | None = None
    heading: tuple[Citation, ...] = ()
    context: str = ""


def find_group(task: ReaderTask, operation: Operation) -> Group | None:
    """The row, column or list that most of the question names; None where none carries enough of it."""
    kinds = list_kinds(task, operation)
    measured = list_measured(task, operation)
    task = drop_operators(task, operation)
    best = rate_series(task, kinds, measured)
    listed = _find_list(task, kinds, measured)
    if listed is not None and (best is None or listed[0] > best[0]):
        return listed[1]
    return _read_series(best[1]) if best is not None else None


def drop_operators(task: ReaderTask, operation: Operation) -> ReaderTask:
    """The task without the anchors that only say what to compute: operators, ranks, and bounds with their values."""
    lexicon = task.view.lexicon
    said = " ".join(task.part.text[bound.first : bound.last] for bound in operation.bounds)
    ranks = cue_of(lexicon.superlatives, "ranks") if operation.rank > 1 else ()
    words = {word.folded for word in split_words(said, lexicon)} | {*operation.cue.split(), *ranks}
    kept = tuple(
        anchor
        for anchor in task.part.anchors
        if not any(word in words or word in lexicon.operator_set for word in fold(anchor.text).split())
        and not (said and contains_folded(fold(anchor.text), fold(said)))
    )
    keys = {anchor.key for anchor in kept}
    focus = tuple(anchor for anchor in task.part.focus if anchor.key in keys)
    return replace(task, part=task.part.model_copy(update={"anchors": kept, "focus": focus})) if kept else task


def list_asked(task: ReaderTask, group: Group, *, is_partial: bool = False) -> tuple[Member, ...]:
    """The members that the question names, in its order; none where it names fewer than two.

    A word that most members share tells none of them apart, and need not be said. `is_partial`: where two are put
    against each other, a word that only one member has stands for it ("big" for "Transformer (big)").
    """
    lexicon = task.view.lexicon
    places = {word.folded: word.start for word in reversed(split_words(task.part.text, lexicon))}
    names = [_list_telling(member.name, lexicon) for member in group.members]
    counts = Counter(word for name in names for word in set(name))
    whole: list[tuple[int, Member]] = []
    partly: list[tuple[int, Member]] = []
    for member, name in zip(group.members, names, strict=True):
        own = [word for word in name if counts[word] * 2 <= len(names)] or list(name)
        single = [word for word in name if counts[word] == 1 and word in places]
        whole += [(places[own[0]], member)] if own and all(word in places for word in own) else []
        partly += [(places[single[0]], member)] if single else []
    found = whole if len(whole) > 1 or not is_partial or len(partly) != MIN_MEMBERS else partly
    return tuple(member for _, member in sorted(found, key=lambda entry: entry[0])) if len(found) > 1 else ()


def cite_members(task: ReaderTask, group: Group, members: Sequence[Member]) -> tuple[Citation, ...]:
    """The lines of the first member, then what names the row or list, then the lines of the others."""
    extents = [*members[0].extents, *group.label, *(extent for member in members[1:] for extent in member.extents)]
    citations = (*group.heading, *cite_extents(task.view, tuple(dict.fromkeys(extents))))
    return limit_quotes(citations[:MAX_CITED], task.max_quote_characters)[0]


def tell_members(members: Sequence[Member]) -> str:
    """Members with their values as printed."""
    told = "; ".join(f"{member.name} {member.printed}" for member in members[:SHOWN_MEMBERS])
    return f"{told}; ..." if len(members) > SHOWN_MEMBERS else told


def _list_telling(name: str, lexicon: Lexicon) -> tuple[str, ...]:
    words = split_words(name, lexicon)
    telling = tuple(word.folded for word in words if word.folded not in lexicon.stop_word_set)
    return telling or tuple(word.folded for word in words)


def list_kinds(task: ReaderTask, operation: Operation) -> tuple[Kind, ...]:
    """The kinds of value that may be meant, the likeliest first."""
    bounds = [
        measure.kind
        for bound in operation.bounds
        for measure in find_measures(task.part.text[bound.start : bound.end], task.view.lexicon)
        if measure.unit
    ]
    if bounds:
        return (bounds[0],)
    if operation.dimension:
        further: dict[str, tuple[Kind, ...]] = {"duration": ("duration", "quantity"), "date": ("date", "duration")}
        return further.get(operation.dimension, ("money",))
    kinds: tuple[Kind, ...] = ("money", "percent", "duration", "quantity")
    asked = task.part.value_type
    return tuple(sorted(kinds, key=lambda kind: kind != asked))


def _read_series(series: Series) -> Group:
    return Group(
        members=tuple(map(_read_point, series.points)),
        name=series.name.strip(),
        label=merge_extents(series.label.extents) if series.label is not None else (),
        has_name=bool(series.own),
        matched=series.own | series.around,
        units=series.units,
        missing=series.missing,
        total=_read_point(series.total) if series.total is not None else None,
    )


def _read_point(point: Point) -> Member:
    return Member(point.member, point.measure, " ".join(point.cell.text.split()), merge_extents(point.cell.extents))


def _find_list(task: ReaderTask, kinds: Sequence[Kind], measured: Sequence[Anchor]) -> tuple[int, Group] | None:
    """The best list whose items carry values of one kind, with the share of the question that it carries."""
    found: list[tuple[tuple[int, int, int], Group]] = []
    least = task.view.lexicon.thresholds.list_meant
    for entry in list_rated(task):
        # rows of a table are read cell by cell
        group = _read_list(task, entry, kinds) if entry.enumeration.kind != "table_rows" else None
        group = _narrow(task, group, measured) if group is not None else None
        if group is None:
            continue
        keys = group.matched | _match_members(task, group)
        share = weigh(task.view, task.part.anchors, keys)
        required = {anchor.key for anchor in task.part.focus if anchor.is_required}
        is_named = any(anchor.key in keys for anchor in task.part.focus or task.part.anchors)
        if share >= least and is_named and required <= keys:
            found.append(((-share, -entry.score, entry.rank), group._replace(matched=keys)))
    best = min(found, key=lambda one: one[0], default=None)
    return (-best[0][0], best[1]) if best is not None else None


def _narrow(task: ReaderTask, group: Group, measured: Sequence[Anchor]) -> Group | None:
    """The members that are of what is measured, where some are not: the increases of a list with decreases.

    None where neither the list nor its members speak of it.
    """
    # "increase" and the like say which way a value goes, and each member says it for itself
    words = cue_of(task.view.lexicon.superlatives, "turns")
    turns = [anchor for anchor in measured if anchor.forms[0] in words]
    kept = tuple(one for one in group.members if all(find_anchor(turn, one.text) for turn in turns))
    if turns and MIN_MEMBERS <= len(kept) < len(group.members):
        return group._replace(members=kept, missing=())
    said = is_said(measured, f"{group.name} {group.context}")
    is_said_inside = sum(1 for one in group.members if is_said(measured, one.text)) * 2 > len(group.members)
    return group if said or is_said_inside else None


def _match_members(task: ReaderTask, group: Group) -> frozenset[str]:
    """Keys of the anchors that speak for a list by its values and members: units, kinds of value, members by name."""
    lexicon = task.view.lexicon
    kind = group.members[0].measure.kind
    cues = cue_of(lexicon.type_cues, kind)
    said = {word for cue in cues for word in cue.split()} | {member.measure.unit for member in group.members}
    said |= {word.folded for member in list_asked(task, group) for word in split_words(member.name, lexicon)}
    words = {singular(word) for word in said}
    return frozenset(
        anchor.key for anchor in task.part.anchors if all(singular(word) in words for word in fold(anchor.text).split())
    )


def _read_before(task: ReaderTask, own: Enumeration) -> str:
    """What stands between the heading and a list: a paragraph before the sentence that introduces it belongs to it."""
    section = task.view.document.section_at(own.start)
    page, line = own.start
    first = max((page, line - LINES_BEFORE), section.start if section is not None else (page, 1))
    return " ".join(entry.text for entry in task.view.lines_in(first, own.start))


def _read_list(task: ReaderTask, entry: RatedList, kinds: Sequence[Kind]) -> Group | None:
    own = entry.enumeration
    items = list_members(own)
    best: tuple[int, Kind] | None = None
    for kind in kinds:
        count = sum(1 for item in items if read_item(task, item, kind) is not None)
        if count >= MIN_MEMBERS and count * 2 > len(items) and (best is None or count > best[0]):
            best = (count, kind)
    if best is None:
        return None
    read = [(item, read_item(task, item, best[1])) for item in items]
    if is_foreign(task, own, [member for _, member in read if member is not None]):
        return None
    before = _read_before(task, own)
    name = (own.lead or _find_title(task, own)).strip().rstrip(":")
    return Group(
        members=tuple(member for _, member in read if member is not None),
        name=name,
        label=own.lead_extents,
        has_name=True,
        matched=entry.matched | match_words(task, before),
        context=f"{_find_title(task, own)} {before}",
        missing=tuple(shorten(item.head or item.text) for item, member in read if member is None),
        certificate=certify_list(task.part.id, own, ()),
        heading=cite_heading(task.view, task.part.anchors, own.start),
    )


def _find_title(task: ReaderTask, own: Enumeration) -> str:
    """The title of the section that a list stands in."""
    section = task.view.document.section_at(own.start)
    return section.title if section is not None else ""
