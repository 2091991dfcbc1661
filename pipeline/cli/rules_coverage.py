"""`pdfdocket rules coverage`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli.options import json_option
from pipeline.cli.rule_sources import describe_sources, draw_table, read_subject, source_options

if TYPE_CHECKING:
    from pipeline.models.rule_reports import CoverageReport

EPILOG = """\b
Examples:
  pdfdocket rules coverage
  pdfdocket rules coverage --questions cases/ --docs pdfs/
  pdfdocket rules coverage --rules my-rules/ --ledger .pdfdocket/ledger.jsonl --json
\b
A case exercises its own rule; a question or a recorded run exercises every rule. Nothing is asked.
Exit codes: 0 every side is exercised, 1 there are gaps, 2 bad input or usage, 3 rules invalid.
"""


@click.command(epilog=EPILOG)
@source_options
@json_option
def command(
    folder: Path | None, cases: Path | None, questions: Path | None, as_json: bool, **paths: Path | None
) -> int:
    """Count which rules, conditions and sides of thresholds are exercised, and name those that are not."""
    from pipeline.cli.output import print_json, print_text
    from pipeline.rerun.coverage import cover_rules

    subject = read_subject(folder, cases, questions, paths["docs"], paths["ledger"])
    report = cover_rules(subject.rulebook, subject.exercises)
    if as_json:
        print_json({"gap_count": report.gap_count, **report.model_dump(mode="json")})
    else:
        print_text(render_coverage(report))
    return 1 if report.gap_count else 0


def render_coverage(report: CoverageReport) -> str:
    """A table of rules and conditions, then the gaps."""
    rows: list[tuple[str, ...]] = []
    gaps: list[str] = []
    for rule in report.rules:
        counts = (rule.fired_count, rule.blocked_count, rule.overridden_count)
        rows.append((rule.rule, rule.name, *(str(count) for count in counts)))
        gaps += [f"{rule.rule} {gap}" for gap in rule.gaps]
        for each in rule.conditions:
            counted = f"  {each.condition}: met {each.met_count}, not met {each.unmet_count}"
            rows.append(("", f"{counted}, decides {each.deciding_count}", "", "", ""))
            gaps += [f"{rule.rule}, {each.condition}: {gap}" for gap in each.gaps]
    lines = draw_table(("rule", "situation and conditions", "fired", "blocked", "set aside"), rows)
    lines += ["", *describe_sources(report.sources)]
    lines += [f"gap: {gap}" for gap in gaps]
    lines.append(f"{report.gap_count} gaps in {len(report.rules)} rules")
    return "\n".join(lines)
