"""The reader of the members of a family that speak of a topic: "which Subcategory deals with backups"."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_extents, limit_quotes
from pipeline.generation.extractive.kin import tell_kin
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.topic_families import find_relatives
from pipeline.generation.extractive.topics import find_topic, read_passive_topic, says_topic
from pipeline.models.answer import Item
from pipeline.text.tokens import split_sentences

if TYPE_CHECKING:
    from pipeline.generation.extractive.kin import Kin, Relatives
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.generation.extractive.topics import Topic, TopicAsked
    from pipeline.models.answer import Certificate

SHAPES = frozenset({"text", "list", "procedure"})
PLACED = frozenset({"place", "section"})
"""Shapes of passive questions: "in which clauses is delay mentioned"."""
QUOTED_CEILING = 600
"""Thousandths of confidence in a passage for a question that asks for a member of a family, of which none was found."""
WIDE_CEILING, NONE_CEILING = 700, 500
MAX_TOLD = 600
"""Characters of a member that are told whole."""


def read_topical(task: ReaderTask) -> Reading | None:
    """The members whose own text says the topic, in document order; None where no family is named or none says it."""
    asked = _find_asked(task)
    if asked is None or task.question.exclusions:
        return None
    family = find_relatives(task, asked)
    if family is None:
        return None
    for is_wide in (False, True):
        chosen = choose_members(family.members, asked.topic, is_wide=is_wide)
        if chosen:
            reading = _tell(task, asked, family, chosen)
            if is_wide and reading is not None:
                return replace(reading, max_confidence=min(WIDE_CEILING, reading.max_confidence))
            return reading
    return _tell_none(task, asked, family)


def _tell_none(task: ReaderTask, asked: TopicAsked, family: Relatives) -> Reading | None:
    """Say that no member says the topic, where all of them were looked at and no list could be an answer either.

    One member that is asked for may be told by a passage in other words, as long as some member says a part of it.
    """
    parts = tuple((anchor,) for words in asked.topic for anchor in words)
    is_near = any(says_topic(parts, member.text, member.name) for member in family.members)
    if not family.is_whole or (task.part.shape != "list" and is_near):
        return None
    ends = (family.members[0], family.members[-1])
    citations = tuple(one for member in ends for one in cite_extents(task.view, member.extents[:1])[:1])
    noun = f"{asked.head.text}" if not asked.is_single else f"members called {asked.head.text}"
    text = f'None of the {len(family.members)} {noun} says "{asked.said}"'
    item = Item(sub_question=task.part.id, text=text, citations=citations, extraction="inferred")
    if not citations:
        return None
    return Reading(
        text=f"{text}.",
        items=(item,),
        certificate=_certify(family.certificate, len(family.members), 0),
        caveats=("only the words of the question were looked for; a member may say it in others",),
        max_confidence=NONE_CEILING,
    )


def _find_asked(task: ReaderTask) -> TopicAsked | None:
    if task.part.shape in PLACED:
        return read_passive_topic(task.part, task.view.lexicon)
    return find_topic(task.part, task.view.lexicon) if task.part.shape in SHAPES else None


def choose_members(members: tuple[Kin, ...], topic: Topic, *, is_wide: bool = False) -> tuple[Kin, ...]:
    """The members of which each says all of the topic in its own text, in their order."""
    return tuple(
        member for member in members if says_topic(topic, member.text, f"{member.label} {member.name}", is_wide=is_wide)
    )


def _tell(task: ReaderTask, asked: TopicAsked, family: Relatives, chosen: tuple[Kin, ...]) -> Reading | None:
    share = task.max_quote_characters // len(chosen)
    items = tuple(item for member in chosen if (item := _build_item(task, asked.topic, member, share)) is not None)
    if not items:
        return None
    certificate = _certify(family.certificate, len(family.members), len(items))
    is_sure = not (asked.is_single and len(items) > 1)
    several = f'{len(items)} of {len(family.members)} say "{asked.said}"; the question asks for one'
    caveats = () if is_sure else (several,)
    reading = Reading(
        text="\n".join(f"- {item.text}" for item in items) if len(items) > 1 else items[0].text,
        items=items,
        is_complete=certificate.verdict != "incomplete",
        has_typed_fit=True,
        has_second_place=certificate.verdict == "complete" and is_sure,
        certificate=certificate,
        caveats=caveats,
    )
    return reading.doubt(family.doubt, QUOTED_CEILING) if family.doubt else reading


def _build_item(task: ReaderTask, topic: Topic, member: Kin, share: int) -> Item | None:
    citations, _ = limit_quotes(cite_extents(task.view, member.extents), share)
    if not citations:
        return None
    return Item(
        sub_question=task.part.id,
        text=tell_kin(member, _cut_text(topic, member)),
        label=member.label,
        citations=citations,
        extraction="verbatim",
    )


def _cut_text(topic: Topic, member: Kin) -> str:
    """All of a short text; of a long one the sentence that says the topic."""
    if len(member.text) <= MAX_TOLD:
        return member.text
    said = (member.text[start:end] for start, end in split_sentences(member.text))
    return next((text for text in said if says_topic(topic, text, member.name)), member.text[:MAX_TOLD])


def _certify(own: Certificate, looked: int, held: int) -> Certificate:
    """The certificate of the family, saying how many of its members were looked at and say the topic."""
    return own.model_copy(update={"why": f"{looked} members were looked at, {held} of them say the topic; {own.why}"})


def mark_unnamed(task: ReaderTask, reading: Reading) -> Reading:
    """A passage with a ceiling where a member of a family was asked for by its topic."""
    if find_topic(task.part, task.view.lexicon) is None:
        return reading
    return replace(reading, max_confidence=min(QUOTED_CEILING, reading.max_confidence))
