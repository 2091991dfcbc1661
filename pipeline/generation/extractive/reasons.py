"""Why something is so: the sentences that give the reason, next to the thing that the question names.

A figure that went up is no reason for it; "due to", "driven by" and "because" are what the text gives reasons with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.citing import cite_extents, cite_heading
from pipeline.generation.extractive.listing import read_enumeration
from pipeline.generation.extractive.lists import find_introduced
from pipeline.generation.extractive.prose import find_heads
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.sentences import Sentence, evidence_lines, split_evidence
from pipeline.generation.extractive.tabled import list_table_lines
from pipeline.generation.extractive.weights import weigh_anchor
from pipeline.models.answer import Item
from pipeline.question.anchors import make_word_anchor
from pipeline.question.periods import find_periods
from pipeline.question.terms import cue_of, split_words
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import contains_folded, fold
from pipeline.text.numbers import find_years

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.generation.extractive.reading import ReaderTask

MAX_REASONS = 3
NEAR_PERCENT = 75
"""A further sentence has at least so much of the best one's score."""
HEADING_PERCENT, OTHER_PERCENT = 50, 20
DIRECTION_BONUS, MOVES_BONUS, STRONG_BONUS, CLOSE_BONUS, YEAR_BONUS, FIGURE_BONUS = 250, 350, 250, 150, 60, 100
CLOSE_CHARACTERS = 160
OPENING_CHARACTERS = 4
OPENING_WORDS = 5
BESIDE_CHARACTERS = 18
MIN_WORDS = 6
RANK_COST, MAX_RANK = 8, 12
WAYS = ("rises", "falls")
TURNED = "the text gives a reason for the opposite change"


class _Reason(NamedTuple):
    """A sentence with a cause in it: its score in thousandths, where its evidence ranks, and how it goes on."""

    score: int
    rank: int
    sentence: Sentence
    is_lead: bool


def read_reason(task: ReaderTask) -> Reading | None:
    """The sentences that say why; None for other questions, and where no sentence of the evidence gives a reason."""
    if task.part.intent != "reason":
        return None
    reasons = sorted(_list_reasons(task), key=lambda found: (-found.score, found.rank, found.sentence.start))
    if not reasons or reasons[0].score < task.view.lexicon.thresholds.reason:
        return None
    # of reasons that are about as good, the one that a list spells out
    best = next((found for found in reasons if found.is_lead and found.score * 10 >= reasons[0].score * 9), reasons[0])
    if best.is_lead and (introduced := find_introduced(task.view, best.sentence.extents[-1])) is not None:
        listed = read_enumeration(task, introduced)
        if listed is not None:
            return _lead_in(task, best.sentence, listed)
    chosen: list[Sentence] = []
    room = task.max_quote_characters
    for found in (best, *reasons[: 2 * MAX_REASONS]):
        is_known = any(found.sentence.text == sentence.text for sentence in chosen)
        if found.score * 100 < NEAR_PERCENT * best.score or is_known or len(found.sentence.text) > room:
            continue
        if _names_head(task, best.sentence.text) and not _names_head(task, found.sentence.text):
            continue
        chosen.append(found.sentence)
        room -= len(found.sentence.text)
        if len(chosen) == MAX_REASONS:
            break
    return _tell(task, chosen)


def _tell(task: ReaderTask, chosen: list[Sentence]) -> Reading | None:
    items = tuple(
        Item(
            sub_question=task.part.id,
            text=sentence.text,
            citations=(*cite_heading(task.view, task.part.anchors, sentence.start), *citations),
            extraction="verbatim",
        )
        for sentence in chosen
        if (citations := cite_extents(task.view, sentence.extents))
    )
    if not items:
        return None
    directions = _list_directions(task)
    others = [cue for cue in WAYS if cue not in directions] if directions else []
    best = chosen[0].text
    is_turned = _moves(task, others, best, len(best)) and not _moves(task, directions, best, len(best))
    return Reading(
        text="\n".join(item.text for item in items),
        items=items,
        has_typed_fit=not is_turned,
        has_second_place=len(items) > 1 and not is_turned,
        caveats=(TURNED,) if is_turned else (),
    )


def _names_head(task: ReaderTask, text: str) -> bool:
    return any(find_anchor(anchor, text) for anchor in find_heads(task))


def _list_directions(task: ReaderTask) -> list[str]:
    asked = fold(task.part.text)
    return [cue for cue in WAYS if _has_cue(task, cue, asked)]


def _lead_in(task: ReaderTask, lead: Sentence, listed: Reading) -> Reading:
    """A list of reasons behind the sentence that introduces it."""
    first = listed.items[0]
    citations = (*cite_extents(task.view, lead.extents), *first.citations)
    items = (first.model_copy(update={"citations": citations}), *listed.items[1:])
    return Reading(
        text=f"{lead.text}\n{listed.text}",
        items=items,
        is_complete=listed.is_complete,
        has_typed_fit=True,
        has_second_place=True,
        caveats=listed.caveats,
    )


def _list_reasons(task: ReaderTask) -> Iterator[_Reason]:
    """Every sentence of the evidence that gives a reason, scored by what it shares with the question."""
    strong = cue_of(task.view.lexicon.value_cues, "gives reason")
    cues = (*strong, *cue_of(task.view.lexicon.value_cues, "hints at reason"))
    directions = _list_directions(task)
    years = frozenset(period.year for period in find_periods(task.part.text))
    cells = list_table_lines(task)
    for rank, piece in enumerate(task.evidence):
        before: Sentence | None = None
        for sentence in split_evidence(evidence_lines(task.view, piece)):
            last, before = before, sentence
            if sentence.start in cells:
                continue
            folded = fold(sentence.text)
            at = min((place for cue in cues if (place := _place_of(cue, folded)) >= 0), default=-1)
            if at < 0 or not _is_prose(sentence.text):
                continue
            score = _score(task, sentence.text, piece.breadcrumb, at)
            if not score:
                continue
            is_strong = any(_place_of(cue, folded) >= 0 for cue in strong)
            if not is_strong and not _says_predicate(task, sentence.text):
                continue
            score += STRONG_BONUS * is_strong
            if directions:
                score += FIGURE_BONUS * any(map(str.isdigit, folded))
                score += DIRECTION_BONUS * _agrees(task, directions, folded)
                score += MOVES_BONUS * _moves(task, directions, sentence.text, at)
            score += YEAR_BONUS * _fits_year(years, sentence.text)
            is_lead = sentence.text.rstrip().endswith((":", "\uff1a"))
            yield _Reason(score - RANK_COST * min(rank, MAX_RANK), rank, _join_before(task, last, sentence), is_lead)


def _join_before(task: ReaderTask, before: Sentence | None, sentence: Sentence) -> Sentence:
    """A sentence with the one before it in its paragraph where it begins with what that said: "To avoid this, ..."."""
    opening = fold(sentence.text).split()[:OPENING_WORDS]
    pointing = frozenset(task.view.lexicon.anaphora) & frozenset(opening)
    if before is None or before.paragraph != sentence.paragraph or not pointing:
        return sentence
    return Sentence(f"{before.text} {sentence.text}", (*before.extents, *sentence.extents), sentence.paragraph)


def _score(task: ReaderTask, text: str, breadcrumb: tuple[str, ...], at: int) -> int:
    """Share of the heads that the sentence has, or half of it where a heading has it, and how near the reason is."""
    focus = find_heads(task)
    above, title = " ".join(breadcrumb), breadcrumb[-1] if breadcrumb else ""
    total = sum(weigh_anchor(task.view, anchor) for anchor in focus) or 1
    own = [anchor for anchor in focus if find_anchor(anchor, text)]
    lent = [anchor for anchor in focus if anchor not in own and find_anchor(anchor, above)]
    others = [anchor for anchor in task.part.anchors if anchor not in focus and find_anchor(anchor, text)]
    # under "Net sales" a sentence that says "the increase was due to" speaks of net sales
    titled = [anchor for anchor in lent if find_anchor(anchor, title)]
    if not (own or others or titled):
        return 0
    given = sum(weigh_anchor(task.view, anchor) for anchor in own) * 100
    given += sum(weigh_anchor(task.view, anchor) * (100 if anchor in titled else HEADING_PERCENT) for anchor in lent)
    given += sum(weigh_anchor(task.view, anchor) for anchor in others) * OTHER_PERCENT
    starts = [start for anchor in (*own, *others) for start, _ in find_anchor(anchor, text)]
    # what goes before "due to" has the reason; a sentence that opens with it says behind it what has
    is_close = any(-CLOSE_CHARACTERS <= start - at <= 0 for start in starts) or at <= OPENING_CHARACTERS or bool(titled)
    return given * 10 // total + (CLOSE_BONUS if is_close else -CLOSE_BONUS)


def _says_predicate(task: ReaderTask, text: str) -> bool:
    """Whether a sentence says what the question says last of its thing: "important" of "why are logs important".

    "In order to" and the like stand in any sentence with a purpose, be it that of another thing.
    """
    lexicon = task.view.lexicon
    words = [word for word in split_words(task.part.text, lexicon) if word.folded not in lexicon.stop_word_set]
    own = [anchor for anchor in task.part.anchors if anchor.source == "word"]
    wanted = [anchor for anchor in own if anchor not in find_heads(task)]
    if len(words) > 1:
        wanted.append(make_word_anchor(words[-1], lexicon))
    return all(find_anchor(anchor, text) for anchor in wanted)


def _fits_year(years: frozenset[int], text: str) -> int:
    """1 where a sentence speaks of an asked year, -3 where only of others; the year before is what it compares with."""
    said = {year for _, _, year in find_years(text)}
    if not years or not said:
        return 0
    if years & said:
        return 1
    return 0 if {year - 1 for year in years} & said else -3


def _is_prose(text: str) -> bool:
    """Whether a text is a sentence: neither a heading nor a row of figures."""
    words = text.split()
    return len(words) >= MIN_WORDS and sum(any(map(str.isdigit, word)) for word in words) * 3 < len(words)


def _agrees(task: ReaderTask, directions: list[str], folded: str) -> int:
    """1 where the sentence goes the way that the question says, -1 where it only goes the other way."""
    own = [cue for cue in WAYS if _has_cue(task, cue, folded)]
    if any(cue in own for cue in directions):
        return 1
    return -1 if own else 0


def _moves(task: ReaderTask, directions: list[str], text: str, at: int) -> bool:
    """Whether it is the thing itself that rises or falls: "net sales increased", "the increase in net sales"."""
    cues = [cue for label in directions for cue in cue_of(task.view.lexicon.value_cues, label)]
    for anchor in find_heads(task):
        for start, end in find_anchor(anchor, text):
            # what moves behind "due to" is the reason itself
            if start > at > OPENING_CHARACTERS:
                continue
            # a comma parts "as a share of sales, costs fell"
            after = fold(text[end : end + BESIDE_CHARACTERS]).partition(",")[0]
            before = fold(text[max(0, start - BESIDE_CHARACTERS) : start])
            is_led = any(contains_folded(cue, before) for cue in cues)
            # "cost of sales decreased": that is another thing than sales
            is_part = before.endswith(" of") and not is_led
            if is_led or (not is_part and any(contains_folded(cue, after) for cue in cues)):
                return True
    return False


def _has_cue(task: ReaderTask, label: str, folded: str) -> bool:
    return any(contains_folded(cue, folded) for cue in cue_of(task.view.lexicon.value_cues, label))


def _place_of(cue: str, folded: str) -> int:
    return folded.find(cue) if contains_folded(cue, folded) else -1
