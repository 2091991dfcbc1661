"""Checks of what a rulebook may spend: parameters that a lower limit cuts, rules that can never act, re-arming."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pipeline.models.plan import ActionName, SignalKind
from pipeline.models.rule_reports import Finding
from pipeline.policy.rulebook import Rulebook
from pipeline.policy.rules import Rule
from pipeline.policy.vocabulary import PARAMETERS, find_code_ceiling

_TEXT_SIGNALS: tuple[SignalKind, ...] = (
    "page_check_failed", "context_unstructured", "discovered_vocabulary", "pending_references", "short_list",
    "cut_list",
)  # fmt: skip
MAY_RAISE: Mapping[ActionName, tuple[SignalKind, ...]] = {
    # whatever brings new text may bring new words, new references, new lists and new bad pages
    "reparse": ("discovered_vocabulary", "pending_references", "short_list", "cut_list"),
    "expand_keywords": _TEXT_SIGNALS,
    "resolve_references": _TEXT_SIGNALS,
    "widen_section": _TEXT_SIGNALS,
    "sweep": _TEXT_SIGNALS,
    "regenerate": ("failed_validation",),
}
"""Signals that the iteration after an action may give although the one before it did not."""


def find_bound_faults(rules: tuple[Rule, ...], rulebook: Rulebook) -> Iterator[Finding]:
    """Parameters and rules that the rulebook's own limits make idle."""
    caps = {cap.name: cap.value for cap in rulebook.caps}
    for rule in rules:
        owner = rule.pattern or rule.action or ""
        for parameter in rule.parameters:
            limit = PARAMETERS[owner][parameter.name]
            if int(parameter.value) > caps.get(limit, find_code_ceiling(limit)):
                words = f"{rule.id} asks for {parameter.name}={parameter.value}, beyond {limit}={caps[limit]}"
                yield Finding(kind="beyond_limits", severity="warning", rules=(rule.id,), message=words)
        # a limit of zero leaves an action nothing to do
        spent = [limit for limit in PARAMETERS[owner].values() if caps.get(limit) == 0]
        if caps.get("max_iterations") == 1 and not rule.is_step:
            spent.append("max_iterations")
        if spent:
            words = f"{rule.id} can never act: the rulebook sets {' and '.join(f'{x}={caps[x]}' for x in spent)}"
            yield Finding(kind="never_acts", severity="warning", rules=(rule.id,), message=words)


def find_rearming(rules: tuple[Rule, ...]) -> Iterator[Finding]:
    """Groups of standby rules whose actions may raise the signals of one another; the budget is what ends them."""
    # steps run in every iteration anyway; only actions are armed by signals
    standby = [rule for rule in rules if not rule.is_step and rule.status == "stable"]
    reach = {rule.id: _find_reach(rule, standby) for rule in standby}
    seen: set[str] = set()
    for rule in standby:
        circle = [other.id for other in standby if other.id in reach[rule.id] and rule.id in reach[other.id]]
        if rule.id in circle and rule.id not in seen:
            seen.update(circle)
            whom = "each other" if len(circle) > 1 else "itself"
            words = (
                f"{', '.join(circle)} may re-arm {whom}; what ends them is the budget of a run and that a trigger "
                "with the same targets acts once"
            )
            yield Finding(kind="rearming", severity="note", rules=tuple(circle), message=words)


def _find_reach(rule: Rule, standby: list[Rule]) -> frozenset[str]:
    """Rules whose signals may follow, at once or later, from the action of a rule."""
    reached: dict[str, Rule] = {}
    open_rules = [rule]
    while open_rules:
        action = open_rules.pop().action
        raised = MAY_RAISE[action] if action is not None else ()
        for other in standby:
            if other.signal in raised and other.id not in reached:
                reached[other.id] = other
                open_rules.append(other)
    return frozenset(reached)
