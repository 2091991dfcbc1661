"""`pdfdocket rules check`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli.options import json_option
from pipeline.cli.rule_sources import cases_option, describe_facts, read_rules_folder, require_cases, rules_option

if TYPE_CHECKING:
    from pipeline.models.rule_reports import CheckReport

EPILOG = """\b
Examples:
  pdfdocket rules check
  pdfdocket rules check --rules my-rules/
  pdfdocket rules check --rules my-rules/ --cases my-rules/cases --json
\b
Exit codes: 0 nothing but notes, 1 something to mend, 2 bad usage, 3 the rulebook does not load.
"""


@click.command(epilog=EPILOG)
@rules_option
@cases_option
@json_option
def command(folder: Path | None, cases: Path | None, as_json: bool) -> int:
    """Check rules without any document: faults of files, conditions, pairs of rules, limits and cases."""
    from pipeline.cli.output import print_json, print_text
    from pipeline.rerun.checking import check_rulebook

    require_cases(cases)
    report = check_rulebook(read_rules_folder(folder), cases)
    if as_json:
        print_json({"is_clean": report.is_clean, **report.model_dump(mode="json")})
    else:
        print_text(render_check(report))
    # the code that every verb ends with when rules are invalid
    if any(finding.kind == "does_not_load" and finding.severity == "error" for finding in report.findings):
        return 3
    return 0 if report.is_clean else 1


def render_check(report: CheckReport) -> str:
    """Every finding on a line, with its witness below."""
    lines: list[str] = []
    for finding in report.findings:
        lines.append(f"{finding.severity:<8} {finding.kind.replace('_', ' ')}: {finding.message}")
        if finding.witness:
            lines.append(f"         with {describe_facts(finding.witness)}")
    if report.rule_count:
        counted = f"{report.rule_count} rules and {report.case_count} cases of rulebook {report.rulebook}"
        lines.append(f"{counted}: {'nothing to mend' if report.is_clean else 'to be mended'}")
    return "\n".join(lines)
