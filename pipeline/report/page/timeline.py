"""The iterations of a run as a timeline: what opened each, what it found and cost, and why the last one was last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.report.page.escaping import count_words, escape, join_items, spell_share, spell_words

if TYPE_CHECKING:
    from pipeline.models.story import IterationStory, RunStory

_SHOWN_PLACES = 6


def render_timeline(story: RunStory) -> str:
    """A list of iterations, and the stop as its last entry."""
    passes = "".join(_render_iteration(row, len(story.iterations)) for row in story.iterations)
    pending = f"<p>Pending: {escape(story.pending)}</p>" if story.pending else ""
    best = f"<p>The answer is that of iteration {story.best_iteration}.</p>" if len(story.iterations) > 1 else ""
    words = escape(story.stop_words)
    stop = f'<li class="end"><h5>Stop: {spell_words(story.stop_reason)}</h5><p>{words}</p>{pending}{best}</li>'
    return f'<ol class="timeline">{passes}{stop}</ol>'


def _render_iteration(row: IterationStory, count: int) -> str:
    rules = "".join(f" <code>{escape(rule)}</code>" for rule in row.rules)
    best = ' <span class="state">the best</span>' if row.is_best and count > 1 else ""
    dropped = f", {row.dropped_count} dropped as drift" if row.dropped_count else ""
    found = f"{count_words(row.candidate_count, 'candidate')}{dropped}, {row.evidence_count} read"
    facts = [
        f"<b>Looked for</b> {escape(', '.join(row.parts)) or 'nothing'}: {found}",
        f"<b>Answer</b> {_describe_answer(row)}",
    ]
    if row.changed:
        facts.insert(0, f"<b>Changed</b> {escape(', '.join(row.changed))}")
    if row.refused:
        facts.insert(0, f"<b>Refused</b> {escape(', '.join(row.refused))}")
    if row.number > 1:
        new, gone = _name_places(row.evidence_added), _name_places(row.evidence_lost)
        facts.append(f"<b>Evidence</b> new: {new or 'nothing'}; gone: {gone or 'nothing'}")
    facts += [f"<b>Signal</b> {spell_words(signal)}" for signal in row.signals]
    facts.append(f"<b>Then</b> {escape(row.followed_by)}")
    head = f"<h5>Iteration {row.number}{best}{_draw_budget(row)}</h5><p>Opened by {escape(row.spent_by)}{rules}</p>"
    return f"<li>{head}{join_items(facts)}</li>"


def _describe_answer(row: IterationStory) -> str:
    words = count_words(row.item_count, "item") if row.is_found else "none"
    change = f" ({row.confidence_change:+d}/1000)" if row.number > 1 else ""
    valid = "" if row.is_validated else ", not valid against the document"
    return f"{words}, confidence {spell_share(row.confidence)}{change}{valid}"


def _name_places(refs: tuple[str, ...]) -> str:
    # the document is the same in all of them
    places = [ref.partition(":")[2] or ref for ref in refs]
    more = f" and {len(places) - _SHOWN_PLACES} more" if len(places) > _SHOWN_PLACES else ""
    return escape(", ".join(places[:_SHOWN_PLACES]) + more)


def _draw_budget(row: IterationStory) -> str:
    """The budget before and after as dots: left, spent by this iteration, spent before."""
    # what was there at the beginning, since every iteration before this one took one
    total = max(row.budget_before, 1) + row.number - 1
    dots = []
    for place in range(total):
        kind = "left" if place < row.budget_after else "now" if place < row.budget_before else "gone"
        dots.append(f'<circle class="{kind}" cx="{8 + 16 * place}" cy="8" r="6"/>')
    words = f"budget {row.budget_before} before, {row.budget_after} after"
    drawn = f'<svg class="budget" viewBox="0 0 {16 * total} 16" width="{16 * total}" height="16" aria-hidden="true">'
    return f' <span class="spent">{drawn}{"".join(dots)}</svg> {words}</span>'
