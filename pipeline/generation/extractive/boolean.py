"""The reader of yes/no questions: the governing sentence with its polarity; no verdict where it is not explicit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_extents
from pipeline.generation.extractive.membership import find_membership
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.sentences import Sentence, evidence_lines, split_evidence
from pipeline.generation.extractive.verdict import has_condition, judge, read_asked
from pipeline.models.answer import Item
from pipeline.question.terms import cue_of
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import contains_folded, fold
from pipeline.text.numbers import find_years

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.generation.extractive.verdict import Asked, Verdict

MAX_SENTENCES = 3
MAX_JUDGED = 30


def read_boolean(task: ReaderTask) -> Reading | None:
    """Quote the sentences that say most of what was asked: yes or no where they say it, else with their polarity."""
    ranked = _rank_sentences(task)
    if not ranked:
        return None
    decided = _decide(task, ranked)
    if decided is not None:
        return decided
    best_share = ranked[0][0]
    chosen = [entry for entry in ranked if entry[0] == best_share][:MAX_SENTENCES]
    items = [item for _, sentence in chosen if (item := _build_item(task, sentence)) is not None]
    if not items:
        return None
    polarity = items[0].qualifiers
    # A sentence governs a yes/no question only when most of what was asked stands in it.
    is_explicit = best_share >= task.view.lexicon.thresholds.governing and bool(polarity)
    lead = f"The text says ({', '.join(polarity)}): " if is_explicit else "No explicit statement; the nearest: "
    caveats = () if is_explicit else ("no sentence decides the question explicitly",)
    return Reading(
        text=lead + " ".join(item.text for item in items),
        items=tuple(items),
        has_typed_fit=is_explicit,
        has_second_place=len(items) > 1 and len({item.qualifiers for item in items}) == 1,
        caveats=caveats,
    )


def _decide(task: ReaderTask, ranked: list[tuple[int, Sentence]]) -> Reading | None:
    """Yes or no with the sentences that say it; both are shown where sentences contradict each other."""
    asked = read_asked(task)
    verdicts: dict[Verdict, list[Item]] = {}
    for _, sentence in ranked[:MAX_JUDGED]:
        item = _judge_in_place(task, asked, sentence)
        if item is not None:
            said: Verdict = "yes" if item.value == "yes" else "no"
            if all(item.text != other.text for other in verdicts.get(said, ())):
                verdicts.setdefault(said, []).append(item)
    if len(verdicts) > 1:
        # what was so on a day says less of what is so than a sentence without one
        lasting = {said: [item for item in group if not find_years(item.text)] for said, group in verdicts.items()}
        verdicts = {said: group for said, group in lasting.items() if group} or verdicts
    if not verdicts:
        return None
    first = next(iter(verdicts))
    items = tuple(item for group in verdicts.values() for item in group[:MAX_SENTENCES])
    if len(verdicts) > 1:
        text = "The text says both: " + " ".join(f"{item.value}: {item.text}" for item in items)
        return Reading(text=text, items=items, has_typed_fit=True, caveats=("the text says yes and no; read on",))
    is_bound = any(has_condition(task, item.text) for item in items)
    return Reading(
        text=f"{first.capitalize()}: " + " ".join(item.text for item in items),
        items=items,
        has_typed_fit=True,
        has_second_place=len(items) > 1,
        caveats=("the sentence sets conditions",) if is_bound else (),
    )


def _judge_in_place(task: ReaderTask, asked: Asked, sentence: Sentence) -> Item | None:
    """What a sentence says, by itself or as a member of a list; then with the line that introduces the list."""
    section = task.view.document.section_at(sentence.start)
    above = (*section.breadcrumb, section.title) if section is not None else ()
    heading = " ".join((task.view.document.profile.title, *above))
    said = judge(task, asked, sentence.text, heading)
    if said or not asked.affirming:
        return _build_item(task, sentence, said) if said else None
    # recognising lists is dear, and only a sentence with what tells most can hold the member
    telling = max(asked.wanted, key=lambda anchor: anchor.weight, default=None)
    is_held = telling is not None and bool(find_anchor(telling, sentence.text))
    found = find_membership(task, sentence.start, asked.wanted) if is_held else None
    if found is None:
        return None
    leads, member = found
    for lead in leads:
        said = judge(task, asked, member.text, heading, lead.text)
        if said:
            return _build_item(task, member, said, lead)
    return None


def _build_item(task: ReaderTask, sentence: Sentence, said: Verdict = "", lead: Sentence | None = None) -> Item | None:
    extents = (*lead.extents, *sentence.extents) if lead is not None else sentence.extents
    citations = cite_extents(task.view, extents)
    if not citations:
        return None
    text = f"{lead.text} {sentence.text}" if lead is not None else sentence.text
    return Item(
        sub_question=task.part.id,
        text=text,
        value=said,
        qualifiers=_find_polarity(task, text),
        citations=citations,
        extraction="verbatim",
    )


def _rank_sentences(task: ReaderTask) -> list[tuple[int, Sentence]]:
    """(share of the anchor weight in thousandths, sentence), best first; ties by rank of the evidence, then place."""
    total = sum(anchor.weight for anchor in task.part.anchors) or 1
    ranked: dict[tuple[tuple[int, int], str], tuple[int, int, Sentence]] = {}
    for rank, piece in enumerate(task.evidence):
        for sentence in split_evidence(evidence_lines(task.view, piece)):
            weight = sum(anchor.weight for anchor in task.part.anchors if find_anchor(anchor, sentence.text))
            if weight:
                ranked.setdefault((sentence.start, sentence.text), (weight * 1000 // total, rank, sentence))
    ordered = sorted(ranked.values(), key=lambda entry: (-entry[0], entry[1], entry[2].start))
    return [(share, sentence) for share, _, sentence in ordered]


def _find_polarity(task: ReaderTask, text: str) -> tuple[str, ...]:
    """Labels of the polarity cues in a text; a cue inside a longer one is none ("not permitted" permits nothing)."""
    folded = fold(text)
    for phrase in cue_of(task.view.lexicon.value_cues, "no negation"):
        folded = folded.replace(phrase, " ")
    found = [
        (cue.label, fold(phrase))
        for cue in task.view.lexicon.polarity
        for phrase in cue.phrases
        if contains_folded(fold(phrase), folded)
    ]
    longest = [label for label, phrase in found if not any(phrase != other and phrase in other for _, other in found)]
    return tuple(cue.label for cue in task.view.lexicon.polarity if cue.label in longest)
