"""Options that several verbs share, and the settings made of them."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.models.settings import Settings

Function = TypeVar("Function", bound="Callable[..., object]")


def document_options(function: Function) -> Function:
    """--password, --no-cache and --log-level."""
    for option in (
        click.option("--password", help="Password of an encrypted file (better: PDFDOCKET_PASSWORD)."),
        click.option("--no-cache", is_flag=True, help="Parse again and keep nothing in the parse cache."),
        click.option(
            "--log-level", type=click.Choice(["debug", "info", "warning", "error"]), help="Logs go to stderr."
        ),
    ):
        function = option(function)
    return function


def rule_options(function: Function) -> Function:
    """--rules and --max-iterations."""
    for option in (
        click.option("--rules", type=click.Path(path_type=Path), help="Folder with a rulebook of your own."),
        click.option("--max-iterations", type=click.IntRange(1, 4), help="Lower the budget of four iterations."),
    ):
        function = option(function)
    return function


def ledger_options(function: Function) -> Function:
    """--ledger and --no-ledger."""
    for option in (
        click.option("--no-ledger", is_flag=True, help="Append the run to no ledger."),
        click.option(
            "--ledger", type=click.Path(path_type=Path), help="Append here instead of .pdfdocket/ledger.jsonl."
        ),
    ):
        function = option(function)
    return function


def json_option(function: Function) -> Function:
    """--json: one JSON object on stdout, nothing else."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")(function)


def read_settings(flags: dict[str, object]) -> Settings:
    """Settings of this call: defaults, pdfdocket.toml, environment, then these flags."""
    from pipeline.config import load_settings

    flags = dict(flags)
    # only a flag that was given may override the file: `--no-cache` says nothing when it is absent
    if flags.pop("no_cache", False):
        flags["cache"] = False
    if flags.pop("no_ledger", False):
        flags["keep_ledger"] = False
    return load_settings(flags)


def read_question(given: str) -> str:
    """The question as text: bytes that the locale could not read are UTF-8 more often than anything else."""
    try:
        given.encode("utf-8")
    except UnicodeEncodeError:
        with contextlib.suppress(UnicodeDecodeError):
            return os.fsencode(given).decode("utf-8")
    return given
