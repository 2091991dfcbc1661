"""The command group: verbs are imported when they are called, errors become one line and an exit code."""

from __future__ import annotations

from importlib import import_module

import click

from pipeline import __version__
from pipeline.cli import INTERRUPTED
from pipeline.cli.failures import Failure, describe_error, describe_usage, report_failure
from pipeline.cli.output import print_help
from pipeline.errors import DocketError

VERBS = {
    "ask": ("pipeline.cli.ask", "Ask a document a question; writes the record, prints the answer."),
    "batch": ("pipeline.cli.batch", "Ask many questions of many documents; can be killed and resumed."),
    "report": ("pipeline.cli.report", "Write a page with the answers, the pages they quote, and how each came about."),
    "annotate": ("pipeline.cli.annotate", "Write copies of the documents with the answers marked in them."),
    "plan": ("pipeline.cli.plan", "Show what would be done for a question, and why; runs nothing."),
    "profile": ("pipeline.cli.profile", "Say what a document is: pages, outline, language, damage."),
    "show": ("pipeline.cli.show", "Show a recorded run."),
    "replay": ("pipeline.cli.replay", "Run records again and compare them byte for byte."),
    "why": ("pipeline.cli.why", "Tell a run as a story: facts, rules, who spent the budget, why it stopped."),
    "why-not": ("pipeline.cli.why_not", "Say why a rule did nothing in a run, or what another budget would change."),
    "verify": ("pipeline.cli.verify", "Find any changed, removed, inserted or moved line of a ledger."),
    "checkpoint": ("pipeline.cli.checkpoint", "Verify a ledger and write its head, to be kept elsewhere."),
    "redact": ("pipeline.cli.redact", "Blind fields of an old record; the ledger still verifies."),
    "rules": ("pipeline.cli.rules", "List, show, check, exercise, compare and begin rules."),
}

EPILOG = """\b
Examples:
  pdfdocket profile report.pdf
  pdfdocket plan report.pdf "What are the three security objectives?"
  pdfdocket ask report.pdf "What are the three security objectives?"
  pdfdocket ask report.pdf "Which law governs the agreement?" --json
\b
Settings: defaults < pdfdocket.toml of the working directory < environment < flags.
  file         cache, cache_folder, rules, records, ledger, keep_ledger, log_level, max_iterations, the table
               [parse] with max_seconds, max_memory_bytes, max_pages, max_characters, and the table
               [ledger_limits] with max_bytes (of a segment), max_record_bytes
  environment  PDFDOCKET_CACHE, PDFDOCKET_RULES, PDFDOCKET_RECORDS, PDFDOCKET_LEDGER, PDFDOCKET_LEDGER_KEY,
               PDFDOCKET_LOG, PDFDOCKET_PASSWORD
\b
Exit codes: 0 answered, 1 not found or asked back, 2 bad input or usage, 3 rules invalid.
"""

# a fixed width keeps the help the same in every terminal, and in docs/cli.md
CONTEXT = {"help_option_names": ["-h", "--help"], "terminal_width": 100}


class VerbGroup(click.Group):
    """A group that knows its verbs without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Verbs in the order of their use, not of the alphabet."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one verb."""
        # click words the error for an unknown verb
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


@click.group(cls=VerbGroup, epilog=EPILOG, context_settings=CONTEXT)
@click.version_option(__version__, prog_name="pdfdocket")
def root() -> None:
    """Answer questions about PDFs by a plan that can be read before it runs and replayed after."""


def run_command(arguments: list[str]) -> int:
    """Run one command line and return its exit code; errors are one line on stderr, never a traceback."""
    # read here, because an error may come before the verb has read its flags
    as_json = "--json" in arguments
    try:
        # standalone mode would print errors in click's own form and leave the process
        code = root.main(args=arguments, prog_name="pdfdocket", standalone_mode=False)
    except (click.exceptions.Abort, KeyboardInterrupt):
        failure = Failure("interrupted", "interrupted", "what was written is whole; run it again", INTERRUPTED)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        print_help(error.format_message())
        return error.exit_code
    except click.ClickException as error:
        failure = describe_usage(error)
    except DocketError as error:
        failure = describe_error(error)
    except MemoryError:
        failure = Failure("limit", "not enough memory", "free some, or lower [parse] max_pages in pdfdocket.toml")
    except OSError as error:
        # what was asked for is done and cannot be shown: another object would not get through either
        as_json = False
        failure = Failure("output", f"{error.filename or 'output'}: {error.strerror or error}", "free some space")
    else:
        return code if isinstance(code, int) else 0
    return report_failure(failure, as_json=as_json)
