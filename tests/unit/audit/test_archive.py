"""The archive of rulebooks: kept whole or not at all, and never believed when its files were changed."""

from __future__ import annotations

import shutil
import stat
from pathlib import Path

import pytest

from pipeline.audit import archive as archive_module
from pipeline.audit.archive import archive_rulebook, find_archived
from pipeline.errors import RecordError, RulebookError
from pipeline.policy.rulebook import find_default_folder, load_rulebook

REVISION = load_rulebook().revision


def _extend(folder: Path) -> str:
    """A rulebook that extends the shipped one; its revision."""
    folder.mkdir()
    (folder / "rulebook.toml").write_text('name = "own"\nextends = "default"\n', encoding="utf-8")
    return load_rulebook(folder).revision


def test_the_rules_of_the_day_are_found_when_they_were_kept(tmp_path):
    place = archive_rulebook(None, tmp_path / "kept", REVISION)
    kept = find_archived(tmp_path / "kept", REVISION)
    assert (kept.own, kept.base) == (place / "own", None)
    assert load_rulebook(kept.own) == load_rulebook()
    assert stat.S_IMODE(place.stat().st_mode) == 0o755
    assert [path.name for path in (tmp_path / "kept").iterdir()] == [REVISION]


def test_the_rulebook_that_it_extends_is_kept_too_when_there_is_one(tmp_path, monkeypatch):
    revision = _extend(tmp_path / "own")
    archive_rulebook(tmp_path / "own", tmp_path / "kept", revision)
    kept = find_archived(tmp_path / "kept", revision)
    # the shipped rules of another day make no difference
    monkeypatch.setattr("pipeline.policy.rulebook.find_default_folder", lambda: tmp_path / "nowhere")
    assert load_rulebook(kept.own, kept.base).revision == revision


def test_what_is_there_is_left_alone_when_it_is_kept_again(tmp_path, monkeypatch):
    place = archive_rulebook(None, tmp_path, REVISION)
    monkeypatch.setattr(archive_module, "_copy", None)
    assert archive_rulebook(None, tmp_path, REVISION) == place


def test_nothing_is_found_when_it_was_not_kept_or_changed(tmp_path):
    assert find_archived(tmp_path, REVISION) is None
    place = archive_rulebook(None, tmp_path, REVISION)
    book = place / "own" / "rulebook.toml"
    text = book.read_text(encoding="utf-8")
    book.write_text(text + "# a word more\n", encoding="utf-8")
    assert find_archived(tmp_path, REVISION) is None
    book.write_text("name = 3", encoding="utf-8")
    assert find_archived(tmp_path, REVISION) is None


def test_nothing_is_kept_when_the_rules_were_changed_meanwhile(tmp_path):
    with pytest.raises(RulebookError, match="changed while they were used"):
        archive_rulebook(None, tmp_path / "kept", "5" * 64)
    assert list((tmp_path / "kept").iterdir()) == []


def test_the_archive_is_named_when_it_cannot_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    with pytest.raises(RecordError, match=r"file: the rulebook of the run cannot be kept"):
        archive_rulebook(None, tmp_path / "file", REVISION)

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(archive_module, "_copy", fail)
    with pytest.raises(RecordError, match="No space left"):
        archive_rulebook(None, tmp_path / "kept", REVISION)
    assert list((tmp_path / "kept").iterdir()) == []


def test_the_other_copy_stays_when_two_runs_keep_the_same_rules_at_once(tmp_path, monkeypatch):
    fill = archive_module._fill

    def fill_late(made: Path, own: Path, revision: str) -> None:
        fill(made, own, revision)
        shutil.copytree(made, tmp_path / revision)

    monkeypatch.setattr(archive_module, "_fill", fill_late)
    assert archive_rulebook(None, tmp_path, REVISION) == tmp_path / REVISION
    assert [path.name for path in tmp_path.iterdir()] == [REVISION]
    assert find_archived(tmp_path, REVISION) is not None


def test_only_what_the_revision_covers_is_copied_when_more_lies_there(tmp_path):
    own = tmp_path / "own"
    shutil.copytree(find_default_folder(), own)
    (own / "cases").mkdir(exist_ok=True)
    (own / "cases" / "TOC01.toml").write_text("# cases", encoding="utf-8")
    place = archive_rulebook(own, tmp_path / "kept", REVISION)
    assert not (place / "own" / "cases").exists()
    assert (place / "own" / "lexicons" / "en.toml").is_file()
