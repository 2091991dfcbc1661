"""Replay: the same bytes, the first difference, or a reason why not; never a silent ok."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from fixtures.rawpdf import lease_pdf
from pipeline.audit.archive import ARCHIVE_NAME, archive_rulebook
from pipeline.audit.ledger import append_record, encode_fields
from pipeline.audit.record import build_record
from pipeline.audit.redaction import redact_field
from pipeline.errors import ClockLimit, DocumentError, QuestionError, RecordError, RulebookError, RuleConflict
from pipeline.models.replay import ReplayReport
from pipeline.models.run import EffectRecord, RunRecord
from pipeline.models.settings import ParseLimits, Settings
from pipeline.parsing import revision
from pipeline.policy.rulebook import find_default_folder, load_rulebook
from pipeline.rerun import replay as replay_module
from pipeline.rerun.replay import ReplaySources, replay_ledger, replay_record
from pipeline.run import ask
from pipeline.run.documents import DocumentFinder
from tests.unit.audit.ledgers import link

QUESTION = "What is the deposit, and who repairs the roof?"


@pytest.fixture
def lease(tmp_path: Path) -> Path:
    path = tmp_path / "lease.pdf"
    path.write_bytes(lease_pdf())
    return path


@pytest.fixture
def record(lease: Path) -> RunRecord:
    return ask(lease, QUESTION)


@pytest.fixture
def sources(tmp_path: Path) -> ReplaySources:
    return ReplaySources(Settings(), DocumentFinder(tmp_path), tmp_path / ARCHIVE_NAME)


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """A copy of the shipped rules, to be changed."""
    folder = tmp_path / "rules"
    shutil.copytree(find_default_folder(), folder)
    return folder


def _change(record: RunRecord, **given: object) -> RunRecord:
    """A record of another body, with the hash of that body."""
    return build_record(record.body.model_copy(update=given), record.volatile)


def _change_versions(record: RunRecord, **given: object) -> RunRecord:
    return _change(record, versions=record.body.versions.model_copy(update=given))


def _edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def _get_reason(report: ReplayReport) -> str:
    assert report.state == "cannot_be_replayed"
    assert report.difference is None
    assert report.detail
    return str(report.reason)


def test_a_run_is_identical_when_nothing_changed(record, sources):
    report = replay_record(record, sources, 7)
    assert report == ReplayReport(run_id=record.run_id, number=7, state="identical")


def test_a_run_is_identical_when_the_document_was_moved(record, sources, lease):
    lease.rename(lease.with_name("renamed by somebody"))
    assert replay_record(record, sources).state == "identical"


def test_the_budget_of_the_run_holds_when_the_settings_say_another(lease, sources):
    settings = Settings()
    short = ask(
        lease, QUESTION, settings.model_copy(update={"run": settings.run.model_copy(update={"max_iterations": 1})})
    )
    assert replay_record(short, sources).state == "identical"


def test_the_document_is_missing_when_it_was_removed(record, sources, lease):
    lease.unlink()
    report = replay_record(record, sources)
    assert _get_reason(report) == "document_missing"
    assert record.body.document_sha256[:12] in report.detail
    assert "lease.pdf" in report.detail


@pytest.mark.parametrize("place", [0, 700, -1])
def test_the_input_changed_when_a_byte_of_the_document_did(record, sources, lease, place):
    content = bytearray(lease.read_bytes())
    content[place] ^= 1
    lease.write_bytes(content)
    assert _get_reason(replay_record(record, sources)) == "input_changed"


def test_the_input_changed_when_the_question_is_not_the_one_that_was_hashed(record, sources):
    other = record.body.question.model_copy(update={"text": "What is the rent?"})
    assert _get_reason(replay_record(_change(record, question=other), sources)) == "input_changed"


def test_the_rulebook_is_unknown_when_it_was_not_kept(record, sources):
    plan = record.body.plan.model_copy(update={"rulebook_revision": "5" * 64})
    report = replay_record(_change(record, plan=plan), sources)
    assert _get_reason(report) == "rulebook_unknown"
    assert "revision 555555555555 is not in" in report.detail


def test_the_rulebook_is_unknown_when_what_was_kept_was_changed(lease, sources, rules):
    _edit(rules / "rulebook.toml", 'name = "', 'name = "own-')
    record = ask(lease, QUESTION, Settings(rules_folder=rules))
    kept = archive_rulebook(rules, sources.archive, record.body.plan.rulebook_revision)
    shutil.rmtree(rules)
    assert replay_record(record, sources).state == "identical"
    _edit(kept / "own" / "rulebook.toml", 'name = "own-', 'name = "his-')
    report = replay_record(record, sources)
    assert _get_reason(report) == "rulebook_unknown"
    assert "was changed since it was kept" in report.detail


def test_kept_rules_are_used_when_those_of_today_are_invalid(record, sources, rules):
    (rules / "rulebook.toml").write_text("name = 3", encoding="utf-8")
    broken = sources._replace(settings=Settings(rules_folder=rules))
    assert replay_record(record, broken).state == "identical"


def test_the_engine_is_named_when_it_is_another_one(record, sources, monkeypatch):
    monkeypatch.setattr(replay_module, "describe_engine", lambda: ("PyMuPDF 9.9", revision.PARSER_REVISION))
    report = replay_record(record, sources)
    assert _get_reason(report) == "engine_changed"
    assert report.detail == f"engine {record.body.versions.engine} then, PyMuPDF 9.9 now"


def test_the_parser_is_named_when_it_is_another_one(record, sources):
    report = replay_record(_change_versions(record, parser_revision=99), sources)
    assert _get_reason(report) == "parser_changed"
    assert "parser revision 99 then" in report.detail


def test_the_schema_is_named_when_it_is_another_one(record, sources):
    assert _get_reason(replay_record(_change_versions(record, schema_version=0), sources)) == "schema_changed"


def test_the_program_is_named_and_the_run_identical_when_only_its_version_changed(record, sources):
    report = replay_record(_change_versions(record, pdfdocket="0.0.1"), sources)
    assert report.state == "identical"
    assert report.detail.startswith("made by pdfdocket 0.0.1, replayed by ")


ERRORS: tuple[tuple[Exception, str], ...] = (
    (ClockLimit("limit", "not parsed within 1 seconds"), "clock_limit"),
    (DocumentError("limit", "it has 9 pages, more than 2"), "limit"),
    (DocumentError("needs_password", "needs a password"), "password_needed"),
    (DocumentError("unreadable", "damaged"), "document_unreadable"),
    (QuestionError("too long"), "question_refused"),
    (RuleConflict("two rules ask for another value"), "rules_conflict"),
)


@pytest.mark.parametrize(("error", "reason"), ERRORS, ids=[reason for _, reason in ERRORS])
def test_the_reason_is_named_when_a_run_ends_in_an_error(record, sources, monkeypatch, error, reason):
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(replay_module, "ask", fail)
    report = replay_record(record, sources)
    assert _get_reason(report) == reason
    assert str(error) in report.detail


def test_the_limit_is_named_when_the_document_is_larger_than_it(record, sources):
    small = sources._replace(settings=Settings(parse=ParseLimits(max_characters=10)))
    assert _get_reason(replay_record(record, small)) == "limit"


def test_the_effect_is_named_when_its_outcome_cannot_be_read(record, sources):
    for outcome in ("no JSON", "[]", "{}", '{"engine":"x","lines":[1],"reason":""}', "3"):
        effects = (EffectRecord(kind="ocr", key="abc:p1:en", outcome=outcome),)
        report = replay_record(_change(record, effects=effects), sources)
        assert _get_reason(report) == "effect_missing"
        assert "ocr abc:p1:en" in report.detail


def test_an_effect_too_many_is_named_when_the_run_does_not_use_it(record, sources):
    outcome = '{"engine":"x","lines":[],"reason":"none"}'
    effects = (EffectRecord(kind="ocr", key="abc:p1:en", outcome=outcome),)
    report = replay_record(_change(record, effects=effects), sources)
    assert report.difference is not None
    assert (report.state, report.difference.path, report.difference.replayed) == ("differs", "effects[0]", "nothing")


CHANGES: tuple[tuple[str, Callable[[RunRecord], dict[str, object]]], ...] = (
    ("stop detail", lambda record: {"stop_detail": "another"}),
    ("facts[0].value", lambda record: {"facts": _take(record.body.facts, value=77)}),
    ("profile.page_count", lambda record: {"profile": record.body.profile.model_copy(update={"page_count": 9})}),
    ("iteration 1 ranking hash", lambda record: {"iterations": _take(record.body.iterations, ranking_hash="0")}),
)


def _take(values: tuple, **given: object) -> tuple:
    return (values[0].model_copy(update=given), *values[1:])


@pytest.mark.parametrize(("path", "change"), CHANGES, ids=[path for path, _ in CHANGES])
def test_the_first_difference_is_named_when_a_record_says_something_else(record, sources, path, change):
    report = replay_record(_change(record, **change(record)), sources)
    assert report.state == "differs"
    assert report.difference is not None
    assert report.difference.path == path


# ---- other rules


def test_a_run_is_not_run_again_when_other_rules_decide_it_alike(record, sources, rules, monkeypatch):
    monkeypatch.setattr(replay_module, "ask", None)
    report = replay_record(record, sources._replace(rules_folder=rules))
    assert report.state == "unchanged"
    # a rule that fires for another question is no difference for this one
    _edit(rules / "TOC01.toml", "because", "#\nbecause")
    assert replay_record(record, sources._replace(rules_folder=rules)).state == "unchanged"


def test_the_word_is_named_when_a_lexicon_reads_a_question_otherwise(lease, sources, rules):
    record = ask(lease, "How long is the term?")
    _edit(rules / "lexicons" / "en.toml", "how long", "how lengthy")
    report = replay_record(record, sources._replace(rules_folder=rules))
    assert report.difference is not None
    assert (report.state, report.difference.step) == ("differs", "question")
    assert report.detail.startswith("under rulebook revision ")


def test_the_run_is_identical_when_a_lexicon_changed_that_it_does_not_need(record, sources, rules):
    path = rules / "lexicons" / "pt.toml"
    path.write_text(path.read_text(encoding="utf-8") + "\n# another comment\n", encoding="utf-8")
    assert load_rulebook(rules).revision != record.body.plan.rulebook_revision
    assert replay_record(record, sources._replace(rules_folder=rules)).state == "unchanged"


def test_the_rule_is_named_when_a_limit_of_the_rulebook_changed(record, sources, rules):
    _edit(rules / "rulebook.toml", "[limits]", "[limits]\nmax_iterations = 3")
    report = replay_record(record, sources._replace(rules_folder=rules))
    assert report.difference is not None
    assert (report.difference.path, report.difference.recorded, report.difference.replayed) == (
        "plan.limits.max_iterations", "4", "3",
    )  # fmt: skip


def test_the_threshold_is_named_when_it_changes_what_a_rule_does(lease, sources, rules):
    record = ask(lease, "Where is the deposit explained?")
    _edit(rules / "HOP04.toml", 'op = "at_least", value = 2', 'op = "at_least", value = 1')
    report = replay_record(record, sources._replace(rules_folder=rules))
    place = next(at for at, outcome in enumerate(record.body.plan.outcomes) if outcome.rule == "HOP04")
    assert report.difference is not None
    assert report.difference.path == f"plan.outcomes[{place}].conditions[1].value"
    assert (report.difference.recorded, report.difference.replayed) == ("2", "1")


def test_the_threshold_is_named_when_it_stands_in_no_record(record, sources, rules):
    _edit(rules / "rulebook.toml", "listing = 150", "listing = 151")
    report = replay_record(record, sources._replace(rules_folder=rules))
    # it was run again, since what is found may be another
    assert report.state == "identical"
    assert report.detail.endswith("; thresholds listing 150 to 151")


def test_the_conflict_is_the_reason_when_other_rules_contradict_each_other(record, sources, rules, monkeypatch):
    def fail(*_: object) -> None:
        raise RuleConflict("two rules ask for another value")

    monkeypatch.setattr(replay_module, "redecide", fail)
    assert _get_reason(replay_record(record, sources._replace(rules_folder=rules))) == "rules_conflict"


def test_the_run_is_run_again_when_its_own_rules_or_facts_are_unknown(record, sources, rules):
    other = sources._replace(rules_folder=rules)
    plan = record.body.plan.model_copy(update={"rulebook_revision": "5" * 64})
    report = replay_record(_change(record, plan=plan), other)
    assert (report.state, report.detail.split()[:3]) == ("identical", ["under", "rulebook", "revision"])
    report = replay_record(_change(record, facts=_take(record.body.facts, name="of_another_day")), other)
    assert report.difference is not None
    assert report.difference.path == "facts[0].name"


def test_invalid_rules_are_an_error_when_given(record, sources, rules):
    (rules / "rulebook.toml").write_text("name = 3", encoding="utf-8")
    with pytest.raises(RulebookError):
        replay_record(record, sources._replace(rules_folder=rules))


# ---- ledgers


@pytest.fixture
def ledger(tmp_path: Path, lease: Path) -> Path:
    path = tmp_path / "ledger.jsonl"
    for question in ("What is the deposit?", "Who repairs the roof?", "Is there a dragon?"):
        append_record(ask(lease, question), path)
    return path


def test_every_run_is_reported_with_its_line_when_a_ledger_is_replayed(ledger, sources):
    redact_field(ledger, 2, "body.question", reason="asked for")
    redact_field(ledger, 3, "volatile.document_path", "volatile.host")
    append_record(ask(ledger.with_name("lease.pdf"), "What is the rent?"), ledger)
    replay = replay_ledger(ledger, sources)
    reports = list(replay.reports)
    assert (replay.line_count, replay.torn) == (6, "")
    assert [(report.number, report.state) for report in reports] == [
        (1, "identical"), (2, "cannot_be_replayed"), (3, "identical"), (6, "identical"),
    ]  # fmt: skip
    assert (reports[1].reason, reports[1].run_id) == ("redacted", "")
    assert "body.question" in reports[1].detail


def test_lines_before_it_are_replayed_when_the_last_line_is_torn(ledger, sources):
    content = ledger.read_bytes()
    ledger.write_bytes(content[: -len(content.splitlines(keepends=True)[-1]) // 2])
    replay = replay_ledger(ledger, sources)
    assert "torn" in replay.torn
    assert [report.state for report in replay.reports] == ["identical"] * replay.line_count
    assert replay.line_count == 2


def test_nothing_is_replayed_when_a_line_was_changed(ledger, sources):
    ledger.write_bytes(ledger.read_bytes().replace(b"dragon", b"wyvern"))
    with pytest.raises(RecordError, match=r"ledger\.jsonl, line 3: body\."):
        replay_ledger(ledger, sources)
    with pytest.raises(RecordError, match="no such ledger"):
        replay_ledger(ledger.with_name("none.jsonl"), sources)


def test_records_that_cannot_be_read_are_reported_when_their_lines_hold(record, sources, tmp_path):
    later = _change_versions(record, schema_version=99)
    no_record = {**encode_fields(record), b"volatile.host": b"3"}
    path = tmp_path / "ledger.jsonl"
    path.write_bytes(b"".join(link([encode_fields(later), no_record, encode_fields(record)])))
    reports = list(replay_ledger(path, sources).reports)
    assert [report.reason for report in reports] == ["schema_changed", "record_unreadable", None]
    assert "schema version 99" in reports[0].detail
    assert reports[2].state == "identical"


def test_events_are_told_when_somebody_watches(record, sources):
    events: list[str] = []
    replay_record(record, sources, None, lambda event, _: events.append(event))
    assert events[0] == "decided"
    assert events[-1] == "stopped"


def test_no_socket_is_opened_when_a_run_is_replayed(record, sources, monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a replay reaches no network")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert replay_record(record, sources).state == "identical"
