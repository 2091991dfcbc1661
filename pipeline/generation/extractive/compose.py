"""From the readings of all parts to one answer, with a confidence that states its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.told import drop_told
from pipeline.models.answer import Answer, Feedback
from pipeline.text.anchors import find_anchor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import Reading
    from pipeline.models.question import SubQuestion

# The weights are part of the contract of an answer (confidence in thousandths), not a tunable threshold.
FOCUS_PART, TYPE_PART, SECOND_PART, QUIET_PART = 400, 200, 200, 200
INCOMPLETE_CEILING, CONFLICT_CEILING, MAX_CONFIDENCE = 600, 500, 1000

PartReading = tuple["SubQuestion", "Reading | None"]


def compose_answer(readings: Sequence[PartReading]) -> Answer:
    """Merge readings in the order of the parts; parts without a reading stay open and make the answer incomplete."""
    closed = tuple((part, reading) for part, reading in readings if reading is not None and reading.items)
    if not closed:
        return Answer(found=False, complete=False, text="", feedback=_merge_feedback(readings))
    required_open = [part.id for part, reading in readings if _is_open(reading) and not part.is_optional]
    conflict = next((reading.conflict for _, reading in closed if reading.conflict), None)
    is_complete = not required_open and all(reading.is_complete for _, reading in closed)
    feedback = _merge_feedback(readings)
    confidence, parts = _rate(closed, feedback, is_complete, conflict is not None)
    told = drop_told(closed)
    caveats = [caveat for _, reading in closed for caveat in reading.caveats]
    caveats += [f"not answered: {part.text}" for part, reading in readings if part.id in required_open]
    return Answer(
        found=True,
        complete=is_complete,
        text="\n".join(text for text, _ in told if text),
        items=tuple(item for _, items in told for item in items),
        closed=tuple(part.id for part, _ in closed),
        conflict=conflict,
        confidence=confidence,
        confidence_parts=parts,
        caveats=tuple(dict.fromkeys(caveats)),
        certificates=tuple(reading.certificate for _, reading in closed if reading.certificate),
        feedback=feedback,
    )


def _is_open(reading: Reading | None) -> bool:
    return reading is None or not reading.items


def _rate(
    closed: Sequence[tuple[SubQuestion, Reading]], feedback: Feedback, is_complete: bool, has_conflict: bool
) -> tuple[int, tuple[str, ...]]:
    """Confidence in thousandths and the words for each part; the weakest part of the question counts."""
    focus = min(_share_of_focus(part, reading) for part, reading in closed)
    typed = all(reading.has_typed_fit for _, reading in closed)
    second = all(reading.has_second_place for _, reading in closed)
    is_quiet = not (feedback.pending_references or feedback.short_lists or feedback.is_context_unstructured)
    value = FOCUS_PART * focus // 1000
    parts = [f"focus covered {focus}/1000: +{value}"]
    for is_given, points, words in (
        (typed, TYPE_PART, "value or shape as asked"),
        (second, SECOND_PART, "a second place or detector agrees"),
        (is_quiet, QUIET_PART, "no open trigger"),
    ):
        value += points if is_given else 0
        parts.append(f"{words}: +{points if is_given else 0}")
    doubt = min(reading.max_confidence for _, reading in closed)
    for is_capped, ceiling, words in (
        (doubt < MAX_CONFIDENCE, doubt, "doubtful"),
        (not is_complete, INCOMPLETE_CEILING, "incomplete"),
        (has_conflict, CONFLICT_CEILING, "in conflict"),
    ):
        if is_capped and value > ceiling:
            value = ceiling
            parts.append(f"at most {ceiling}: {words}")
    return value, tuple(parts)


def _share_of_focus(part: SubQuestion, reading: Reading) -> int:
    """Thousandths of the focus that stand in the answer or its quotes; without a focus the anchors are judged."""
    wanted = part.focus or part.anchors
    if not wanted:
        return 1000
    texts = [item.text for item in reading.items]
    texts += [citation.quote for item in reading.items for citation in item.citations]
    texts += [qualifier for item in reading.items for qualifier in (*item.qualifiers, item.label, item.period)]
    covered = sum(1 for anchor in wanted if any(find_anchor(anchor, text) for text in texts))
    return covered * 1000 // len(wanted)


def _merge_feedback(readings: Sequence[PartReading]) -> Feedback:
    known = [(part, reading) for part, reading in readings if reading is not None]
    pages = sorted({page for _, reading in known for page in reading.unstructured_pages})
    lists = [(part.id, reading) for part, reading in known if reading.certificate is not None]
    return Feedback(
        is_context_unstructured=bool(pages),
        unstructured_pages=tuple(pages),
        discovered_keywords=tuple(dict.fromkeys(word for _, r in known for word in r.discovered_keywords)),
        pending_references=tuple(dict.fromkeys(key for _, r in known for key in r.pending_references)),
        references=tuple(dict.fromkeys(report for _, r in known for report in r.references)),
        is_list_likely_complete=all(reading.is_complete for _, reading in lists) if lists else None,
        short_lists=tuple(part_id for part_id, reading in lists if not reading.is_complete),
    )
