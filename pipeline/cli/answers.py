"""A run in plain text: answer, citations, one line for each iteration, stop reason, record."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.models.answer import Answer, Citation
    from pipeline.models.run import Iteration, RunBody, RunRecord

WIDTH = 100
SHOWN_QUOTE_LINES = 6

ABSENCE_WORDS = {
    "no_match": "no form of what was asked for occurs on any line of the document",
    "no_such_target": "the document has no such place",
    "not_seen": "nothing was found, which does not prove that nothing is there",
}


def render_run(record: RunRecord, path: str) -> str:
    """The whole text that `ask` prints."""
    body = record.body
    parts = [render_answer(body.answer), "", "How it came about"]
    parts += [f"  {render_iteration(iteration)}" for iteration in body.iterations]
    parts.append(
        f"  stopped: {body.stop_reason.replace('_', ' ')}" + (f" ({body.stop_detail})" if body.stop_detail else "")
    )
    parts += _render_skipped(body)
    profile = body.profile
    if profile.ok_page_count < profile.page_count:
        parts.append(f"  read: {profile.ok_page_count} of {profile.page_count} pages; see pdfdocket profile")
    parts += [f"  record: {path} (run {record.run_id})"]
    return "\n".join(parts)


def render_answer(answer: Answer) -> str:
    """The answer with its citations, or what is known of its absence."""
    if answer.clarification:
        return f"Please say more: {answer.clarification}"
    if not answer.found:
        return _render_absence(answer)
    lines = [_wrap(paragraph, "") for paragraph in answer.text.split("\n")]
    if answer.conflict:
        lines.append(
            f"Conflict: the document gives {' and '.join(answer.conflict.values)} for {answer.conflict.concept}."
        )
    lines += [f"Note: {caveat}" for caveat in answer.caveats]
    for certificate in answer.certificates:
        lines.append(f"List: {certificate.verdict} ({certificate.why})")
    state = "complete" if answer.complete else "incomplete"
    lines.append(f"Confidence {answer.confidence}/1000, {state}.")
    lines += ["", "Evidence"]
    # items of one list often share the line that introduces them
    seen: set[tuple[int, int, int, str]] = set()
    for item in answer.items:
        for citation in item.citations:
            key = (citation.page, citation.line_start, citation.line_end, citation.quote)
            if key not in seen:
                seen.add(key)
                lines.append(_render_citation(citation, is_picked=item.picked))
    return "\n".join(lines)


def _render_absence(answer: Answer) -> str:
    kind = answer.absence or "not_seen"
    lines = [f"Not found: {answer.absence_reason or ABSENCE_WORDS[kind]} [{kind}]."]
    if answer.near_misses:
        lines.append("Near: " + "; ".join(answer.near_misses))
    return "\n".join(lines)


def _render_citation(citation: Citation, *, is_picked: bool) -> str:
    lines = f"line {citation.line_start}"
    if citation.line_end != citation.line_start:
        lines = f"lines {citation.line_start}-{citation.line_end}"
    mark = " *" if is_picked else ""
    quoted = citation.quote.split("\n")
    shown = quoted[:SHOWN_QUOTE_LINES]
    if len(quoted) > len(shown):
        shown.append(f"[{len(quoted) - len(shown)} more lines in the record]")
    return f"  page {citation.page}, {lines}{mark}\n" + "\n".join(f"    | {line}" for line in shown)


def render_iteration(iteration: Iteration) -> str:
    """One line for one iteration: what opened it, what ran, what it found and what it asked for next."""
    opened = "plan" if iteration.opened_by is None else _name_action(iteration)
    ran = ", ".join(iteration.executed) or "nothing"
    found = f"{iteration.candidate_count} candidates, {len(iteration.evidence)} read"
    outcome = f"answered at {iteration.answer.confidence}/1000" if iteration.answer.found else "no answer"
    next_step = "" if iteration.trigger is None else f"; asks to {iteration.trigger.action.replace('_', ' ')}"
    return f"iteration {iteration.number} ({opened}): {ran}: {found}, {outcome}{next_step}"


def _name_action(iteration: Iteration) -> str:
    action = iteration.opened_by
    if action is None:
        return "plan"
    changed = ", ".join(action.changed[:4])
    return action.action.replace("_", " ") + (f": {changed}" if changed else "")


def _render_skipped(body: RunBody) -> list[str]:
    # every iteration reports what it could not run; a reader needs it once
    skipped = {step.step: step.reason for iteration in body.iterations for step in iteration.skipped}
    return [f"  not run: {step}: {reason}" for step, reason in skipped.items()]


def _wrap(paragraph: str, indent: str) -> str:
    # items of a list keep the indent of their level when they run on
    lead = len(paragraph) - len(paragraph.lstrip())
    return textwrap.fill(paragraph, WIDTH, initial_indent=indent, subsequent_indent=indent + " " * (lead + 2))
