"""The command group: verbs are imported when they are called, errors become one line and an exit code."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click

from pipeline import __version__
from pipeline.errors import DocketError

VERBS = {
    "ask": ("pipeline.cli.ask", "Ask a document a question; writes the record, prints the answer."),
    "plan": ("pipeline.cli.plan", "Show what would be done for a question, and why; runs nothing."),
    "profile": ("pipeline.cli.profile", "Say what a document is: pages, outline, language, damage."),
    "show": ("pipeline.cli.show", "Show a recorded run."),
    "rules": ("pipeline.cli.rules", "List the rules, or show one."),
}

EPILOG = """\b
Examples:
  pdfdocket profile report.pdf
  pdfdocket plan report.pdf "What are the three security objectives?"
  pdfdocket ask report.pdf "What are the three security objectives?"
  pdfdocket ask report.pdf "Which law governs the agreement?" --json
\b
Exit codes: 0 answered, 1 not found or asked back, 2 bad input or usage, 3 rules invalid.
"""


class VerbGroup(click.Group):
    """A group that knows its verbs without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Verbs in the order of their use, not of the alphabet."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one verb."""
        if cmd_name not in VERBS:
            return None
        command = import_module(VERBS[cmd_name][0]).command
        if not isinstance(command, click.Command):
            raise TypeError(f"{cmd_name} is no command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs from the table, so that `--help` imports none of them."""
        with formatter.section("Verbs"):
            formatter.write_dl([(name, words) for name, (_, words) in VERBS.items()])


@click.group(cls=VerbGroup, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="pdfdocket")
def root() -> None:
    """Answer questions about PDFs by a plan that can be read before it runs and replayed after."""


def run_command(arguments: list[str]) -> int:
    """Run one command line and return its exit code; errors are one line on stderr, never a traceback."""
    try:
        code = root.main(args=arguments, prog_name="pdfdocket", standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("pdfdocket: interrupted; what was written is whole", err=True)
        return 130
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        error.show()
        return 2
    except DocketError as error:
        click.echo(f"pdfdocket: {error}", err=True)
        return error.exit_code
    except BrokenPipeError:
        # The reader of a pipe went away (`| head`); what is left to print has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        click.echo(f"pdfdocket: {error.filename or 'output'}: {error.strerror or error}", err=True)
        return 2
    return code if isinstance(code, int) else 0
