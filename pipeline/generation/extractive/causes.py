"""Sentences that give a reason, scored by whether their subject is what the question names.

What goes before "due to" is what has the reason. A sentence that tells why another thing moved answers nothing, be it
on the same page; one that tells it of the thing asked is looked for on every page.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.directions import (
    OPENING_CHARACTERS,
    OPENING_WORDS,
    WAYS,
    compare_ways,
    has_cue,
    list_directions,
    points_at_move,
    says_moved,
)
from pipeline.generation.extractive.hits import COMMON_SHARE
from pipeline.generation.extractive.prose import find_heads
from pipeline.generation.extractive.sentences import Sentence, evidence_lines, is_prose, split_evidence
from pipeline.generation.extractive.tabled import list_table_lines
from pipeline.generation.extractive.weights import keep_own_forms, weigh_anchor
from pipeline.question.anchors import make_word_anchor
from pipeline.question.periods import find_periods
from pipeline.question.terms import cue_of, split_words
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import contains_folded, fold
from pipeline.text.numbers import find_years

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.document import Line
    from pipeline.models.question import Anchor

HEADING_PERCENT, OTHER_PERCENT = 50, 20
DIRECTION_BONUS, MOVES_BONUS, STRONG_BONUS, CLOSE_BONUS, YEAR_BONUS, FIGURE_BONUS = 250, 350, 250, 150, 60, 100
ELSEWHERE_COST = 500
"""What a sentence loses that tells the reason of another subject."""
CLOSE_CHARACTERS = 160
RANK_COST, MAX_RANK = 8, 12
FAR_RANK, MAX_PLACES, REACH_LINES = 8, 400, 5
"""Where sentences rank that no evidence holds; how many places are looked at, and how many lines around them."""


class Reason(NamedTuple):
    """A sentence with a cause in it: its score in thousandths, where its evidence ranks, and how it goes on.

    `is_own`: it tells the reason of the thing itself; else of something that only shares the page or some words.
    `is_moved`: it says that the thing itself went the way that the question says.
    """

    score: int
    rank: int
    sentence: Sentence
    is_lead: bool
    is_own: bool
    is_moved: bool


def find_subjects(task: ReaderTask) -> tuple[Anchor, ...]:
    """What has the reason: the heads of the question without the words that ask for it ("what contributed to")."""
    asked = fold(task.part.text)
    cues = next((cue.phrases for cue in task.view.lexicon.intent_cues if cue.label == "reason"), ())
    asking = {word for cue in cues if (plain := cue.strip("^ ")) and asked.startswith(plain) for word in plain.split()}
    kept = tuple(each for each in task.part.anchors if each.source != "word" or each.forms[0] not in asking)
    if not kept or len(kept) == len(task.part.anchors):
        return find_heads(task)
    return find_heads(replace(task, part=task.part.model_copy(update={"anchors": kept})))


def _keep_own_forms(task: ReaderTask, anchors: tuple[Anchor, ...]) -> tuple[Anchor, ...]:
    """Concepts without the forms of what they are computed from: net sales that fell are no gross profit that fell."""
    return tuple(keep_own_forms(task.view.lexicon, anchor) for anchor in anchors)


def list_reasons(task: ReaderTask) -> list[Reason]:
    """Every sentence that gives a reason, of the evidence and of places that name the thing, best first.

    A concept that nothing gives the reason of is looked for by what it is computed from: costs of the gross margin.
    """
    subjects = find_subjects(task)
    reasons = list(_list_of(task, _keep_own_forms(task, subjects)))
    if not any(reason.is_own for reason in reasons):
        reasons = list(_list_of(task, subjects))
    return sorted(reasons, key=lambda found: (-found.score, found.rank, found.sentence.start))


def _list_of(task: ReaderTask, subjects: tuple[Anchor, ...]) -> Iterator[Reason]:
    cells = list_table_lines(task)
    asked = _Asked(
        subjects,
        list_directions(task),
        frozenset(each.year for each in find_periods(task.part.text)),
        _list_names(task),
    )
    seen: set[tuple[int, int]] = set()
    for rank, lines, breadcrumb in (*_list_pieces(task), *_list_far(task, asked)):
        before: Sentence | None = None
        for sentence in split_evidence(lines):
            last, before = before, sentence
            if sentence.start in cells or sentence.start in seen:
                continue
            joined = _join_before(task, last, sentence)
            reason = _read_sentence(task, asked, joined, (rank, breadcrumb), len(joined.text) - len(sentence.text))
            if reason is not None:
                seen.add(sentence.start)
                yield reason


class _Asked(NamedTuple):
    """What a question asks the reason of: its subjects, the ways they went, and the years."""

    subjects: tuple[Anchor, ...]
    directions: list[str]
    years: frozenset[int]
    names: tuple[Anchor, ...]


def _list_pieces(task: ReaderTask) -> Iterator[tuple[int, tuple[Line, ...], tuple[str, ...]]]:
    for rank, piece in enumerate(task.evidence):
        yield rank, evidence_lines(task.view, piece), piece.breadcrumb


def _list_far(task: ReaderTask, asked: _Asked) -> Iterator[tuple[int, tuple[Line, ...], tuple[str, ...]]]:
    """Lines around places on any page that name the thing and give a reason within a few lines."""
    document = task.view.document
    strong = cue_of(task.view.lexicon.value_cues, "gives reason")
    taken = -1
    for place in sorted({place for anchor in asked.subjects for place in task.view.positions_of(anchor)})[:MAX_PLACES]:
        index = document.index_of(place)
        near = " ".join(document.folded[index : index + REACH_LINES // 2])
        is_told = any(cue in near for cue in strong)
        if index < taken or not is_told or (asked.directions and not any(has_cue(task, w, near) for w in WAYS)):
            continue
        own = document.lines[index]
        around = document.lines[max(taken, index - REACH_LINES, 0) : index + REACH_LINES + 1]
        lines = tuple(line for line in around if line.page == own.page and line.is_evidence)
        taken = index + REACH_LINES
        section = document.section_at(place)
        yield FAR_RANK, lines, (*section.breadcrumb, section.title) if section is not None else ()


def _read_sentence(
    task: ReaderTask, asked: _Asked, sentence: Sentence, source: tuple[int, tuple[str, ...]], skipped: int
) -> Reason | None:
    """The reason that a sentence gives behind its first `skipped` characters; None where it gives none of the thing."""
    strong = cue_of(task.view.lexicon.value_cues, "gives reason")
    cues = (*strong, *cue_of(task.view.lexicon.value_cues, "hints at reason"))
    folded = fold(sentence.text[skipped:])
    at = min((place + skipped for cue in cues if (place := _place_of(cue, folded)) >= 0), default=-1)
    if at < 0 or not is_prose(sentence.text.split()):
        return None
    score = _score(task, asked.subjects, sentence.text, (source[1], at))
    is_strong = any(_place_of(cue, folded) >= 0 for cue in strong)
    if not score or (not is_strong and not _says_predicate(task, sentence.text)):
        return None
    score += STRONG_BONUS * is_strong
    is_moved = False
    if asked.directions:
        score += FIGURE_BONUS * any(map(str.isdigit, folded))
        score += DIRECTION_BONUS * compare_ways(task, asked.directions, folded)
        is_moved = says_moved(task, asked.subjects, asked.directions, sentence.text, at)
        score += MOVES_BONUS * is_moved
    score += YEAR_BONUS * _fits_year(asked.years, sentence.text)
    is_own = _is_own(task, asked, sentence.text, source[1], at)
    score -= 0 if is_own else ELSEWHERE_COST
    is_lead = sentence.text.rstrip().endswith((":", "\uff1a"))
    return Reason(score - RANK_COST * min(source[0], MAX_RANK), source[0], sentence, is_lead, is_own, is_moved)


def _is_own(task: ReaderTask, asked: _Asked, text: str, breadcrumb: tuple[str, ...], at: int) -> bool:
    """Whether the subject of a sentence is what is asked: before the reason, or pointed at under its own title."""
    above = " ".join(breadcrumb)
    if any(not find_anchor(name, text) and not find_anchor(name, above) for name in asked.names):
        return False
    starts = [start for anchor in asked.subjects for start, _ in find_anchor(anchor, text)]
    if not asked.directions or at <= OPENING_CHARACTERS:
        return bool(starts) or any(find_anchor(anchor, above) for anchor in asked.subjects)
    if any(start < at for start in starts):
        return True
    title = breadcrumb[-1] if breadcrumb else ""
    return points_at_move(task, text) and any(find_anchor(anchor, title) for anchor in asked.subjects)


def _list_names(task: ReaderTask) -> tuple[Anchor, ...]:
    """Names in the question that tell one part of the document's subject from others: "Converse", not the company."""
    pages = len(task.view.document.pages)
    return tuple(
        anchor
        for anchor in task.part.anchors
        if anchor.source == "word"
        and anchor.text[:1].isupper()
        and not task.part.text.startswith(anchor.text)
        and 0 < task.view.count_pages(anchor) * COMMON_SHARE <= pages
    )


def _join_before(task: ReaderTask, before: Sentence | None, sentence: Sentence) -> Sentence:
    """A sentence with the one before it in its paragraph where it begins with what that said: "To avoid this, ..."."""
    opening = fold(sentence.text).split()[:OPENING_WORDS]
    is_pointing = bool(frozenset(task.view.lexicon.anaphora) & frozenset(opening)) or points_at_move(
        task, sentence.text
    )
    if before is None or before.paragraph != sentence.paragraph or not is_pointing:
        return sentence
    return Sentence(f"{before.text} {sentence.text}", (*before.extents, *sentence.extents), sentence.paragraph)


def _score(task: ReaderTask, focus: tuple[Anchor, ...], text: str, source: tuple[tuple[str, ...], int]) -> int:
    """Share of the heads that the sentence has, or half of it where a heading has it, and how near the reason is."""
    breadcrumb, at = source
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
    wanted = [anchor for anchor in own if anchor not in find_subjects(task)]
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


def _place_of(cue: str, folded: str) -> int:
    return folded.find(cue) if contains_folded(cue, folded) else -1
