"""Filled questionnaires: the answers stand beside the questions, and nothing else is another than before."""

from __future__ import annotations

import io
import zipfile

import openpyxl
import pymupdf
import pytest

from pipeline.batch.filling import Form, prepare_fill
from pipeline.batch.matrix import Inputs
from pipeline.batch.questions import read_questions
from pipeline.batch.replies import Reply, collect_replies
from pipeline.batch.results import spell_answer
from pipeline.errors import UsageError
from pipeline.models.answer import Citation, Item
from pipeline.models.batch import ResultRow
from pipeline.models.settings import Settings
from tests.unit.batch.questionnaires import (
    QUESTIONS,
    describe_cells,
    describe_sheet,
    make_drawn_form,
    make_form,
    read_parts,
    rewrite_parts,
)

REPLY = Reply("75 euros", 'lease.pdf, page 2: "The deposit is 75 euros."', "0.8")


def _fill(path, replies=None):
    form = Form(path, path.read_bytes())
    form.check()
    return form.fill(dict.fromkeys(form.rows, REPLY) if replies is None else replies)


def _read_column(content, title, column):
    sheet = openpyxl.load_workbook(io.BytesIO(content))[title]
    return [sheet.cell(row, column).value for row in range(1, sheet.max_row + 1)]


@pytest.fixture
def form(tmp_path):
    return make_form(tmp_path / "form.xlsx")


@pytest.fixture
def drawn(tmp_path):
    with pymupdf.open() as document:
        document.new_page(width=20, height=20).get_pixmap().save(tmp_path / "logo.png")
    return make_drawn_form(tmp_path / "drawn.xlsx", tmp_path / "logo.png")


# ---------------------------------------------------------------- reading forms


def test_questions_are_read_when_titles_stand_above_and_headings_between(form):
    listed = read_questions(form)
    assert listed.sheet == "Assessment"
    assert [(asked.line, asked.id, asked.question) for asked in listed.questions] == [
        (6, "1", QUESTIONS[0]), (7, "2", QUESTIONS[1]), (8, "3", QUESTIONS[2]),
        (10, "1 (row 10)", "Which law governs it?"),
    ]  # fmt: skip
    assert not any(asked.fault for asked in listed.questions)
    assert listed.heading_lines == (5, 9, 13)
    assert listed.ignored_columns == ("Response", "Comments", "Owner")


def test_a_row_is_reported_when_it_has_an_id_or_an_answer_and_no_question(form):
    book = openpyxl.load_workbook(form)
    sheet = book["Assessment"]
    sheet["A11"], sheet["A12"], sheet["C12"] = "7", "Part", "a lonely answer"
    book.create_sheet("Annex").append(["Question"])
    book.save(form)
    listed = read_questions(form)
    assert [(asked.line, asked.fault) for asked in listed.questions if asked.fault] == [
        (11, "there is no question in the row"), (12, "there is no question in the row"),
    ]  # fmt: skip
    assert listed.unread_sheets == ("Annex",)


def test_a_merged_row_is_a_heading_when_it_lies_across_the_questions_and_asks_nothing(tmp_path):
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (["Question", "Answer"], ["Section A"], ["What is the deposit?"], ["Is it this?"]):
        sheet.append(row)
    for row in (2, 4):
        sheet.merge_cells(start_row=row, end_row=row, start_column=1, end_column=2)
    book.save(tmp_path / "q.xlsx")
    listed = read_questions(tmp_path / "q.xlsx")
    assert [asked.question for asked in listed.questions] == ["What is the deposit?", "Is it this?"]
    assert listed.heading_lines == (2,)


@pytest.mark.parametrize(
    ("titles", "place"),
    [
        (("ID", "Security requirement"), 1),
        (("Question no.", "Question text"), 1),
        (("Question ID", "Assessment question (mandatory)"), 1),
        (("Ref", "Question / Requirement"), 1),
    ],
)
def test_the_column_of_questions_is_found_when_its_title_is_wordy(tmp_path, titles, place):
    book = openpyxl.Workbook()
    book.active.append(list(titles))
    book.active.append(["a", "b"])
    book.save(tmp_path / "q.xlsx")
    assert read_questions(tmp_path / "q.xlsx").questions[0].question == "ab"[place]


# ---------------------------------------------------------------- filling them


def test_empty_columns_of_the_form_are_used_when_it_has_some(form):
    filled = _fill(form)
    sheet = openpyxl.load_workbook(io.BytesIO(filled))["Assessment"]
    for row in (6, 7, 8, 10):
        assert [sheet.cell(row, column).value for column in (3, 4, 8)] == [REPLY.answer, REPLY.evidence, 0.8]
    # there was no column for it, and G has a formula beside a question
    assert sheet["H4"].value == "Confidence"
    assert sheet["H4"].fill.fgColor.rgb == sheet["E4"].fill.fgColor.rgb
    assert sheet["C6"].alignment.wrap_text
    assert sheet["C6"].border.left.style == "thin"


def test_all_other_cells_and_parts_are_equal_when_a_form_is_filled(form):
    before, after = form.read_bytes(), _fill(form)
    written = {f"{column}{row}" for row in (6, 7, 8, 10) for column in "CDH"} | {"H4"}
    for title in ("Read me", "Assessment", "Other"):
        old, new = describe_cells(before, title), describe_cells(after, title)
        assert {name: told for name, told in new.items() if name not in written and any(told[:1])} == {
            name: told for name, told in old.items() if name not in written and any(told[:1])
        }
        assert {name: old[name] for name in old if name not in written} == {
            name: new[name] for name in old if name not in written
        }
        assert describe_sheet(before, title) == describe_sheet(after, title)
    old_parts, new_parts = read_parts(before), read_parts(after)
    changed = {name for name in old_parts if old_parts[name] != new_parts[name]}
    assert list(old_parts) == list(new_parts)
    assert changed == {"xl/worksheets/sheet2.xml", "xl/styles.xml"}
    assert old_parts["xl/styles.xml"][:300] == new_parts["xl/styles.xml"][:300]


def test_new_columns_are_added_when_those_of_the_form_hold_something_or_allow_only_some_values(form):
    book = openpyxl.load_workbook(form)
    sheet = book["Assessment"]
    sheet["C7"] = "mine"
    rules = openpyxl.worksheet.datavalidation.DataValidation(type="list", formula1='"yes,no"')
    rules.add("D6:D10")
    sheet.add_data_validation(rules)
    book.save(form)
    filled = openpyxl.load_workbook(io.BytesIO(_fill(form)))["Assessment"]
    assert [filled.cell(4, column).value for column in range(3, 11)] == [
        "Response", "Comments", "Owner", None, None, "Answer", "Evidence", "Confidence",
    ]  # fmt: skip
    assert [filled.cell(7, column).value for column in (3, 4, 8)] == ["mine", None, REPLY.answer]
    assert filled["G6"].value == "=1+1"


def test_a_name_is_told_apart_when_the_form_has_a_full_column_of_that_name(tmp_path):
    book = openpyxl.Workbook()
    book.active.append(["Question", "Answer"])
    book.active.append(["What is the deposit?", "full"])
    book.save(tmp_path / "q.xlsx")
    sheet = openpyxl.load_workbook(io.BytesIO(_fill(tmp_path / "q.xlsx"))).active
    assert [cell.value for cell in sheet[1]] == ["Question", "Answer", "Answer (pdfdocket)", "Evidence", "Confidence"]
    assert sheet["B2"].value == "full"


def test_charts_pictures_and_buttons_stay_byte_by_byte_when_a_form_has_them(drawn):
    def add_macro(parts):
        parts["xl/vbaProject.bin"] = b"\xd0\xcf\x11\xe0 a macro"
        parts["customXml/item1.xml"] = b"<a/>"

    rewrite_parts(drawn, add_macro)
    before, after = read_parts(drawn.read_bytes()), read_parts(_fill(drawn))
    assert {name for name in before if before[name] != after[name]} == {"xl/worksheets/sheet1.xml", "xl/styles.xml"}
    assert any("chart" in name for name in after)
    assert any("media" in name for name in after)
    # what follows the cells is as it was: the sparkline, the drawing, the button, the table
    assert (
        before["xl/worksheets/sheet1.xml"].partition(b"</sheetData>")[2]
        == (after["xl/worksheets/sheet1.xml"].partition(b"</sheetData>")[2])
    )
    sheet = openpyxl.load_workbook(io.BytesIO(_fill(drawn)), read_only=True).active
    # not below the chart, which begins in column F
    assert [cell.value for cell in sheet[1]][:5] == ["Question", "Weight", "Answer", "Evidence", "Confidence"]


def test_columns_go_round_a_chart_when_it_stands_right_beside_the_table(tmp_path):
    import xlsxwriter

    with xlsxwriter.Workbook(str(tmp_path / "q.xlsx")) as book:
        sheet = book.add_worksheet()
        sheet.write_column(0, 0, ["Question", *QUESTIONS])
        chart = book.add_chart({"type": "line"})
        chart.add_series({"values": "=Sheet1!$A$2:$A$3"})
        sheet.insert_chart("C1", chart, {"x_scale": 0.5})
    titles = [cell.value for cell in openpyxl.load_workbook(io.BytesIO(_fill(tmp_path / "q.xlsx"))).active[1]]
    assert titles[:3] == ["Question", "Answer", None]
    assert titles[-2:] == ["Evidence", "Confidence"]


@pytest.mark.parametrize(
    "text", ["=1+1", "+cmd", "-1+2", "@x", "\t=1", "＝1", "<b>&\"'", "_x0041_", "a\nb", "x" * 40_000]
)
def test_a_text_stays_a_text_when_it_looks_like_something_else(form, text):
    filled = _fill(form, {6: Reply(text, text, text)})
    sheet = openpyxl.load_workbook(io.BytesIO(filled))["Assessment"]
    cells = [sheet.cell(6, column) for column in (3, 4, 8)]
    assert {cell.data_type for cell in cells} <= {"s", "inlineStr"}
    shown = str(cells[0].value).replace("_x005F_", "_")
    assert shown.startswith("'") is (text[:1] in "=+-@\t＝")
    assert len(shown) <= 32_767


def test_the_same_bytes_come_when_a_form_is_filled_again(form):
    assert _fill(form) == _fill(form)
    with zipfile.ZipFile(io.BytesIO(form.read_bytes())) as old, zipfile.ZipFile(io.BytesIO(_fill(form))) as new:
        assert [part.date_time for part in old.infolist()] == [part.date_time for part in new.infolist()]


def _prefix_names(parts):
    """A sheet as some programs write it: every element with a prefix, rows and cells without their places."""
    name = "xl/worksheets/sheet1.xml"
    parts[name] = (
        b'<?xml version="1.0" encoding="utf-8"?><x:worksheet xmlns:x="http://schemas.openxmlformats.org/'
        b'spreadsheetml/2006/main"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>Question</x:t></x:is></x:c>'
        b'</x:row><x:row><x:c t="inlineStr"><x:is><x:t>What is the deposit?</x:t></x:is></x:c></x:row>'
        b"</x:sheetData></x:worksheet>"
    )


def test_a_form_is_filled_when_its_elements_have_prefixes_and_no_places(tmp_path):
    book = openpyxl.Workbook()
    book.active["A1"] = "Question"
    book.save(tmp_path / "q.xlsx")
    path = rewrite_parts(tmp_path / "q.xlsx", _prefix_names)
    sheet = openpyxl.load_workbook(io.BytesIO(_fill(path))).active
    assert [[cell.value for cell in row] for row in sheet.iter_rows()] == [
        ["Question", "Answer", "Evidence", "Confidence"],
        ["What is the deposit?", REPLY.answer, REPLY.evidence, 0.8],
    ]


# ---------------------------------------------------------------- refusals


def _sign(parts):
    parts["_xmlsignatures/sig1.xml"] = b"<Signature/>"


def _share(parts):
    parts["xl/revisions/revisionHeaders.xml"] = b"<headers/>"


def _declare(parts):
    sheet = parts["xl/worksheets/sheet2.xml"]
    parts["xl/worksheets/sheet2.xml"] = sheet.replace(b"<worksheet", b"<!DOCTYPE a [<!ENTITY b 'c'>]><worksheet", 1)


@pytest.mark.parametrize(("change", "words"), [(_sign, "signed"), (_share, "history"), (_declare, "document type")])
def test_a_form_is_refused_with_the_reason_when_filling_would_break_something(form, change, words):
    rewrite_parts(form, change)
    with pytest.raises(UsageError, match=words):
        Form(form, form.read_bytes())


def _prepare(questions, folder):
    return prepare_fill(Inputs(questions, folder, folder / "out", Settings()))


def test_nothing_is_overwritten_when_the_filled_form_would_stand_in_another_place(form, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "form.xlsx").write_bytes(b"mine")
    with pytest.raises(UsageError, match="a file of that name already"):
        _prepare(form, tmp_path)
    with pytest.raises(UsageError, match="overwrite the questionnaire"):
        prepare_fill(Inputs(form, tmp_path, tmp_path, Settings()))
    (tmp_path / "q.csv").write_text("question\nWhat?\n")
    with pytest.raises(UsageError, match="goes with a workbook"):
        _prepare(tmp_path / "q.csv", tmp_path)


# ---------------------------------------------------------------- texts


def _row(document, **changes):
    quote = Citation(page=2, line_start=1, line_end=2, quote="The deposit\nis 75 euros.", ref="r")
    item = Item(sub_question="q1", text="75 euros", citations=(quote, quote), extraction="verbatim")
    told = {
        "number": 1, "line": 6, "id": "1", "question": "What?", "document": document, "document_sha256": "",
        "status": "answered", "answer": "75 euros", "confidence": 800, "items": (item,), "complete": True,
    }  # fmt: skip
    return ResultRow.model_validate({**told, **changes})


def test_there_is_a_line_for_each_document_when_several_answer_one_question():
    rows = [
        _row("a.pdf"), _row("b.pdf", answer="90\neuros"),
        _row("c.pdf", status="not_found", items=(), answer="", absence_reason="nothing there", confidence=200),
        _row("d.pdf", status="failed", items=(), answer="", reason="it is broken", state="unreadable"),
        _row("a.pdf", line=7, status="asked_back", items=(), answer="", clarification="which one?"),
    ]  # fmt: skip
    replies = collect_replies(rows)
    assert replies[6].answer == (
        "a.pdf: 75 euros\nb.pdf: 90; euros\nc.pdf: Not found: nothing there\nd.pdf: Not answered: it is broken"
    )
    assert replies[6].evidence.splitlines()[0] == 'a.pdf: page 2: "The deposit is 75 euros."'
    assert replies[6].confidence == "a.pdf: 0.8\nb.pdf: 0.8\nc.pdf: 0.2"
    assert replies[7].answer == "Please say more: which one?"


def test_a_list_is_one_line_without_doubled_signs_when_several_documents_answer():
    listed = "- death or personal injury;\n- fraud; or\n- wilful misconduct."
    rows = [_row("a.pdf", answer=listed), _row("b.pdf", answer="- lights\n- fees\n- 3, at most")]
    assert collect_replies(rows)[6].answer == (
        "a.pdf: death or personal injury; fraud; or wilful misconduct.\nb.pdf: lights; fees; 3, at most"
    )


def test_the_evidence_says_so_when_an_answer_is_incomplete_or_has_caveats():
    (reply,) = collect_replies([_row("a.pdf", complete=False, caveats=("two places differ",))]).values()
    assert reply.evidence == (
        'a.pdf, page 2: "The deposit is 75 euros."\nNote: the answer may be incomplete\nNote: two places differ'
    )


def test_items_begin_with_dots_when_a_list_goes_into_a_cell():
    item = _row("a.pdf").items[0]
    listed = _row("a.pdf", answer="- lights\n  - lamps\n- fees - all of them", items=(item, item, item))
    assert spell_answer(listed) == "• lights\n  • lamps\n• fees - all of them"
    assert collect_replies([listed])[6].answer == spell_answer(listed)
    # a value that is negative is no item
    assert spell_answer(_row("a.pdf", answer="- 5")) == "- 5"
