"""`pdfdocket rules diff OLD NEW --ledger L`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli.options import json_option
from pipeline.cli.rule_sources import draw_table

if TYPE_CHECKING:
    from pipeline.models.rule_reports import RulesDifference
    from pipeline.policy.rulebook import Rulebook

EPILOG = """\b
Examples:
  pdfdocket rules diff default my-rules/ --ledger .pdfdocket/ledger.jsonl
  pdfdocket rules diff rules-of-may/ rules-of-june/ --ledger .pdfdocket/runs --json
\b
OLD and NEW are folders of rules, or the word default. Facts are those that the runs recorded: no document is
opened and nothing is asked.
Exit codes: 0 no plan changes, 1 plans change, 2 bad input or usage, 3 rules invalid.
"""
_SHOWN_RUNS = 10


@click.command(epilog=EPILOG)
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@click.option("--ledger", type=click.Path(path_type=Path), help="Ledger, or folder of records; default: the settings'.")
@json_option
def command(old: Path, new: Path, ledger: Path | None, as_json: bool) -> int:
    """Decide every recorded question under OLD and under NEW and show the plans that change."""
    from pipeline.cli.output import print_json, print_text
    from pipeline.config import load_settings
    from pipeline.rerun.redeciding import compare_rulebooks
    from pipeline.rerun.samples import read_runs

    runs = read_runs(ledger or load_settings({}).ledger_path)
    difference = compare_rulebooks(_load(old), _load(new), runs)
    if as_json:
        print_json(difference.model_dump(mode="json"))
    else:
        print_text(render_difference(difference))
    return 1 if difference.changes else 0


def _load(folder: Path) -> Rulebook:
    from pipeline.policy.rulebook import load_rulebook

    # a folder that somebody named so wins over the word
    is_shipped = str(folder) == "default" and not folder.is_dir()
    return load_rulebook(None if is_shipped else folder)


def render_difference(difference: RulesDifference) -> str:
    """A table by rule, then the runs with what leaves and what joins their plans."""
    lines = [
        f"old: {difference.old}, revision {difference.old_revision[:12]}",
        f"new: {difference.new}, revision {difference.new_revision[:12]}",
        f"{len(difference.changes)} of {difference.run_count} plans change",
    ]
    if difference.has_other_lexicons:
        lines.append("the lexicons differ too: facts of questions may change, which only asking again shows")
    if difference.thresholds:
        words = ", ".join(difference.thresholds)
        lines.append(f"thresholds differ too: {words}; what is found may change, which only asking again shows")
    if difference.rules:
        rows = [
            (
                each.rule,
                each.before,
                each.after,
                str(each.count),
                ", ".join(each.examples),
            )
            for each in difference.rules
        ]
        lines += ["", *draw_table(("rule", "old", "new", "runs", "for example"), rows)]
    for change in difference.changes[:_SHOWN_RUNS]:
        lines += ["", f"run {change.run}: {change.question}"]
        lines += [f"  - {words}" for words in change.removed] + [f"  + {words}" for words in change.added]
        if change.conflict:
            lines.append(f"  no plan: {change.conflict}")
    if len(difference.changes) > _SHOWN_RUNS:
        lines += ["", f"and {len(difference.changes) - _SHOWN_RUNS} more; --json has them all"]
    lines += [f"left out: {words}" for words in difference.left_out]
    return "\n".join(lines)
