"""Lists told sentence by sentence: "We consider three goals. One is ... Another is ... The third is ..."."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_extents
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.sentences import evidence_lines, split_evidence
from pipeline.models.answer import Certificate, DetectorCount, Item
from pipeline.question.shape import read_count
from pipeline.question.terms import cue_of, split_words
from pipeline.structure.cues import find_cue, read_cardinal
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.generation.extractive.sentences import Sentence

READ_PIECES, MAX_LINES_AFTER, MAX_BETWEEN, MIN_MEMBERS = 6, 24, 6, 2
OPENING_WORDS = 4


def read_told_apart(task: ReaderTask) -> Reading | None:
    """The members that sentences tell one after the other; None where the question asks for no number of things.

    The sentence before the first one has to say what they are, with most of what the question says.
    """
    words = split_words(task.part.text, task.view.lexicon)
    counts = (read_cardinal(word.folded, task.view.lexicon.language) for word in words[:OPENING_WORDS])
    asked = read_count(words, task.view.lexicon) or next((count for count in counts if count is not None), None)
    if asked is None and task.part.shape != "list":
        return None
    best: tuple[int, Sentence, tuple[Sentence, ...]] | None = None
    for lead, members in _list_told(task):
        share = _weigh_lead(task, lead)
        is_counted = asked in (None, len(members))
        if share >= task.view.lexicon.thresholds.displayed and is_counted and (best is None or share > best[0]):
            best = (share, lead, members)
    return _build_reading(task, best[1], best[2], asked) if best is not None else None


def _list_told(task: ReaderTask) -> Iterator[tuple[Sentence, tuple[Sentence, ...]]]:
    firsts = cue_of(task.view.lexicon.value_cues, "first told")
    later = cue_of(task.view.lexicon.value_cues, "later told")
    for piece in task.evidence[:READ_PIECES]:
        own = evidence_lines(task.view, piece)
        if not own:
            continue
        page, number = own[-1].page, own[-1].number
        after = task.view.lines_in((page, number + 1), (page + 1, 1))[:MAX_LINES_AFTER]
        sentences = split_evidence((*own, *(line for line in after if line.is_evidence)))
        for at in range(1, len(sentences)):
            if not fold(sentences[at].text).startswith(firsts):
                continue
            members = _split_told(sentences[at], later)
            last = at
            for place in range(at + 1, len(sentences)):
                if place - last > MAX_BETWEEN:
                    break
                if fold(sentences[place].text).startswith(later):
                    members.append(sentences[place])
                    last = place
            if len(members) >= MIN_MEMBERS:
                yield sentences[at - 1], tuple(members)


def _split_told(sentence: Sentence, later: Sequence[str]) -> list[Sentence]:
    """The members that one sentence tells: "The first is a kiln, and the second is a loft."."""
    cues = "|".join(re.escape(cue) for cue in later if cue[-1:].isalnum())
    joint = re.compile(rf"(?:[,;]\s(?:and\s|while\s)?|\sand\s)(?=(?:{cues})\b)", re.IGNORECASE)
    return [replace(sentence, text=text) for text in joint.split(sentence.text)]


def _weigh_lead(task: ReaderTask, lead: Sentence) -> int:
    """Thousandths of the weight of the single words of the question that stand in the lead or a title above it."""
    section = task.view.document.section_at(lead.start)
    text = " ".join((lead.text, *((*section.breadcrumb, section.title) if section is not None else ())))
    words = [anchor for anchor in task.part.anchors if anchor.source != "compound"]
    held = sum(anchor.weight for anchor in words if find_anchor(anchor, text))
    return held * 1000 // max(1, sum(anchor.weight for anchor in words))


def _build_reading(task: ReaderTask, lead: Sentence, members: Sequence[Sentence], asked: int | None) -> Reading | None:
    head = cite_extents(task.view, lead.extents)
    items: list[Item] = []
    for member in members:
        citations = cite_extents(task.view, member.extents)
        if citations:
            citations = (*head, *citations) if not items else citations
            items.append(Item(sub_question=task.part.id, text=member.text, citations=citations, extraction="verbatim"))
    if len(items) < len(members):
        return None
    cue = find_cue(lead.text, len(items), task.view.lexicon) or asked
    is_whole = cue in (None, len(items))
    certificate = Certificate(
        sub_question=task.part.id,
        denominator=cue,
        denominator_source="stated" if cue is not None else "none",
        denominator_quote=lead.text if cue is not None else "",
        detectors=(DetectorCount(detector="sentences", item_count=len(items)),),
        item_count=len(items),
        is_end_seen=is_whole,
        gaps=(),
        verdict="unverified" if cue is None else "complete" if is_whole else "incomplete",
        why=f"{len(items)} sentences tell one member each",
    )
    return Reading(
        text="\n".join(f"- {item.text}" for item in items),
        items=tuple(items),
        is_complete=is_whole,
        has_typed_fit=True,
        has_second_place=cue == len(items),
        certificate=certificate,
    )
