"""P21: exports are inert. No cell is a formula, negative numbers stay numbers, text comes back as it went."""

from __future__ import annotations

import csv
import io
import math
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pipeline.batch import results
from pipeline.batch.cells import is_exact_number, neutralise_cell
from pipeline.models.batch import BatchQuestion, ResultRow
from pipeline.report.rows import Frame, describe_failure

HOSTILE = (
    "=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "＝1", "＋1", "－1", "＠x", "﹦1", "﹢1", " =1",
    "\u200b=1", "\ufeff+x",
    "\u00a0=1", "-", "--1", "-1-1", "+5", "-2+3+cmd|' /C calc'!A0", '=HYPERLINK("http://x")', "\n=1", "=\x00",
)  # fmt: skip
ODD = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
TRIGGERED = st.builds(str.__add__, st.sampled_from(["=", "+", "-", "@", "\t", "\r", "＝", "－", " =", "\u200b@"]), ODD)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_cell_begins_with_an_apostrophe_when_a_spreadsheet_would_compute_it(text):
    assert neutralise_cell(text).startswith("'")


@pytest.mark.parametrize("text", ["-1", "-12.50", "-1,234,567.8", "-5%", "-0.07"])
def test_a_negative_number_is_left_as_it_is_when_written(text):
    assert neutralise_cell(text) == text


@given(st.one_of(ODD, TRIGGERED))
def test_no_cell_can_be_a_formula_when_any_text_is_written(text):
    shown = neutralise_cell(text)
    is_number = shown.startswith("-") and all(character in "0123456789.,%" for character in shown[1:])
    assert is_number or unicodedata.normalize("NFKC", shown)[:1] not in ("=", "+", "-", "@", "\t", "\r")
    # nothing but the apostrophe is added, and what is no text is spelled
    assert shown.removeprefix("'") == text.translate(_spell_controls()) or shown == text.translate(_spell_controls())


def _spell_controls():
    codes = [code for code in (*range(32), *range(127, 160)) if code not in (9, 10, 13)]
    return {code: f"\\x{code:02x}" for code in codes} | {0xFFFE: "\\ufffe", 0xFFFF: "\\uffff"}


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-(10**9), max_value=10**9))
@example(math.pi)
def test_an_exact_number_comes_back_when_kept_as_a_double(number):
    text = str(number).rstrip("0").rstrip(".") if "." in str(number) else str(number)
    if is_exact_number(text):
        assert f"{float(text):.15g}" == text
    for other in ("007", "1.50", "1e5", "-0", "1,000", "", "12345678901234567", "０"):
        assert not is_exact_number(other)


def _make_row(number: int, text: str) -> ResultRow:
    asked = BatchQuestion(line=number + 1, id=text or "x", question=text, expected=text, tags=(text,))
    row = describe_failure(Frame(number, asked, text, "", text), "input", text)
    return row.model_copy(update={"answer": text, "status": "answered", "caveats": (text,)})


def _write(folder, texts):
    rows = [_make_row(number, text) for number, text in enumerate(texts, 1)]
    return results.write_results(folder, lambda: rows)


def _read_csv(path):
    text = path.read_bytes().decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline="")))


@settings(max_examples=25)
@given(st.lists(st.one_of(ODD, TRIGGERED, st.sampled_from(HOSTILE)), min_size=1, max_size=5))
def test_no_formula_and_no_other_text_is_read_back_when_hostile_content_was_written(tmp_path_factory, texts):
    import openpyxl

    folder = tmp_path_factory.mktemp("cells")
    _, table, book = _write(folder, texts)
    answer = [column.title for column in results.COLUMNS].index("answer")
    expected = [neutralise_cell(text) for text in texts]
    assert [row[answer] for row in _read_csv(table)[1:]] == expected
    rows = list(openpyxl.load_workbook(book).active.iter_rows(min_row=2))
    assert [cell.data_type for row in rows for cell in row if cell.data_type == "f"] == []
    read = [row[answer].value for row in rows]
    for text, value in zip(expected, read, strict=True):
        assert str(value if value is not None else "") == text.replace("\r\n", "\n").replace("\r", "\n") or (
            is_exact_number(text) and float(text) == value
        )


def test_a_negative_number_is_a_number_when_the_workbook_is_read(tmp_path):
    import openpyxl

    _, table, book = _write(tmp_path, ["-12.5", "-1,200"])
    answer = [column.title for column in results.COLUMNS].index("answer")
    assert [row[answer].value for row in openpyxl.load_workbook(book).active.iter_rows(min_row=2)] == [-12.5, "-1,200"]
    assert [row[answer] for row in _read_csv(table)[1:]] == ["-12.5", "-1,200"]


def test_the_workbook_is_ready_to_be_used_when_opened(tmp_path):
    import openpyxl

    _, _, book = _write(tmp_path, ["../docs/a%20b.pdf#page=3", "x" * 40_000, "𝄞" * 20_000])
    sheet = openpyxl.load_workbook(book).active
    assert sheet.freeze_panes == "A2"
    assert sheet.auto_filter.ref == "A1:R4"
    cells = {cell.value: cell for cell in sheet[1]}
    link = sheet.cell(2, cells["link"].column)
    assert link.hyperlink.target.replace("\\", "/").startswith("../docs/a%20b.pdf")
    assert all(sheet.cell(2, cell.column).alignment.wrap_text for cell in sheet[1])
    for row in (3, 4):
        shown = sheet.cell(row, cells["answer"].column).value
        assert shown.endswith("whole in results.jsonl]")
        assert len(shown.encode("utf-16-le")) // 2 <= 32_767


def test_files_are_the_same_bytes_when_written_again_on_another_day(tmp_path, monkeypatch):
    import time

    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    first = [path.read_bytes() for path in _write(tmp_path / "one", HOSTILE)]
    monkeypatch.setattr(time, "time", lambda: 2_000_000_000.0)
    monkeypatch.setenv("TZ", "Asia/Kolkata")
    assert [path.read_bytes() for path in _write(tmp_path / "two", HOSTILE)] == first
    assert sorted(path.name for path in (tmp_path / "two").iterdir()) == [
        "results.csv",
        "results.jsonl",
        "results.xlsx",
    ]


def test_rows_are_as_high_as_their_texts_when_cells_are_wrapped(tmp_path):
    import openpyxl

    texts = ["Who?", "a\nb\nc\nd\ne\nf", "x" * 120, "\u79df" * 120, "y" * 5000]
    sheet = openpyxl.load_workbook(_write(tmp_path, texts)[2]).active
    heights = [sheet.row_dimensions[number].height or 15 for number in range(2, len(texts) + 2)]
    plain, listed, long, wide, longest = heights
    assert plain < listed < long < wide < longest == 405
    # the narrowest column decides
    assert [results.count_lines(text, 10) for text in ("", "a\n\nb", "x" * 21, "\u79df" * 21)] == [1, 3, 3, 5]
