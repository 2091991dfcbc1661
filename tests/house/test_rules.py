"""Every dispatch rule has its cases, and every case file its rule."""

from __future__ import annotations

import re

from tests.house.source import ROOT

RULE_FILE = re.compile(r"[A-Z]{3}\d{2}\.toml")


def _list_rule_files(folder: str) -> set[str]:
    return {path.name for path in (ROOT / folder).glob("*.toml") if RULE_FILE.fullmatch(path.name)}


def test_every_rule_has_its_cases_when_the_two_folders_are_compared():
    rules = _list_rule_files("rules")
    assert rules
    assert sorted(rules ^ _list_rule_files("fixtures/rules")) == []
