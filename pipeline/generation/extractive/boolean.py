"""The reader of yes/no questions: the governing sentence with its polarity; no verdict where it is not explicit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_extents
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.sentences import Sentence, evidence_lines, split_evidence
from pipeline.models.answer import Item
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask

MAX_SENTENCES = 3


def read_boolean(task: ReaderTask) -> Reading | None:
    """Quote the sentences that say most of what was asked, with the polarity of each (shall, must, may, not)."""
    ranked = _rank_sentences(task)
    if not ranked:
        return None
    best_share = ranked[0][0]
    chosen = [entry for entry in ranked if entry[0] == best_share][:MAX_SENTENCES]
    items = []
    for _, sentence in chosen:
        citations = cite_extents(task.view, sentence.extents)
        if citations:
            polarity = _find_polarity(task, sentence.text)
            items.append(
                Item(
                    sub_question=task.part.id,
                    text=sentence.text,
                    qualifiers=polarity,
                    citations=citations,
                    extraction="verbatim",
                )
            )
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
    found = [
        (cue.label, fold(phrase))
        for cue in task.view.lexicon.polarity
        for phrase in cue.phrases
        if contains_folded(fold(phrase), folded)
    ]
    longest = [label for label, phrase in found if not any(phrase != other and phrase in other for _, other in found)]
    return tuple(cue.label for cue in task.view.lexicon.polarity if cue.label in longest)
