"""`pdfdocket rules new ID`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli.options import json_option
from pipeline.cli.rule_sources import cases_option, rules_option
from pipeline.errors import UsageError

if TYPE_CHECKING:
    from pipeline.policy.scaffolding import Draft

Words = str | tuple[str, ...]

EPILOG = """\b
Examples:
  pdfdocket rules new PAY01 --rules my-rules/ --all "page_count at_least 50" --then pattern=two_hop
  pdfdocket rules new PAY02 --rules my-rules/ --any "is_open is true" --any "intent one_of section,reason" \\
      --then pattern=toc_retrieval --then max_sections=2
  pdfdocket rules new PAY03 --rules my-rules/ --then signal=short_list --then action=sweep
\b
The rule is in preview: it is judged and recorded, and puts nothing into a plan until its status is stable.
Its cases are written with it: one that fires, one at each boundary, one blocked by each condition.
"""


@click.command(epilog=EPILOG)
@click.argument("rule_id")
@click.option("--name", default="to-be-named", help="The situation found, in words joined by hyphens.")
@click.option("--because", default="", help="The reason, quoted into plans and records.")
@click.option("--all", "all_of", multiple=True, help="A condition that must hold: FACT OPERATOR VALUE.")
@click.option("--any", "any_of", multiple=True, help="A condition of which one must hold.")
@click.option("--none", "none_of", multiple=True, help="A condition that must not hold.")
@click.option("--then", multiple=True, help="pattern=..., or signal=... and action=...; and parameters.")
@rules_option
@cases_option
@json_option
def command(rule_id: str, folder: Path | None, cases: Path | None, as_json: bool, **words: Words) -> int:
    """Begin a rule with the id RULE_ID (three letters, two digits): its file, its cases, its row in the catalogue."""
    from pipeline.cli.output import print_json, print_text
    from pipeline.config import load_settings
    from pipeline.policy.cases import find_cases_folder
    from pipeline.policy.rulebook import find_default_folder
    from pipeline.policy.scaffolding import scaffold_rule

    rules = load_settings({"rules": folder}).rules_folder or find_default_folder()
    # in a wheel the shipped rules lie among the modules; the next update would lose the new one
    if rules.name == "rules_default":
        raise UsageError("the shipped rules are part of the program", "name a folder of your own with --rules")
    draft = _build_draft(rule_id, words)
    written = scaffold_rule(draft, rules, cases or find_cases_folder(rules))
    if as_json:
        print_json({"rule": rule_id, "written": [str(path) for path in written]})
    else:
        lines = [f"wrote {path}" for path in written]
        lines.append(f"next: say why in {written[0]}, then pdfdocket rules check --rules {rules}")
        print_text("\n".join(lines))
    return 0


def _build_draft(rule_id: str, words: dict[str, Words]) -> Draft:
    from pipeline.policy.scaffolding import Draft

    conditions = [(group, text) for group in ("all", "any", "none") for text in words[f"{group}_of"]]
    then = [part.partition("=") for part in words["then"]]
    if any(not sign for _, sign, _ in then):
        raise UsageError("--then takes KEY=VALUE", "for example pattern=two_hop")
    draft = Draft(rule_id, name=str(words["name"]), conditions=tuple(conditions))
    if words["because"]:
        draft = draft._replace(because=str(words["because"]))
    return draft._replace(then=tuple((key, value) for key, _, value in then)) if then else draft
