"""The reader of choices: two things put against each other, each read in its own place, and compared in code."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.groups import cite_members, drop_operators, find_group, list_asked, list_kinds
from pipeline.generation.extractive.ledger_pair import find_pair
from pipeline.generation.extractive.measured import list_measured
from pipeline.generation.extractive.measures import add, is_comparable, order, tell_size
from pipeline.generation.extractive.narrowing import is_narrowed
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.sides import SideValue, list_cell_values, list_sentence_values, read_figure
from pipeline.models.answer import Item
from pipeline.question.alternatives import find_alternatives
from pipeline.question.concepts import find_concepts
from pipeline.question.operations import read_operation
from pipeline.question.terms import cue_of, split_words
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.lexicon import Lexicon
    from pipeline.question.alternatives import Alternative
    from pipeline.question.operations import Operation

MAX_PAIRS = 8
WORDS = {"": ("higher", "lower"), "duration": ("longer", "shorter"), "date": ("later", "earlier")}


class Pair(NamedTuple):
    """The values of both sides for one row and column, and which is greater (1: the first); None where that is open."""

    first: SideValue
    second: SideValue
    verdict: int | None


def read_choice(task: ReaderTask) -> Reading | None:
    """Compare two things that the question names, each by the value in its own table, row, section or sentence.

    Where one of them has no such value the other is told, and nothing is compared. None where neither has one.
    """
    operation = read_operation(task.part.text, task.view.lexicon)
    sides = find_alternatives(task.part.text, task.view.lexicon)
    is_compared = operation.choice or operation.direction or "difference" in operation.singles
    if sides is None or not is_compared:
        return None
    values = _list_figure_values(task, sides)
    pair = find_pair(task, sides) if values is None else None
    if pair is not None:
        return _read_values(task, operation, *pair)
    values = values or _list_member_values(task, operation, sides)
    if values is not None:
        return _read_values(task, operation, sides, values)
    asked = _drop_sides(drop_operators(task, operation), sides)
    if asked is None:
        return None
    kinds = list_kinds(task, operation)
    measured = list_measured(task, operation)
    for find in (list_cell_values, list_sentence_values):
        own, other = find(asked, sides, kinds, measured), find(asked, sides[::-1], kinds, measured)
        reading = _read_values(task, operation, sides, (own, other))
        if reading is not None:
            return reading
    return None


def _list_figure_values(
    task: ReaderTask, sides: tuple[Alternative, Alternative]
) -> tuple[tuple[SideValue, ...], tuple[SideValue, ...]] | None:
    """The figures of statements that both sides are, or one figure in two years; None where they are not."""
    found: list[tuple[SideValue, ...]] = []
    for side in sides:
        text = _name_figure(task, side)
        figure = read_figure(task, text) if text else None
        if figure is None:
            return None
        found.append((figure,))
    return found[0], found[1]


def _name_figure(task: ReaderTask, side: Alternative) -> str:
    """The question for the figure of one side: the concept that it names itself, or the shared one in its year."""
    lexicon = task.view.lexicon
    own = find_concepts(split_words(side.text, lexicon), lexicon)
    if own:
        return "" if is_narrowed(task, task.part.text, own[0].concept.name) else f"{side.text} {_tell_periods(task)}"
    words = split_words(task.part.text, lexicon)
    places = find_concepts(words, lexicon)
    if not (places and side.words[0].isdigit()) or is_narrowed(task, task.part.text, places[0].concept.name):
        return ""
    return f"{task.part.text[words[places[0].first].start : words[places[0].stop - 1].end]} in {side.words[0]}"


def _tell_periods(task: ReaderTask) -> str:
    return " ".join(f"in {period}" for period in task.question.periods)


def _list_member_values(
    task: ReaderTask, operation: Operation, sides: tuple[Alternative, Alternative]
) -> tuple[tuple[SideValue, ...], tuple[SideValue, ...]] | None:
    """The values of both sides where both are members of one list or table; None where they are not."""
    group = find_group(task, operation)
    named = list_asked(task, group) if group is not None else ()
    found: list[tuple[SideValue, ...]] = []
    for side in sides:
        own = [member for member in named if all(contains_folded(word, fold(member.name)) for word in side.words)]
        if group is None or len(own) != 1:
            return None
        citations = cite_members(task, group, own)
        found.append((SideValue("", "", own[0].measure, own[0].printed, citations, 1000),))
    return found[0], found[1]


def _drop_sides(task: ReaderTask, sides: tuple[Alternative, Alternative]) -> ReaderTask | None:
    """The task with the anchors that both sides share: what of the two is compared; None where nothing is."""
    own = {word for side in sides for word in side.words}
    kept = tuple(
        anchor for anchor in task.part.anchors if not own & set(fold(anchor.text).replace("-", " ").split()) - {""}
    )
    # "the Fern Plan or the Moss Plan": "plan" alone is what both are called, and says nothing of the value
    named = {word for side in sides for word in fold(side.text).split()}
    telling = tuple(anchor for anchor in kept if not set(fold(anchor.text).split()) <= named)
    return replace(task, part=task.part.model_copy(update={"anchors": telling})) if telling else None


def _read_values(
    task: ReaderTask,
    operation: Operation,
    sides: tuple[Alternative, Alternative],
    values: tuple[tuple[SideValue, ...], tuple[SideValue, ...]],
) -> Reading | None:
    if not values[0] and not values[1]:
        return None
    if not values[0] or not values[1]:
        return _tell_half(task, sides, values)
    pairs = tuple(_turn_outflow(pair, task.part.text, task.view.lexicon) for pair in _pair(values))
    if not pairs or any(pair.verdict is None for pair in pairs):
        return _tell_open(task, sides, values)
    return _tell_pairs(task, operation, sides, pairs)


def _pair(values: tuple[tuple[SideValue, ...], tuple[SideValue, ...]]) -> tuple[Pair, ...]:
    """Values of the same row and column on both sides; where each side has just one, those two."""
    keys = [Counter(value.key for value in side) for side in values]
    shared = [value.key for value in values[0] if keys[0][value.key] == 1 and keys[1][value.key] == 1]
    is_single = all(len({value.measure for value in side}) == 1 and side[0].label for side in values)
    if not shared and is_single:
        return (Pair(values[0][0], values[1][0], order(values[0][0].measure, values[1][0].measure)),)
    others = {value.key: value for value in values[1]}
    firsts = [value for value in values[0] if value.key in shared]
    return tuple(Pair(value, others[value.key], order(value.measure, others[value.key].measure)) for value in firsts)


def _turn_outflow(pair: Pair, text: str, lexicon: Lexicon) -> Pair:
    """A pair of amounts that are only printed as negative since they are subtracted, compared by their size."""
    said = fold(f"{text} {pair.first.label}")
    is_outflow = any(contains_folded(word, said) for word in cue_of(lexicon.superlatives, "outflows"))
    if not is_outflow or pair.first.measure.size >= 0 or pair.second.measure.size >= 0 or pair.verdict is None:
        return pair
    return pair._replace(verdict=-pair.verdict)


def _tell_pairs(
    task: ReaderTask, operation: Operation, sides: tuple[Alternative, Alternative], pairs: Sequence[Pair]
) -> Reading | None:
    direction = operation.choice or operation.direction or "max"
    verdicts = {(pair.verdict or 0) * (-1 if direction == "min" else 1) for pair in pairs}
    winner = {1: 0, -1: 1}.get(min(verdicts)) if len(verdicts) == 1 else None
    shown = pairs[:MAX_PAIRS]
    items = (
        _build_item(task, sides[0], [pair.first for pair in shown], winner == 0),
        _build_item(task, sides[1], [pair.second for pair in shown], winner == 1),
    )
    if not all(item.citations for item in items):
        return None
    word = WORDS.get(operation.dimension, WORDS[""])[direction == "min"]
    lead = "They are equal" if verdicts == {0} else "It differs by row"
    lead = lead if winner is None else f"{sides[winner].text} is {word}"
    is_claimed = task.part.shape == "boolean" and sides[0].is_claimed and len(verdicts) == 1
    verdict = "" if not is_claimed else "Yes. " if winner == 0 else "No. "
    units = ", ".join(dict.fromkeys(side.units for pair in shown for side in (pair.first, pair.second) if side.units))
    return Reading(
        text=f"{verdict}{lead}: {'; '.join(_tell_pair(sides, pair) for pair in shown)}{f' ({units})' if units else ''}",
        items=items,
        has_typed_fit=True,
        has_second_place=len(pairs) > 1,
        caveats=() if len(verdicts) == 1 else ("the two compare differently in different rows; all are shown",),
    )


def _tell_pair(sides: tuple[Alternative, Alternative], pair: Pair) -> str:
    first, second = pair.first, pair.second
    told = f"{sides[0].text} {first.printed}, {sides[1].text} {second.printed}"
    label = f" ({first.label})" if first.label else ""
    if not pair.verdict or not is_comparable(first.measure, second.measure):
        return f"{told}{label}"
    more, less = (first, second) if first.measure.size > second.measure.size else (second, first)
    gap = add((more.measure, less.measure._replace(size=-less.measure.size)))
    gap_told = f", a difference of {tell_size(gap, (more.measure, less.measure))[2]}" if gap is not None else ""
    return f"{told}{label}{gap_told}"


def _build_item(task: ReaderTask, side: Alternative, values: Sequence[SideValue], picked: bool) -> Item:
    """One side with all its values; a value of its own only where there is just one."""
    first = values[0]
    is_dated = first.measure.kind == "date"
    told = "; ".join(f"{value.printed} ({value.label})" if value.label else value.printed for value in values)
    citations = (citation for value in values for citation in value.citations)
    number = first.measure.unit if is_dated else format(first.measure.amount, "f")
    return Item(
        sub_question=task.part.id,
        text=f"{side.text}: {told}",
        label=side.text,
        value=number if len(values) == 1 else None,
        unit="" if is_dated else ", ".join(filter(None, (first.measure.printed, first.units))),
        picked=picked,
        citations=tuple(dict.fromkeys(citations)),
        extraction="verbatim",
    )


def _tell_half(
    task: ReaderTask,
    sides: tuple[Alternative, Alternative],
    values: tuple[tuple[SideValue, ...], tuple[SideValue, ...]],
) -> Reading | None:
    """What one side has, and that the other has none: nothing is compared."""
    at = 0 if values[0] else 1
    item = _build_item(task, sides[at], values[at][:MAX_PAIRS], False)
    reason = f"no value was found for {sides[1 - at].text}, so that nothing is compared"
    return Reading(text=f"{item.text}; {reason}", items=(item,), is_complete=False, caveats=(reason,))


def _tell_open(
    task: ReaderTask,
    sides: tuple[Alternative, Alternative],
    values: tuple[tuple[SideValue, ...], tuple[SideValue, ...]],
) -> Reading | None:
    """All values of both sides where they cannot be put in order, and why."""
    open_pair = next((pair for pair in _pair(values) if pair.verdict is None), None)
    if open_pair is None:
        return None  # rows and columns of the two do not correspond
    first, second = open_pair.first, open_pair.second
    is_mixed = not is_comparable(first.measure, second.measure)
    why = "different units are not compared" if is_mixed else "they have no certain order"
    reason = f"{first.printed} and {second.printed}: {why}"
    items = tuple(_build_item(task, sides[at], values[at][:MAX_PAIRS], False) for at in (0, 1))
    told = "; ".join(item.text for item in items)
    return Reading(text=f"Not compared, {reason}: {told}", items=items, is_complete=False, caveats=(reason,))
