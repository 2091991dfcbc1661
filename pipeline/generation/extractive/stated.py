"""The reader of figures in sentences that state several: the one that belongs to the part, period or role asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_extents
from pipeline.generation.extractive.conflict import is_rounded
from pipeline.generation.extractive.picked import NEAR_POINTS, is_staff, list_picks
from pipeline.generation.extractive.qualifiers import find_qualifiers
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.wanted import read_wanted
from pipeline.generation.extractive.yearly import list_yearly
from pipeline.models.answer import Conflict, Item
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.picked import Pick
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.generation.extractive.shares import Share
    from pipeline.generation.extractive.wanted import Wanted

SAME_PERCENT = 50
MAX_CITED_PLACES, MAX_LABEL = 3, 70


def read_stated(task: ReaderTask) -> Reading | None:
    """The figure that sentences state of what is asked; None where no sentence says all of it, or none tells which.

    Two sentences in nearly the same words with different figures contradict each other, and both are shown.
    """
    wanted = read_wanted(task)
    # several things are asked for by their noun alone: a figure that is said of them is not what they are
    if wanted is None or (wanted.is_loose and task.part.shape == "list" and not wanted.years):
        return None
    yearly, untold = list_yearly(task, wanted, list_picks)
    if yearly:
        return _read_yearly(task, wanted, yearly, untold)
    picks = list_picks(task, wanted)
    if not picks or not (picks[0].is_told or is_staff(task, wanted)):
        return None
    best = picks[0]
    agreeing = [pick for pick in picks if _agrees(best, pick)]
    others = [pick for pick in picks if not _agrees(best, pick) and _says_same(task, best, pick)][:1]
    shown = (best, *others)
    items = tuple(_build_item(task, pick, agreeing if pick is best else [pick], wanted) for pick in shown)
    if not all(item.citations for item in items):
        return None
    text = "; ".join(item.text for item in items)
    places = {pick.sight.sentence.start for pick in agreeing}
    conflict = _build_conflict(task, shown, items) if others else None
    return Reading(
        text=f"Contradicting values: {text}" if conflict else text,
        items=items,
        has_typed_fit=True,
        has_second_place=len(places) > 1 and conflict is None,
        conflict=conflict,
        caveats=("the document gives different values; all are shown",) if conflict else (),
    )


def _read_yearly(task: ReaderTask, wanted: Wanted, picks: Sequence[Pick], caveats: tuple[str, ...]) -> Reading | None:
    items = tuple(_build_item(task, pick, [pick], wanted) for pick in picks)
    if not all(item.citations for item in items):
        return None
    return Reading(
        text="; ".join(item.text if item.period in item.text else f"{item.period}: {item.text}" for item in items),
        items=items,
        is_complete=not caveats,
        has_typed_fit=True,
        caveats=caveats,
    )


def read_detailed(task: ReaderTask) -> Reading | None:
    """What `read_stated` reads, for questions that say more than the name of a figure of the statements.

    Such a figure by its name alone is known by row and year, better than by any sentence.
    """
    wanted = read_wanted(task)
    if wanted is None or all(anchor.source == "concept" for anchor in wanted.needs):
        return None
    return read_stated(task)


def read_moved(task: ReaderTask) -> Reading | None:
    """What `read_stated` reads, for questions how far something moved, or where from or to."""
    wanted = read_wanted(task)
    if wanted is None or not wanted.role:
        return None
    # where from and where to is told by no row of a statement
    return read_detailed(task) if wanted.role == "change" else read_stated(task)


def _agrees(one: Pick, other: Pick) -> bool:
    first, second = one.share.typed, other.share.typed
    if one.share.kind != other.share.kind or first.number is None or second.number is None:
        return False
    has_unit = one.share.kind == "number" or first.unit == second.unit
    return has_unit and is_rounded(first.number, second.number)


def _says_same(task: ReaderTask, one: Pick, other: Pick) -> bool:
    """Whether two sentences make one statement: most of their words are the same, and so are part and period."""
    if one.share.kind != other.share.kind or one.share.years != other.share.years or one.chosen != other.chosen:
        return False
    if other.cover < one.cover or other.score + NEAR_POINTS < one.score:
        return False
    small = task.view.lexicon.stop_word_set
    mine, its = (
        frozenset(word for word in fold(pick.sight.sentence.text).split() if word not in small) for pick in (one, other)
    )
    qualifiers = [find_qualifiers(pick.sight.sentence.text, task.view.lexicon) for pick in (one, other)]
    return qualifiers[0] == qualifiers[1] and len(mine & its) * 100 >= SAME_PERCENT * max(len(mine), len(its))


def _build_conflict(task: ReaderTask, picks: Sequence[Pick], items: Sequence[Item]) -> Conflict:
    return Conflict(
        concept=task.part.text,
        values=tuple(pick.share.typed.text for pick in picks),
        citations=tuple(citation for item in items for citation in item.citations),
    )


def _build_item(task: ReaderTask, pick: Pick, agreeing: Sequence[Pick], wanted: Wanted) -> Item:
    share = pick.share
    citations = (cite_extents(task.view, one.sight.sentence.extents) for one in agreeing[:MAX_CITED_PLACES])
    label = share.label if len(share.label) <= MAX_LABEL else ""
    printed = tell_figure(share)
    years = sorted(share.years & wanted.years) or sorted(share.years)[-1:]
    return Item(
        sub_question=task.part.id,
        text=f"{printed} ({label})" if label else printed,
        label=label,
        value=share.typed.value,
        unit=share.typed.unit if share.kind != "number" else " ".join(share.nouns),
        period=str(years[0]) if years else "",
        citations=tuple(dict.fromkeys(citation for cited in citations for citation in cited)),
        extraction="verbatim",
    )


def tell_figure(share: Share) -> str:
    """A figure as printed with the noun that it counts, which may stand at the head of its list."""
    if share.kind != "number" or not share.nouns:
        return share.typed.text
    return f"{share.printed} {' '.join(share.nouns)}"
