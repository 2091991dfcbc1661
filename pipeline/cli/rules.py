"""`pdfdocket rules`: list and show here, the verbs that analyse rules in files of their own."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli.options import json_option
from pipeline.errors import UsageError

if TYPE_CHECKING:
    from pipeline.policy.rulebook import Rulebook
    from pipeline.policy.rules import Rule

EPILOG = """\b
Examples:
  pdfdocket rules list
  pdfdocket rules show TOC01
  pdfdocket rules list --rules my-rules/ --json
  pdfdocket rules check --rules my-rules/
"""
_ANALYSES = {
    "check": "pipeline.cli.rules_check",
    "coverage": "pipeline.cli.rules_coverage",
    "mutate": "pipeline.cli.rules_mutate",
    "diff": "pipeline.cli.rules_diff",
    "new": "pipeline.cli.rules_new",
}

folder_option = click.option("--rules", "folder", type=click.Path(path_type=Path), help="Folder with a rulebook.")


class RuleVerbs(click.Group):
    """The verbs under `rules`; those that analyse are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Reading first, then the analyses in the order of their use."""
        return [*self.commands, *_ANALYSES]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """One verb, or None."""
        if cmd_name in _ANALYSES:
            found = import_module(_ANALYSES[cmd_name]).command
            return found if isinstance(found, click.Command) else None
        return super().get_command(ctx, cmd_name)


@click.group(cls=RuleVerbs, epilog=EPILOG)
def command() -> None:
    """List the rules of a rulebook, show one, check and exercise them, or begin a new one."""


@command.command("list", epilog=EPILOG)
@folder_option
@json_option
def list_rules(folder: Path | None, as_json: bool) -> int:
    """List all rules: id, status, name and what they put into a plan."""
    from pipeline.cli.output import print_json, print_text

    book = _load(folder)
    if as_json:
        rules = [rule.model_dump(mode="json") for rule in book.rules]
        print_json({"rulebook": book.name, "revision": book.revision, "rules": rules})
    else:
        lines = [f"rulebook {book.name}, revision {book.revision[:12]}"]
        lines += [f"{rule.id}  {rule.status:<8} {rule.name:<36} {_consequence(rule)}" for rule in book.rules]
        print_text("\n".join(lines))
    return 0


@command.command("show", epilog=EPILOG)
@click.argument("rule_id")
@folder_option
@json_option
def show_rule(rule_id: str, folder: Path | None, as_json: bool) -> int:
    """Show one rule whole: conditions, consequence and reason."""
    from pipeline.cli.output import print_json, print_text

    book = _load(folder)
    rule = book.find(rule_id.upper())
    if rule is None:
        raise UsageError(f"no rule {rule_id} in rulebook {book.name}", "pdfdocket rules list names them all")
    if as_json:
        print_json(rule.model_dump(mode="json"))
        return 0
    print_text(render_rule(rule))
    return 0


def render_rule(rule: Rule) -> str:
    """A rule as text, in the words of its file."""
    lines = [f"{rule.id} {rule.name} ({rule.status}, since {rule.since})", f"because {rule.because}"]
    lines += [
        f"  {condition.group:<5} {condition.fact} {condition.op.replace('_', ' ')} {condition.value}"
        for condition in rule.conditions
    ]
    lines.append(f"then    {_consequence(rule)}")
    if rule.overrides:
        lines.append(f"sets aside {', '.join(rule.overrides)}")
    return "\n".join(lines)


def _load(folder: Path | None) -> Rulebook:
    from pipeline.config import load_settings
    from pipeline.policy.rulebook import load_rulebook

    return load_rulebook(load_settings({"rules": folder}).rules_folder)


def _consequence(rule: Rule) -> str:
    parameters = "".join(f" {parameter.name}={parameter.value}" for parameter in rule.parameters)
    if rule.is_step:
        return f"{rule.pattern}{parameters}"
    return f"on {rule.signal}: {rule.action}{parameters}"
