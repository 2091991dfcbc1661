"""The plan of a run drawn: its steps, what waits on standby, and the rules that put each there."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pipeline.report.page.escaping import count_words, escape, spell_words

if TYPE_CHECKING:
    from pipeline.models.plan import StandbyStep, Step
    from pipeline.models.run import RunBody

_PATTERNS = {
    "toc_retrieval": "sections by the outline",
    "keyword": "lines by keywords",
    "two_hop": "what references point at",
    "aggregation": "members of lists",
    "reparse": "pages read again",
}
_ARROW = '<svg class="arrow" viewBox="0 0 20 20" aria-hidden="true"><path d="M10 1v15M4 11l6 7 6-7"/></svg>'


def render_plan(body: RunBody) -> str:
    """The plan as a diagram from top to bottom, which reads as a list too; what ran is marked."""
    plan, question = body.plan, body.question
    executed = {pattern for iteration in body.iterations for pattern in iteration.executed}
    acted = _find_acted(body)
    parts = count_words(len(question.sub_questions), "part")
    asked = f"{escape(question.intent)}, answer as {escape(question.shape)}, {parts}"
    steps = "".join(_render_step(step, step.pattern in executed) for step in plan.steps)
    standby = "".join(_render_standby(step, acted.get((step.signal, step.action), [])) for step in plan.standby)
    limit = count_words(plan.worst_case_iterations, "iteration")
    waiting = f'{_ARROW}<p class="cap">On standby, each waiting for its signal</p><ol class="standby">{standby}</ol>'
    return (
        f'<div class="flow"><p class="node ask"><b>Question</b> {asked}</p>{_ARROW}'
        f'<div class="loop"><p class="cap">In every iteration, of at most {limit}</p>'
        f'<ol class="steps">{steps}</ol>{_ARROW}'
        f'<p class="node"><b>Answer</b> read from the evidence, and checked against the document</p></div>'
        f"{waiting if standby else ''}</div>"
    )


def _find_acted(body: RunBody) -> dict[tuple[str, str], list[int]]:
    """The iterations that each action opened, by the signal that asked for it."""
    acted: dict[tuple[str, str], list[int]] = {}
    for before, current in pairwise(body.iterations):
        if before.trigger is not None and current.opened_by is not None:
            acted.setdefault((before.trigger.signal, current.opened_by.action), []).append(current.number)
    return acted


def _render_step(step: Step, has_run: bool) -> str:
    kind, word = ("node ran", "ran") if has_run else ("node", "not run")
    words = _PATTERNS[step.pattern]
    head = f"<b>{spell_words(step.pattern)}</b> {words}{_list_parameters(step)}"
    return f'<li class="{kind}">{head} <span class="state">{_state(step, word)}</span>{_list_rules(step)}</li>'


def _render_standby(step: StandbyStep, numbers: list[int]) -> str:
    word = f"acted, iteration {', '.join(map(str, numbers))}" if numbers else "not needed"
    kind = "node ran" if numbers else "node"
    signal = f'<span class="on">on {spell_words(step.signal)}</span>'
    head = f"{signal} <b>{spell_words(step.action)}</b>{_list_parameters(step)}"
    return f'<li class="{kind}">{head} <span class="state">{_state(step, word)}</span>{_list_rules(step)}</li>'


def _state(step: Step | StandbyStep, word: str) -> str:
    return word if step.is_available else "not available in this version"


def _list_parameters(step: Step | StandbyStep) -> str:
    listed = ", ".join(f"{parameter.name} {parameter.value}" for parameter in step.parameters)
    return f" <code>{escape(listed)}</code>" if listed else ""


def _list_rules(step: Step | StandbyStep) -> str:
    """Each rule with its reason; where there are not as many reasons as rules, the rules go together."""
    # equal steps of several rules are one step
    if len(step.rules) == len(step.because):
        pairs = list(zip(step.rules, step.because, strict=True))
    else:
        pairs = [(", ".join(step.rules), "; ".join(step.because))]
    return "".join(f'<p class="because"><code>{escape(rule)}</code> {escape(why)}</p>' for rule, why in pairs)
