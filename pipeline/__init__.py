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
    from pipeline.audit.checkpoint import write_checkpoint
    from pipeline.audit.ledger import append_record
    from pipeline.audit.reading import read_ledger
    from pipeline.audit.record import load_record, write_record
    from pipeline.audit.redaction import redact_field
    from pipeline.audit.verify import verify_ledger
    from pipeline.errors import DocketError
    from pipeline.models.run import RunRecord
    from pipeline.models.settings import Settings
    from pipeline.policy.rulebook import load_rulebook
    from pipeline.run import Preview, ask, plan, profile

__version__ = "0.1.0"

_HOMES = {
    "ask": "pipeline.run",
    "plan": "pipeline.run",
    "profile": "pipeline.run",
    "Preview": "pipeline.run",
    "append_record": "pipeline.audit.ledger",
    "read_ledger": "pipeline.audit.reading",
    "redact_field": "pipeline.audit.redaction",
    "verify_ledger": "pipeline.audit.verify",
    "write_checkpoint": "pipeline.audit.checkpoint",
    "load_record": "pipeline.audit.record",
    "write_record": "pipeline.audit.record",
    "load_rulebook": "pipeline.policy.rulebook",
    "RunRecord": "pipeline.models.run",
    "Settings": "pipeline.models.settings",
    "DocketError": "pipeline.errors",
}

__all__ = [
    "DocketError",
    "Preview",
    "RunRecord",
    "Settings",
    "append_record",
    "ask",
    "load_record",
    "load_rulebook",
    "plan",
    "profile",
    "read_ledger",
    "redact_field",
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
