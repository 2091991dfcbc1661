"""Lists as families: what stands over a list calls its members what a question asks for by their topic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.announcing import announces
from pipeline.generation.extractive.certificate import certify_list, join_certificates, list_members
from pipeline.generation.extractive.kin import Relatives, as_kin, list_named
from pipeline.generation.extractive.leadins import read_lead_in
from pipeline.generation.extractive.lists import list_headers, list_rated
from pipeline.generation.extractive.verdict import is_subject
from pipeline.models.lexicon import singular
from pipeline.question.anchors import make_word_anchor
from pipeline.question.terms import cue_of
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.generation.extractive.topics import TopicAsked
    from pipeline.models.question import Anchor
    from pipeline.models.structure import Enumeration
    from pipeline.question.terms import Word

OPENING_WORDS = 6
FIRST_HEADS = 2
"""The caption of a table and the head of its first column say what its rows are."""


def read_lists(task: ReaderTask, asked: TopicAsked) -> Relatives | None:
    """The members of the lists that the noun leads or heads, and of what it is narrowed to: "duties of the clerk"."""
    head = _widen_head(task, asked.head)
    is_plain = asked.head.folded in cue_of(task.view.lexicon.value_cues, "member nouns")
    narrowing = list_named(task, (*asked.modifiers, *asked.tail))
    # what the document is about is said at none of its lists
    least = [anchor for anchor in narrowing if not is_subject(task, anchor)]
    rated: list[tuple[int, Enumeration]] = []
    for entry in list_rated(task):
        nearest, around = _read_above(task, entry.enumeration)
        said = sum(bool(find_anchor(anchor, f"{nearest} {around}")) for anchor in narrowing)
        # a part of something is whatever is listed of it
        is_named = _is_named(task, entry.enumeration, head) or (is_plain and 0 < said == len(narrowing))
        if is_named and said * 2 >= len(least):
            rated.append((said, entry.enumeration))
    best = max((said for said, _ in rated), default=0)
    chosen = _drop_parts([own for said, own in rated if said == best])
    if not chosen or (least and not best):
        return None
    members = tuple(as_kin(item) for own in chosen for item in list_members(own) if item.extents)
    certificate = join_certificates([certify_list(task.part.id, own, []) for own in chosen])
    return Relatives(members, certificate, _tell_doubt(task, chosen, head, least))


def _tell_doubt(
    task: ReaderTask, chosen: Sequence[Enumeration], head: Sequence[Anchor], narrowing: Sequence[Anchor]
) -> str:
    """What speaks against lists as the family that is asked for; "" for nothing."""
    missed = [anchor.text for anchor in narrowing if not _is_said(task, anchor, chosen)]
    if missed:
        return f'the list does not say "{" ".join(missed)}"'
    if len(chosen) > 1:
        pages = ", ".join(dict.fromkeys(str(own.start[0]) for own in chosen))
        return f"{len(chosen)} lists are called so, on pages {pages}"
    # a table under a heading has rows of any kind
    over = " ".join((read_lead_in(task.view, chosen[0]), *list_headers(task.view, chosen[0])[:FIRST_HEADS]))
    is_loose = chosen[0].kind == "table_rows" and not any(find_anchor(anchor, over) for anchor in head)
    return "only the heading over the table says what its rows are" if is_loose else ""


def _is_named(task: ReaderTask, own: Enumeration, head: Sequence[Anchor]) -> bool:
    """Whether a list is of the noun: what stands over it has the noun; a series in a sentence is announced by it."""
    if own.kind == "inline":
        return any(announces(task, anchor, read_lead_in(task.view, own)) for anchor in head)
    return any(find_anchor(anchor, _read_above(task, own)[0]) for anchor in head)


def _is_said(task: ReaderTask, anchor: Anchor, chosen: Sequence[Enumeration]) -> bool:
    return all(find_anchor(anchor, " ".join(_read_above(task, own))) for own in chosen)


def _widen_head(task: ReaderTask, head: Word) -> tuple[Anchor, ...]:
    """The anchor of a noun, and those of the other nouns for the same: duties are called responsibilities."""
    lexicon = task.view.lexicon
    own = make_word_anchor(head, lexicon)
    kin = (cue.phrases for cue in lexicon.value_cues if cue.label.startswith("kin ") and head.folded in cue.phrases)
    words = [head._replace(text=word, folded=word, start=0, end=len(word)) for group in kin for word in group]
    others = (make_word_anchor(word, lexicon) for word in words)
    return tuple({anchor.key: anchor for anchor in (own, *others)}.values())


def _read_above(task: ReaderTask, own: Enumeration) -> tuple[str, str]:
    """What calls the members of a list something (lead, heads of a table, heading), and what stands around it."""
    section = task.view.document.section_at(own.start)
    title = section.title if section is not None else ""
    nearest = " ".join((read_lead_in(task.view, own), *list_headers(task.view, own), title))
    return nearest, " ".join(section.breadcrumb) if section is not None else ""


def _drop_parts(found: Sequence[Enumeration]) -> list[Enumeration]:
    """Lists in document order without those that stand inside another one, or are the same read otherwise."""
    kept: list[Enumeration] = []
    for own in sorted(found, key=lambda each: (each.kind == "inline", each.start, -len(each.items), each.kind)):
        if not any(own.start < other.end and other.start < own.end for other in kept):
            kept.append(own)
    return sorted(kept, key=lambda each: each.start)


def read_coded(task: ReaderTask, asked: TopicAsked) -> Relatives | None:
    """A list of things with codes, not under the noun but led by it: "The Functions - GOVERN (GV), ... - are"."""
    if asked.tail:
        return None
    head = make_word_anchor(asked.head, task.view.lexicon)
    for entry in list_rated(task):
        own = entry.enumeration
        lead = " ".join(read_lead_in(task.view, own).split()[:OPENING_WORDS])
        if own.kind == "identifier" and _says_plural(head, lead):
            members = tuple(as_kin(item) for item in list_members(own) if item.extents)
            return Relatives(members, certify_list(task.part.id, own, []))
    return None


def _says_plural(head: Anchor, lead: str) -> bool:
    said = [fold(lead[start:end]) for start, end in find_anchor(head, lead)]
    return any(singular(word) != word for word in said)
