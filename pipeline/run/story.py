"""A record told as a story: facts that mattered, rules that fired, who spent the budget, and why the run stopped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pipeline.models.plan import Step
from pipeline.models.story import FactUse, FiredRule, IterationStory, RunStory

if TYPE_CHECKING:
    from pipeline.models.plan import Plan, RuleOutcome, StandbyStep
    from pipeline.models.question import Question
    from pipeline.models.run import Iteration, RunBody, RunRecord, StopReason, Trigger

STOP_WORDS: dict[StopReason, str] = {
    "satisfied": "every required part is answered and holds against the document, and no signal asks for an action",
    "budget_spent": "the iterations that all loops share are used up",
    "repeated_trigger": "the same signal asked for the same action on the same targets again",
    "same_evidence": "the action brought the same evidence again",
    "confidence_fell": "the action made the answer less certain by more than the limit",
    "drift": "most of what was new carried added words only, and none of the question's own",
    "nothing_applicable": "something is open, but the plan has no action for it, or none that changes anything",
    "clarification_needed": "the question leaves open what is asked",
    "absence_established": "what was asked for is proved not to be in the document",
    "cost_ceiling": "the ceiling on model calls or tokens is reached",
}


def tell_run(record: RunRecord) -> RunStory:
    """The story of a run, from its record alone; neither the document nor the rulebook is needed."""
    body = record.body
    answer = body.answer
    return RunStory(
        run_id=record.run_id,
        question=body.question.text,
        understood=tuple(_list_understood(body.question)),
        facts=_list_facts(body),
        rules=tuple(
            _tell_rule(outcome, body) for outcome in body.plan.outcomes if outcome.state in ("fired", "shadow_fired")
        ),
        iterations=tell_iterations(body),
        stop_reason=body.stop_reason,
        stop_words="; ".join(filter(None, (STOP_WORDS[body.stop_reason], body.stop_detail))),
        pending=_describe_trigger(body.pending_trigger),
        best_iteration=body.best_iteration,
        # a reader wants words in any case: the answer, why there is none, or what is asked back
        answer=answer.text or answer.absence_reason or answer.clarification or "",
        is_found=answer.found,
        confidence=answer.confidence,
        confidence_parts=answer.confidence_parts,
        references=tuple(entry for entry in body.ledger if entry.kind == "cross_reference"),
        reparses=tuple(entry for entry in body.ledger if entry.kind == "reparse"),
        certificates=answer.certificates,
        not_run=tuple(
            dict.fromkeys(f"{step.step}: {step.reason}" for passed in body.iterations for step in passed.skipped)
        ),
    )


def tell_iterations(body: RunBody) -> tuple[IterationStory, ...]:
    """The budget ledger: one row for each iteration."""
    rows: list[IterationStory] = []
    before: Iteration | None = None
    for current in body.iterations:
        rows.append(_tell_iteration(current, before, body))
        before = current
    return tuple(rows)


def list_steps(plan: Plan) -> tuple[Step | StandbyStep, ...]:
    """Steps and standby steps in their order."""
    return (*plan.steps, *plan.standby)


def describe_step(step: Step | StandbyStep) -> str:
    """A step or standby step in the words of the catalogue: "toc_retrieval max_sections=2", "on short_list: sweep"."""
    parameters = "".join(f" {parameter.name}={parameter.value}" for parameter in step.parameters)
    if isinstance(step, Step):
        return f"{step.pattern}{parameters}"
    return f"on {step.signal}: {step.action}{parameters}"


def _list_understood(question: Question) -> Iterator[str]:
    kind = f"{question.intent}, answer as {question.shape}, {question.decomposition.replace('_', ' ')}"
    yield f"{kind}, language {question.language}"
    for part in question.sub_questions:
        anchors = ", ".join(anchor.text for anchor in part.anchors) or "nothing"
        focus = ", ".join(anchor.text for anchor in part.focus) or "nothing"
        waits = f"; after {', '.join(part.depends_on)}" if part.depends_on else ""
        yield f"{part.id}: look for {anchors}; judged on {focus}{waits}"
        if part.pick:
            yield f"{part.id}: then pick: {part.pick.text}"
    if question.hints:
        yield "places named: " + ", ".join(f"{hint.kind.replace('_', ' ')} {hint.value}" for hint in question.hints)
    if question.periods:
        yield "times named: " + ", ".join(question.periods)
    if question.exclusions:
        yield "kept out of the answer, not of the search: " + ", ".join(question.exclusions)
    if question.clarification:
        yield f"to be asked back: {question.clarification}"


def _list_facts(body: RunBody) -> tuple[FactUse, ...]:
    fired: dict[str, list[str]] = {}
    blocked: dict[str, list[str]] = {}
    for outcome in body.plan.outcomes:
        # an alternative that was not met did not make the rule fire
        decisive = [each for each in outcome.conditions if each.group != "any" or each.is_met]
        if outcome.state in ("blocked", "shadow_blocked"):
            for each in outcome.blocked_by:
                blocked.setdefault(each.fact, []).append(outcome.rule)
        else:
            for each in decisive:
                fired.setdefault(each.fact, []).append(outcome.rule)
    return tuple(
        FactUse(
            fact=reading.name,
            value=reading.value,
            fired=tuple(dict.fromkeys(fired.get(reading.name, ()))),
            blocked=tuple(dict.fromkeys(blocked.get(reading.name, ()))),
        )
        for reading in body.facts
        if reading.name in fired or reading.name in blocked
    )


def _tell_rule(outcome: RuleOutcome, body: RunBody) -> FiredRule:
    placed = [step for step in list_steps(body.plan) if outcome.rule in step.rules]
    return FiredRule(
        rule=outcome.rule,
        name=outcome.name,
        because=outcome.because,
        then=describe_step(placed[0]) if placed else "nothing (preview)",
        conditions=tuple(each for each in outcome.conditions if each.group != "any" or each.is_met),
        iterations=_find_uses(outcome.rule, body),
    )


def _find_uses(rule: str, body: RunBody) -> tuple[int, ...]:
    """Iterations in which the step of a rule ran, or that its action opened."""
    steps = {step.pattern for step in body.plan.steps if rule in step.rules}
    # a step runs in every iteration; an action opens one, and which is seen from the trigger before it
    used: list[int] = []
    before: Iteration | None = None
    for current in body.iterations:
        opened_by = _find_opening_rules(current, before, body.plan)
        if rule in opened_by or steps & set(current.executed):
            used.append(current.number)
        before = current
    return tuple(used)


def _find_opening_rules(current: Iteration, before: Iteration | None, plan: Plan) -> tuple[str, ...]:
    if current.opened_by is None or before is None or before.trigger is None:
        return ()
    key = (before.trigger.signal, current.opened_by.action)
    return next((step.rules for step in plan.standby if (step.signal, step.action) == key), ())


def _tell_iteration(current: Iteration, before: Iteration | None, body: RunBody) -> IterationStory:
    refs = tuple(piece.candidate.ref for piece in current.evidence)
    refs_before = tuple(piece.candidate.ref for piece in before.evidence) if before else ()
    opening = current.opened_by
    return IterationStory(
        number=current.number,
        budget_before=current.budget_before,
        budget_after=current.budget_after,
        spent_by=_describe_opening(current, before),
        rules=_find_opening_rules(current, before, body.plan) or _list_step_rules(current, body.plan),
        parts=tuple(query.sub_question for query in current.queries),
        changed=opening.changed if opening else (),
        refused=opening.refused if opening else (),
        candidate_count=current.candidate_count,
        dropped_count=len(current.dropped),
        evidence_count=len(refs),
        evidence_added=tuple(ref for ref in refs if ref not in refs_before),
        evidence_lost=tuple(ref for ref in refs_before if ref not in refs),
        is_found=current.answer.found,
        is_validated=current.is_validated,
        item_count=len(current.answer.items),
        confidence=current.answer.confidence,
        confidence_change=current.answer.confidence - before.answer.confidence if before else 0,
        signals=tuple(f"{signal.kind}: {', '.join(signal.targets)}" for signal in current.signals),
        followed_by=_describe_following(current, body),
        # a run returns its best iteration, which need not be its last
        is_best=current.number == body.best_iteration,
    )


def _list_step_rules(current: Iteration, plan: Plan) -> tuple[str, ...]:
    """The rules whose steps ran; they spend the first iteration, and those of parts whose turn has come."""
    return tuple(dict.fromkeys(rule for step in plan.steps if step.pattern in current.executed for rule in step.rules))


def _describe_opening(current: Iteration, before: Iteration | None) -> str:
    if before is None:
        return "the steps of the plan"
    if current.opened_by is None:
        return "a part whose turn had come"
    signal = before.trigger.signal.replace("_", " ") if before.trigger else "a signal"
    targets = ", ".join(current.opened_by.targets)
    return f"{current.opened_by.action.replace('_', ' ')}, because of {signal}" + (f" ({targets})" if targets else "")


def _describe_following(current: Iteration, body: RunBody) -> str:
    # the trigger of the last iteration was not acted on; it is what was pending
    if current.number == len(body.iterations):
        return f"stop: {body.stop_reason.replace('_', ' ')}"
    return _describe_trigger(current.trigger) or "the next part"


def _describe_trigger(trigger: Trigger | None) -> str:
    if trigger is None:
        return ""
    targets = f" ({', '.join(trigger.targets)})" if trigger.targets else ""
    return f"{trigger.signal.replace('_', ' ')} asks to {trigger.action.replace('_', ' ')}{targets}"
