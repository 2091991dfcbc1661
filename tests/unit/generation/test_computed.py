"""Figures of statements: the right row and column, exact conversion, and a refusal where anything is unclear."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pipeline.generation.extractive.computed import read_computed, read_computed_fact
from pipeline.generation.extractive.rows import find_scale, read_rows
from pipeline.generation.validate import find_answer_faults
from pipeline.models.answer import Answer
from tests.unit.generation.pages import make_task, make_view

YEARS = [(60, "2018"), (80, "2017")]
INCOME = [
    "Acme Corporation",
    "Consolidated Statements of Income",
    [(0, "(In millions)"), *YEARS],
    [(0, "Net sales"), (60, "1,000"), (80, "800")],
    [(0, "Membership income"), (60, "50"), (80, "40")],
    [(0, "Total revenues"), (60, "1,050"), (80, "840")],
    [(0, "Cost of sales"), (60, "630"), (80, "500")],
    [(0, "Operating income"), (60, "(21)"), (80, "84")],
    [(0, "Interest expense"), (60, "(7)"), (80, "(6)")],
    [(0, "Net income attributable to noncontrolling interests"), (60, "1"), (80, "2")],
    [(0, "Net income attributable to Acme"), (60, "42"), (80, "21")],
]
BALANCE = [
    "Consolidated Balance Sheets",
    [(0, "(In millions)"), *YEARS],
    [(0, "Cash and cash equivalents"), (60, "30"), (80, "20")],
    [(0, "Inventories"), (60, "110"), (80, "90")],
    [(0, "Total current assets"), (60, "300"), (80, "250")],
    [(0, "Property, plant and equipment"), (60, "900"), (80, "800")],
    [(0, "Less: accumulated depreciation"), (60, "(400)"), (80, "(300)")],
    [(0, "Property, plant and equipment, net"), (60, "500"), (80, "500")],
    [(0, "Accounts receivable, net"), (60, "60"), (80, "40")],
    [(0, "Accounts payable"), (60, "70"), (80, "50")],
    [(0, "Total current liabilities"), (60, "200"), (80, "210")],
    [(0, "Total assets"), (60, "1,234"), (80, "1,100")],
]


CYCLE = (
    "What is the FY2018 cash conversion cycle (CCC) for Acme? CCC is defined as: DIO + DSO - DPO. DIO is defined as: "
    "365 * (average inventory between FY2017 and FY2018) / (FY2018 COGS). DSO is defined as: 365 * (average accounts "
    "receivable between FY2017 and FY2018) / (FY2018 revenue). DPO is defined as: 365 * (average accounts payable "
    "between FY2017 and FY2018) / (FY2018 COGS + change in inventory between FY2017 and FY2018). Round your answer to "
    "two decimal places."
)
RETURN = (
    "What is the FY2018 return on assets (ROA) for Acme? ROA is defined as: FY2018 net income / (average total assets "
    "between FY2017 and FY2018). Round your answer to two decimal places."
)
CASH_RATIO = (
    "What is the FY2018 operating cash flow ratio for Acme? Operating cash flow ratio is defined as: cash and cash "
    "equivalents / total current liabilities. Round your answer to two decimal places."
)


def _read(question, *pages):
    view = make_view(*(pages or (INCOME, BALANCE)))
    reading = read_computed(make_task(view, question))
    if reading is not None:
        answer = Answer(found=True, complete=True, text=reading.text, items=reading.items)
        assert find_answer_faults(answer, view, 3600) == ()
    return reading


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What was total revenue in 2018?", "1050"),
        ("What was the FY2017 COGS?", "500"),
        ("What is net PP&E at the end of 2018?", "500"),
        ("What were total current liabilities in 2017?", "210"),
        ("What was operating income in 2018?", "-21"),
        ("What was interest expense in 2018?", "7"),
        ("What was net income in 2018?", "42"),
    ],
)
def test_figure_is_read_from_its_row_and_year_when_a_concept_is_asked(question, value):
    reading = _read(question)
    assert reading is not None
    assert [item.value for item in reading.items] == [value]
    assert reading.items[0].extraction == "verbatim"


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the 2018 working capital?", "100"),
        ("What is the working capital ratio in 2018? Round your answer to two decimal places.", "1.50"),
        ("What is the 2018 inventory turnover?", "6.30"),
        ("What is the 2018 gross margin?", "40.0"),
        ("What was the revenue growth rate from 2017 to 2018?", "25.0"),
        ("What is the 2017 - 2018 2 year average net profit margin?", "3.3"),
        ("What is cost of goods sold as a % of revenue in 2018?", "60.0"),
        ("What is the 2018 operating income % margin?", "-2.0"),
        (CYCLE, "41.63"),
        (RETURN, "0.04"),
        (CASH_RATIO, "0.15"),
        ("What is the year-over-year change in inventory from FY2017 to FY2018 (in units of percents)?", "22.2"),
        ("What is the quick ratio in 2018? Define quick ratio as inventory divided by current liabilities.", "0.55"),
    ],
)
def test_figure_is_computed_exactly_when_a_formula_is_known(question, value):
    reading = _read(question)
    assert reading is not None
    assert reading.items[0].value == value
    assert reading.items[0].extraction == "computed"
    assert len(reading.items[0].citations) >= 2


def test_amount_is_converted_exactly_when_another_unit_is_asked():
    reading = _read("What were total assets in 2018? Answer in USD billions.")
    assert reading is not None
    assert Decimal(reading.items[0].value or "0") == Decimal("1.234")
    assert reading.items[0].extraction == "computed"
    assert "1,234" in reading.text


@pytest.mark.parametrize(
    "question",
    [
        "What was total revenue in 2016?",
        "What was total revenue in Q2 of 2018?",
        "What is the adjusted EBITDA in 2018?",
        "What was research and development in 2018?",
        "What is the capital of France?",
    ],
)
def test_nothing_is_read_when_the_figure_is_not_in_the_table(question):
    assert _read(question) is None


@pytest.mark.parametrize(
    "share",
    [
        "What percentage of net sales came from Norway in 2018?",
        "What share of net sales was sold abroad in 2018, in percent?",
    ],
)
def test_an_amount_is_no_answer_when_a_percentage_of_it_is_asked(share):
    assert _read(share) is None


def test_ratio_is_refused_when_one_figure_is_not_on_its_statement():
    notes = ["Segments", [(0, "(In millions)"), *YEARS], [(0, "Total revenues"), (60, "9"), (80, "8")]]
    assert _read("What is the 2018 fixed asset turnover?", notes, BALANCE) is None


def test_part_of_a_year_is_not_read_when_the_year_is_asked():
    quarter = [
        "Consolidated Statements of Income",
        [(60, "Three Months Ended June 30,")],
        [(0, "(In millions)"), (62, "2018"), (80, "2017")],
        *INCOME[3:],
    ]
    assert _read("What was total revenue in 2018?", quarter) is None


def test_rows_have_years_by_place_when_a_cell_is_empty():
    view = make_view([[(0, "(In thousands)"), *YEARS], [(0, "Gain on sale"), (81, "12")]])
    rows = read_rows(view, 1)
    assert [(row.label, [(a.text, a.year) for a in row.amounts]) for row in rows] == [("Gain on sale", [("12", 2017)])]
    assert find_scale(view, 1, None) == 3


def test_newest_year_is_read_when_the_question_names_none():
    reading = _read("What is the inventory turnover? Round your answer to two decimal places.")
    assert reading is not None
    assert (reading.items[0].value, reading.items[0].period) == ("6.30", "2018")


def test_figures_are_given_without_a_verdict_when_a_yes_no_question_turns_on_them():
    view = make_view(INCOME, BALANCE)
    reading = read_computed_fact(make_task(view, "Does Acme have positive working capital in 2018?"))
    assert reading is not None
    assert reading.items[0].value == "100"
    assert not reading.has_typed_fit
    assert reading.caveats
    assert read_computed_fact(make_task(view, "Did Acme have revenue in 2018?")) is None


def test_each_year_is_an_item_when_two_are_asked():
    reading = _read("What was total revenue in 2017 and in 2018?")
    assert reading is not None
    assert [(item.period, item.value) for item in reading.items] == [("2017", "840"), ("2018", "1050")]


def test_answer_is_incomplete_when_one_of_the_years_is_not_in_the_table():
    reading = _read("What was total revenue in 2016 and in 2018?")
    assert reading is not None
    assert not reading.is_complete
    assert reading.caveats


def test_statement_is_looked_up_beyond_the_evidence_when_only_a_note_was_found():
    note = ["Segments", [(0, "(In millions)"), *YEARS], [(0, "Total revenues"), (60, "9"), (80, "8")]]
    view = make_view(note, ["Nothing here."], ["Nor here."], INCOME)
    reading = read_computed(make_task(view, "What was total revenue in 2018?", pages=(1,)))
    assert reading is not None
    assert reading.items[0].value == "1050"
    assert any("beyond the evidence" in caveat for caveat in reading.caveats)


def test_year_is_found_when_labels_and_amounts_share_a_line():
    page = [[(60, "2018 2017")], "Total assets ........ $ 1,234   1,100", "Goodwill ........ 90   —"]
    rows = read_rows(make_view(page), 1)
    assert [(row.label, [amount.text for amount in row.amounts]) for row in rows] == [
        ("Total assets", ["$ 1,234", "1,100"]),
        ("Goodwill", ["90"]),
    ]
