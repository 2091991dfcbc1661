"""What is printed cannot steer a terminal and never fails to be printed."""

from __future__ import annotations

import io
import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.cli.failures import Failure, describe_error, report_failure
from pipeline.cli.output import escape_controls, print_json, print_text
from pipeline.errors import DocumentError, RulebookError

ANY_TEXT = st.text(st.characters())


@given(ANY_TEXT)
def test_no_control_character_is_left_when_escaped(text: str):
    escaped = escape_controls(text)
    assert not any(ord(sign) < 32 or 127 <= ord(sign) < 160 for sign in escaped.replace("\n", "").replace("\t", ""))
    assert escaped.count("\n") == text.count("\n")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8", "cp1252", "shift_jis"])
@given(ANY_TEXT)
def test_any_text_is_printed_when_the_terminal_knows_few_characters(encoding: str, text: str):
    with pytest.MonkeyPatch.context() as patch:
        stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
        patch.setattr(sys, "stdout", stream)
        print_text(text)
        print_json({"text": text})
        printed = stream.buffer.getvalue()
    assert json.loads(printed[printed.rindex(b"{\n") :].decode("utf-8")) == {"text": text}


def test_error_is_one_line_and_one_object_when_json_is_asked_for(capfd: pytest.CaptureFixture[str]):
    failure = describe_error(DocumentError("not_pdf", "a\nb.pdf is no PDF", "give a PDF"))
    assert report_failure(failure, as_json=True) == 2
    captured = capfd.readouterr()
    assert captured.err == "pdfdocket: a\\nb.pdf is no PDF (give a PDF)\n"
    assert json.loads(captured.out) == {
        "error": {"state": "not_pdf", "message": "a\nb.pdf is no PDF", "remedy": "give a PDF"}
    }


def test_nothing_goes_to_stdout_when_json_is_not_asked_for(capfd: pytest.CaptureFixture[str]):
    assert report_failure(Failure("usage", "wrong"), as_json=False) == 2
    captured = capfd.readouterr()
    assert (captured.out, captured.err) == ("", "pdfdocket: wrong\n")


def test_rules_have_a_remedy_when_their_error_names_none():
    failure = describe_error(RulebookError("TOC01: unknown fact"))
    assert failure.exit_code == 3
    assert "--rules" in failure.remedy
