"""The whole check of a rulebook: its files, its rules, its limits and its cases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pipeline.errors import RuleConflict
from pipeline.models.rule_reports import CheckReport, Finding
from pipeline.policy.case_checks import check_cases
from pipeline.policy.cases import find_cases_folder, read_cases
from pipeline.policy.checks import check_rules, sort_findings
from pipeline.policy.folder_checks import find_loading_faults, list_own_rules
from pipeline.policy.rulebook import find_default_folder, load_rulebook
from pipeline.rerun.judging import judge_rule, meets_case

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.policy.cases import RuleCase
    from pipeline.policy.rulebook import Rulebook


def check_rulebook(folder: Path | None = None, cases: Path | None = None) -> CheckReport:
    """Check a folder of rules (the shipped one by default) and the cases of the rules that lie in it.

    A rulebook that does not load is a report too, with a finding for each file that is wrong.

    Raises:
        RulebookError: a file of cases does not have the form of one.
    """
    folder = folder or find_default_folder()
    faults = find_loading_faults(folder)
    # rules that do not load cannot be judged, and half of them would give half-truths
    if any(fault.severity == "error" for fault in faults):
        return CheckReport(rulebook="", revision="", rule_count=0, case_count=0, findings=sort_findings(faults))
    rulebook = load_rulebook(folder)
    own = list_own_rules(folder)
    read = read_cases(cases or find_cases_folder(folder), own)
    findings = (
        *faults,
        *check_rules(rulebook),
        # rules that come from elsewhere have their cases elsewhere
        *check_cases((rule for rule in rulebook.rules if rule.id in own), read),
        *_find_wrong_cases(rulebook, read),
    )
    return CheckReport(
        rulebook=rulebook.name,
        revision=rulebook.revision,
        rule_count=len(rulebook.rules),
        case_count=len(read),
        findings=sort_findings(findings),
    )


def _find_wrong_cases(rulebook: Rulebook, cases: tuple[RuleCase, ...]) -> Iterator[Finding]:
    for case in cases:
        try:
            outcome = judge_rule(case.rule, case.facts, rulebook)
        except RuleConflict as conflict:
            words = f"case {case.rule}: {case.name}: {conflict}"
        else:
            if meets_case(case, outcome):
                continue
            got = f"is {outcome.state}, blocked by {', '.join(outcome.blocked_by) or 'nothing'}"
            effect = f"puts {outcome.then or 'nothing'} into the plan"
            words = f"case {case.rule}: {case.name}: the rule {got}, and {effect}"
        yield Finding(kind="wrong_case", severity="error", rules=(case.rule,), message=words)
