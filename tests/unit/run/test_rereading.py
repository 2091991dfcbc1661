"""The action that reads pages again: the cheapest method that may help, recorded effects, a ledger row a page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fixtures.build import build_document
from pipeline.effects import Effects
from pipeline.errors import EffectMissing
from pipeline.models.run import EffectRecord
from pipeline.models.settings import Settings
from pipeline.parsing import ocr, rereading
from pipeline.run import ask

MEETING = "When is the next meeting?"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("reread")
    for name in ("scan", "scan_mixed", "scan_ocr", "mixed_columns", "scan_long"):
        build_document(name, built)
    return built


def _tell(*texts, engine="Tesseract 5 eng", reason=""):
    lines = [[text, [7200, 9000 + 1500 * at, 50000, 10200 + 1500 * at], 950, 1200, 1] for at, text in enumerate(texts)]
    return json.dumps({"engine": engine, "lines": lines, "reason": reason})


def _record(path, *pages, method="ocr", **texts):
    from pipeline.canonical import hash_bytes

    key = hash_bytes(path.read_bytes())[:12]
    return tuple(
        EffectRecord(kind=method, key=f"{key}:p{page}:en", outcome=_tell(*texts.get(f"p{page}", ()))) for page in pages
    )


def _ledger(record):
    return [entry for entry in record.body.ledger if entry.kind == "reparse"]


def test_a_scan_is_answered_from_what_was_recorded_when_no_engine_may_be_reached(folder):
    path = folder / "scan.pdf"
    texts = {"p1": ("Minutes",), "p3": ("The next meeting will be held on 8 October 2019.",), "p2": ("Accounts",)}
    recorded = _record(path, 1, 2, 3, **texts)
    record = ask(path, MEETING, effects=Effects("recorded", recorded))
    assert record.body.answer.items[0].citations[0].page == 3
    assert record.body.effects == recorded
    assert [entry.target for entry in _ledger(record)] == ["page:1", "page:2", "page:3"]
    assert _ledger(record)[2].outcome == "read by ocr: 1 lines (Tesseract 5 eng)"
    assert _ledger(record)[2].why == "no_text; the evidence changed, the answer changed"
    # the account of the first reading stays
    assert record.body.profile.pages_without_text == (1, 2, 3)
    again = ask(path, MEETING, effects=Effects("recorded", record.body.effects))
    assert again.body_hash == record.body_hash


def test_a_replay_says_so_when_a_page_was_not_recorded(folder):
    with pytest.raises(EffectMissing):
        ask(folder / "scan.pdf", MEETING, effects=Effects("recorded"))


def test_absence_is_established_when_all_pages_of_a_scan_were_read(folder):
    path = folder / "scan.pdf"
    texts = {f"p{page}": ("Nineteen residents were present.",) for page in (1, 2, 3)}
    body = ask(path, "Where is the lighthouse?", effects=Effects("recorded", _record(path, 1, 2, 3, **texts))).body
    assert (body.answer.absence, body.stop_reason) == ("no_match", "absence_established")


def test_absence_is_only_not_seen_when_a_page_gave_nothing(folder):
    path = folder / "scan.pdf"
    texts = {f"p{page}": ("Nineteen residents were present.",) for page in (1, 2)}
    body = ask(path, "Where is the lighthouse?", effects=Effects("recorded", _record(path, 1, 2, 3, **texts))).body
    assert body.answer.absence == "not_seen"
    assert "1 of the pages could not be read" in body.answer.absence_reason
    assert body.ledger[-1].outcome == "ocr: nothing found"


def test_the_reason_is_kept_when_no_engine_is_installed(folder, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(rereading, "_name_extra", lambda method: "")
    record = ask(folder / "scan.pdf", MEETING)
    assert record.body.answer.absence == "not_seen"
    assert "3 of the pages could not be read" in record.body.answer.absence_reason
    assert {entry.outcome for entry in _ledger(record)} == {f"ocr: {ocr.MISSING}"}
    assert {entry.why for entry in _ledger(record)} == {"no_text; nothing changed"}
    assert all(ocr.MISSING in effect.outcome for effect in record.body.effects)


def test_only_pages_up_to_the_limit_are_read_when_there_are_more(folder):
    path = folder / "scan_long.pdf"
    texts = {f"p{page}": ("Nothing of interest.",) for page in range(1, 11)}
    texts["p11"] = ("The jib lifts 2 tonnes.",)
    pages = (1, 2, 3, 5, 6, 7, 8, 9, 10, 11)
    body = ask(path, "How much does the jib lift?", effects=Effects("recorded", _record(path, *pages, **texts))).body
    opened = [iteration.opened_by for iteration in body.iterations]
    assert len(opened[1].changed) == 8
    assert opened[1].refused == ("page 10: more than 8 pages an action", "page 11: more than 8 pages an action")
    assert len(opened[2].changed) == 2
    assert body.answer.found
    assert body.stop_reason == "satisfied"


def test_a_layer_costs_no_iteration_when_the_picture_agrees_with_it(folder):
    path = folder / "scan_ocr.pdf"
    layer = (
        "The next meeting will be held on 8 October 2019 at seven o'clock.", "Trees The lime beside the church is",
        "hollow and will be felled in November. Two young limes will be planted in its place.",
        "Next meeting The meeting closed at a quarter past nine. Parish of Oldmere Minutes",
    )  # fmt: skip
    record = ask(path, MEETING, effects=Effects("recorded", _record(path, 3, p3=layer)))
    assert (len(record.body.iterations), record.body.stop_reason) == (1, "satisfied")
    assert _ledger(record)[0].outcome == "ocr: the picture shows what the text layer says"


def test_columns_are_reflowed_without_any_effect_when_a_quote_crosses_them(folder):
    record = ask(folder / "mixed_columns.pdf", "Who built the mill?", effects=Effects("forbidden"))
    assert record.body.effects == ()
    assert [entry.outcome for entry in _ledger(record)] == ["read by reflow: 11 lines"]
    citation = record.body.answer.items[0].citations[0]
    assert "built by a weaver\nwho came from the north" in citation.quote
    assert "@reflow." in citation.ref


def test_nothing_is_read_again_when_the_answer_stands_on_sound_pages(folder):
    record = ask(folder / "scan_mixed.pdf", "What does Bridgeworks Ltd offer?", effects=Effects("forbidden"))
    assert (_ledger(record), record.body.effects, len(record.body.iterations)) == ([], (), 1)


def test_a_page_is_not_read_twice_when_it_stays_empty(folder):
    path = folder / "scan_mixed.pdf"
    record = ask(path, "Where is the lighthouse?", effects=Effects("recorded", _record(path, 3)))
    assert len(_ledger(record)) == 1
    assert record.body.stop_reason == "nothing_applicable"
    assert record.body.answer.absence == "not_seen"


def test_no_page_is_read_again_when_the_settings_allow_one_iteration(folder):
    from pipeline.models.settings import RunSettings

    settings = Settings(run=RunSettings(max_iterations=1))
    record = ask(folder / "scan.pdf", MEETING, settings, effects=Effects("forbidden"))
    assert record.body.stop_reason == "budget_spent"
    assert record.body.pending_trigger.action == "reparse"
    assert "3 of the pages could not be read" in record.body.answer.absence_reason
