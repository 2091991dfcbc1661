"""The reader of typed values: an amount, date or length of time next to its concept, in prose or in a cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.cells import find_cell_hits
from pipeline.generation.extractive.computed import read_computed
from pipeline.generation.extractive.conflict import agrees, build_conflict, weigh_hits
from pipeline.generation.extractive.events import find_event_hits
from pipeline.generation.extractive.hits import ValueHit, list_weights, rank_hits
from pipeline.generation.extractive.persons import find_person_hits
from pipeline.generation.extractive.prose import find_heads, find_prose_hits
from pipeline.generation.extractive.publication import find_publication_hits
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.restated import find_asked_restated, find_restated, is_plain_for, lacks_share
from pipeline.generation.extractive.stated import read_stated
from pipeline.models.answer import Item
from pipeline.question.terms import cue_of
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.generation.extractive.restated import Restated
    from pipeline.models.question import ValueType

MAX_CITED_PLACES = 3
NEAR_UNIT = 30
"""Characters around a value within which a sentence says what one of it is for."""


def read_value(task: ReaderTask) -> Reading | None:
    """The value that the question asks for; contradicting values are all shown; None where none fits."""
    # A figure of a statement is known by row and year, which no nearness in a sentence can match.
    computed = read_computed(task)
    if computed is not None:
        return computed
    restated = find_asked_restated(task)
    stated = read_stated(task)
    if stated is not None and not is_plain_for(restated, find_restated(_quote(stated), task.view.lexicon)):
        return stated
    least = task.view.lexicon.thresholds.value_score
    found = [hit for hit in find_value_hits(task) if _is_of_unit(task, hit) and _is_as_restated(task, hit, restated)]
    hits = rank_hits([hit for hit in found if hit.score + hit.unsaid_cost // 2 >= least])
    if not hits:
        return None
    # A place that says which of several things it is about stands before one that leaves it open.
    hits = tuple(sorted(hits, key=lambda hit: bool(hit.unsaid_cost)))
    verdict = weigh_hits(hits, list_weights(task.view, task.part.anchors))
    twins = hits[0].twins if not verdict.others else ()
    shown = (verdict.agreeing[0], *verdict.others)
    items = tuple(build_item(task, hit, tuple(one for one in hits if agrees(hit, one))) for hit in shown)
    items += tuple(build_item(task, twin, (twin,)) for twin in twins if twin.citations)
    places = {hit.place for hit in verdict.agreeing}
    conflict = build_conflict(_tell_concept(task), shown) if verdict.others else None
    text = "; ".join(item.text for item in items)
    return Reading(
        text=f"Contradicting values: {text}" if conflict else text,
        items=items,
        has_typed_fit=True,
        has_second_place=len(places) > 1 and conflict is None,
        conflict=conflict,
        caveats=_list_caveats(conflict is not None, twins),
    )


def _quote(reading: Reading) -> str:
    quotes = (citation.quote for item in reading.items for citation in item.citations)
    return " ".join((reading.text, *quotes)).replace("\n", " ")


def _is_of_unit(task: ReaderTask, hit: ValueHit) -> bool:
    """Whether a value is said per share where the question asks for one; a dividend in millions is none."""
    start, end = (0, len(hit.context)) if hit.is_cell else (hit.typed.start - NEAR_UNIT, hit.typed.end + NEAR_UNIT)
    return not lacks_share(task, f"{hit.context[max(0, start) : end]} {hit.label}")


def _is_as_restated(task: ReaderTask, hit: ValueHit, restated: Restated | None) -> bool:
    """Whether a sentence says how a figure is restated where the question asks for it; cells are asked one by one."""
    return hit.is_cell or not is_plain_for(restated, find_restated(hit.context, task.view.lexicon))


def _list_caveats(is_conflict: bool, twins: tuple[ValueHit, ...]) -> tuple[str, ...]:
    if is_conflict:
        return ("the document gives different values; all are shown",)
    return ("several rows or columns fit the question; all are shown",) if twins else ()


def find_value_hits(task: ReaderTask) -> list[ValueHit]:
    """Hits of all places that may hold the value: sentences and cells."""
    if task.part.value_type in ("person", "organisation"):
        return find_person_hits(task)
    if task.part.value_type == "date":
        published = find_publication_hits(task)
        if published:
            return published
        done = find_event_hits(task)
        if done:
            return done
    for value_type in list_types(task):
        hits = [*find_prose_hits(task, value_type), *find_cell_hits(task, value_type)]
        if any(hit.score >= task.view.lexicon.thresholds.value_score for hit in hits):
            return hits
    return []


def list_types(task: ReaderTask) -> tuple[ValueType, ...]:
    """Types to look for, in order: "how much" asks for money where there is some, else for a share or a number."""
    value_type = task.part.value_type
    if value_type in ("any", "name", "identifier"):
        return ()
    words = fold(task.part.text)
    asks_amount = any(contains_folded(cue, words) for cue in cue_of(task.view.lexicon.value_cues, "amount"))
    return ("money", "percent", "number") if value_type == "number" and asks_amount else (value_type,)


def build_item(task: ReaderTask, hit: ValueHit, agreeing: tuple[ValueHit, ...]) -> Item:
    """The item of a hit, with the places of those that agree."""
    citations = tuple(dict.fromkeys(citation for one in agreeing[:MAX_CITED_PLACES] for citation in one.citations))
    return Item(
        sub_question=task.part.id,
        text=tell_value(task, hit),
        label=hit.label,
        value=hit.typed.value,
        unit=hit.typed.unit,
        qualifiers=tuple(f"{group}: {member}" for group, member in sorted(hit.qualifiers)),
        citations=citations,
        extraction="verbatim",
    )


def tell_value(task: ReaderTask, hit: ValueHit) -> str:
    """The value as printed with the words of its row and column, or of the question, that say what it is of."""
    printed = " ".join(hit.typed.text.split())
    if hit.is_cell:
        return f"{printed} ({hit.label})" if hit.label else printed
    words: list[str] = []
    for anchor in task.part.anchors:
        is_said = contains_folded(fold(anchor.text), fold(f"{printed} {' '.join(words)}"))
        if anchor.key in hit.matched and anchor.source not in ("word", "number") and not is_said:
            words.append(anchor.text)
    return f"{printed} ({', '.join(words)})" if words else printed


def _tell_concept(task: ReaderTask) -> str:
    return next((anchor.text for anchor in find_heads(task)), task.part.text)
