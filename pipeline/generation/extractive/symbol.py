"""Values of symbols: "d_model = 512", also at the end of a chain of equations ("d_k = d_v = d_model/h = 64")."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_extents
from pipeline.generation.extractive.conflict import agrees
from pipeline.generation.extractive.hits import ValueHit
from pipeline.generation.extractive.qualifiers import find_qualifiers, tells_apart
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.sentences import Sentence, evidence_lines, split_evidence
from pipeline.generation.extractive.typed import Typed
from pipeline.models.answer import Conflict, Item
from pipeline.text.anchors import find_anchor
from pipeline.text.late import compile_late
from pipeline.text.numbers import parse_number

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.question import Anchor

# a number that goes on ("10^-9", "10\u22129", "5-6") is not read as its beginning
_CHAIN = compile_late(
    r"(?:\s*=\s*[^=;,.]{1,30}?)*?\s*=\s*(-?\d[\d.,]*\d|-?\d)(?![\w/^\u00b2\u00b3\u00b9\u2070-\u207f]|[-\u2212\u2013]\d)"
)
MAX_CITED = 3


def read_symbol(task: ReaderTask, anchor: Anchor) -> Reading | None:
    """The number that the evidence sets a symbol to; other numbers of it are named, or shown as a conflict."""
    hits = _find_assignments(task, anchor)
    if not hits:
        return None
    counts = Counter(hit.typed.value for hit in hits)
    best = max(hits, key=lambda hit: (counts[hit.typed.value], -hits.index(hit)))
    agreeing = [hit for hit in hits if agrees(best, hit)]
    others: list[ValueHit] = []
    for hit in hits:
        if not agrees(best, hit) and not any(agrees(hit, other) for other in others):
            others.append(hit)
    # Another number under a qualifier of its own ("for the big model") is another setting, not a contradiction.
    rivals = [hit for hit in others if not tells_apart(best.qualifiers, hit.qualifiers)]
    rivals = [hit for hit in rivals if not hit.qualifiers - best.qualifiers]
    shown = (best, *rivals)
    items = tuple(
        Item(
            sub_question=task.part.id,
            text=f"{anchor.text} = {hit.typed.text}",
            label=anchor.text,
            value=hit.typed.value,
            citations=tuple(dict.fromkeys(c for one in hits if agrees(one, hit) for c in one.citations))[:MAX_CITED],
            extraction="verbatim",
        )
        for hit in shown
    )
    told = [hit for hit in others if hit not in rivals]
    conflict = Conflict(
        concept=anchor.text,
        values=tuple(item.text for item in items),
        citations=tuple(citation for item in items for citation in item.citations),
    )
    return Reading(
        text="; ".join(item.text for item in items),
        items=items,
        has_typed_fit=True,
        has_second_place=len({hit.place for hit in agreeing}) > 1 and not rivals,
        conflict=conflict if rivals else None,
        caveats=tuple(f"elsewhere {anchor.text} = {hit.typed.text} (page {hit.place[0]})" for hit in told),
    )


def _find_assignments(task: ReaderTask, anchor: Anchor) -> list[ValueHit]:
    hits: list[ValueHit] = []
    seen: set[tuple[tuple[int, int], str]] = set()
    for piece in task.evidence:
        for sentence in split_evidence(evidence_lines(task.view, piece)):
            for _, end in find_anchor(anchor, sentence.text):
                match = _CHAIN.match(sentence.text, end)
                number = parse_number(match[1]) if match else None
                key = (sentence.start, match[1] if match else "")
                if match is None or number is None or key in seen:
                    continue
                seen.add(key)
                typed = Typed(match.start(1), match.end(1), match[1], format(number, "f"), "", number)
                hits.append(_build_hit(task, sentence, typed))
    return [hit for hit in hits if hit.citations]


def _build_hit(task: ReaderTask, sentence: Sentence, typed: Typed) -> ValueHit:
    return ValueHit(
        typed=typed,
        score=0,
        place=sentence.start,
        citations=cite_extents(task.view, sentence.extents),
        matched=(),
        qualifiers=find_qualifiers(sentence.text, task.view.lexicon),
        context=sentence.text,
    )
