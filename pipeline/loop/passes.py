"""One iteration: retrieve with every step of the plan, assemble evidence, generate, critique."""

from __future__ import annotations

from itertools import zip_longest
from typing import NamedTuple

from pipeline.canonical import encode_json, hash_bytes
from pipeline.critique import Critique
from pipeline.loop.best import join_answers
from pipeline.loop.drift import drop_drifted, is_drift
from pipeline.loop.ports import AbsenceFinding, LoopPorts
from pipeline.loop.state import LoopState
from pipeline.models.answer import Answer
from pipeline.models.evidence import Candidate, Evidence
from pipeline.models.question import GenerationBrief, RetrievalBrief, SubQuestion
from pipeline.models.run import SkippedStep

# what DESIGN 4 counts for an answer counts here too: focus covered (by every line), a second method, no open trigger
_ABSENCE_CONFIDENCE, _WORD_CONFIDENCE = 800, 500


class Pass(NamedTuple):
    """Everything that one iteration did, before it is known what follows."""

    served: tuple[str, ...]
    queries: tuple[RetrievalBrief, ...]
    candidates: tuple[Candidate, ...]
    dropped: tuple[str, ...]
    has_drifted: bool
    evidence: tuple[Evidence, ...]
    answer: Answer
    critique: Critique
    is_absence_established: bool

    @property
    def evidence_key(self) -> tuple[tuple[int, int, int, str], ...]:
        """(page, first line, last line, parsing method) of all evidence: a reparse makes it new."""
        spans = {
            (span.page, span.line_start, span.line_end, span.method)
            for piece in self.evidence
            for span in piece.candidate.spans
        }
        return tuple(sorted(spans))


class _Retrieval(NamedTuple):
    queries: tuple[RetrievalBrief, ...]
    candidates: tuple[Candidate, ...]
    dropped: tuple[str, ...]
    has_drifted: bool


def run_pass(state: LoopState, ports: LoopPorts) -> Pass:
    """Run one iteration for the parts that are to be served."""
    parts = state.list_parts_to_serve()
    served = tuple(part.id for part in parts)
    retrieval = _retrieve(state, ports, parts)
    # asked before anything is generated: a generator may find words where the thing itself is not
    has_answer = state.answer is not None and state.answer.found
    finding = None if has_answer else ports.find_absence()
    evidence: tuple[Evidence, ...] = ()
    if finding is not None:
        answer, critique = _state_absence(finding), Critique((), is_validated=True)
    else:
        evidence = ports.assemble(retrieval.candidates)
        brief = GenerationBrief(
            question=state.question,
            open_sub_questions=served,
            max_quote_characters=state.plan.limits.max_quote_characters,
            faults=state.faults,
        )
        answer = join_answers(state.question, state.answer, ports.generate(brief, evidence), frozenset(served))
        critique = ports.critique(answer, evidence, brief)
    state.served.update(served)
    state.answer = answer
    state.faults = critique.faults
    return Pass(served, *retrieval, evidence, answer, critique, finding is not None)


def _retrieve(state: LoopState, ports: LoopPorts, parts: tuple[SubQuestion, ...]) -> _Retrieval:
    steps = [step for step in state.plan.steps if step.is_available]
    queries: list[RetrievalBrief] = []
    rankings: list[tuple[Candidate, ...]] = []
    dropped: list[str] = []
    new_count = 0
    for part in parts:
        brief = state.build_brief(part)
        found = ports.fuse(tuple(ports.retrieve(step, brief) for step in steps)) if steps else ()
        seen = state.seen.get(part.id, frozenset())
        check = drop_drifted(found, brief, seen, state.plan.limits)
        # what was dropped stays unseen, so that it is judged again if it comes back
        state.seen[part.id] = seen | {candidate.ref for candidate in check.kept}
        queries.append(brief)
        room = state.plan.limits.max_evidence // len(parts)
        rankings.append(_place_derived(check.kept, state.derived.get(part.id, ()), room))
        dropped += [candidate.ref for candidate in check.dropped]
        new_count += check.new_count
    # parts take turns, so that the limit on evidence cuts all of them alike
    mixed = tuple(candidate for turn in zip_longest(*rankings) for candidate in turn if candidate is not None)
    return _Retrieval(
        queries=tuple(queries),
        candidates=mixed,
        dropped=tuple(dropped),
        has_drifted=is_drift(len(dropped), new_count, state.plan.limits),
    )


def _place_derived(ranking: tuple[Candidate, ...], derived: tuple[Candidate, ...], room: int) -> tuple[Candidate, ...]:
    """Put derived candidates behind the one that they come from, or at the front when it is gone.

    One that the ranking holds among its first `room` stays where it is: it is read anyway.
    """
    present = {candidate.ref for candidate in ranking[:room]}
    added = tuple(new for new in derived if new.ref not in present)
    moved = {new.ref for new in added}
    kept = tuple(candidate for candidate in ranking if candidate.ref not in moved)
    sources = {candidate.ref for candidate in kept} | moved
    # generation reads from the front: what an action brought must not fall behind the limit on evidence
    waiting = [*reversed(kept), *reversed([new for new in added if new.derived_from not in sources])]
    placed: list[Candidate] = []
    done: set[str] = set()
    # a candidate may derive from a derived one; each is placed once, so that a circle of them ends
    while waiting:
        candidate = waiting.pop()
        if candidate.ref not in done:
            done.add(candidate.ref)
            placed.append(candidate)
            waiting += reversed([new for new in added if new.derived_from == candidate.ref])
    return tuple(placed)


def _state_absence(finding: AbsenceFinding) -> Answer:
    confidence = _ABSENCE_CONFIDENCE if finding.is_certain else _WORD_CONFIDENCE
    doubt = "" if finding.is_certain else "; the rest is there, perhaps in other words"
    return Answer(
        found=False,
        complete=False,
        text=finding.reason,
        absence=finding.kind,
        absence_reason=finding.reason,
        near_misses=finding.near_misses,
        confidence=confidence,
        confidence_parts=(f"absence established on every line: {confidence}{doubt}",),
    )


def list_executed(state: LoopState) -> tuple[str, ...]:
    """The opening action, if any, and the steps that ran; all of them stand in the plan."""
    opening = (state.opened_by.action,) if state.opened_by else ()
    return opening + tuple(step.pattern for step in state.plan.steps if step.is_available)


def list_skipped(state: LoopState, unavailable: tuple[str, ...]) -> tuple[SkippedStep, ...]:
    """Steps of the plan, and actions that a signal asked for, that this version cannot run."""
    steps = [step.pattern for step in state.plan.steps if not step.is_available]
    return tuple(
        SkippedStep(step=name, reason="not available in this version") for name in dict.fromkeys([*steps, *unavailable])
    )


def hash_ranking(candidates: tuple[Candidate, ...]) -> str:
    """SHA-256 over part, reference and score of every candidate in rank order, also of those that are not kept."""
    return hash_bytes(encode_json([[found.sub_question, found.ref, found.score] for found in candidates]))
