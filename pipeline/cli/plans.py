"""Plans and questions in words and as a tree."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.models.plan import ConditionOutcome, Plan, RuleOutcome
    from pipeline.models.question import Question

WIDTH = 100
Branch = tuple[str, tuple[str, ...]]


def render_question(question: Question) -> str:
    """A question as it was understood: parts, anchors, focus, hints, exclusions."""
    lines = [f"Question: {question.text}"]
    lines.append(
        f"  {question.intent}, answer as {question.shape}, {question.decomposition}, language {question.language}"
    )
    for part in question.sub_questions:
        anchors = ", ".join(anchor.text for anchor in part.anchors) or "none"
        focus = ", ".join(anchor.text for anchor in part.focus) or "none"
        lines.append(f"  {part.id}: anchors {anchors}; focus {focus}")
    if question.hints:
        lines.append("  places named: " + ", ".join(f"{hint.kind} {hint.value}" for hint in question.hints))
    if question.exclusions:
        lines.append("  kept out of the answer, not of the search: " + ", ".join(question.exclusions))
    if question.clarification:
        lines.append(f"  to be asked back: {question.clarification}")
    return "\n".join(lines)


def render_plan(plan: Plan) -> str:
    """A plan as indented text."""
    lines = [_title(plan)]
    for name, leaves in _branches(plan):
        lines.append(f"  {name}")
        lines += [f"    {leaf}" for leaf in leaves]
    return "\n".join(lines)


def draw_plan_tree(plan: Plan) -> str:
    """A plan as a tree, drawn with the characters that stdout can show."""
    from rich.console import Console
    from rich.markup import escape
    from rich.tree import Tree

    tree = Tree(escape(_title(plan)))
    for name, leaves in _branches(plan):
        branch = tree.add(escape(name))
        for leaf in leaves:
            branch.add(escape(leaf))
    # rich takes plain characters for the branches where the encoding has no lines
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    canvas = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="backslashreplace", newline="\n")
    Console(file=canvas, width=WIDTH, highlight=False, no_color=True, force_terminal=False).print(tree)
    canvas.seek(0)
    return "\n".join(line.rstrip() for line in canvas.read().rstrip("\n").split("\n"))


def _title(plan: Plan) -> str:
    return f"Plan by rulebook {plan.rulebook}, revision {plan.rulebook_revision[:12]}"


def _branches(plan: Plan) -> Iterator[Branch]:
    yield (
        "steps of every iteration",
        tuple(
            f"{step.pattern}{_mark(step.is_available)} [{', '.join(step.rules)}]: {'; '.join(step.because)}"
            for step in plan.steps
        ),
    )
    yield (
        "standby, each waiting for its signal",
        tuple(
            f"on {step.signal.replace('_', ' ')}: {step.action.replace('_', ' ')}{_mark(step.is_available)}"
            f" [{', '.join(step.rules)}]: {'; '.join(step.because)}"
            for step in plan.standby
        ),
    )
    yield "rules that did not fire", tuple(_describe_outcome(o) for o in plan.outcomes if o.state != "fired")
    limits = plan.limits
    yield (
        "limits",
        (
            (
                f"iterations {plan.worst_case_iterations} (shared by all loops), keywords {limits.max_keywords}, "
                f"references {limits.max_references} and sections {limits.max_sections} an action, "
                f"reparsed pages {plan.worst_case_reparsed_pages}"
            ),
            f"worst case: {plan.worst_case_model_calls} model calls, {plan.worst_case_model_tokens} tokens",
        ),
    )


def _mark(is_available: bool) -> str:
    return "" if is_available else " (not yet available)"


def _describe_outcome(outcome: RuleOutcome) -> str:
    words = f"{outcome.rule} {outcome.name}: {outcome.state.replace('_', ' ')}"
    if outcome.overridden_by:
        return f"{words} by {', '.join(outcome.overridden_by)}"
    # without the value that was met, a blocked rule explains nothing
    if outcome.blocked_by:
        return f"{words}: {'; '.join(_describe_condition(condition) for condition in outcome.blocked_by)}"
    return words


def _describe_condition(condition: ConditionOutcome) -> str:
    wanted = condition.value if not isinstance(condition.value, tuple) else " | ".join(str(v) for v in condition.value)
    return (
        f"{condition.group}: {condition.fact} {condition.op.replace('_', ' ')} {wanted}, but it is {condition.observed}"
    )
