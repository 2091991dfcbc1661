"""docs/json.md and the help say what the program does."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fixtures.rawpdf import lease_pdf
from pipeline.cli.failures import describe_error
from pipeline.cli.group import EPILOG, run_command
from pipeline.config import ENVIRONMENT, FILE_KEYS
from pipeline.errors import DocketError, DocumentError
from pipeline.models.settings import ParseLimits

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
FIELD = re.compile(r"^\| `([a-z_.\[\]]+)` \| ([a-z ]+) \|", re.MULTILINE)
TYPES = {"boolean": bool, "integer": int, "text": str, "list": list, "object": dict, "null": type(None)}


def _follow(value: object, path: str) -> list[object]:
    """Every value at a path such as `answer.items[].text`."""
    found = [value]
    for part in path.replace("[]", ".[]").split("."):
        found = [inner for outer in found for inner in outer] if part == "[]" else [outer[part] for outer in found]
    return found


def test_every_documented_field_is_printed_with_its_type_when_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lease.pdf").write_bytes(lease_pdf())
    assert run_command(["ask", "lease.pdf", "What is the deposit?", "--json"]) == 0
    printed = json.loads(capfd.readouterr().out)
    fields = FIELD.findall(PAGE.partition("## The other verbs")[0])
    assert len(fields) > 30
    for path, types in fields:
        values = _follow(printed, path)
        allowed = tuple(TYPES[name] for name in types.split(" or "))
        assert values, path
        assert all(isinstance(value, allowed) for value in values), path


def _list_errors(kind: type[DocketError]) -> list[type[DocketError]]:
    return [kind, *(below for direct in kind.__subclasses__() for below in _list_errors(direct))]


def test_every_state_of_an_error_is_documented_when_it_can_be_raised():
    documented = dict(re.findall(r"^\| `([a-z_]+)` \| (\d+) \|", PAGE, re.MULTILINE))
    for kind in _list_errors(DocketError):
        if not issubclass(kind, DocumentError) and kind.__name__ != "EffectMissing":
            failure = describe_error(kind("message"))
            assert documented[failure.state] == str(failure.exit_code), kind
    for state in ("needs_password", "unreadable", "limit", "not_pdf"):
        assert documented[state] == "2"


def test_help_names_every_setting_when_read():
    named = set(re.findall(r"[A-Za-z_]+", EPILOG))
    assert {*FILE_KEYS, *ENVIRONMENT, *ParseLimits.model_fields} <= named


def test_help_needs_no_heavy_module_when_printed():
    code = "import sys; from pipeline.cli.group import run_command; run_command(['--help']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    loaded = set(done.stdout.split())
    assert "Usage:" in loaded
    assert not loaded & {"pydantic", "rich", "structlog", "pymupdf", "numpy", "pipeline.run", "pipeline.models"}
