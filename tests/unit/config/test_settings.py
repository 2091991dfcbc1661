"""Defaults, file, environment and flags, each over the one before."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.config import ENVIRONMENT, load_settings
from pipeline.errors import UsageError
from pipeline.models.settings import Settings


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch):
    for name in ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)


def _write(folder: Path, text: str) -> None:
    (folder / "pdfdocket.toml").write_text(text, encoding="utf-8")


def test_settings_are_the_defaults_when_nothing_is_given(tmp_path: Path):
    assert load_settings({}, tmp_path) == Settings()


def test_later_sources_win_when_several_give_the_same_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    _write(tmp_path, 'records = "of-file"\nrules = "rules-of-file"\nlog_level = "info"\n')
    monkeypatch.setenv("PDFDOCKET_RECORDS", "of-environment")
    monkeypatch.setenv("PDFDOCKET_LOG", "debug")
    settings = load_settings({"log_level": "error", "rules": None}, tmp_path)
    assert settings.records_folder == Path("of-environment")
    assert settings.rules_folder == Path("rules-of-file")
    assert settings.log_level == "error"


def test_limits_of_parsing_are_set_when_the_file_has_its_table(tmp_path: Path):
    _write(tmp_path, "cache = false\nmax_iterations = 2\n[parse]\nmax_seconds = 7\nmax_pages = 30\n")
    settings = load_settings({}, tmp_path)
    assert (settings.parse.max_seconds, settings.parse.max_pages) == (7, 30)
    assert settings.parse.max_characters == Settings().parse.max_characters
    assert settings.is_cache_used is False
    assert settings.run.max_iterations == 2


def test_variable_counts_as_not_set_when_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PDFDOCKET_RECORDS", "")
    monkeypatch.setenv("PDFDOCKET_PASSWORD", "")
    assert load_settings({}, tmp_path) == Settings()


def test_password_is_not_shown_when_settings_are_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PDFDOCKET_PASSWORD", "open sesame")
    settings = load_settings({}, tmp_path)
    assert settings.password == "open sesame"
    assert "sesame" not in repr(settings)
    assert "sesame" not in str(settings)


def test_home_is_found_when_a_path_begins_with_a_tilde(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert load_settings({"rules": "~/rules"}, tmp_path).rules_folder == tmp_path / "rules"


def test_file_is_read_when_it_begins_with_a_byte_order_mark(tmp_path: Path):
    (tmp_path / "pdfdocket.toml").write_bytes(b"\xef\xbb\xbfmax_iterations = 3\n")
    assert load_settings({}, tmp_path).run.max_iterations == 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("records = 5", "pdfdocket.toml: records"),
        ('records = ""', "pdfdocket.toml: records"),
        ('cache = "no"', "pdfdocket.toml: cache should be"),
        ("max_iterations = 0", "pdfdocket.toml: max_iterations should be greater"),
        ("max_iterations = true", "pdfdocket.toml: max_iterations"),
        ("parse = 3", "pdfdocket.toml: parse should be"),
        ("[parse]\nmax_pages = -1", "parse.max_pages should be greater"),
        ("[parse]\nmax_pages = 1.5", "parse.max_pages"),
        ("[parse]\npages = 1", "parse.pages is no setting"),
        ('rules = "~nobody-of-that-name/x"', "rules"),
    ],
)
def test_error_names_file_and_key_when_a_value_is_wrong(tmp_path: Path, text: str, words: str):
    _write(tmp_path, text)
    with pytest.raises(UsageError) as caught:
        load_settings({}, tmp_path)
    assert words in caught.value.message
    assert caught.value.remedy


def test_error_names_the_variable_when_its_value_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PDFDOCKET_LOG", "loud")
    with pytest.raises(UsageError, match="PDFDOCKET_LOG: log_level should be 'debug'"):
        load_settings({}, tmp_path)


def test_error_names_the_file_when_it_is_a_folder(tmp_path: Path):
    (tmp_path / "pdfdocket.toml").mkdir()
    with pytest.raises(UsageError, match=r"pdfdocket\.toml: cannot be read"):
        load_settings({}, tmp_path)
