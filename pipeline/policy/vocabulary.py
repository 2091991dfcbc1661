"""What rules may ask for: patterns, actions, their parameters and order, and which of them this version can run."""

from __future__ import annotations

from typing import get_args

from pipeline.models.plan import ActionName, Limits, Pattern, SignalKind

AVAILABLE: frozenset[str] = frozenset(
    {
        "toc_retrieval",
        "keyword",
        "two_hop",
        "aggregation",
        "reparse",
        "expand_keywords",
        "resolve_references",
        "widen_section",
        "sweep",
    }
)
"""Patterns and actions that this version runs; the others stand in a plan as not available and are never run."""

# the contracts are the source; listing the words again here would let the two drift apart
PATTERNS: tuple[Pattern, ...] = get_args(Pattern)
ACTIONS: tuple[ActionName, ...] = get_args(ActionName)
SIGNALS: tuple[SignalKind, ...] = get_args(SignalKind)

PHASES: tuple[Pattern, ...] = ("reparse", "toc_retrieval", "keyword", "two_hop", "aggregation")
"""The order of steps: first repair the text, then find places, then follow references, then collect lists."""

TRIGGER_ORDER: tuple[tuple[int, SignalKind, ActionName], ...] = (
    # re-retrieving on a bad parse wastes the iteration, and better keywords help every later step
    (1, "page_check_failed", "reparse"),
    (1, "context_unstructured", "reparse"),
    (2, "discovered_vocabulary", "expand_keywords"),
    (2, "incomplete_answer", "expand_keywords"),
    (3, "pending_references", "resolve_references"),
    (4, "short_list", "widen_section"),
    (4, "short_list", "sweep"),
    (4, "cut_list", "widen_section"),
    (4, "cut_list", "sweep"),
    (5, "failed_validation", "regenerate"),
)
"""(priority, signal, action) in the order in which the loop tries them; rules cannot change it."""

PARAMETERS: dict[str, dict[str, str]] = {
    "toc_retrieval": {"max_sections": "max_sections"},
    "keyword": {"max_candidates": "max_candidates"},
    "two_hop": {"max_references": "max_references"},
    "aggregation": {"max_sections": "max_sections"},
    "reparse": {"max_pages": "max_reparse_pages"},
    "expand_keywords": {"max_keywords": "max_keywords"},
    "resolve_references": {"max_references": "max_references"},
    "widen_section": {"max_sections": "max_sections"},
    "sweep": {"max_sections": "max_sections"},
    "regenerate": {},
}
"""Parameter names by pattern or action, each with the limit that it may lower; all are counts."""

MODEL_LIMITS = ("max_model_calls", "max_model_tokens")
_AT_LEAST_ONE = frozenset(
    {"max_iterations", "max_keywords", "max_candidates", "max_evidence", "max_evidence_lines", "max_quote_characters"}
)


def find_lowest_limit(name: str) -> int:
    """The least value that a limit may have: 1 where 0 would leave a run without anything to do."""
    return 1 if name in _AT_LEAST_ONE else 0


def find_code_ceiling(name: str) -> int:
    """The most that code allows for a limit.

    Raises:
        KeyError: no limit has this name.
    """
    ceiling: int = Limits.model_fields[name].default
    return ceiling
