"""A recorded run asked again with another budget."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.audit.archive import ARCHIVE_NAME, find_archived
from pipeline.canonical import hash_bytes
from pipeline.effects import Effects
from pipeline.errors import RecordError, UsageError
from pipeline.models.settings import Settings
from pipeline.models.story import RunEnd, WhatIf
from pipeline.policy.rulebook import load_rulebook
from pipeline.run import ask
from pipeline.run.documents import DocumentFinder
from pipeline.run.story import tell_iterations

if TYPE_CHECKING:
    from pipeline.models.run import RunBody, RunRecord


def ask_with_budget(
    record: RunRecord,
    budget: int,
    document: Path | None = None,
    settings: Settings | None = None,
    archive: Path | None = None,
) -> WhatIf:
    """Ask the question of a run again with `budget` iterations (1 to 4) and hold the two ends against each other.

    The document is the one that the record names, or `document`, a file or a folder with it. `settings` say where
    rules and parse cache are, `archive` where rulebooks are kept when that is not beside the ledger. Impure calls are
    answered from the record.

    Raises:
        UsageError: the document is not found, or it is another one than the run was made of.
        RecordError: the rulebook of the run is not to be had.
        EffectMissing: with this budget the run would make an impure call that the record does not hold.
        DocumentError: the document cannot be read.
    """
    body = record.body
    path = _find_document(record, document)
    settings = find_rules(body, settings or Settings(), archive)
    # everything else stays as it was recorded, so that only the budget can explain a difference
    run_settings = body.settings.model_copy(update={"max_iterations": budget})
    again = ask(
        path,
        body.question.text,
        settings.model_copy(update={"run": run_settings}),
        effects=Effects("recorded", body.effects),
    ).body
    recorded, would_be = _describe_end(body), _describe_end(again)
    return WhatIf(
        run_id=record.run_id,
        recorded_budget=body.plan.limits.max_iterations,
        budget=again.plan.limits.max_iterations,
        recorded=recorded,
        would_be=would_be,
        iterations=tell_iterations(again),
        is_same_answer=body.answer == again.answer,
        caveats=_list_caveats(body, again),
    )


def find_rules(body: RunBody, settings: Settings, archive: Path | None = None) -> Settings:
    """Settings with the rulebook of a run: the one at hand, or the one that was kept, beside the ledger by default.

    Raises:
        RecordError: neither is the rulebook of the run.
        RulebookError: the one at hand does not load.
    """
    wanted = body.plan.rulebook_revision
    revision = load_rulebook(settings.rules_folder, settings.rules_base).revision
    if revision == wanted:
        return settings
    # another rulebook would answer another question: what if the rules were others
    kept = find_archived(archive or settings.ledger_path.parent / ARCHIVE_NAME, wanted)
    if kept is None:
        words = f"the run was decided by rulebook revision {wanted[:12]}, this is {revision[:12]}"
        raise RecordError(words, "name the folder of that rulebook with --rules")
    return settings.model_copy(update={"rules_folder": kept.own, "rules_base": kept.base})


def _find_document(record: RunRecord, document: Path | None) -> Path:
    if document is not None and document.is_dir():
        # by content, because names change; what is not there is said of the folder
        document = DocumentFinder(document).find(record.body.document_sha256, "") or document
    path = document or Path(record.volatile.document_path)
    remedy = "name the document with --doc"
    if document is None and not record.volatile.document_path:
        raise UsageError(f"run {record.run_id} does not say where its document is", remedy)
    try:
        found = hash_bytes(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path}: the document of the run cannot be read: {error.strerror}", remedy) from error
    if found != record.body.document_sha256:
        wanted = record.body.document_sha256[:12]
        raise UsageError(f"{path}: this document is {found[:12]}, the run was made of {wanted}", remedy)
    return path


def _describe_end(body: RunBody) -> RunEnd:
    answer = body.answer
    return RunEnd(
        stop_reason=body.stop_reason,
        stop_detail=body.stop_detail,
        iteration_count=len(body.iterations),
        best_iteration=body.best_iteration,
        is_found=answer.found,
        is_complete=answer.complete,
        confidence=answer.confidence,
        answer=answer.text or answer.absence_reason or answer.clarification or "",
    )


def _list_caveats(body: RunBody, again: RunBody) -> tuple[str, ...]:
    """Why the two ends may differ by more than the budget."""
    caveats: list[str] = []
    if body.versions != again.versions:
        caveats.append("the run was made by another version of pdfdocket or of the engine")
    rankings = [(iteration.number, iteration.ranking_hash) for iteration in body.iterations]
    shared = min(len(rankings), len(again.iterations))
    for (number, ranking), iteration in zip(rankings[:shared], again.iterations[:shared], strict=True):
        # a budget only decides when to stop: what both runs did, they must have done alike
        if ranking != iteration.ranking_hash:
            caveats.append(f"iteration {number} finds other candidates today than it did then")
            break
    return tuple(caveats)
