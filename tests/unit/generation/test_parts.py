"""Figures of parts, rates and restated figures: the cell that says what was asked, or a doubt, never another figure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.generation.extractive.crossed import read_crossed
from pipeline.generation.extractive.fiscal import shift_years
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.restated import (
    find_asked_restated,
    find_restated,
    is_plain_for,
    is_unadjusted,
    lacks_share,
)
from pipeline.generation.extractive.rows import read_rows
from pipeline.generation.extractive.unsaid import mark_unsaid_part
from pipeline.generation.extractive.value import read_value
from pipeline.models.answer import Citation, Item
from tests.unit.generation.pages import make_task, make_view, read_lexicons

LEXICON = read_lexicons().of("en")
COVER = ["Annual report of Meridian"]
TOWAGE = [
    "Towage segment performance (in millions)",
    "",
    [(44, "2022"), (54, "2021")],
    [(0, "Revenue"), (43, "$1,204"), (53, "$1,181")],
    [(0, "Operating income"), (45, "$199"), (55, "$246")],
    [(0, "Operating income as a % of revenue"), (44, "16.5 %"), (54, "20.8 %")],
    [(0, "Gross profit as a % of revenue"), (44, "31.0 %"), (54, "33.4 %")],
]
ADJUSTED = [
    "Reported and adjusted results",
    "",
    [(0, "Reported results"), (44, "2022"), (54, "2021")],
    [(0, "EBITDA"), (43, "$512"), (53, "$498")],
    [(0, "Net income"), (43, "$201"), (53, "$302")],
    "",
    "Adjusted results",
    "",
    [(0, "Adjusted results"), (44, "2022"), (54, "2021")],
    [(0, "EBITDA"), (43, "$566"), (53, "$541")],
    [(0, "Net income"), (43, "$240"), (53, "$311")],
]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What was the operating income rate of the Towage segment in 2022?", "16.5 %"),
        ("What was the gross profit margin of the Towage segment in 2021?", "33.4 %"),
        ("What was operating income of the Towage segment in 2022?", "$199 million"),
    ],
)
def test_a_rate_is_read_when_a_rate_is_asked_and_an_amount_when_an_amount_is(question, text):
    reading = read_crossed(make_task(make_view(COVER, TOWAGE), question))
    assert reading is not None
    assert [item.text.split(" (")[0] for item in reading.items] == [text]


@pytest.mark.parametrize(
    "question",
    [
        "What was operating income of the Sailcloth segment in 2022?",
        "What was the operating income rate of the Sailcloth segment in 2022?",
        "What was adjusted operating income of the Towage segment in 2022?",
        "What was operating income per share of the Towage segment in 2022?",
    ],
)
def test_no_cell_is_read_when_the_part_the_restatement_or_the_unit_is_another(question):
    assert read_crossed(make_task(make_view(COVER, TOWAGE), question)) is None


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What was adjusted EBITDA in 2022?", "$566"),
        ("What was adjusted (non-GAAP) EBITDA in 2021?", "$541"),
        ("What was non-GAAP net income in 2022?", "$240"),
    ],
)
def test_the_restated_figure_is_read_when_the_head_over_the_rows_says_so(question, text):
    reading = read_crossed(make_task(make_view(COVER, ADJUSTED), question))
    assert reading is not None
    assert [item.text.split(" (")[0] for item in reading.items] == [text]


def test_no_plain_figure_is_given_when_an_adjusted_one_is_asked():
    plain = make_view(COVER, ["Results", "", [(44, "2022"), (54, "2021")], [(0, "EBITDA"), (43, "$512"), (53, "$498")]])
    task = make_task(plain, "What was adjusted EBITDA in 2022?")
    reading = read_value(task)
    assert reading is None or "512" not in reading.text


@given(
    st.sampled_from(["adjusted", "non-GAAP", "organic", "core"]), st.sampled_from(["EBITDA", "net income", "revenue"])
)
def test_a_restatement_fits_itself_and_no_plain_row_when_it_stands_before_a_figure(way, figure):
    task = make_task(make_view(COVER), f"What was {way} {figure} in 2022?")
    asked = find_asked_restated(task)
    assert asked == find_restated(f"{way} {figure}", LEXICON) != frozenset()
    assert not is_plain_for(asked, find_restated(f"{way} {figure}", LEXICON))
    assert is_plain_for(asked, find_restated(figure, LEXICON))


def test_nothing_is_restated_when_no_figure_is_named():
    assert find_asked_restated(make_task(make_view(COVER), "What are the core functions?")) is None


@pytest.mark.parametrize(
    ("question", "text", "is_lacking"),
    [
        ("What was the dividend per share?", "Dividends paid", True),
        ("What was the dividend per share?", "a dividend of 49.0 cents per share", False),
        ("What were dividends paid?", "Dividends paid", False),
    ],
)
def test_an_amount_per_share_is_told_apart_when_one_is_asked(question, text, is_lacking):
    assert lacks_share(make_task(make_view(COVER), question), text) is is_lacking


def _mark(question, *pages, line=4):
    view = make_view(*pages)
    page = len(pages)
    quote = view.document.line_at(page, line).text
    citation = Citation(ref="doc", page=page, line_start=line, line_end=line, quote=quote)
    item = Item(sub_question="q1", text=quote, value="1", citations=(citation,), extraction="verbatim")
    return mark_unsaid_part(make_task(view, question), Reading(text=quote, items=(item,), has_typed_fit=True))


def test_a_figure_is_doubted_when_nothing_at_its_place_says_the_part():
    doubted = _mark("What was revenue of the Sailcloth segment in 2022?", COVER, TOWAGE)
    assert not doubted.has_typed_fit
    assert any("sailcloth" in caveat for caveat in doubted.caveats)


def test_a_figure_is_kept_when_the_title_over_its_table_says_the_part():
    kept = _mark("What was revenue of the Towage segment in 2022?", COVER, TOWAGE)
    assert kept.has_typed_fit
    assert not kept.caveats


@pytest.mark.parametrize(
    ("sentences", "shift"),
    [
        (["In fiscal 2022 the company grew. Fiscal 2022 had 52 weeks.", "Results of fiscal 2022."], -1),
        (["In fiscal 2023 the company grew.", "Results of fiscal 2023."], 0),
        ([], 0),
    ],
)
def test_a_year_that_ends_in_january_is_named_when_the_document_counts_it(sentences, shift):
    task = make_task(make_view(sentences or COVER), "What were net sales in fiscal 2022?")
    heads = ("52 weeks ended January 28, 2023", "52 weeks ended January 29, 2022")
    assert shift_years(task, heads) == shift
    assert shift_years(task, ("Year ended December 31, 2022",)) == 0


def test_a_head_over_several_years_is_of_each_when_it_parts_them_evenly():
    page = [
        "Highlights",
        [(44, "13 weeks ended"), (64, "52 weeks ended")],
        [(40, "2023"), (50, "2022"), (60, "2023b"), (70, "2022")],
    ]
    page[2] = [(40, "2023"), (50, "2022"), (60, "2023"), (70, "2022")]
    rows = read_rows(make_view([*page, [(0, "Net sales"), (40, "31"), (50, "27"), (60, "102"), (70, "86")]]), 1)
    heads = [amount.header for row in rows if row.label == "Net sales" for amount in row.amounts]
    assert [head.startswith("13 weeks") for head in heads] == [True, True, False, False]
    assert [head.startswith("52 weeks") for head in heads] == [False, False, True, True]


def test_a_figure_is_doubted_when_only_the_next_sentence_says_the_part():
    prose = [
        "The yard keeps its gear in sheds.",
        "",
        "The revenue of the yard was $4 million in 2022.",
        "For Sailcloth, the revenue was told apart and is of the segment.",
    ]
    assert not _mark("What was revenue of Sailcloth in 2022?", COVER, prose, line=2).has_typed_fit
    assert _mark("What was revenue of Sailcloth in 2022?", COVER, prose, line=3).has_typed_fit


@pytest.mark.parametrize(
    ("question", "text", "is_other"),
    [
        ("What were adjusted net earnings?", "Net earnings, as reported", True),
        ("What were adjusted net earnings?", "Adjusted net earnings", False),
        ("What were non-GAAP net earnings?", "Net earnings as reported 2022", True),
        ("What were net earnings?", "Net earnings, as reported", False),
    ],
)
def test_a_row_as_reported_is_of_another_figure_when_an_adjusted_one_is_asked(question, text, is_other):
    asked = find_asked_restated(make_task(make_view(COVER), question))
    assert is_unadjusted(asked, text, LEXICON) is is_other
