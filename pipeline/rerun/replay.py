"""Replay: a record run again from its recorded effects, without network and model, and compared byte for byte."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pipeline.audit.archive import ArchivedRulebook, find_archived
from pipeline.audit.reading import read_ledger
from pipeline.audit.record import SCHEMA_VERSION
from pipeline.audit.verify import verify_ledger
from pipeline.canonical import encode_model, hash_bytes
from pipeline.effects import Effects
from pipeline.errors import (
    ClockLimit,
    DocumentError,
    EffectMissing,
    QuestionError,
    RecordError,
    RulebookError,
    RuleConflict,
)
from pipeline.models.replay import ReplayReport
from pipeline.parsing import describe_engine
from pipeline.policy.rulebook import find_default_folder, load_rulebook
from pipeline.rerun.comparison import find_first_difference
from pipeline.rerun.redeciding import list_thresholds, redecide
from pipeline.run import ask
from pipeline.run.documents import DocumentFinder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pipeline.models.ledger import LedgerLine
    from pipeline.models.plan import Plan
    from pipeline.models.replay import CannotReason
    from pipeline.models.run import RunBody, RunRecord
    from pipeline.models.settings import Settings

    Observer = Callable[[str, tuple[tuple[str, str], ...]], None]

_DOCUMENT_REASONS: dict[str, CannotReason] = {"limit": "limit", "needs_password": "password_needed"}


class ReplaySources(NamedTuple):
    """Where a replay finds what a record names: documents, archived rulebooks, or one rulebook to use instead."""

    settings: Settings
    documents: DocumentFinder
    archive: Path
    rules_folder: Path | None = None


class LedgerReplay(NamedTuple):
    """A ledger that verifies, being replayed: its lines, and the reports of its runs, each made when it is asked for.

    `torn` says what is wrong with half a line after them; empty where there is none.
    """

    line_count: int
    torn: str
    reports: Iterator[ReplayReport]


class _Refusal(Exception):
    def __init__(self, reason: CannotReason, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


def replay_ledger(path: Path, sources: ReplaySources, observe: Observer | None = None) -> LedgerReplay:
    """Verify a ledger, then run its records again one by one; lines that are appended meanwhile are left out.

    Raises:
        RecordError: there is no ledger, or a line does not verify; then nothing of it is replayed. Half a line at the
            end is no such fault, since an interrupted append leaves it.
    """
    found = verify_ledger(path)
    fault = found.fault
    if fault is not None and fault.kind != "torn":
        words = f"{fault.file or path}, line {fault.line}: {fault.detail}"
        raise RecordError(words, "a ledger that was changed is not replayed; see pdfdocket verify")
    lines = islice(read_ledger(path), found.count)
    reports = (_replay_line(line, sources, observe) for line in lines if line.redaction is None)
    torn = f"{fault.file}, line {fault.line}: {fault.detail}" if fault else ""
    return LedgerReplay(found.count, torn, reports)


def _replay_line(line: LedgerLine, sources: ReplaySources, observe: Observer | None) -> ReplayReport:
    if line.record is not None:
        return replay_record(line.record, sources, line.number, observe)
    if line.unreadable:
        reason: CannotReason = "record_unreadable" if line.is_schema_known else "schema_changed"
        refusal = _Refusal(reason, line.unreadable)
    else:
        refusal = _Refusal("redacted", f"blinded: {', '.join(line.redacted)}")
    return _report_refusal("", line.number, refusal)


def replay_record(
    record: RunRecord, sources: ReplaySources, number: int | None = None, observe: Observer | None = None
) -> ReplayReport:
    """Run a record again and say whether its body comes out the same.

    Identical means: canonical JSON of the whole deterministic body, byte for byte; only the version of the program is
    taken from the record and named in the report. A record that was made with another engine, schema, rulebook or
    document than can be had is never called identical, nor is it run on something else. With `rules_folder` a run that
    these rules decide as it was decided, with the same lexicons, is unchanged and not run.

    `number` is its line in a ledger; `observe` is called with the events of the run, as for `ask`.

    Raises:
        RulebookError: the rules of `rules_folder` are invalid.
    """
    try:
        if sources.rules_folder is not None and _is_decided_alike(record, sources, sources.rules_folder):
            detail = "these rules decide it as it was decided"
            return ReplayReport(run_id=record.run_id, number=number, state="unchanged", detail=detail)
        body = _run_again(record, sources, observe).body
    except _Refusal as refusal:
        return _report_refusal(record.run_id, number, refusal)
    body, detail = _take_versions(body, record.body, has_other_rules=sources.rules_folder is not None)
    if sources.rules_folder is not None:
        detail = "; ".join([detail, *_list_other_thresholds(record, sources, sources.rules_folder)])
    if encode_model(body) == encode_model(record.body):
        return ReplayReport(run_id=record.run_id, number=number, state="identical", detail=detail)
    difference = find_first_difference(record.body, body)
    return ReplayReport(run_id=record.run_id, number=number, state="differs", difference=difference, detail=detail)


def _report_refusal(run_id: str, number: int | None, refusal: _Refusal) -> ReplayReport:
    return ReplayReport(
        run_id=run_id, number=number, state="cannot_be_replayed", reason=refusal.reason, detail=refusal.detail
    )


def _take_versions(body: RunBody, recorded: RunBody, *, has_other_rules: bool) -> tuple[RunBody, str]:
    """The body with the program's version as recorded (and the rulebook's, where another was asked for); both in words.

    They differ by intent, and what is asked is whether anything else does.
    """
    details: list[str] = []
    version = recorded.versions.pdfdocket
    if body.versions.pdfdocket != version:
        details.append(f"made by pdfdocket {version}, replayed by {body.versions.pdfdocket}")
        body = body.model_copy(update={"versions": body.versions.model_copy(update={"pdfdocket": version})})
    if has_other_rules and body.plan.rulebook_revision != recorded.plan.rulebook_revision:
        details.append(f"under rulebook revision {body.plan.rulebook_revision[:12]}")
        body = body.model_copy(update={"plan": _take_names(body.plan, recorded.plan)})
    return body, "; ".join(details)


def _list_other_thresholds(record: RunRecord, sources: ReplaySources, folder: Path) -> tuple[str, ...]:
    """Thresholds stand in no record: where one is the cause, the first difference only shows its effect."""
    kept = _find_kept(record.body.plan.rulebook_revision, sources)
    if kept is None:
        return ()
    changed = list_thresholds(load_rulebook(kept.own, kept.base), load_rulebook(folder))
    return (f"thresholds {', '.join(changed)}",) if changed else ()


def _take_names(plan: Plan, recorded: Plan) -> Plan:
    names = {"rulebook": recorded.rulebook, "rulebook_revision": recorded.rulebook_revision}
    return plan.model_copy(update=names)


def _is_decided_alike(record: RunRecord, sources: ReplaySources, folder: Path) -> bool:
    """Whether another rulebook can make no difference: same lexicons, same steps, standby steps and limits."""
    rulebook = load_rulebook(folder)
    recorded = record.body.plan
    kept = _find_kept(recorded.rulebook_revision, sources)
    # the words of a rulebook change the question itself, so what it decides of recorded facts says nothing then
    if kept is None or load_rulebook(kept.own, kept.base).lexicons != rulebook.lexicons:
        return False
    try:
        plan = redecide(record, rulebook)
    except RuleConflict as conflict:
        raise _Refusal("rules_conflict", conflict.message) from conflict
    except RecordError:
        return False
    return _take_names(plan, recorded).model_copy(update={"outcomes": recorded.outcomes}) == recorded


def _run_again(record: RunRecord, sources: ReplaySources, observe: Observer | None) -> RunRecord:
    body = record.body
    _check_versions(body)
    _check_effects(body)
    path = _find_document(record, sources)
    rulebook = _find_rulebook(body, sources)
    settings = sources.settings.model_copy(
        update={"run": body.settings, "rules_folder": rulebook.own, "rules_base": rulebook.base}
    )
    try:
        return ask(path, body.question.text, settings, observe, Effects("recorded", body.effects))
    except EffectMissing as missing:
        raise _Refusal("effect_missing", missing.message) from missing
    except ClockLimit as error:
        raise _Refusal("clock_limit", str(error)) from error
    except DocumentError as error:
        raise _Refusal(_DOCUMENT_REASONS.get(error.state, "document_unreadable"), str(error)) from error
    except QuestionError as error:
        raise _Refusal("question_refused", str(error)) from error
    except RuleConflict as conflict:
        raise _Refusal("rules_conflict", conflict.message) from conflict


def _check_versions(body: RunBody) -> None:
    versions = body.versions
    if versions.schema_version != SCHEMA_VERSION:
        raise _Refusal("schema_changed", f"schema {versions.schema_version} then, {SCHEMA_VERSION} now")
    engine, parser_revision = describe_engine()
    if versions.engine != engine:
        raise _Refusal("engine_changed", f"engine {versions.engine} then, {engine} now")
    if versions.parser_revision != parser_revision:
        raise _Refusal("parser_changed", f"parser revision {versions.parser_revision} then, {parser_revision} now")
    if hash_bytes(body.question.text.encode("utf-8", "surrogatepass")) != body.question_sha256:
        raise _Refusal("input_changed", "the question in the record is not the one that was hashed")


def _check_effects(body: RunBody) -> None:
    """Outcomes that cannot be read would break the run, and whoever wrote the record chose them."""
    from pipeline.parsing.rereading import decode_reading

    for effect in body.effects:
        try:
            decode_reading(effect.outcome)
        except (ValueError, TypeError, KeyError, IndexError) as error:
            words = f"the recorded outcome of {effect.kind} {effect.key} cannot be read"
            raise _Refusal("effect_missing", words) from error


def _find_document(record: RunRecord, sources: ReplaySources) -> Path:
    sha256, recorded = record.body.document_sha256, record.volatile.document_path
    path = sources.documents.find(sha256, recorded)
    if path is not None:
        return path
    if sources.documents.is_changed(sha256, recorded):
        raise _Refusal("input_changed", f"{recorded} has other content than {sha256[:12]}")
    named = recorded or "its path was not kept"
    raise _Refusal("document_missing", f"no document {sha256[:12]} ({named}); name the folder that holds it")


def _find_rulebook(body: RunBody, sources: ReplaySources) -> ArchivedRulebook:
    """The rulebook of the record's day, or the one that was given instead."""
    if sources.rules_folder is not None:
        return ArchivedRulebook(sources.rules_folder, None)
    revision = body.plan.rulebook_revision
    kept = _find_kept(revision, sources)
    if kept is not None:
        return kept
    is_there = (sources.archive / revision).is_dir()
    words = "was changed since it was kept" if is_there else "is not"
    raise _Refusal("rulebook_unknown", f"the rulebook of revision {revision[:12]} {words} in {sources.archive}")


def _find_kept(revision: str, sources: ReplaySources) -> ArchivedRulebook | None:
    archived = find_archived(sources.archive, revision)
    if archived is not None:
        return archived
    for folder in (sources.settings.rules_folder, find_default_folder()):
        if folder is not None and _has_revision(folder, revision):
            return ArchivedRulebook(folder, None)
    return None


def _has_revision(folder: Path, revision: str) -> bool:
    try:
        return load_rulebook(folder).revision == revision
    except RulebookError:
        # rules of today that are invalid are no hindrance to those of another day
        return False
