"""Filters in a batch: fewer documents are asked, and each that is not is named with the reason."""

from __future__ import annotations

import json

import pytest

from fixtures.rawpdf import lease_pdf
from pipeline.batch.forecasting import forecast_batch
from pipeline.batch.running import Options
from pipeline.errors import UsageError
from tests.unit.batch.folders import HereCrew, fill_folder, make_inputs, read_files, read_rows, run_here


@pytest.fixture
def folder(tmp_path):
    return fill_folder(tmp_path)


def _filter(folder, *where, out="out"):
    return make_inputs(folder, out)._replace(where=where)


def _list_asked(folder, out="out"):
    return [(row.number, row.id, row.document) for row in read_rows(folder / out)]


def test_no_document_is_read_when_names_alone_decide(folder):
    orders = []

    class Watched(HereCrew):
        def send(self, lane, order):
            orders.append(order)
            super().send(lane, order)

    summary = run_here(_filter(folder, "folder is old"), make_crew=Watched)
    assert _list_asked(folder) == [(4, "a", "old/Lease 2.pdf"), (6, "b", "old/Lease 2.pdf")]
    assert [order.is_profile for order in orders] == [False, False]
    assert summary.left_out_count == 4
    assert [(each.document, each.row_count, each.reason) for each in summary.left_out] == [
        ("broken.pdf", 1, "folder is ."), ("lease.pdf", 2, "folder is ."), ("note.pdf", 1, "folder is ."),
    ]  # fmt: skip
    lines = (folder / "out" / "left_out.jsonl").read_bytes().splitlines()
    assert [json.loads(line)["document"] for line in lines] == ["broken.pdf", "lease.pdf", "note.pdf"]


def test_each_document_is_read_once_and_a_broken_one_is_asked_when_the_text_decides(folder):
    events = []
    summary = run_here(_filter(folder, "pages at least 2"), lambda event, told: events.append((event, told)))
    assert {document for _, _, document in _list_asked(folder)} == {"broken.pdf", "lease.pdf", "old/Lease 2.pdf"}
    assert [row.state for row in read_rows(folder / "out") if row.document == "broken.pdf"] == ["unreadable"]
    assert [each.reason for each in summary.left_out] == ["pages is 1"]
    read = [told for event, told in events if event == "read"]
    assert ("reading", {"documents": 4}) in events
    assert sorted((told["document"], told["state"]) for told in read) == [
        ("broken.pdf", "unreadable"), ("lease.pdf", "ok"), ("note.pdf", "ok"), ("old/Lease 2.pdf", "ok"),
    ]  # fmt: skip
    run_here(_filter(folder, "state is unreadable", out="bad"))
    assert {document for _, _, document in _list_asked(folder, "bad")} == {"broken.pdf"}
    run_here(_filter(folder, "state is ok", out="good"))
    assert "broken.pdf" not in {document for _, _, document in _list_asked(folder, "good")}


def test_a_row_fails_or_is_listed_when_a_table_does_not_say_enough(folder):
    table = "document,dept,year\nlease.pdf,Legal,2020\nnote.pdf,Legal,unknown\nnone.pdf,X,1\n"
    (folder / "docs" / "metadata.csv").write_text(table)
    summary = run_here(_filter(folder, "dept is Legal", "year at least 2019"))
    rows = read_rows(folder / "out")
    assert [(row.document, row.state) for row in rows] == [("lease.pdf", ""), ("note.pdf", "input"), ("lease.pdf", "")]
    assert rows[1].reason == "year is 'unknown', which is no number"
    assert {each.document for each in summary.left_out if each.is_unknown} == {"broken.pdf", "old/Lease 2.pdf"}
    assert summary.unmatched_names == ("none.pdf",)


def test_a_question_has_filters_of_its_own_when_its_column_says_so(folder):
    lines = ["id,question,document,where", "a,What is the deposit?,,pages is 1", "b,Who?,note,name is lease.pdf"]
    lines += ["c,Who repairs the roof?,lease,pagse is 1", "d,Who repairs the roof?,lease.pdf,"]
    (folder / "questions.csv").write_text("\n".join(lines), encoding="utf-8")
    summary = run_here(make_inputs(folder))
    rows = read_rows(folder / "out")
    assert [(row.id, row.document, row.state) for row in rows] == [
        ("a", "broken.pdf", "unreadable"), ("a", "note.pdf", ""), ("b", "note", "input"), ("c", "lease", "input"),
        ("d", "lease.pdf", ""),
    ]  # fmt: skip
    assert rows[2].reason == "questions.csv:3: no document fits: name is lease.pdf"
    assert rows[3].reason == "questions.csv:4: filter 'pagse is 1': nothing is known as 'pagse' (did you mean pages)"
    assert summary.left_out_count == 3


@pytest.mark.parametrize(
    ("where", "words"), [("pagse is 1", "did you mean pages"), ("folder is none", "no document fits: folder is none")]
)
def test_nothing_runs_when_a_filter_is_wrong_or_leaves_nothing(folder, where, words):
    with pytest.raises(UsageError, match=words):
        run_here(_filter(folder, where))
    assert not (folder / "out" / "results.jsonl").exists()


def test_a_batch_is_another_one_when_filters_or_tables_differ(folder):
    (folder / "docs" / "metadata.csv").write_text("document,dept\nlease.pdf,Legal\n")
    run_here(_filter(folder, "dept is Legal"))
    before = read_files(folder / "out")
    assert run_here(_filter(folder, "dept is Legal"), is_resumed=True).asked_count == 0
    assert read_files(folder / "out") == before
    for inputs in (make_inputs(folder), _filter(folder, "dept is HR")):
        with pytest.raises(UsageError, match="filters or metadata"):
            run_here(inputs, is_resumed=True)
    (folder / "docs" / "metadata.csv").write_text("document,dept\nlease.pdf,Legal\nnote.pdf,Legal\n")
    with pytest.raises(UsageError, match="filters or metadata"):
        run_here(_filter(folder, "dept is Legal"), is_resumed=True)


def test_the_filter_that_empties_the_batch_is_told_when_others_fit_some(folder):
    where = ("name matches *.pdf", "name matches lease*", "folder is none")
    with pytest.raises(UsageError) as caught:
        run_here(make_inputs(folder)._replace(where=where))
    told = str(caught.value)
    assert "name matches lease* (leaves out 2); folder is none (leaves out 2)" in told
    assert "name matches *.pdf" not in told


def test_the_filter_that_was_not_met_is_named_when_another_would_need_the_document_read(folder):
    where = ("kind is contract", "pages < 9", "name matches lease*")
    left_out = run_here(make_inputs(folder)._replace(where=where)).left_out
    assert left_out
    # nobody read those, so nothing can be said of their kind
    told = {(each.filter, each.is_unknown) for each in left_out if not each.document.startswith(("lease", "old/"))}
    assert told == {("name matches lease*", False)}
    assert not any("not known" in each.reason for each in left_out)


def test_numbers_of_rows_stay_when_a_mended_file_fits_or_not(folder):
    run_here(_filter(folder, "pages at least 2"))
    (folder / "docs" / "broken.pdf").write_bytes(lease_pdf())
    run_here(_filter(folder, "pages at least 2"), is_failed_retried=True)
    run_here(_filter(folder, "pages at least 2", out="fresh"))
    assert read_files(folder / "out") == read_files(folder / "fresh")
    (folder / "docs" / "broken.pdf").write_bytes((folder / "docs" / "note.pdf").read_bytes())
    summary = run_here(_filter(folder, "pages at most 1", out="few"))
    assert (summary.row_count, summary.left_out_count) == (2, 4)


def test_a_forecast_says_what_filters_leave_out_when_nothing_is_asked(folder):
    options = Options(worker_count=2, make_crew=HereCrew)
    forecast = forecast_batch(_filter(folder, "name is lease.pdf"), options, lambda *_: None)
    assert (forecast.row_count, forecast.planned_count, forecast.left_out_count) == (2, 2, 4)
    assert forecast.max_iterations == 8
