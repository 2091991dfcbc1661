"""Questionnaires as vendors get them, made by two libraries, and what of a workbook is the same afterwards."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import xlsxwriter
from openpyxl.comments import Comment
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.worksheet.datavalidation import DataValidation

HEADER_ROW = 4
QUESTIONS = ("What is the deposit?", "Who repairs the roof?", "What is the zebra quota?")


TITLES = ("No.", "Control question", "Response", "Comments", "Owner")


def make_form(path: Path) -> Path:
    """A form with a title, sections between the rows, styles, rules, comments, filters, print setup, other sheets."""
    book = openpyxl.Workbook()
    book.active.title = "Read me"
    book.active["A1"] = "Please fill the next sheet."
    sheet = book.create_sheet("Assessment")
    sheet["A1"] = "Vendor questionnaire"
    sheet["A1"].font = Font(size=16, bold=True)
    sheet.merge_cells("A1:E1")
    sheet["A2"] = "Questions"
    line = Side(style="thin")
    for column, title in enumerate(TITLES, 1):
        cell = sheet.cell(HEADER_ROW, column, title)
        cell.fill, cell.font = PatternFill("solid", fgColor="224466"), Font(bold=True, color="FFFFFF")
    sheet.cell(5, 1, "1. Tenancy").font = Font(bold=True)
    sheet.merge_cells("A5:E5")
    for row, question in enumerate(QUESTIONS, 6):
        sheet.cell(row, 1, row - 5)
        for column in range(1, len(TITLES) + 1):
            sheet.cell(row, column).border = Border(line, line, line, line)
        sheet.cell(row, 2, question).alignment = Alignment(vertical="center")
    sheet["A9"] = "2. Law"
    sheet["A10"], sheet["B10"] = 1, "Which law governs it?"
    sheet["A13"] = "Return this form by Friday."
    sheet["G6"] = "=1+1"
    rules = DataValidation(type="list", formula1='"me,you"')
    rules.add("E6:E10")
    sheet.add_data_validation(rules)
    sheet.conditional_formatting.add(
        "A6:A10", CellIsRule(operator="greaterThan", formula=["1"], font=Font(italic=True))
    )
    sheet["B6"].comment = Comment("a hint", "someone")
    sheet.freeze_panes = "A5"
    sheet.auto_filter.ref = "A4:E10"
    sheet.column_dimensions["B"].width = 40
    sheet.row_dimensions[8].hidden = True
    sheet.page_setup.orientation = "landscape"
    sheet.print_title_rows = "4:4"
    book.create_sheet("Other")["A1"] = "more"
    book.defined_names["Mine"] = openpyxl.workbook.defined_name.DefinedName("Mine", attr_text="Assessment!$A$1")
    book.save(path)
    return path


def make_drawn_form(path: Path, picture: Path) -> Path:
    """A form with a chart beside its table, a picture, a sparkline, a button and a macro."""
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet("Form")
        sheet.write_row(0, 0, ["Question", "Weight"])
        for row, question in enumerate(QUESTIONS, 1):
            sheet.write(row, 0, question)
            sheet.write(row, 1, row)
        chart = book.add_chart({"type": "column"})
        chart.add_series({"values": "=Form!$B$2:$B$4"})
        sheet.insert_chart("F2", chart)
        sheet.insert_image("M2", str(picture))
        sheet.add_sparkline("B6", {"range": "Form!B2:B4"})
        sheet.insert_button("F20", {"caption": "Send"})
        sheet.insert_textbox("F25", "a box")
        sheet.add_table("A8:B10", {"columns": [{"header": "x"}, {"header": "y"}]})
    return path


def read_parts(content: bytes) -> dict[str, bytes]:
    """Every part of a workbook by its name."""
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def rewrite_parts(path: Path, change: Any) -> Path:
    """A workbook with its parts changed by a function of the whole dictionary."""
    parts = read_parts(path.read_bytes())
    change(parts)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, part in parts.items():
            packed.writestr(name, part)
    return path


def describe_cells(content: bytes, title: str) -> dict[str, tuple[object, ...]]:
    """Value and looks of every cell of a sheet that has any."""
    sheet = openpyxl.load_workbook(io.BytesIO(content))[title]
    return {
        cell.coordinate: (
            cell.value, cell.number_format, repr(cell.font), repr(cell.fill), repr(cell.border),
            repr(cell.alignment), repr(cell.protection), cell.comment.text if cell.comment else None,
        )
        for row in sheet.iter_rows()
        for cell in row
    }  # fmt: skip


def describe_sheet(content: bytes, title: str) -> dict[str, object]:
    """What of a sheet is not in its cells."""
    book = openpyxl.load_workbook(io.BytesIO(content))
    sheet = book[title]
    return {
        "merged": sorted(map(str, sheet.merged_cells.ranges)),
        "rules": [(str(rule.sqref), rule.formula1) for rule in sheet.data_validations.dataValidation],
        "formats": [str(found.sqref) for found in sheet.conditional_formatting],
        "panes": sheet.freeze_panes,
        "filter": sheet.auto_filter.ref,
        "width": sheet.column_dimensions["B"].width,
        "hidden": [number for number, row in sheet.row_dimensions.items() if row.hidden],
        "page": (sheet.page_setup.orientation, sheet.print_title_rows),
        "names": sorted(book.defined_names),
        "sheets": book.sheetnames,
    }
