"""`pdfdocket why RUN`."""

from __future__ import annotations

import click

from pipeline.cli.options import json_option
from pipeline.cli.show import find_record

EPILOG = """\b
Examples:
  pdfdocket why 3f2a9c
  pdfdocket why .pdfdocket/runs/3f2a9c0d1e2b4a5f.json --json
"""


@click.command(epilog=EPILOG)
@click.argument("run")
@json_option
def command(run: str, as_json: bool) -> int:
    """Tell RUN (a file, or the beginning of its id) as a story: facts, rules, budget, stop, ledgers, confidence."""
    from pipeline.audit.record import load_record
    from pipeline.cli.output import print_json, print_text
    from pipeline.cli.stories import render_story
    from pipeline.run.story import tell_run

    story = tell_run(load_record(find_record(run)))
    if as_json:
        print_json(story.model_dump(mode="json"))
    else:
        print_text(render_story(story))
    return 0
