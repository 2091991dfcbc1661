"""The words a figure is asked with against the names of rows: the very words first, a synonym with a caveat."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.generation.extractive.computed import read_computed
from pipeline.generation.extractive.rowlabels import Wanted, build_patterns, grade_row, is_literal, split_label
from pipeline.generation.extractive.rows import FigureRow
from pipeline.generation.extractive.wording import read_wording
from tests.unit.generation.pages import make_task, make_view, read_lexicons

LEXICON = read_lexicons().of("en")
STATEMENT = [
    "Harbour Stores",
    "Consolidated Statements of Income",
    [(0, "(In millions)"), (60, "2018"), (80, "2017")],
    [(0, "Net sales"), (60, "1,000"), (80, "800")],
    [(0, "Membership fees"), (60, "50"), (80, "40")],
    [(0, "Total revenue"), (60, "1,050"), (80, "840")],
    [(0, "Cost of sales"), (60, "630"), (80, "500")],
    [(0, "Operating profit"), (60, "210"), (80, "184")],
    [(0, "Net earnings"), (60, "120"), (80, "100")],
    [(0, "Net earnings attributable to Harbour"), (60, "115"), (80, "97")],
    [(0, "Diluted earnings per share"), (60, "1.15"), (80, "0.97")],
    [(0, "Dividends declared per share"), (60, "0.40"), (80, "0.36")],
]
BALANCE = [
    "Consolidated Balance Sheets",
    [(0, "(In millions)"), (60, "2018"), (80, "2017")],
    [(0, "Inventories"), (60, "110"), (80, "90")],
    [(0, "Total current assets"), (60, "300"), (80, "250")],
    [(0, "Accounts payable"), (60, "70"), (80, "50")],
    [(0, "Total assets"), (60, "900"), (80, "850")],
    [(0, "Total Harbour shareholders' equity"), (60, "400"), (80, "370")],
    [(0, "Noncontrolling interests"), (60, "20"), (80, "18")],
    [(0, "Total equity"), (60, "420"), (80, "388")],
]


def _read(question):
    return read_computed(make_task(make_view(STATEMENT, BALANCE), question))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What was net sales in 2018?", "1000"),
        ("What was total revenue in 2018?", "1050"),
        ("What was revenue in 2017?", "840"),
        ("What was operating profit in 2018?", "210"),
        ("What was net earnings in 2018?", "120"),
        ("What was net earnings attributable to Harbour in 2018?", "115"),
        ("What was total shareholders' equity in 2018?", "400"),
        ("What was total Harbour shareholders' equity in 2018?", "400"),
        ("What was total equity in 2018?", "420"),
    ],
)
def test_the_row_of_the_very_words_is_read_when_a_synonym_stands_beside_it(question, value):
    reading = _read(question)
    assert reading is not None
    assert [item.value for item in reading.items] == [value]
    assert not [caveat for caveat in reading.caveats if "no row is called" in caveat]


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("What was operating income in 2018?", "Operating profit"),
        ("What was net income in 2018?", "Net earnings"),
        ("What was turnover in 2018?", "Total revenue"),
    ],
)
def test_a_caveat_names_the_row_when_only_a_synonym_is_printed(question, label):
    reading = _read(question)
    assert reading is not None
    assert reading.items[0].label == label
    assert any(label in caveat and "no row is called" in caveat for caveat in reading.caveats)
    assert not reading.has_second_place


@pytest.mark.parametrize(
    "question",
    ["What was Equipment revenue in 2018?", "What was Northern net sales in 2018?", "What is Tug revenue in 2017?"],
)
def test_no_row_of_the_whole_is_read_when_a_part_is_named_before_the_figure(question):
    assert _read(question) is None


def test_an_amount_per_share_is_read_when_one_is_asked_and_never_else():
    asked = _read("What were dividends declared per share in 2018?")
    assert asked is not None
    assert asked.items[0].value == "0.40"
    assert _read("What were dividends in 2018?") is None


@pytest.mark.parametrize(
    ("question", "name", "words", "is_narrowed"),
    [
        ("What was total net sales in 2018?", "revenue", "net sales", False),
        ("What was consolidated net income for 2018?", "net income", "net income", False),
        ("What was Rope Walk revenue in 2018?", "revenue", "Rope Walk revenue", True),
    ],
)
def test_the_noun_phrase_of_a_figure_is_found_when_words_stand_before_it(question, name, words, is_narrowed):
    wording = read_wording(make_task(make_view(STATEMENT), question), question, name)
    assert wording is not None
    assert wording.words == tuple(sorted(split_label(words, LEXICON)))
    assert wording.is_narrowed is is_narrowed


@given(st.permutations(["net", "sales", "operating", "profit"]), st.booleans())
def test_a_literal_label_goes_before_every_pattern_when_both_fit(words, has_total):
    label = " ".join(words)
    row = FigureRow(f"Total {label}" if has_total else label, (), (), "")
    asked = tuple(sorted(split_label(label, LEXICON)))
    grade = grade_row(row, Wanted(build_patterns([label], LEXICON), asked), LEXICON)
    assert grade is not None
    assert is_literal(grade[1])
    plain = grade_row(row, Wanted(build_patterns([row.label], LEXICON)), LEXICON)
    assert plain is not None
    assert grade < plain


@pytest.mark.parametrize(
    ("label", "is_found"),
    [
        ("Total liabilities and stockholders' equity", False),
        ("Total liabilities", True),
        ("Total cash and cash equivalents", False),
    ],
)
def test_a_total_of_two_things_is_none_of_one_when_only_one_is_asked(label, is_found):
    page = [
        "Balance sheet (in millions)",
        "",
        [(0, ""), (50, "2022"), (60, "2021")],
        [(0, "Inventories"), (50, "120"), (60, "110")],
        [(0, label), (50, "950"), (60, "870")],
    ]
    reading = read_computed(make_task(make_view(page), "What were total liabilities in 2022?"))
    assert (reading is not None and reading.items[0].value == "950") is is_found
