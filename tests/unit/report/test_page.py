"""The report page: what it says of answers, whatever stands in them, and what it leaves out."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest

from pipeline.errors import RecordError, UsageError
from pipeline.models.answer import Conflict, Item
from pipeline.models.batch import ResultRow
from pipeline.models.run import Signal
from pipeline.report.entries import Entry
from pipeline.report.page import protect_file, write_report
from pipeline.report.page.escaping import escape
from tests.unit.loop.fakes import EXPANDED, VOCABULARY, WHOLE, Turn, make_answer, make_candidate, make_certificate
from tests.unit.policy.builders import make_part, make_question
from tests.unit.report.annotated import cite_line, make_pdf, make_row
from tests.unit.report.pages import Parts, write_page
from tests.unit.rerun.records import make_record

HOSTILE = (
    "</script><script>alert(1)</script>",
    "<!--<script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "&lt;b&gt; &amp; ]]> <![CDATA[",
    "javascript:alert(1)",
    "a\u2028b\u2029c",
    "\u202egnp.exe\u2066",
    "\x00\x07\x1b[31m\x85\x9b",
    "\ud800 half",
    "</title></style></textarea><svg onload=alert(1)>",
)
# everything that the page itself is made of
TAGS = set(
    "a article b blockquote body br button circle code dd details div dl dt figcaption figure footer form g h1 h2 h3 "
    "h4 h5 head header html input label li link main meta noscript ol option output p path q rect script section "
    "select small span style summary svg table tbody td text th thead title tr ul".split()
)


@pytest.fixture
def lease(tmp_path):
    return make_pdf(tmp_path / "lease.pdf", "The deposit is 75 euros.\nThe roof is old.", "Nothing here.\nThe end.")


def _entry(path, *parts, document=True, record=None, **changes):
    row = make_row(path, [cite_line(path, part) for part in parts], **changes)
    return Entry(row, record, path if document else None)


def _check_inert(html):
    """No element, attribute or link that the page is not made of."""
    parts = Parts(html)
    assert {element.tag for element in parts.elements} <= TAGS
    for element in parts.elements:
        assert not [name for name in element.attributes if name.startswith("on") or name == "style"], element
        assert element.attributes.get("src") is None
        if element.tag == "a":
            assert re.match(r"#|[A-Za-z0-9_%./~-]+(#page=\d+)?$", element.attributes["href"]), element
    return parts


@pytest.mark.parametrize("hostile", HOSTILE)
def test_text_stays_text_when_it_is_hostile_in_every_field(lease, tmp_path, hostile):
    word = hostile.encode("utf-8", "backslashreplace").decode()
    citation = cite_line(lease, "deposit").model_copy(update={"quote": word})
    item = Item(
        sub_question=word, text=word, citations=(citation,), extraction="inferred", label=word, value=word, unit=word,
        period=word, qualifiers=(word,),
    )  # fmt: skip
    row = make_row(lease, [], items=(item,)).model_copy(
        update={
            "id": word, "question": word, "document": word, "answer": word, "reason": word, "state": word,
            "tags": (word,), "caveats": (word,), "clarification": word, "near_misses": (word,), "absence": "not_seen",
            "run_id": word,
            "absence_reason": word, "expected": word, "is_expected_seen": False, "rulebook_revision": word,
            "conflict": Conflict(concept=word, values=(word, word), citations=(citation,)),
        }
    )  # fmt: skip
    question = make_question(make_part("q1"), text=hostile)
    signal = Signal(kind="short_list", targets=(hostile,))
    record = make_record(Turn(make_answer(), (signal,)), question=question)
    failed = row.model_copy(update={"number": 2, "status": "failed"})
    page = write_page([Entry(row, record, lease), Entry(failed, None, None, word, word)], tmp_path)
    parts = _check_inert(page.html)
    assert len(page.parts.scripts) == len(re.findall("<script|<style", page.html)) == page.html.count("</script") + 1
    kept = [text for attributes, text in page.parts.scripts if attributes.get("type") == "text/html"]
    assert len(kept) == 2
    for text in kept:
        _check_inert(text)
        assert not re.search("<script|</script|<!--", text)
    assert escape(hostile) in page.html
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", page.html)
    assert len(parts.comments) == 1


def test_only_the_own_style_and_script_may_run_when_the_policy_is_read(lease, tmp_path):
    page = write_page([_entry(lease, "deposit")], tmp_path)
    policy = next(each["content"] for each in page.parts.find("meta") if "http-equiv" in each)
    assert policy.startswith("default-src 'none'; img-src data:; ")
    run = [text for attributes, text in page.parts.scripts if "type" not in attributes]
    hashes = ["sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in run]
    assert re.findall(r"'(sha256-[^']+)'", policy) == hashes
    assert len(hashes) == 2
    assert "unsafe" not in policy


def test_everything_of_an_answer_is_said_when_there_is_no_record(lease, tmp_path):
    entry = _entry(
        lease, "deposit", "roof", caveats=("read by eye",), tags=("money", "house"), expected="75",
        is_expected_seen=True, stop_reason="satisfied",
    )  # fmt: skip
    page = write_page([entry._replace(record_note="it was redacted: body.question")], tmp_path)
    for words in (
        "What is it?",
        "It is this.",
        "read by eye",
        "money",
        "house",
        "satisfied",
        "confidence 0.80",
        "id a1",
    ):
        assert words in page.parts.text
    assert "Expected 75: seen in the answer" in page.parts.text
    details = page.details["1"]
    assert "page 1, line 1" in details.text
    assert "The record of this run is not here: it was redacted: body.question." in details.text
    assert [each["href"] for each in details.find("a")] == ["lease.pdf#page=1"]
    assert len(details.find("rect")) == 2


def test_plan_iterations_and_ledgers_are_told_when_there_is_a_record(lease, tmp_path):
    open_turn = Turn(make_answer(confidence=300), (VOCABULARY,), candidates=(make_candidate(1),), results=EXPANDED)
    whole = Turn(
        WHOLE.model_copy(
            update={"certificates": (make_certificate("complete"),), "confidence_parts": ("400 focus covered",)}
        )
    )
    record = make_record(open_turn, whole, facts_given={"is_listing": True})
    page = write_page([_entry(lease, "deposit", record=record)], tmp_path)
    details = page.details["1"]
    for step in record.body.plan.steps:
        assert step.pattern.replace("_", " ") in details.text
        assert all(because in details.text for because in step.because)
    assert "on discovered vocabulary expand keywords" in details.text
    assert "acted, iteration 2" in details.text
    for words in (
        "budget 4 before, 3 after",
        "budget 3 before, 2 after",
        "the best",
        "Stop: satisfied",
        "400 focus covered",
    ):
        assert words in details.text
    assert "Changed q1: term" in details.text
    listed = [outcome.rule for outcome in record.body.plan.outcomes]
    assert len(details.find("ul", "rules")) == 1
    assert all(f"{rule} " in details.text for rule in listed)
    assert "but it is" in details.text
    assert record.body_hash in details.text
    # folded away, every one of them
    assert all("open" not in each for each in details.find("details"))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"is_ambiguous": True}, "its place on the page is ambiguous"),
        ({"ref": "000000000000:p1:l1@native.1"}, "its reference names another place"),
        ({"page": 2}, "its reference names another place"),
        ({"boxes": ()}, "the record does not say where on the page it is"),
        ({"quote": "two\nlines"}, "its lines and their places do not match"),
    ],
)
def test_nothing_is_marked_when_the_place_of_a_quote_is_not_certain(lease, tmp_path, changes, words):
    citation = cite_line(lease, "deposit").model_copy(update=changes)
    page = write_page([Entry(make_row(lease, [citation]), None, lease)], tmp_path)
    details = page.details["1"]
    assert details.find("rect") == []
    assert f"Not marked on the page: {words}." in details.text


def test_values_that_contradict_are_marked_as_such_when_they_are_quoted(lease, tmp_path):
    first, second = cite_line(lease, "deposit"), cite_line(lease, "roof")
    conflict = Conflict(concept="age", values=("75", "80"), citations=(second, cite_line(lease, "end")))
    page = write_page([Entry(make_row(lease, [first, second], conflict=conflict), None, lease)], tmp_path)
    groups = [(each["class"], each["data-q"]) for each in page.details["1"].find("g")]
    assert groups == [("own", "1"), ("against", "2"), ("against", "3")]
    assert "The document gives 75 and 80 for age." in page.parts.text


def test_numbers_stand_apart_when_several_quotes_begin_on_one_line(lease, tmp_path):
    words = [cite_line(lease, "deposit").model_copy(update={"quote": word}) for word in ("deposit", "dep", "sit")]
    page = write_page([Entry(make_row(lease, [*words, cite_line(lease, "roof")]), None, lease)], tmp_path)
    marks = page.details["1"]
    assert [each["data-q"] for each in marks.find("g")] == ["1", "2", "3", "4"]
    places = [(each["x"], each["y"]) for each in marks.find("text")]
    assert len(places) == len(set(places)) == 2
    assert "1\u20133" in marks.text
    # what is left out between them must not seem to be there
    apart = write_page([Entry(make_row(lease, [words[0], cite_line(lease, "roof"), words[1]]), None, lease)], tmp_path)
    assert "1, 3" in apart.details["1"].text


def test_why_there_is_no_answer_is_said_when_there_is_none(lease, tmp_path):
    absent = make_row(
        lease, [], status="not_found", answer="", absence="no_such_target", absence_reason="sections end at 9",
        near_misses=("section 9", "schedule 2"),
    )  # fmt: skip
    asked = make_row(lease, [], status="asked_back", answer="", clarification="Which year?", number=2)
    failed = ResultRow(
        number=3, line=4, id="q3", question="?", document="gone.pdf", document_sha256="", status="failed",
        state="needs_password", reason="needs a password",
    )  # fmt: skip
    page = write_page([Entry(absent, None, lease), Entry(asked, None, lease), Entry(failed, None, None)], tmp_path)
    for words in ("no such target: sections end at 9", "section 9", "schedule 2", "Asked back: Which year?"):
        assert words in page.parts.text
    assert "needs password: needs a password" in page.parts.text
    assert "Nothing was run for this row" in page.details["3"].text
    assert [each["data-s"] for each in page.parts.find("article")] == ["not_found", "asked_back", "failed"]
    assert (page.summary.not_found_count, page.summary.asked_back_count, page.summary.failed_count) == (1, 1, 1)


def test_filters_have_what_there_is_to_choose_from_when_rows_differ(lease, tmp_path):
    other = make_pdf(tmp_path / "a<b.pdf", "The garden is green.")
    rows = [
        _entry(lease, "deposit", tags=("money", "old"), stop_reason="satisfied"),
        _entry(
            other, "garden", tags=("old",), number=2, stop_reason="budget_spent", is_expected_seen=False, expected="x"
        ),
    ]
    page = write_page(rows, tmp_path)
    shown = [each for each in page.parts.find("article")]
    assert [(each["data-d"], each["data-t"], each["data-c"]) for each in shown] == [
        ("1", "1 2", "800"),
        ("2", "2", "800"),
    ]
    choices = [each["value"] for each in page.parts.find("option") if each["value"]]
    assert choices == [
        "1", "2", "1", "2", "900", "800", "700", "600", "500", "below", "budget_spent", "satisfied", "1", "0",
    ]  # fmt: skip
    assert "a<b.pdf" in page.parts.text
    assert "a%3Cb.pdf#page=1" in page.html


def test_identifiers_are_unique_when_many_rows_are_written(lease, tmp_path):
    entry = _entry(lease, "deposit")
    rows = [entry.row.model_copy(update={"number": number, "run_id": str(number)}) for number in range(1, 30)]
    page = write_page([entry._replace(row=row) for row in rows], tmp_path)
    names = [element.attributes["id"] for element in page.parts.elements if "id" in element.attributes]
    assert len(names) == len(set(names))
    assert len(page.details) == 29


def test_the_same_bytes_come_out_when_a_page_is_written_again(lease, tmp_path):
    rows = [_entry(lease, "deposit"), _entry(lease, "roof", "end", number=2)]
    first = write_page(rows, tmp_path).html
    (tmp_path / "report.html").unlink()
    assert write_page(iter(rows), tmp_path).html == first
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lease.pdf", "report.html"]


def test_what_a_ceiling_leaves_out_is_said_when_it_is_reached(lease, tmp_path):
    rows = [_entry(lease, "deposit", number=number) for number in (1, 2, 3)]
    page = write_page(rows, tmp_path, max_rows=2, max_detail_bytes=10)
    assert [each["id"] for each in page.parts.find("article")] == ["a1", "a2"]
    assert list(page.details) == ["1"]
    assert page.summary.row_count == 3
    assert page.summary.notes == (
        "1 answer of 3: a page holds 2; the results have them all",
        "details of 1 answer: a page holds 0 MB of them; report a single run to see its own",
    )
    assert all(note in page.parts.text for note in page.summary.notes)


def test_a_file_that_is_no_report_is_kept_when_it_stands_there(tmp_path):
    out = tmp_path / "report.html"
    protect_file(out)
    out.write_text("<!doctype html>\nmine")
    with pytest.raises(UsageError, match="there is a file that is no report"):
        protect_file(out)
    with pytest.raises(UsageError, match="a folder"):
        protect_file(tmp_path)
    write_report([], out)
    protect_file(out)
    assert "0 answers from 0 documents" in out.read_text()


def test_the_old_report_stays_when_an_entry_cannot_be_read(lease, tmp_path):
    before = write_page([_entry(lease, "deposit")], tmp_path).html

    def walk():
        yield _entry(lease, "roof")
        raise RecordError("ledger.jsonl, line 2: torn")

    with pytest.raises(RecordError, match="line 2"):
        write_report(walk(), tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text() == before
    with pytest.raises(RecordError, match="the report cannot be written"):
        write_report([], lease / "report.html")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lease.pdf", "report.html"]
