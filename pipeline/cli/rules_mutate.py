"""`pdfdocket rules mutate`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from pipeline.cli.options import json_option
from pipeline.cli.rule_sources import describe_facts, describe_sources, read_subject, source_options

if TYPE_CHECKING:
    from pipeline.models.rule_reports import MutationReport

EPILOG = """\b
Examples:
  pdfdocket rules mutate
  pdfdocket rules mutate --rules my-rules/
  pdfdocket rules mutate --ledger .pdfdocket/ledger.jsonl --json
\b
A mutant is a rule with one small change. It is killed when a case no longer gets what it asks for, or when the
plan of a question or of a recorded run is another. A survivor is a missing question, unless SURVIVORS.toml of the
rulebook lists it with a reason.
Exit codes: 0 no unlisted survivor, 1 a survivor or a failing case, 2 bad input or usage, 3 rules invalid.
"""


@click.command(epilog=EPILOG)
@source_options
@click.option("--all", "shows_all", is_flag=True, help="Also list the mutants that were killed, and by what.")
@json_option
def command(
    folder: Path | None, cases: Path | None, questions: Path | None, as_json: bool, **flags: Path | bool | None
) -> int:
    """Change rules in every small way and see whether anything notices."""
    from pipeline.cli.output import print_json, print_text
    from pipeline.policy.folder_checks import SURVIVORS_FILE
    from pipeline.rerun.mutation import mutate_rules, read_survivors

    docs, ledger = (path if isinstance(path, Path) else None for path in (flags["docs"], flags["ledger"]))
    subject = read_subject(folder, cases, questions, docs, ledger)
    allowed = read_survivors(subject.folder / SURVIVORS_FILE)
    report = mutate_rules(subject.rulebook, subject.exercises, allowed, subject.own)
    if as_json:
        print_json({"is_passed": report.is_passed, **report.model_dump(mode="json")})
    else:
        print_text(render_mutation(report, shows_all=bool(flags["shows_all"])))
    return 0 if report.is_passed else 1


def render_mutation(report: MutationReport, *, shows_all: bool = False) -> str:
    """Survivors with the questions that are missing, then counts."""
    from pipeline.models.rule_reports import MutantFate

    lines = [f"fails without any change: {case}" for case in report.failing_cases]
    for mutant in report.mutants:
        if mutant.fate == "survived":
            lines += [f"survived: {mutant.mutant}", f"  missing: {mutant.missing}"]
            lines.append(f"  {describe_facts(mutant.witness)}")
        elif mutant.fate == "allowed":
            lines.append(f"survived, as listed: {mutant.mutant} (because {mutant.because})")
        elif mutant.fate == "equivalent":
            lines.append(f"equivalent, no possible facts tell it apart: {mutant.mutant}")
        elif shows_all:
            lines.append(f"killed: {mutant.mutant} (by {mutant.killed_by})")
    lines += [f"listed, but does not survive: {name}" for name in report.stale_survivors]
    lines += describe_sources(report.sources)
    counted = ", ".join(f"{report.count(fate)} {fate}" for fate in get_args(MutantFate))
    lines.append(f"{len(report.mutants)} mutants: {counted}")
    return "\n".join(lines)
