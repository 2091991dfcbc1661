"""pdfdocket: question answering over PDFs by a deterministic dispatcher.

    import pipeline
    record = pipeline.ask("contract.pdf", "Which law governs the agreement?")
    record.body.answer.text

Names are loaded when they are first used, so that `import pipeline` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.audit.archive import archive_rulebook
    from pipeline.audit.checkpoint import write_checkpoint
    from pipeline.audit.ledger import append_record
    from pipeline.audit.reading import read_ledger
    from pipeline.audit.record import load_record, write_record
    from pipeline.audit.redaction import redact_field
    from pipeline.audit.verify import verify_ledger
    from pipeline.errors import DocketError
    from pipeline.models.run import RunRecord
    from pipeline.models.settings import Settings
    from pipeline.policy.cases import read_cases
    from pipeline.policy.rulebook import load_rulebook
    from pipeline.policy.scaffolding import scaffold_rule
    from pipeline.rerun.checking import check_rulebook
    from pipeline.rerun.coverage import cover_rules
    from pipeline.rerun.mutation import Exercises, mutate_rules
    from pipeline.rerun.redeciding import compare_rulebooks, redecide
    from pipeline.rerun.replay import ReplaySources, replay_ledger, replay_record
    from pipeline.rerun.samples import read_runs, sample_questions, sample_runs
    from pipeline.rerun.what_if import ask_with_budget
    from pipeline.rerun.why_not import explain_rule
    from pipeline.run import Preview, ask, plan, profile
    from pipeline.run.documents import DocumentFinder
    from pipeline.run.story import tell_run

__version__ = "0.1.0"

_HOMES = {
    "ask": "pipeline.run",
    "plan": "pipeline.run",
    "profile": "pipeline.run",
    "Preview": "pipeline.run",
    "archive_rulebook": "pipeline.audit.archive",
    "append_record": "pipeline.audit.ledger",
    "read_ledger": "pipeline.audit.reading",
    "redact_field": "pipeline.audit.redaction",
    "verify_ledger": "pipeline.audit.verify",
    "write_checkpoint": "pipeline.audit.checkpoint",
    "load_record": "pipeline.audit.record",
    "write_record": "pipeline.audit.record",
    "load_rulebook": "pipeline.policy.rulebook",
    "check_rulebook": "pipeline.rerun.checking",
    "cover_rules": "pipeline.rerun.coverage",
    "mutate_rules": "pipeline.rerun.mutation",
    "Exercises": "pipeline.rerun.mutation",
    "compare_rulebooks": "pipeline.rerun.redeciding",
    "redecide": "pipeline.rerun.redeciding",
    "read_runs": "pipeline.rerun.samples",
    "sample_questions": "pipeline.rerun.samples",
    "sample_runs": "pipeline.rerun.samples",
    "DocumentFinder": "pipeline.run.documents",
    "ReplaySources": "pipeline.rerun.replay",
    "replay_ledger": "pipeline.rerun.replay",
    "replay_record": "pipeline.rerun.replay",
    "tell_run": "pipeline.run.story",
    "explain_rule": "pipeline.rerun.why_not",
    "ask_with_budget": "pipeline.rerun.what_if",
    "scaffold_rule": "pipeline.policy.scaffolding",
    "read_cases": "pipeline.policy.cases",
    "RunRecord": "pipeline.models.run",
    "Settings": "pipeline.models.settings",
    "DocketError": "pipeline.errors",
}

__all__ = [
    "DocketError",
    "DocumentFinder",
    "Exercises",
    "Preview",
    "ReplaySources",
    "RunRecord",
    "Settings",
    "append_record",
    "archive_rulebook",
    "ask",
    "ask_with_budget",
    "check_rulebook",
    "compare_rulebooks",
    "cover_rules",
    "explain_rule",
    "load_record",
    "load_rulebook",
    "mutate_rules",
    "plan",
    "profile",
    "read_cases",
    "read_ledger",
    "read_runs",
    "redact_field",
    "redecide",
    "replay_ledger",
    "replay_record",
    "sample_questions",
    "sample_runs",
    "scaffold_rule",
    "tell_run",
    "verify_ledger",
    "write_checkpoint",
    "write_record",
]


def __getattr__(name: str) -> object:
    """Import a public name on first use (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module 'pipeline' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """All public names, loaded or not."""
    return sorted([*__all__, "__version__"])
