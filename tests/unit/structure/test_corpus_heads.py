"""Heads of tables in real filings, by cells that were looked up by eye; needs PDFDOCKET_CORPUS."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from pipeline.models.settings import Settings
from pipeline.parsing import parse_document
from pipeline.structure.view import DocumentView
from tests.unit.structure.pages import load_english

FOLDER = os.environ.get("PDFDOCKET_CORPUS", "")
pytestmark = pytest.mark.skipif(not FOLDER, reason="PDFDOCKET_CORPUS is not set")


@cache
def _open(name: str) -> DocumentView:
    path = Path(FOLDER) / "financebench-dev" / "pdfs" / f"{name}.pdf"
    if not path.exists():
        pytest.skip(f"{name} is not there")
    return DocumentView(parse_document(path, Settings()), load_english())


@pytest.mark.parametrize(
    ("name", "page", "label", "path", "value"),
    [
        ("3M_2022_10K", 25, "Health Care", ("2022", "Net Sales"), "8,421"),
        ("3M_2022_10K", 25, "Health Care", ("2021", "Net Sales"), "8,597"),
        ("3M_2022_10K", 25, "Consumer", ("2021", "Operating Income (Loss)"), "1,162"),
        ("3M_2022_10K", 25, "Consumer", ("2022", "% of Total"), "15.5"),
        ("3M_2022_10K", 25, "Consumer", ("% change", "Operating Income"), "(14.4)"),
        ("3M_2022_10K", 25, "Health Care", ("2022", "Divestitures"), "(1.4)"),
        ("3M_2022_10K", 25, "Organic sales", ("2022", "Americas"), "2.6"),
        ("3M_2022_10K", 25, "Translation", ("2021", "Europe, Middle East & Africa"), "3.8"),
        ("3M_2022_10K", 25, "Divestitures", ("2022", "Asia Pacific"), "(0.4)"),
        ("3M_2022_10K", 33, "Business segment operating income (millions)", ("2021",), "$1,162"),
        ("BESTBUY_2023_10K", 26, "Best Buy", ("2021", "Total Stores"), "956"),
        ("BESTBUY_2023_10K", 26, "Best Buy", ("2022", "Stores Closed"), "(20)"),
        ("BESTBUY_2023_10K", 26, "Best Buy", ("2023", "Stores Opened"), "1"),
        ("BESTBUY_2023_10K", 26, "Yardbird", ("2022", "Stores Opened"), "9"),
        ("BESTBUY_2023_10K", 26, "Appliances", ("Comparable Sales", "2022"), "24.1 %"),
        ("VERIZON_2022_10K", 30, "Cost of wireless equipment", ("Increase/(Decrease) 2022 vs. 2021",), "4,611"),
        ("VERIZON_2022_10K", 32, "Global Enterprise", ("Increase/(Decrease)",), "(490)"),
        ("AMCOR_2023Q4_EARNINGS", 2, "Rigid Packaging", ("2022", "EBIT $"), "289"),
        ("AMCOR_2023Q4_EARNINGS", 2, "Total Amcor", ("2023", "funds employed"), "15.4"),
        ("CVSHEALTH_2022_10K", 81, "Premiums", ("Year Ended", "2020"), "$69,301"),
        ("CVSHEALTH_2022_10K", 81, "Services", ("Change", "2021 vs. 2020", "%"), "(2.6)%"),
        ("CVSHEALTH_2022_10K", 81, "Benefit costs", ("Change", "2022 vs. 2021", "$"), "6,949"),
        ("CVSHEALTH_2022_10K", 79, "Operating income (loss) (GAAP measure)", ("2022", "Retail/ LTC"), "$3,778"),
        ("JOHNSON_JOHNSON_2022Q4_EARNINGS", 10, "Restructuring", ("FOURTH QUARTER 2021", "Percent to Sales"), "0.3"),
        ("JOHNSON_JOHNSON_2022Q4_EARNINGS", 10, "Gross Profit", ("Percent Increase",), "(5.4)"),
        ("JOHNSON_JOHNSON_2022_10K", 76, "Commingled funds", ("Net Asset Value", "2022"), "6,106"),
        ("JOHNSON_JOHNSON_2022_10K", 76, "Debt instruments", ("(Level 2)", "2021"), "3,505"),
        ("JPMORGAN_2022Q2_10Q", 25, "Total net charge-offs/(recoveries)", ("six months", "Change"), "(34)"),
        ("JPMORGAN_2022Q2_10Q", 25, "Total net charge-offs/(recoveries)", ("three months", "2021"), "$732"),
        ("BLOCK_2020_10K", 104, "Municipal securities", ("2020", "Less than 12 months", "Losses"), "(3)"),
        ("BLOCK_2020_10K", 104, "Municipal securities", ("2019", "Total", "Losses"), "(39)"),
        ("CORNING_2022_10K", 26, "Unrealized gain, net", ("2021", "Net income"), "237"),
        ("BOEING_2018_10K", 117, "Net earnings", ("2018", "3rd"), "2,363"),
        ("BOEING_2018_10K", 117, "Diluted earnings per share", ("2017", "4th"), "5.49"),
    ],
)
def test_a_cell_is_found_by_row_and_heads_when_a_filing_is_read(name, page, label, path, value):
    found = []
    for table in _open(name).tables_on(page):
        rows = {cell.row for cell in table.cells if cell.column == 0 and cell.text == label}
        columns = {at for at, head in enumerate(table.header) if at and all(part in head for part in path)}
        found += [cell.text for cell in table.cells if cell.row in rows and cell.column in columns]
    assert value in found
    assert len(found) <= 2
