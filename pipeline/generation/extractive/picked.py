"""Which figure of which sentence fits a question: all that the question says, said of that figure or around it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.included import join_included, keep_asked, says_bounds
from pipeline.generation.extractive.opposites import says_border
from pipeline.generation.extractive.prose import is_of_other
from pipeline.generation.extractive.shares import list_shares
from pipeline.generation.extractive.sightings import list_whole_sights
from pipeline.generation.extractive.staffed import heads_staff, is_single, is_working, rate_employed
from pipeline.generation.extractive.wanted import is_narrowed
from pipeline.models.lexicon import singular
from pipeline.question.terms import cue_of
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import contains_folded, fold
from pipeline.text.numbers import find_years

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.prose import Sight
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.generation.extractive.shares import Share
    from pipeline.generation.extractive.wanted import Wanted
    from pipeline.models.question import Anchor

# Thousandths of the weight of what a sentence has to say: all but a small word, more where no figure is asked for.
MIN_COVER, MIN_LOOSE_COVER, MIN_DATED_COVER = 780, 900, 700
FULL_COVER = 1000
LENT_PERCENT, NAMED_POINTS = 50, 50
PART_BONUS, YEAR_BONUS, WHOLE_BONUS, EXACT_BONUS = 50, 100, 100, 50
UNSAID_COST, FOREIGN_COST, PARTIAL_COST = 100, 150, 150
RANK_COST, MAX_RANK = 5, 10
NEAR_POINTS = 60
"""Two sentences that differ by less speak of the same as far as the question tells."""


class Pick(NamedTuple):
    """The figure of a sentence that fits a question, with its points and what of the question is said of it alone.

    `is_told` where its part, period or place among others says that it is meant; else only nearness can tell.
    """

    share: Share
    sight: Sight
    score: int
    cover: int
    chosen: int
    is_told: bool


def list_picks(task: ReaderTask, wanted: Wanted) -> list[Pick]:
    """The fitting figure of each sentence of the evidence, best first."""
    picks = []
    least = MIN_LOOSE_COVER if wanted.is_loose else MIN_COVER
    lowest = min(least, MIN_DATED_COVER)
    sights = list(list_whole_sights(task, is_staff(task, wanted)))
    paragraphs: dict[tuple[int, int], frozenset[str]] = {}
    for sight in sights:
        place = (sight.rank, sight.sentence.paragraph)
        paragraphs[place] = paragraphs.get(place, frozenset()) | sight.own
    for sight in sights:
        if task.part.shape == "count" and _is_drawn(task, sight):
            continue  # a picture shows some of what is counted: "two different heads"
        # what a paragraph is about is said in it once
        sight = sight._replace(lent=sight.lent | paragraphs[(sight.rank, sight.sentence.paragraph)])
        if _cover(wanted.needs, _list_said(task, wanted, sight.sentence.text), sight.lent) < lowest:
            continue
        pick = pick_share(task, wanted, sight)
        is_dated = pick is not None and pick.share.is_aligned and bool(pick.share.years & wanted.years)
        if pick is not None and pick.cover >= (lowest if is_dated else least):
            picks.append(pick)
    ordered = sorted(picks, key=lambda pick: (-pick.score, pick.sight.rank, pick.sight.sentence.start))
    if ordered and task.part.shape == "count" and not ordered[0].chosen:
        # a part of what is counted is never more than all of it
        near = [pick for pick in ordered if pick.score + NEAR_POINTS >= ordered[0].score]
        near.sort(key=lambda pick: -(pick.share.typed.number or 0))
        ordered = [*near, *(pick for pick in ordered if pick not in near)]
    return ordered


def _is_drawn(task: ReaderTask, sight: Sight) -> bool:
    """Whether a sentence stands in the caption of a figure."""
    page, line = sight.sentence.start
    extents = (caption.extent for caption in task.view.captions if caption.kind == "figure")
    return any(extent.page == page and extent.line_start <= line <= extent.line_end for extent in extents)


def is_staff(task: ReaderTask, wanted: Wanted) -> bool:
    """Whether people who work somewhere are counted."""
    return wanted.noun in {singular(word) for word in cue_of(task.view.lexicon.value_cues, "staff")}


def _is_staffed(task: ReaderTask, wanted: Wanted, text: str, share: Share) -> bool:
    return is_staff(task, wanted) and heads_staff(text, share, task.view.lexicon)


def pick_share(task: ReaderTask, wanted: Wanted, sight: Sight) -> Pick | None:
    """The figure of one sentence that is of what is asked; None where its figures are of something else."""
    text = sight.sentence.text
    stated = list_shares(text, task.view.lexicon)
    if not says_border(task, text) or not says_bounds(task, text):
        return None
    of_part = keep_asked(task, text, stated)
    shares = [share for share in of_part if _fits(task, wanted, share) and not is_of_other(task, text, share.typed)]
    shares = join_included(task, text, shares)
    if is_staff(task, wanted):
        shares = [share for share in shares if is_working(text, share, task.view.lexicon)]
    if not shares:
        return None
    kind = next((kind for kind in wanted.kinds if any(share.kind == kind for share in shares)), "")
    shares = [share for share in shares if share.kind == kind]
    said = [(_list_said(task, wanted, share.own), _list_said(task, wanted, share.common)) for share in shares]
    shared = frozenset.intersection(*(own | common for own, common in said))
    named = _count_named(task, shares)
    picks = []
    for order, (share, (own, common)) in enumerate(zip(shares, said, strict=True)):
        chosen = _weigh(wanted.needs, (own | common) - shared) + NAMED_POINTS * named[order]
        spare = _list_said(task, wanted, share.spare)
        cover = _cover(wanted.needs, own | common | spare, sight.lent)
        # a figure without a noun counts what is said before its list, when it is one of the list's parts
        is_named = bool(share.nouns or chosen or not wanted.noun)
        if wanted.parts - own - common or not (is_named or _is_staffed(task, wanted, text, share)):
            continue
        picks.append((chosen, _rate_years(wanted, share), _is_whole(task, share), -order, cover, share))
    if not picks:
        return None
    # a figure that another part of the question is said of gives way to it, whatever else speaks for it
    chosen, _, whole, _, cover, share = max(picks, key=lambda pick: pick[:4])
    if not _is_clear(wanted, share, shares, chosen) or is_narrowed(task, wanted, text):
        return None
    score = cover + PART_BONUS * bool(chosen and not wanted.role) + WHOLE_BONUS * (whole and not chosen)
    years = share.years or _years_in(share.common)
    score += YEAR_BONUS if years & wanted.years else -UNSAID_COST * bool(wanted.years)
    score += rate_employed(text, share, task.view.lexicon) if is_staff(task, wanted) else 0
    score += EXACT_BONUS * _says_exactly(wanted, text) - PARTIAL_COST * _is_partial(task, text)
    score -= FOREIGN_COST * (not chosen and _is_foreign(task, share)) + RANK_COST * min(sight.rank, MAX_RANK)
    # a figure among others, or one next to what it counts, in a sentence that says all of the question
    is_near = len(shares) < sum(other.kind == kind for other in stated) or bool(wanted.noun and share.nouns)
    is_full = is_near and cover >= FULL_COVER and not sight.sentence.text[share.typed.start].isalpha()
    is_dated = bool(share.years & wanted.years) and sum(other.kind == kind for other in stated) > 1
    is_told = bool(chosen or wanted.role or wanted.parts or share.is_aligned or len(shares) > 1 or is_dated or is_full)
    return Pick(share, sight, score, cover, chosen, is_told)


def _count_named(task: ReaderTask, shares: Sequence[Share]) -> list[int]:
    """How many words of the question, small ones too, only the name of one member of a list has ("six months")."""
    asked = set(fold(task.part.text).replace("?", " ").split())
    words = [set(fold(share.label).split()) if share.is_aligned and not share.years else set() for share in shares]
    return [
        len(
            (own & asked)
            - set().union(*(other for other in words if other is not own), task.view.lexicon.stop_word_set)
        )
        for own in words
    ]


def _fits(task: ReaderTask, wanted: Wanted, share: Share) -> bool:
    if share.kind not in wanted.kinds or share.is_open:
        return False
    if wanted.role != share.role and not (not wanted.role and share.role in ("to", "from")):
        return False
    if wanted.years:
        around = _years_in(share.common)
        if share.years and not share.years & wanted.years:
            return False
        if not share.years and around and not around & wanted.years:
            return False
    if share.role == "from" and not wanted.role and not share.years & wanted.years:
        return False
    if share.kind == "number" and not (wanted.noun or wanted.role or share.is_aligned):
        return False  # a bare number is known by what stands next to it
    return not wanted.noun or _counts(task, wanted.noun, share)


def _counts(task: ReaderTask, noun: str, share: Share) -> bool:
    """Whether a figure counts the noun: it stands behind it, or before the list that the figure is one of."""
    forms = _widen(task, noun)
    lexicon = task.view.lexicon
    if not share.nouns:
        return any(contains_folded(form, fold(share.common)) for form in sorted(forms))
    endings = (*lexicon.verb_endings, *lexicon.adverb_endings)
    heads = [word for word in share.nouns if not word.endswith(endings)][-1:]
    # "15 employee groups" counts groups; "100 employees work" counts employees
    counted = [word for word in share.nouns if not is_single(word, lexicon)]
    plurals = [word for word in counted if singular(word) != word or word in forms & {noun}]
    return any(singular(word) in forms for word in (*heads, *plurals))


def _widen(task: ReaderTask, noun: str) -> set[str]:
    staff = {singular(word) for word in cue_of(task.view.lexicon.value_cues, "staff")}
    return staff | {noun} if noun in staff else {noun, f"{noun}s"}


def _list_said(task: ReaderTask, wanted: Wanted, text: str) -> frozenset[str]:
    """Keys of the needs that a text says; other words for people who work somewhere count for each other."""
    staff = cue_of(task.view.lexicon.value_cues, "staff")
    folded = fold(text)
    has_staff = any(contains_folded(word, folded) for word in staff)
    return frozenset(
        anchor.key
        for anchor in wanted.needs
        if _says(task, anchor, text) or (has_staff and anchor.forms[0] in staff and anchor.source == "word")
    )


def _says(task: ReaderTask, anchor: Anchor, text: str) -> bool:
    """Whether a text says an anchor: by its forms, or a place by another of its names."""
    if anchor.forms[0] not in task.view.lexicon.stop_word_set and find_anchor(anchor, text):
        return True
    for cue in task.view.lexicon.value_cues:
        if cue.label.startswith("place ") and anchor.text.rstrip(".") in " ".join(cue.phrases).split():
            # "US" is a place only in capitals
            return any(re.search(rf"\b{re.escape(name)}\b", text) for name in cue.phrases)
    return False


def _weigh(needs: Sequence[Anchor], keys: frozenset[str]) -> int:
    return sum(anchor.weight for anchor in needs if anchor.key in keys)


def _cover(needs: Sequence[Anchor], own: frozenset[str], lent: frozenset[str]) -> int:
    total = sum(anchor.weight for anchor in needs)
    return (_weigh(needs, own) + _weigh(needs, lent - own) * LENT_PERCENT // 100) * 1000 // (total or 1)


def _years_in(text: str) -> frozenset[int]:
    return frozenset(year for _, _, year in find_years(text))


def _rate_years(wanted: Wanted, share: Share) -> int:
    """What the years of a figure speak for it: the one asked for, else the latest of a list."""
    if wanted.years:
        return int(bool(share.years & wanted.years))
    return max(share.years, default=0) if share.is_aligned else 0


def _is_whole(task: ReaderTask, share: Share) -> bool:
    own = fold(share.own)
    return any(contains_folded(cue, own) for cue in cue_of(task.view.lexicon.value_cues, "whole"))


def _is_clear(wanted: Wanted, share: Share, shares: Sequence[Share], chosen: int) -> bool:
    """Whether it is told which of several figures is asked for: by a part, a year, or because the first is of all."""
    if chosen or len(shares) == 1 or wanted.role:
        return True
    if share.is_aligned:
        same = [other for other in shares if other.is_aligned and other.years == share.years]
        return bool(share.years) and len(same) == 1
    # "1,200 large and 400 small shops": neither is how many shops there are
    heads = [other for other in shares if other is not share and other.nouns[-1:] == share.nouns[-1:]]
    is_split = any(len(other.nouns) > 1 and len(share.nouns) > 1 and other.nouns != share.nouns for other in heads)
    return not is_split and (not wanted.is_loose or bool(share.years & wanted.years))


def _says_exactly(wanted: Wanted, text: str) -> bool:
    """Whether a sentence has the concepts of the question in its own words, not in others for the same."""
    folded = fold(text)
    concepts = [anchor for anchor in wanted.needs if anchor.source == "concept"]
    return all(contains_folded(anchor.forms[0], folded) for anchor in concepts)


def _is_partial(task: ReaderTask, text: str) -> bool:
    """Whether a sentence speaks of a part of a year that the question does not name."""
    folded, asked = fold(text), fold(task.part.text)
    cues = cue_of(task.view.lexicon.calculation_cues, "partial")
    return any(contains_folded(cue, folded) and not contains_folded(cue, asked) for cue in cues)


def _is_foreign(task: ReaderTask, share: Share) -> bool:
    """Whether a figure is of a part by name that the question does not name."""
    asked = fold(task.part.text)
    if any(contains_folded(word, fold(share.own)) for word in cue_of(task.view.lexicon.value_cues, "mostly")):
        return False  # "5,000 people, primarily in Norland" are all people
    names = [word for word in share.label.split() if word[:1].isupper() and word[:1].isalpha()]
    return any(not contains_folded(fold(name).strip("().,"), asked) for name in names) and not share.years
