"""A run told as text: a paragraph for each thing that a reader asks, in the order in which it came about."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pipeline.models.answer import Certificate
    from pipeline.models.plan import ConditionOutcome
    from pipeline.models.run import LedgerEntry
    from pipeline.models.story import IterationStory, RunStory

WIDTH = 100
_SHOWN_REFS = 4


def render_story(story: RunStory) -> str:
    """The whole story of a run."""
    parts = [
        ("Asked", [story.question, *story.understood]),
        ("Facts that mattered", _list_facts(story)),
        ("Rules that fired", _list_rules(story)),
        ("Who spent the budget", render_iterations(story.iterations)),
        ("Why it stopped", _list_stop(story)),
        ("Cross-references", _list_entries(story.references)),
        ("Pages read again", _list_entries(story.reparses)),
        ("Lists", [_describe_certificate(each) for each in story.certificates]),
        ("What the answer rests on", _list_answer(story)),
        ("Not run", list(story.not_run)),
    ]
    texts = [f"Run {story.run_id}"]
    # a chapter without a line is left out, title and all
    texts += ["\n".join([head, *_indent(lines)]) for head, lines in parts if lines]
    return "\n\n".join(texts)


def render_iterations(iterations: Iterable[IterationStory]) -> list[str]:
    """The budget ledger: for each iteration who spent it, what it changed and found, and what followed."""
    lines: list[str] = []
    for row in iterations:
        rules = f" [{', '.join(row.rules)}]" if row.rules else ""
        best = ", the best" if row.is_best else ""
        head = f"iteration {row.number} (budget {row.budget_before} to {row.budget_after}{best})"
        lines.append(f"{head}: {row.spent_by}{rules}")
        lines += [f"  {words}" for words in _describe_iteration(row)]
    return lines


def describe_met(condition: ConditionOutcome) -> str:
    """A condition with the value that it met."""
    from pipeline.policy.catalogue import describe_condition

    return f"{describe_condition(condition)} (it is {spell(condition.observed)})"


def spell(value: bool | int | str) -> str:
    """The value of a fact as a rule file writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _list_facts(story: RunStory) -> list[str]:
    lines: list[str] = []
    for use in story.facts:
        fired = f"fires {', '.join(use.fired)}" if use.fired else ""
        blocked = f"blocks {', '.join(use.blocked)}" if use.blocked else ""
        lines.append(f"{use.fact} is {spell(use.value)}: {'; '.join(filter(None, (fired, blocked)))}")
    return lines


def _list_rules(story: RunStory) -> list[str]:
    lines: list[str] = []
    for rule in story.rules:
        acted = ", ".join(str(number) for number in rule.iterations)
        used = f"iteration {acted}" if acted else "never acted"
        lines.append(f"{rule.rule} {rule.name}: {rule.then} ({used})")
        lines.append(f"  because {rule.because}")
        lines += [f"  {describe_met(condition)}" for condition in rule.conditions]
    return lines


def _describe_iteration(row: IterationStory) -> Iterator[str]:
    if row.changed:
        yield f"changed: {', '.join(row.changed)}"
    if row.refused:
        yield f"refused: {', '.join(row.refused)}"
    dropped = f", {row.dropped_count} dropped as drift" if row.dropped_count else ""
    yield f"looked for {', '.join(row.parts)}: {row.candidate_count} candidates{dropped}, {row.evidence_count} read"
    if row.number > 1:
        added, lost = _name_refs(row.evidence_added), _name_refs(row.evidence_lost)
        yield f"evidence: {added or 'nothing'} new, {lost or 'nothing'} gone"
    outcome = f"{row.item_count} items" if row.is_found else "no answer"
    change = f" ({row.confidence_change:+d})" if row.number > 1 else ""
    validated = "" if row.is_validated else ", not valid against the document"
    yield f"answer: {outcome}, confidence {row.confidence}/1000{change}{validated}"
    yield from (f"signal {words}" for words in row.signals)
    yield f"then: {row.followed_by}"


def _name_refs(refs: tuple[str, ...]) -> str:
    # the document is the same in all of them
    places = [ref.partition(":")[2] for ref in refs]
    more = f" and {len(places) - _SHOWN_REFS} more" if len(places) > _SHOWN_REFS else ""
    return ", ".join(places[:_SHOWN_REFS]) + more


def _list_stop(story: RunStory) -> list[str]:
    lines = [f"{story.stop_reason.replace('_', ' ')}: {story.stop_words}"]
    if story.pending:
        lines.append(f"pending: {story.pending}")
    if story.best_iteration:
        lines.append(f"the answer is that of iteration {story.best_iteration}")
    return lines


def _list_entries(entries: tuple[LedgerEntry, ...]) -> list[str]:
    return [f"{entry.target}: {entry.outcome} ({entry.why})" for entry in entries]


def _describe_certificate(certificate: Certificate) -> str:
    of = f" of {certificate.denominator} ({certificate.denominator_source})" if certificate.denominator else ""
    counted = "; ".join(f"{each.detector} {each.item_count}" for each in certificate.detectors)
    gaps = f"; gaps: {', '.join(certificate.gaps)}" if certificate.gaps else ""
    end = "its end was seen" if certificate.is_end_seen else "its end was not seen"
    head = f"{certificate.sub_question}: {certificate.verdict}, {certificate.item_count}{of}, {end}"
    return f"{head}{gaps}; {certificate.why}" + (f"; found by {counted}" if counted else "")


def _list_answer(story: RunStory) -> list[str]:
    first = story.answer.split("\n", 1)
    # the whole answer is what show prints; here its first line is enough to know it by
    lines = [f"{'found' if story.is_found else 'not found'}: {first[0]}{' ...' if len(first) > 1 else ''}"]
    return [*lines, f"confidence {story.confidence}/1000", *(f"  {part}" for part in story.confidence_parts)]


def _indent(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        lead = "  " + " " * (len(line) - len(line.lstrip()))
        yield textwrap.fill(line.strip(), WIDTH, initial_indent=lead, subsequent_indent=lead + "    ")
