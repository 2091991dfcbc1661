"""Printing of JSON objects: readable, in UTF-8 whatever the terminal says, keys in the order of their making."""

from __future__ import annotations

import json

import click


def print_json(value: object) -> None:
    """Print one JSON object and a line end; characters beyond ASCII are kept."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8", "backslashreplace"))
