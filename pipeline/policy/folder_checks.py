"""Checks of a folder of rules file by file, so that every fault is named and not only the first."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

from pipeline.errors import RulebookError
from pipeline.models.rule_reports import Finding, Severity
from pipeline.policy.rulebook import load_rulebook
from pipeline.policy.rules import parse_rule
from pipeline.text.late import compile_late

SURVIVORS_FILE = "SURVIVORS.toml"
"""The list of mutants that may survive, each with a reason; it is no rule and not part of the revision."""

_RULE_FILE = compile_late(r"[A-Z]{3}\d{2}\.toml")
_OTHER_FILES = {"rulebook.toml", SURVIVORS_FILE}


def find_loading_faults(folder: Path) -> tuple[Finding, ...]:
    """Why a folder of rules does not load, one finding for each file, and which of its files are never read."""
    findings: list[Finding] = []
    for path in sorted(folder.glob("*.toml")):
        if _RULE_FILE.fullmatch(path.name):
            findings += _check_file(path)
        # the loader passes over such a file without a word, and its author waits in vain
        elif path.name not in _OTHER_FILES:
            words = f"{path}: never read, because its name is no rule id (three letters, two digits)"
            findings.append(_find("warning", path.stem, words))
    # what only the whole can show: a missing default rule, circles of overrides, lexicons
    if not any(finding.severity == "error" for finding in findings):
        try:
            load_rulebook(folder)
        except RulebookError as error:
            findings.append(_find("error", "", str(error)))
    return tuple(findings)


def list_own_rules(folder: Path) -> tuple[str, ...]:
    """Ids of the rules that lie in the folder itself, in order; a rulebook that extends another has more."""
    return tuple(path.stem for path in sorted(folder.glob("*.toml")) if _RULE_FILE.fullmatch(path.name))


def _check_file(path: Path) -> Iterator[Finding]:
    try:
        rule = parse_rule(tomllib.loads(path.read_bytes().decode("utf-8").replace("\r\n", "\n")), str(path))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        yield _find("error", path.stem, f"{path}: not TOML: {error}")
    except OSError as error:
        yield _find("error", path.stem, f"{path}: cannot be read: {error.strerror}")
    except RulebookError as error:
        yield _find("error", path.stem, str(error))
    else:
        if rule.id != path.stem:
            yield _find("error", path.stem, f"{path}: rule {rule.id} stands in a file of another name")


def _find(severity: Severity, rule: str, words: str) -> Finding:
    return Finding(kind="does_not_load", severity=severity, rules=(rule,) if rule else (), message=words)
