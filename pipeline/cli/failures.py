"""Errors as a user meets them: a state, a message and a remedy in one line, with --json also as one object."""

from __future__ import annotations

from typing import NamedTuple

import click

from pipeline.cli.output import print_error, print_json
from pipeline.errors import (
    BatchInterrupted,
    BatchStopped,
    DocketError,
    DocumentError,
    EffectMissing,
    QuestionError,
    RecordError,
    RulebookError,
    UsageError,
)

_STATES: tuple[tuple[type[DocketError], str], ...] = (
    (QuestionError, "question"),
    (UsageError, "usage"),
    (RulebookError, "rules"),
    (RecordError, "record"),
    (EffectMissing, "effect"),
    (BatchStopped, "batch"),
    (BatchInterrupted, "interrupted"),
)
# for errors whose raiser knows the fault and not who can mend it
_REMEDIES = {
    "rules": "mend the rulebook, or leave out --rules and PDFDOCKET_RULES",
    "record": "give the record of a run as pdfdocket wrote it",
}


class Failure(NamedTuple):
    """Why a command did not do what it was asked for; `state` is one of those listed in docs/json.md."""

    state: str
    message: str
    remedy: str = ""
    exit_code: int = 2


def describe_error(error: DocketError) -> Failure:
    """An error that was raised on purpose."""
    if isinstance(error, DocumentError):
        return Failure(error.state, error.message, error.remedy, error.exit_code)
    state = next((name for kind, name in _STATES if isinstance(error, kind)), "usage")
    return Failure(state, error.message, error.remedy or _REMEDIES.get(state, ""), error.exit_code)


def describe_usage(error: click.ClickException) -> Failure:
    """A command line that click does not take; the remedy names the help that explains it."""
    # click ends its sentences and breaks its lines; here a remedy follows on the same one
    message = error.format_message().replace("\n", " ").rstrip(".")
    context = getattr(error, "ctx", None)
    verb = context.command_path if context is not None else "pdfdocket"
    return Failure("usage", message[:1].lower() + message[1:], f"see {verb} --help")


def report_failure(failure: Failure, *, as_json: bool) -> int:
    """Print one line on stderr, and one object on stdout where JSON was asked for; give the exit code."""
    remedy = f" ({failure.remedy})" if failure.remedy else ""
    print_error(f"pdfdocket: {failure.message}{remedy}")
    if as_json:
        print_json({"error": {"state": failure.state, "message": failure.message, "remedy": failure.remedy}})
    return failure.exit_code
