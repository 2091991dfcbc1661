"""Which list on the page a question means: enumerations near the evidence, rated against the question."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.generation.extractive.announcing import announces, ends_as_asked, is_of_one, list_subjects, weigh_general
from pipeline.generation.extractive.certificate import list_members
from pipeline.generation.extractive.leadins import leaves_out, list_leaving_out, may_answer, read_lead_in
from pipeline.generation.extractive.meant import keep_meant
from pipeline.generation.extractive.nouns import MAX_PLACES, find_noun, says_word
from pipeline.generation.extractive.weights import weigh_anchor
from pipeline.question.terms import cue_of
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.base import Position
    from pipeline.models.evidence import Evidence
    from pipeline.models.question import Anchor
    from pipeline.models.structure import Enumeration, Extent
    from pipeline.structure.view import DocumentView

# Weights of where an anchor of the question stands, relative to each other: the sentence that introduces a list says
# what it lists; a heading above speaks for all lists under it; members may repeat the word.
FAMILY_WEIGHT, ANNOUNCED_WEIGHT, LEAD_WEIGHT, HEADING_WEIGHT, MEMBER_WEIGHT = 8, 7, 4, 2, 1
# A list with exactly as many members as the question expects, or as its own cue announces, is worth this many anchors.
EXPECTED_BONUS, CUE_BONUS, MISCOUNTED, INLINE_SHARE = 3000, 500, 600, 850
# Thousandths for a lead that ends with what is asked for, and for one that speaks of one of several.
ANNOUNCED_SHARE, OF_ONE_SHARE = 1500, 700
# A list of what is left out answers no question for what is in, nor the other way round.
OPPOSITE_COST = 4
# Series within a sentence and subheadings are lists only by the sentence that introduces them.
LED_KINDS = frozenset({"inline", "headings"})
MIN_NAME = 4
_NAME_END = re.compile(r"\s*[(:;,.\u2013\u2014]|\s-\s")


@dataclass(frozen=True, slots=True)
class RatedList:
    """A list with its score (thousandths of anchor weight) and the anchors that spoke for it."""

    enumeration: Enumeration
    score: int
    matched: frozenset[str]
    rank: int
    has_focus: bool
    focus_share: int
    share: int


def find_introduced(view: DocumentView, lead: Extent) -> Enumeration | None:
    """The list that a sentence introduces by ending right before it; None where none follows."""
    end = (lead.page, lead.line_end)
    for enumeration in view.enumerations_in((lead.page, lead.line_start), (lead.page + 2, 1)):
        if any((extent.page, extent.line_end) == end for extent in enumeration.lead_extents):
            return enumeration
    return None


def rate_lists(task: ReaderTask) -> tuple[RatedList, ...]:
    """The lists near the evidence that may be meant, best first; ties by the rank of their evidence, then by place."""
    noun = find_noun(task)
    # a list that carries less of what was asked for is some other list
    least = task.view.lexicon.thresholds.list_meant
    meant = (entry for entry in list_rated(task) if entry.has_focus and entry.share >= least)
    named = (entry for entry in meant if _names_noun(task, entry, noun) and _holds_topic(task, entry, noun))
    return tuple(keep_meant(task, _prefer_part(sorted(named, key=_order))))


def _prefer_part(rated: list[RatedList]) -> tuple[RatedList, ...]:
    """The lists with a part of the best one first where that says all that the whole says, and more of the question.

    Of "duties: by day ..., by night ..." the question for the duties by night means the part.
    """
    for entry in rated[1:]:
        whole, part = rated[0].enumeration, entry.enumeration
        is_inside = whole.start <= part.start and part.end <= whole.end and part.kind == whole.kind
        if is_inside and rated[0].matched < entry.matched:
            return (entry, *(other for other in rated if other is not entry and other is not rated[0]))
    return tuple(rated)


def list_rated(task: ReaderTask) -> tuple[RatedList, ...]:
    """All lists near the evidence with their rating, in the order in which they were found."""
    rated: dict[tuple[Position, Position, str], RatedList] = {}
    for rank, piece in enumerate(task.evidence):
        for start, end in _ranges(task, piece):
            for enumeration in task.view.enumerations_in(start, end):
                key = (enumeration.start, enumeration.end, enumeration.kind)
                if key not in rated and may_answer(task, enumeration):
                    rated[key] = _rate(task, enumeration, rank)
    return tuple(rated.values())


def _holds_topic(task: ReaderTask, entry: RatedList, noun: Sequence[Anchor]) -> bool:
    """Whether the topic of "which <noun> deal with <topic>" stands in the list at all, be it in one member."""
    if not fold(task.part.text).startswith(cue_of(task.view.lexicon.value_cues, "selects")):
        return True
    nouns = {anchor.key for anchor in noun} | list_subjects(task)
    topics = [anchor for anchor in task.part.focus if anchor.source == "word" and anchor.key not in nouns]
    missing = [anchor for anchor in topics if anchor.key not in entry.matched and task.view.positions_of(anchor)]
    text = " ".join(item.text for item in entry.enumeration.items)
    return all(find_anchor(anchor, text) for anchor in missing)


def _names_noun(task: ReaderTask, entry: RatedList, noun: Sequence[Anchor]) -> bool:
    """Whether a list may be one of what is asked for: led in by the noun, or else by a noun that the document has."""
    if not noun:
        return True
    if entry.enumeration.kind in LED_KINDS:
        # of "blood products" the products are listed, not what else a sentence says of blood
        heads = noun[-1:] if entry.enumeration.kind == "inline" else noun
        return any(find_anchor(anchor, read_lead_in(task.view, entry.enumeration)) for anchor in heads)
    return any(anchor.key in entry.matched or says_word(task, anchor) for anchor in noun)


def is_announced(task: ReaderTask, enumeration: Enumeration) -> bool:
    """Whether what is asked for stands where a list is announced: in its lead, its header, its marks or a heading."""
    noun = find_noun(task)
    section = task.view.document.section_at(enumeration.start)
    above = (*section.breadcrumb, section.title) if section is not None else ()
    marks = (item.marker for item in enumeration.items)
    text = " ".join((read_lead_in(task.view, enumeration), read_header(task.view, enumeration), *above, *marks))
    return not noun or any(find_anchor(anchor, text) for anchor in noun)


def _order(entry: RatedList) -> tuple[int, int, Position, str]:
    # the focus is the filter: what a list carries of it counts twice
    return (-entry.score * (1000 + entry.focus_share), entry.rank, entry.enumeration.start, entry.enumeration.kind)


def _ranges(task: ReaderTask, piece: Evidence) -> Sequence[tuple[Position, Position]]:
    """Where to look for lists: the section of the evidence, else the pages that it stands on."""
    section = piece.candidate.section
    if section is not None:
        found = task.view.document.sections[section]
        return ((found.start, found.end),)
    spans = piece.candidate.spans
    return tuple(((span.page, 1), (span.page + 1, 1)) for span in spans)


def _rate(task: ReaderTask, enumeration: Enumeration, rank: int) -> RatedList:
    section = task.view.document.section_at(enumeration.start)
    heading = " ".join((*section.breadcrumb, section.title)) if section else ""
    # A captioned table floats: where it landed on the page says nothing, its caption and headers do.
    heading = read_header(task.view, enumeration) or heading
    # where no sentence introduces a list, the title right above it does
    title = section.title if section is not None else ""
    lead = read_lead_in(task.view, enumeration) or (title if enumeration.kind not in LED_KINDS else "")
    members = [f"{item.marker} {item.head} {item.text}" for item in enumeration.items]
    names = [_NAME_END.split((item.head or item.text).strip(), maxsplit=1)[0] for item in enumeration.items]
    score, matched, is_led = 0, set(), False
    for anchor in task.part.anchors:
        is_name = _is_capital_name(task, anchor)
        points = 0 if _is_member(anchor, names) else _rate_anchor(anchor, (lead, heading), members, is_name=is_name)
        is_led = is_led or points >= LEAD_WEIGHT
        if points:
            matched.add(anchor.key)
            score += points * weigh_anchor(task.view, anchor)
    said = f"{lead} {title}"
    if leaves_out(task.part.text, task.view.lexicon) == leaves_out(said, task.view.lexicon):
        # both say that something is left out, be it in other words
        out = [anchor for anchor in task.part.anchors if anchor.key in list_leaving_out(task) - matched]
        matched.update(anchor.key for anchor in out)
        score += sum(LEAD_WEIGHT * weigh_anchor(task.view, anchor) for anchor in out)
    else:
        score //= OPPOSITE_COST
    score = _weigh_form(task, enumeration, lead, score, has_match=bool(matched))
    # Retrieval has judged the place; a list far from the best place needs to say much more to be the one meant.
    best, own = task.evidence[0].candidate.score, task.evidence[rank].candidate.score
    subjects = list_subjects(task)
    matched |= subjects if is_led else set()
    focus = {anchor.key for anchor in task.part.focus}
    required = {anchor.key for anchor in task.part.focus if anchor.is_required}
    return RatedList(
        enumeration=enumeration,
        score=score * own // best if score > 0 and best > own else score,
        matched=frozenset(matched),
        rank=rank,
        has_focus=required <= matched and (is_led or enumeration.kind not in LED_KINDS),
        focus_share=_share(task.view, task.part.focus, matched),
        share=1000 if focus and focus <= matched else _share(task.view, task.part.anchors, matched),
    )


def _weigh_form(task: ReaderTask, enumeration: Enumeration, lead: str, score: int, *, has_match: bool) -> int:
    """The score of a list by its number of members, and by whether its lead ends with what is asked for."""
    expected, member_count = task.part.expected_count, len(list_members(enumeration))
    if expected is not None and has_match:
        score += EXPECTED_BONUS if expected in (member_count, enumeration.cue) else -EXPECTED_BONUS
    if enumeration.cue == member_count:
        score += CUE_BONUS
    elif enumeration.cue:
        # what is announced as five is not the list of six
        score = score * MISCOUNTED // 1000
    heads = find_noun(task)[-1:]
    if any(announces(task, head, lead) for head in heads) or ends_as_asked(task, lead):
        score = score * ANNOUNCED_SHARE // 1000
    elif any(is_of_one(task, head, lead) for head in heads):
        score = score * OF_ONE_SHARE // 1000
    score = score * weigh_general(task, lead) // 1000
    if enumeration.kind in LED_KINDS and score > 0:
        # a series in a sentence gives examples, and headings tell topics, where a list that is set apart gives all
        score = score * INLINE_SHARE // 1000
    return score


def read_header(view: DocumentView, enumeration: Enumeration) -> str:
    """Caption and column headers of the table whose rows the list is."""
    return "".join(f" {part}" for part in list_headers(view, enumeration))


def list_headers(view: DocumentView, enumeration: Enumeration) -> tuple[str, ...]:
    """Caption and column headers of the table whose rows the list is, each for itself."""
    if enumeration.kind != "table_rows":
        return ()
    holding = [table for table in view.tables_on(enumeration.start[0]) if table.start <= enumeration.start < table.end]
    return tuple(part for table in holding for part in (table.title, *table.header))


def _share(view: DocumentView, anchors: Sequence[Anchor], matched: set[str]) -> int:
    """Thousandths of the weight of the single words among anchors that are matched; compounds repeat their words."""
    single = [anchor for anchor in anchors if anchor.source != "compound"] or anchors
    total = sum(weigh_anchor(view, anchor) for anchor in single)
    carried = sum(weigh_anchor(view, anchor) for anchor in single if anchor.key in matched)
    return carried * 1000 // max(1, total)


def _is_capital_name(task: ReaderTask, anchor: Anchor) -> bool:
    """Whether a word is a name that the document sets in capitals: what is identified has not to do with IDENTIFY."""
    name = anchor.text
    if not name.isupper() or len(name) < MIN_NAME or anchor.source != "word":
        return False
    lines = (task.view.document.line_at(*place) for place in task.view.positions_of(anchor)[:MAX_PLACES])
    return any(name in line.text for line in lines if line is not None)


def _rate_anchor(anchor: Anchor, above: tuple[str, str], members: Sequence[str], *, is_name: bool) -> int:
    lead, heading = above
    if is_name:
        # in capitals or with one: "GOVERN" and "Govern" are the name, "governs" is not
        name = re.compile(rf"\b(?:{re.escape(anchor.text)}|{re.escape(anchor.text.capitalize())})\b")
        if name.search(lead):
            return LEAD_WEIGHT
        if name.search(heading):
            return HEADING_WEIGHT
        return MEMBER_WEIGHT if sum(bool(name.search(member)) for member in members) * 2 >= len(members) else 0
    if anchor.source == "identifier" and all(fold(member).startswith(fold(anchor.text)) for member in members):
        return FAMILY_WEIGHT
    if spans := find_anchor(anchor, lead):
        return ANNOUNCED_WEIGHT if _is_announced(lead, spans[-1]) else LEAD_WEIGHT
    if find_anchor(anchor, heading):
        return HEADING_WEIGHT
    holding = sum(1 for member in members if find_anchor(anchor, member))
    return MEMBER_WEIGHT if holding * 2 >= len(members) else 0


def _is_announced(lead: str, span: tuple[int, int]) -> bool:
    """Whether a lead ends with the word: "It includes the following components:" says what its members are."""
    return lead.rstrip().endswith(":") and not any(map(str.isalnum, lead[span[1] :]))


def _is_member(anchor: Anchor, names: Sequence[str]) -> bool:
    """Whether a thing that the question names is itself one of the members: the list of its siblings, not of its parts.

    A member is named by its head or its first words, up to a mark: "DETECT (DE): ..." is "DETECT".
    """
    if anchor.source not in ("word", "compound", "concept"):
        return False
    return sum(1 for name in names if find_anchor(anchor, name)[:1] == ((0, len(name)),)) == 1


def find_companions(task: ReaderTask, rated: Sequence[RatedList]) -> tuple[RatedList, ...]:
    """Further lists of the section of the best one whose leads name what the best one leaves out.

    "responsibilities and qualifications" are two lists under one heading; each is introduced by its own name.
    """
    best = rated[0]
    home = task.view.document.section_at(best.enumeration.start)
    named = _lead_keys(task, best) | best.matched
    companions: list[RatedList] = []
    for entry in rated[1:]:
        fresh = _lead_keys(task, entry) - named
        if fresh and task.view.document.section_at(entry.enumeration.start) == home:
            companions.append(entry)
            named |= fresh
    return tuple(companions)


def _lead_keys(task: ReaderTask, entry: RatedList) -> set[str]:
    return {anchor.key for anchor in task.part.anchors if find_anchor(anchor, entry.enumeration.lead)}
