"""`pdfdocket plan DOC QUESTION`."""

from __future__ import annotations

from pathlib import Path

import click

from pipeline.cli.options import document_options, json_option, read_question, read_settings, rule_options

EPILOG = """\b
Examples:
  pdfdocket plan report.pdf "List the CSF Functions."
  pdfdocket plan report.pdf "List the CSF Functions." --json
  pdfdocket plan report.pdf "List the CSF Functions." --rules my-rules/
"""


@click.command(epilog=EPILOG)
@click.argument("document", type=click.Path(path_type=Path))
@click.argument("question")
@json_option
@rule_options
@document_options
def command(document: Path, question: str, as_json: bool, **flags: object) -> int:
    """Show the plan for a QUESTION of a DOCUMENT: steps, standby steps, limits, rules. Runs nothing."""
    from pipeline.cli.output import print_json, print_text
    from pipeline.cli.plans import draw_plan_tree, render_question
    from pipeline.cli.progress import watch_run
    from pipeline.run import plan

    settings = read_settings(flags)
    with watch_run(settings, document) as observe:
        preview = plan(document, read_question(question), settings, observe)
    if as_json:
        print_json(preview.model_dump(mode="json"))
    else:
        print_text(render_question(preview.question) + "\n\n" + draw_plan_tree(preview.plan))
    return 0
