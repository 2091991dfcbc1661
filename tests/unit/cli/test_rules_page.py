"""docs/rules.md shows what the program prints: every command of it is run, in order, and held against the page."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.cli.group import run_command
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def _list_commands() -> Iterator[tuple[list[str], list[str]]]:
    """Each command with the lines that the page shows below it."""
    for block in BLOCK.findall(PAGE):
        for part in block.split("$ ")[1:]:
            command, *shown = part.rstrip("\n").split("\n")
            yield shlex.split(command), shown


def _build_pattern(shown: list[str]) -> str:
    """`...` alone on a line stands for any lines, within a line for any text."""
    lines = [r"(?:.*\n)*?" if line == "..." else re.escape(line).replace(r"\.\.\.", ".*?") + r"\n" for line in shown]
    return "".join(lines)


def test_output_is_as_shown_when_every_command_of_the_page_is_run(
    built_documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    for name in ("PDFDOCKET_RULES", "PDFDOCKET_RECORDS", "PDFDOCKET_LEDGER"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "fixtures").mkdir()
    (tmp_path / "fixtures" / "built").symlink_to(built_documents, target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    commands = list(_list_commands())
    assert len(commands) > 8
    for words, shown in commands:
        assert words[0] == "pdfdocket"
        run_command(words[1:])
        printed = capfd.readouterr()
        assert printed.err == "", words
        assert re.fullmatch(_build_pattern(shown), printed.out), f"{words}\n{printed.out}"


def test_the_page_shows_a_case_as_it_is_written_when_a_rule_is_begun(tmp_path: Path):
    from pipeline.policy.scaffolding import Draft, scaffold_rule

    draft = Draft("PAY01", conditions=(("all", "page_count at_least 5"),), then=(("pattern", "aggregation"),))
    _, cases, _ = scaffold_rule(draft, tmp_path / "rules", tmp_path / "cases")
    assert cases.read_text(encoding="utf-8").split("\n\n")[0] in PAGE
