"""What a question asks of a part: which figure, of which segment, product or land, restated or not, in which year."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.calculation import asks_rate, plan_calculation
from pipeline.generation.extractive.narrowing import narrows, read_own_names
from pipeline.generation.extractive.restated import Restated, find_asked_restated
from pipeline.question.concepts import find_concepts
from pipeline.question.operations import read_operation
from pipeline.question.terms import cue_of, split_words
from pipeline.text.matching import contains_folded, fold
from pipeline.text.numbers import find_years

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.lexicon import Concept
    from pipeline.models.question import Anchor, ValueType
    from pipeline.question.terms import Word

TYPED: tuple[ValueType, ...] = ("money", "percent")
MAX_NAME_WORDS = 4


class Parted(NamedTuple):
    """What is asked: keys of the figure (none where no known one is named), of all words, of the part, and the year.

    `restated` are the ways in which the figure is not that of a statement; `segments` are folded names of segments.
    """

    figure: frozenset[str]
    needed: frozenset[str]
    parts: tuple[Anchor, ...]
    year: int
    types: tuple[ValueType, ...]
    is_rate: bool
    restated: Restated
    segments: tuple[str, ...]


def find_parted(task: ReaderTask) -> Parted | None:
    """What the question asks of which part and year; None where it names no part, or wants something computed."""
    if any(hint.kind == "statement" for hint in task.question.hints):
        return None
    years = {year for period in task.question.periods for _, _, year in find_years(period)}
    if len(years) != 1 or len(task.question.periods) != 1 or "Q" in task.question.periods[0]:
        return None
    lexicon = task.view.lexicon
    # what is compared or added up is no single cell
    operation = read_operation(task.part.text, lexicon)
    if operation.direction or operation.choice or operation.bounds or operation.singles:
        return None
    words = split_words(task.part.text, lexicon)
    places = [place for place in find_concepts(words, lexicon) if place.concept.value_type in TYPED]
    if len({place.concept.name for place in places}) > 1:
        return None
    concept = places[0].concept if places else None
    is_rate = concept is not None and asks_rate(words, concept, lexicon)
    said = {index for place in places for index in range(place.first, place.stop)}
    # a row says "as a % of revenue" where the question says "rate", and "non-GAAP" where it says "adjusted"
    cues = ("restated", "part nouns", "rate") if is_rate else ("restated", "part nouns")
    apart = {word for cue in cues for word in cue_of(lexicon.calculation_cues, cue)}
    if concept is not None and concept.value_type == "percent":
        apart |= lexicon.operator_set
    rest = [word for index, word in enumerate(words) if index not in said and word.folded not in apart]
    parts, needed = _find_parts(task, rest)
    restated = find_asked_restated(task) or frozenset()
    segments = find_segments(task, words)
    if not (parts or restated or segments) or not _is_looked_up(task, concept):
        return None
    types = TYPED if concept is None else tuple(k for k in TYPED if k == ("percent" if is_rate else concept.value_type))
    figure = frozenset(anchor.key for anchor in task.part.anchors if concept and anchor.key == concept.name)
    is_share = is_rate or "percent" in types
    return Parted(figure, needed, parts, next(iter(years)), types, is_share, restated, segments)


def _find_parts(task: ReaderTask, rest: Sequence[Word]) -> tuple[tuple[Anchor, ...], frozenset[str]]:
    """The anchors that name a part, and the keys of all that a cell has to say, without the names of the document."""
    names = read_own_names(task)
    fillers = cue_of(task.view.lexicon.calculation_cues, "filler")
    telling = {word.folded for word in rest if word.folded not in fillers and narrows(task, word, names)}
    own = {word.folded for word in rest if contains_folded(word.folded, names)}
    parts = tuple(anchor for anchor in task.part.anchors if _is_part(anchor, telling))
    stated = {word.folded for word in rest} - own
    return parts, frozenset(anchor.key for anchor in task.part.anchors if _is_part(anchor, stated))


def find_segments(task: ReaderTask, words: Sequence[Word]) -> tuple[str, ...]:
    """Names that stand right before a word for a part of a company: "Business" of "the Business segment"."""
    cues = cue_of(task.view.lexicon.calculation_cues, "narrowed")
    found: list[str] = []
    for index, word in enumerate(words):
        if word.folded not in cues:
            continue
        first = index
        while first and index - first < MAX_NAME_WORDS and _is_name_before(task, words[first - 1], words[first]):
            first -= 1
        names = [one.folded for one in words[first:index] if one.folded not in task.view.lexicon.question_words]
        if names:
            found.append(fold(" ".join(names)))
    return tuple(found)


def _is_name_before(task: ReaderTask, one: Word, other: Word) -> bool:
    is_joined = task.part.text[one.end : other.start] == " " and one.bare_end == one.end
    return is_joined and one.text[:1].isupper()


def _is_part(anchor: Anchor, telling: set[str]) -> bool:
    return anchor.source not in ("concept", "period", "number", "compound") and bool(set(anchor.forms) & telling)


def _is_looked_up(task: ReaderTask, concept: Concept | None) -> bool:
    """Whether a figure is asked as it is printed: no change, no average and no ratio of two."""
    plan = plan_calculation(task)
    return plan is None or (plan.mode == "each" and concept is not None and plan.name == concept.name)
