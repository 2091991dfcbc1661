"""Another budget: the same document, the same rules, and a comparison that says what limits it."""

from __future__ import annotations

from pathlib import Path

import pytest

from fixtures.rawpdf import lease_pdf
from pipeline.audit.archive import ARCHIVE_NAME, archive_rulebook
from pipeline.errors import RecordError, UsageError
from pipeline.models.run import EffectRecord
from pipeline.models.settings import Settings
from pipeline.rerun import what_if as what_if_module
from pipeline.rerun.what_if import ask_with_budget
from pipeline.run import ask
from tests.unit.policy.builders import write_rules


@pytest.fixture(scope="module")
def lease(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lease") / "lease.pdf"
    path.write_bytes(lease_pdf())
    return path


@pytest.fixture(scope="module")
def record(lease: Path):
    return ask(lease, "What is the deposit, and who pays for the dragon?")


def _change(record, **given: object):
    return record.model_copy(update={"body": record.body.model_copy(update=given)})


def test_the_end_is_the_same_when_the_budget_is(record):
    what_if = ask_with_budget(record, 4)
    assert what_if.is_same_answer
    assert what_if.recorded == what_if.would_be
    assert (what_if.recorded_budget, what_if.budget, what_if.caveats) == (4, 4, ())
    assert len(what_if.iterations) == what_if.would_be.iteration_count


def test_the_run_ends_earlier_when_the_budget_is_one(record):
    what_if = ask_with_budget(record, 1)
    assert what_if.would_be.iteration_count == 1
    assert what_if.budget == 1
    assert what_if.iterations[0].budget_after == 0


def test_the_document_is_found_elsewhere_when_it_is_named(record, lease: Path, tmp_path: Path):
    moved = tmp_path / "moved.pdf"
    moved.write_bytes(lease.read_bytes())
    nowhere = record.model_copy(update={"volatile": record.volatile.model_copy(update={"document_path": ""})})
    assert ask_with_budget(nowhere, 4, moved).is_same_answer
    assert ask_with_budget(nowhere, 4, tmp_path).is_same_answer
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="empty: the document"):
        ask_with_budget(nowhere, 4, tmp_path / "empty")
    with pytest.raises(UsageError, match="does not say where"):
        ask_with_budget(nowhere, 4)
    with pytest.raises(UsageError, match="cannot be read"):
        ask_with_budget(record, 4, tmp_path / "gone.pdf")


def test_another_document_is_refused_when_its_hash_differs(record, lease: Path, tmp_path: Path):
    other = tmp_path / "other.pdf"
    other.write_bytes(lease.read_bytes() + b"\n")
    with pytest.raises(UsageError, match="the run was made of"):
        ask_with_budget(record, 1, other)


def test_another_rulebook_is_refused_when_its_revision_differs(record, tmp_path: Path):
    folder = write_rules(tmp_path / "mine", book='name = "own"\nextends = "default"', has_default=False)
    with pytest.raises(RecordError, match="revision"):
        ask_with_budget(record, 1, settings=Settings(rules_folder=folder, ledger_path=tmp_path / "ledger.jsonl"))


def test_the_rulebook_of_the_run_is_taken_when_it_was_kept_beside_the_ledger(lease: Path, tmp_path: Path):
    folder = write_rules(tmp_path / "mine", book='name = "own"\nextends = "default"', has_default=False)
    old = ask(lease, "What is the deposit?", Settings(rules_folder=folder))
    archive_rulebook(folder, tmp_path / ARCHIVE_NAME, old.body.plan.rulebook_revision)
    what_if = ask_with_budget(old, 4, settings=Settings(ledger_path=tmp_path / "ledger.jsonl"))
    assert what_if.is_same_answer


def test_impure_calls_are_answered_from_the_record_when_asked_again(record, monkeypatch: pytest.MonkeyPatch):
    given = []
    real = what_if_module.ask

    def remember(*arguments, effects, **others):
        given.append((effects.mode, effects.call("ocr", "1", lambda: "{}")))
        return real(*arguments, effects=effects, **others)

    monkeypatch.setattr(what_if_module, "ask", remember)
    effects = (EffectRecord(kind="ocr", key="1", outcome='{"a":1}'),)
    ask_with_budget(_change(record, effects=effects), 1)
    assert given == [("recorded", '{"a":1}')]


def test_what_limits_the_comparison_is_said_when_version_or_candidates_differ(record):
    versions = record.body.versions.model_copy(update={"engine": "another"})
    first = record.body.iterations[0].model_copy(update={"ranking_hash": "0" * 64})
    old = _change(record, versions=versions, iterations=(first, *record.body.iterations[1:]))
    caveats = ask_with_budget(old, 4).caveats
    assert caveats[0].startswith("the run was made by another version")
    assert caveats[1] == "iteration 1 finds other candidates today than it did then"
