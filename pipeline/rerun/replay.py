"""Replay: a record run again from its recorded effects, without network and model, and compared byte for byte."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pipeline.audit.archive import ArchivedRulebook, find_archived
from pipeline.audit.record import SCHEMA_VERSION
from pipeline.canonical import encode_model, hash_bytes
from pipeline.effects import Effects
from pipeline.errors import DocumentError, EffectMissing
from pipeline.models.replay import ReplayReport
from pipeline.parsing import describe_engine
from pipeline.policy.rulebook import find_default_folder, load_rulebook
from pipeline.rerun.comparison import find_first_difference
from pipeline.rerun.documents import DocumentFinder
from pipeline.run import ask

if TYPE_CHECKING:
    from pipeline.models.replay import CannotReason
    from pipeline.models.run import RunBody, RunRecord
    from pipeline.models.settings import Settings


class ReplaySources(NamedTuple):
    """Where a replay finds what a record names: documents, archived rulebooks, or one rulebook to use instead."""

    settings: Settings
    documents: DocumentFinder
    archive: Path
    rules_folder: Path | None = None


class _Refusal(Exception):
    def __init__(self, reason: CannotReason, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


def replay_record(record: RunRecord, sources: ReplaySources, number: int | None = None) -> ReplayReport:
    """Run a record again and say whether its body comes out the same.

    Identical means: canonical JSON of the whole deterministic body, byte for byte. A record that was made with another
    engine, schema, rulebook or document than can be had is never called identical, nor is it run on something else.
    """
    try:
        replayed = _run_again(record, sources)
    except _Refusal as refusal:
        return ReplayReport(
            run_id=record.run_id,
            number=number,
            state="cannot_be_replayed",
            reason=refusal.reason,
            detail=refusal.detail,
        )
    body, detail = replayed.body, ""
    if sources.rules_folder is not None and body.plan.rulebook_revision != record.body.plan.rulebook_revision:
        # under other rules the revision differs by intent; what is asked is whether anything else does
        body = _take_revision(body, record.body)
        detail = f"under rulebook revision {replayed.body.plan.rulebook_revision[:12]}"
    if encode_model(body) == encode_model(record.body):
        return ReplayReport(run_id=record.run_id, number=number, state="identical", detail=detail)
    difference = find_first_difference(record.body, body)
    return ReplayReport(run_id=record.run_id, number=number, state="differs", difference=difference, detail=detail)


def _take_revision(body: RunBody, recorded: RunBody) -> RunBody:
    named = {"rulebook": recorded.plan.rulebook, "rulebook_revision": recorded.plan.rulebook_revision}
    return body.model_copy(update={"plan": body.plan.model_copy(update=named)})


def _run_again(record: RunRecord, sources: ReplaySources) -> RunRecord:
    body = record.body
    _check_versions(record)
    path = _find_document(record, sources)
    rulebook = _find_rulebook(record, sources)
    settings = sources.settings.model_copy(
        update={"run": body.settings, "rules_folder": rulebook.own, "rules_base": rulebook.base}
    )
    try:
        return ask(path, body.question.text, settings, effects=Effects("recorded", body.effects))
    except EffectMissing as missing:
        raise _Refusal("effect_missing", missing.message) from missing
    except DocumentError as error:
        reason: CannotReason = "clock_limit" if error.state == "limit" else "document_unreadable"
        raise _Refusal(reason, error.message) from error


def _check_versions(record: RunRecord) -> None:
    versions = record.body.versions
    if versions.schema_version != SCHEMA_VERSION:
        raise _Refusal("schema_changed", f"schema {versions.schema_version} then, {SCHEMA_VERSION} now")
    engine, parser_revision = describe_engine()
    if versions.engine != engine:
        raise _Refusal("engine_changed", f"engine {versions.engine} then, {engine} now")
    if versions.parser_revision != parser_revision:
        raise _Refusal("engine_changed", f"parser revision {versions.parser_revision} then, {parser_revision} now")
    if hash_bytes(record.body.question.text.encode("utf-8", "surrogatepass")) != record.body.question_sha256:
        raise _Refusal("input_changed", "the question in the record is not the one that was hashed")


def _find_document(record: RunRecord, sources: ReplaySources) -> Path:
    sha256, recorded = record.body.document_sha256, record.volatile.document_path
    path = sources.documents.find(sha256, recorded)
    if path is not None:
        return path
    if sources.documents.is_changed(sha256, recorded):
        raise _Refusal("input_changed", f"{recorded} has other content than {sha256[:12]}")
    raise _Refusal("document_missing", f"no document {sha256[:12]} ({recorded or 'its path was not kept'})")


def _find_rulebook(record: RunRecord, sources: ReplaySources) -> ArchivedRulebook:
    """The rulebook of the record's day, or the one that was given instead."""
    if sources.rules_folder is not None:
        return ArchivedRulebook(sources.rules_folder, None)
    revision = record.body.plan.rulebook_revision
    archived = find_archived(sources.archive, revision)
    if archived is not None:
        return archived
    for folder in (sources.settings.rules_folder, find_default_folder()):
        if folder is not None and load_rulebook(folder).revision == revision:
            return ArchivedRulebook(folder, None)
    raise _Refusal("rulebook_unknown", f"no rulebook of revision {revision[:12]} in {sources.archive}")
