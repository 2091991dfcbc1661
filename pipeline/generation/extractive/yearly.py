"""Figures of several years that one question asks for and one aligned sentence tells: each year has its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.text.numbers import find_years

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pipeline.generation.extractive.picked import Pick
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.generation.extractive.wanted import Wanted

MIN_YEARS = 2
UNTOLD = "no figure was found for {}"


def list_yearly(
    task: ReaderTask, wanted: Wanted, list_picks: Callable[[ReaderTask, Wanted], list[Pick]]
) -> tuple[tuple[Pick, ...], tuple[str, ...]]:
    """The aligned figure of each year that a question names, in its order, and caveats for years without one.

    Empty where fewer than two years are asked for, or no sentence states them side by side.
    """
    if len(wanted.years) < MIN_YEARS or wanted.role:
        return (), ()
    picks, missing = [], []
    for year in _order_years(task, wanted):
        own = [pick for pick in list_picks(task, wanted._replace(years=frozenset({year}))) if _is_of(pick, year)]
        if own:
            picks.append(own[0])
        else:
            missing.append(str(year))
    if len(picks) < MIN_YEARS:
        return (), ()
    return tuple(picks), (UNTOLD.format(", ".join(missing)),) if missing else ()


def _is_of(pick: Pick, year: int) -> bool:
    return pick.share.is_aligned and pick.share.years == frozenset({year})


def _order_years(task: ReaderTask, wanted: Wanted) -> Sequence[int]:
    """The years in the order of the question; those that it only spans ("2019 to 2021") behind them."""
    named = [year for _, _, year in find_years(task.part.text) if year in wanted.years]
    return tuple(dict.fromkeys((*named, *sorted(wanted.years, reverse=True))))
