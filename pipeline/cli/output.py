"""Printing: whole texts at once, in the encoding of the terminal, with nothing in them that could steer it."""

from __future__ import annotations

import json
import os
import sys

import click

# A document may hold escape sequences; a terminal would obey them. Tabs and line ends are harmless.
_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(9), *range(11, 32), *range(127, 160))}
# overrides of direction show the name of a file as what it is not
_CONTROLS |= {code: f"\\u{code:04x}" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}


def escape_controls(text: str) -> str:
    """A text with control characters, other than tab and line end, written as escapes."""
    return text.translate(_CONTROLS)


def print_text(text: str) -> None:
    """Print a text and a line end on stdout; what the terminal cannot show is written as an escape."""
    _print_bytes(_encode(escape_controls(text), sys.stdout))


def print_json(value: object) -> None:
    """Print one JSON object and a line end on stdout, in UTF-8 whatever the terminal says; key order is kept."""
    # lone surrogates come out as the escapes that JSON has for them
    _print_bytes(json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8", "backslashreplace"))


def print_error(line: str) -> None:
    """Print one line on stderr; line ends inside it (of a file name, say) are written as escapes."""
    click.echo(_encode(escape_controls(line).replace("\n", "\\n"), sys.stderr), err=True)


def print_help(text: str) -> None:
    """Print a help text on stderr, where it stands in for what a command line lacked."""
    click.echo(_encode(text, sys.stderr), err=True)


def _encode(text: str, stream: object) -> bytes:
    return text.encode(getattr(stream, "encoding", None) or "utf-8", "backslashreplace")


def _print_bytes(content: bytes) -> None:
    try:
        click.echo(content)
    except BrokenPipeError:
        # The reader went away (`| head`); the exit code still says how the question went.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
