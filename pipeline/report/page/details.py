"""Everything behind one answer, built when it is opened: evidence, plan, timeline, and ledgers that stay folded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.policy.catalogue import describe_condition
from pipeline.report.page.escaping import escape, fold_away, join_items, join_pairs, spell_words
from pipeline.report.page.evidence import render_evidence
from pipeline.report.page.plan import render_plan
from pipeline.report.page.timeline import render_timeline
from pipeline.run.story import tell_run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.models.answer import Certificate
    from pipeline.models.plan import ConditionOutcome, FactValue, RuleOutcome
    from pipeline.models.run import LedgerEntry, RunBody, RunRecord
    from pipeline.report.entries import Entry
    from pipeline.report.page.sheets import SheetIndex

_STATES = {
    "fired": "fired",
    "blocked": "blocked",
    "overridden": "overridden",
    "shadow_fired": "would fire (preview)",
    "shadow_blocked": "would be blocked (preview)",
    "retired": "retired",
}


def render_details(entry: Entry, link: str, sheets: SheetIndex, max_sheets: int) -> str:
    """The details of one answer as HTML without any script in it."""
    # what an auditor looks for comes first, what explains it behind
    evidence = render_evidence(entry, link, sheets, max_sheets)
    if entry.record is None:
        note = f'<p class="note">The record of this run is not here: {escape(entry.record_note)}.</p>'
        if not entry.record_note:
            note = '<p class="note">Nothing was run for this row, so there is no plan and no record.</p>'
        return f"{evidence}{note}{_render_row_facts(entry)}"
    body = entry.record.body
    # the same words as `why` prints
    story = tell_run(entry.record)
    outcomes = [_render_outcome(outcome) for outcome in body.plan.outcomes]
    folds = (
        fold_away("Question as it was understood", join_items(map(escape, story.understood))),
        fold_away("Confidence, part by part", join_items(map(escape, story.confidence_parts))),
        fold_away(
            "Lists: certificates of completeness", _render_certificates(story.certificates), len(story.certificates)
        ),
        fold_away("Cross-reference ledger", _render_entries(story.references), len(story.references)),
        fold_away("Reparse ledger", _render_entries(story.reparses), len(story.reparses)),
        fold_away("Evidence that was read", _render_evidence_read(body)),
        fold_away("Every rule: why, and why not", join_items(outcomes, "rules"), len(outcomes)),
        fold_away("Facts that rules read", _render_facts(body), len(body.facts)),
        fold_away("Not run", join_items(map(escape, story.not_run)), len(story.not_run)),
        fold_away("Run, document and versions", _render_run(entry.record, link)),
    )
    ledgers = f'<div class="folds">{"".join(folds)}</div>'
    return (
        f'{evidence}<section class="course"><div><h4>Plan</h4>{render_plan(body)}</div>'
        f"<div><h4>Iterations</h4>{render_timeline(story)}<h4>Ledgers</h4>{ledgers}</div></section>"
    )


def _render_row_facts(entry: Entry) -> str:
    row = entry.row
    return join_pairs(
        (
            ("Run", escape(row.run_id)),
            ("Stop reason", spell_words(row.stop_reason or "")),
            ("Rules that fired", escape(", ".join(row.rules))),
            ("Rulebook revision", escape(row.rulebook_revision)),
            ("Document (SHA-256)", escape(row.document_sha256)),
        )
    )


def _render_certificates(certificates: tuple[Certificate, ...]) -> str:
    return join_items(_describe_certificate(each) for each in certificates)


def _describe_certificate(certificate: Certificate) -> str:
    of = "" if certificate.denominator is None else f" of {certificate.denominator} ({certificate.denominator_source})"
    quote = f", <q>{escape(certificate.denominator_quote)}</q>" if certificate.denominator_quote else ""
    end = "its end was seen" if certificate.is_end_seen else "its end was not seen"
    gaps = f"; gaps: {escape(', '.join(certificate.gaps))}" if certificate.gaps else ""
    counted = "; ".join(f"{escape(each.detector)} {each.item_count}" for each in certificate.detectors)
    found = f"; found by {counted}" if counted else ""
    head = (
        f"<b>{escape(certificate.sub_question)}: {escape(certificate.verdict)}</b>, {certificate.item_count}{of}{quote}"
    )
    return f"{head}, {end}{gaps}; {escape(certificate.why)}{found}"


def _render_entries(entries: tuple[LedgerEntry, ...]) -> str:
    return join_items(
        f"<b>{escape(each.target)}</b>: {escape(each.outcome)}" + (f" ({escape(each.why)})" if each.why else "")
        for each in entries
    )


def _render_evidence_read(body: RunBody) -> str:
    """Places that the answer was read from, in the iteration that it comes from, and what found each."""
    best = next((each for each in body.iterations if each.number == body.best_iteration), None)
    if best is None:
        return ""
    listed = []
    for piece in best.evidence:
        place = piece.candidate.ref.partition(":")[2] or piece.candidate.ref
        trail = escape(" \u203a ".join(piece.breadcrumb))
        why = "; ".join(
            f"{spell_words(each.method)}, rank {each.rank}: {escape(each.why)}" for each in piece.candidate.found_by
        )
        listed.append(f'<b>{escape(place)}</b> <span class="facts">{trail}</span><br>{why}')
    return join_items(listed)


def _render_outcome(outcome: RuleOutcome) -> str:
    head = f"<code>{escape(outcome.rule)}</code> {escape(outcome.name)}: <b>{_STATES[outcome.state]}</b>"
    if outcome.overridden_by:
        head += f" by {escape(', '.join(outcome.overridden_by))}"
    # for a rule that fired what was met, for another what stood in its way
    told = outcome.blocked_by or [each for each in outcome.conditions if each.is_met]
    met = "".join(f"<br>{escape(_describe_met(each, bool(outcome.blocked_by)))}" for each in told)
    return f'{head}<br><span class="facts">because {escape(outcome.because)}</span>{met}'


def _describe_met(condition: ConditionOutcome, is_blocker: bool) -> str:
    word = "but it is" if is_blocker else "it is"
    return f"{describe_condition(condition)}, {word} {_spell(condition.observed)}"


def _spell(value: FactValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _render_facts(body: RunBody) -> str:
    return join_pairs((reading.name, escape(_spell(reading.value)) or "(empty)") for reading in body.facts)


def _render_run(record: RunRecord, link: str) -> str:
    body = record.body
    return join_pairs(_list_run(record, body, link))


def _list_run(record: RunRecord, body: RunBody, link: str) -> Iterator[tuple[str, str]]:
    profile, versions = body.profile, body.versions
    yield "Run", f'<a href="#run-{escape(record.run_id)}">{escape(record.run_id)}</a>'
    yield "Body hash (SHA-256)", escape(record.body_hash)
    yield "Document (SHA-256)", escape(body.document_sha256)
    yield "Document", f'<a href="{escape(link)}" rel="noopener noreferrer">open it</a>' if link else ""
    yield "Pages read", f"{profile.ok_page_count} of {profile.page_count}"
    yield "Pages that failed", ", ".join(map(str, profile.failed_pages))
    yield "Pages without text", ", ".join(map(str, profile.pages_without_text))
    yield "Garbled pages", ", ".join(map(str, profile.garbled_pages))
    yield "Sections from", spell_words(profile.section_source)
    yield "What the parser noticed", join_items(escape(each.message) for each in profile.diagnostics)
    yield "Rulebook", escape(f"{body.plan.rulebook}, revision {body.plan.rulebook_revision}")
    yield "Program", escape(f"pdfdocket {versions.pdfdocket}, schema {versions.schema_version}")
    yield "Parser", escape(f"revision {versions.parser_revision}, {versions.engine}")
    yield "Effects recorded", str(len(body.effects)) if body.effects else ""
