"""Thresholds are data of a rulebook: read, bounded, extended, part of its revision, and what readers go by."""

from __future__ import annotations

import tomllib

import pytest

from pipeline.errors import RulebookError
from pipeline.models.thresholds import Thresholds
from pipeline.policy.rulebook import find_default_folder, load_rulebook


def _write(folder, thresholds):
    folder.mkdir()
    text = f'name = "own"\nextends = "default"\n{thresholds}\n'
    (folder / "rulebook.toml").write_text(text, encoding="utf-8")
    return folder


def test_every_threshold_is_named_at_its_default_when_the_shipped_rulebook_is_read():
    book = tomllib.loads((find_default_folder() / "rulebook.toml").read_text(encoding="utf-8"))
    assert book["thresholds"] == Thresholds().model_dump()


def test_one_threshold_changes_in_every_language_when_a_rulebook_extends(tmp_path):
    shipped = load_rulebook()
    own = load_rulebook(_write(tmp_path / "own", "[thresholds]\nvalue_score = 700"))
    expected = Thresholds(value_score=700)
    assert {entry.language for entry in own.lexicons.languages} == {"en", "pt", "zh"}
    assert all(entry.thresholds == expected for entry in own.lexicons.languages)
    assert own.revision != shipped.revision
    assert own.lexicons != shipped.lexicons


def test_defaults_hold_when_a_rulebook_was_kept_before_there_were_thresholds(tmp_path):
    own = load_rulebook(_write(tmp_path / "own", ""))
    assert own.lexicons.of("en").thresholds == Thresholds()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("thresholds = 3", "thresholds is not a table"),
        ("[thresholds]\nvalue = 5", "unknown threshold 'value'"),
        ("[thresholds]\nseries = 1001", "threshold series is 1001"),
        ("[thresholds]\nseries = -1", "threshold series is -1"),
        ("[thresholds]\nseries = true", "threshold series is True"),
    ],
)
def test_a_rulebook_is_refused_when_a_threshold_is_none(tmp_path, text, message):
    with pytest.raises(RulebookError, match=message):
        load_rulebook(_write(tmp_path / "own", text))
