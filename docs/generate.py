"""Write the generated pages: `python -m docs.generate [OUTDIR]`.

By default the pages go to docs/ of the checkout, and the catalogue of rules goes beside the rules.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from pipeline.cli.group import root
from pipeline.models.run import RunRecord
from pipeline.policy.catalogue import render_catalogue
from pipeline.policy.rulebook import find_default_folder, load_rulebook


def write_pages(folder: Path) -> tuple[Path, ...]:
    """Write every generated page into a folder; give their paths in order."""
    folder.mkdir(parents=True, exist_ok=True)
    schema = json.dumps(RunRecord.model_json_schema(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    pages = {"run-record.schema.json": schema, "cli.md": describe_commands()}
    for name, text in pages.items():
        (folder / name).write_text(text, encoding="utf-8")
    return tuple(folder / name for name in pages)


def write_catalogue(folder: Path) -> Path:
    """Write the catalogue of the shipped rules into a folder; give its path."""
    # rendered first: a rulebook that does not load must not leave an empty page
    text = render_catalogue(load_rulebook())
    (folder / "README.md").write_text(text, encoding="utf-8")
    return folder / "README.md"


def describe_commands() -> str:
    """The help of every verb, as the program prints it."""
    parts = ["# Command line", "Written by `make docs` from what `--help` prints."]
    for words, command, context in walk_commands(root, root.make_context("pdfdocket", [], resilient_parsing=True)):
        text = "\n".join(line.rstrip() for line in command.get_help(context).rstrip().split("\n"))
        parts.append(f"## {words}\n\n```text\n{text}\n```")
    return "\n\n".join(parts) + "\n"


def walk_commands(command: click.Command, context: click.Context) -> Iterator[tuple[str, click.Command, click.Context]]:
    """A command and everything below it, with the words that call it."""
    yield context.command_path, command, context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None:
                inner = below.make_context(name, [], parent=context, resilient_parsing=True)
                yield from walk_commands(below, inner)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        written = write_pages(Path(sys.argv[1]))
    else:
        written = (*write_pages(Path(__file__).resolve().parent), write_catalogue(find_default_folder()))
    for page in written:
        print(page)
