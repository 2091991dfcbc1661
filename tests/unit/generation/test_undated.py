"""Answers of another year than the one asked: none, or with a doubt; those of the document's year are not doubted."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.doubts import mark_unsaid_years
from pipeline.generation.extractive.prose import find_prose_hits
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.undated import DOUBTFUL, judge_years
from pipeline.generation.extractive.unsaid import mark_unsaid_part
from pipeline.models.answer import Citation, Item
from tests.unit.generation.pages import make_task, make_view

COVER = ["Annual report of Meridian", "for the year ended December 31, 2022"]
PAGE = [
    "Operating expenses fell to 23.5% of revenue compared to 23.9% in 2021 because fewer pilots were needed.",
    "",
    "In 2019 operating expenses rose because fuel was dear.",
    "",
    "In 2019 revenue of the Wharves segment was $12 million.",
]
COMPARED, OTHER, AMOUNT = 1, 2, 3


def _judge(question: str, line: int, value: str | None = None) -> Reading | None:
    view = make_view(COVER, PAGE)
    quote = view.document.line_at(2, line).text
    citation = Citation(ref="doc", page=2, line_start=line, line_end=line, quote=quote)
    item = Item(sub_question="q1", text=quote, value=value, citations=(citation,), extraction="verbatim")
    return judge_years(make_task(view, question), Reading(text=quote, items=(item,), has_typed_fit=True))


@pytest.mark.parametrize("year", ["2022", "FY2022", "FY 2022", "fiscal 2022"])
def test_a_passage_is_kept_when_it_only_names_the_year_it_compares_with(year):
    kept = _judge(f"What drove the fall of operating expenses in {year}?", COMPARED)
    assert kept is not None
    assert kept.has_typed_fit
    assert not kept.caveats


@pytest.mark.parametrize("line", [COMPARED, OTHER])
def test_a_reason_is_told_with_doubt_when_its_passage_is_of_another_year(line):
    doubted = _judge("What drove the change of operating expenses in 2017?", line)
    assert doubted is not None
    assert doubted.max_confidence <= DOUBTFUL
    assert any("2017" in caveat for caveat in doubted.caveats)


def test_a_figure_is_dropped_when_the_document_has_none_of_the_year():
    assert _judge("What was revenue of the Wharves segment in 2017?", AMOUNT, "12") is None


def test_a_figure_is_kept_when_its_sentence_says_the_year():
    kept = _judge("What was revenue of the Wharves segment in 2019?", AMOUNT, "12")
    assert kept is not None
    assert not kept.caveats


@pytest.mark.parametrize(
    ("prose", "is_doubted"),
    [
        ("The harbour has a block of offices.", False),
        ("The harbour of Blockley is let.", False),
        ("Revenue of Block was small.", True),
        ("BLOCK", True),
    ],
)
def test_a_name_counts_as_a_part_when_the_document_says_it_as_a_name(prose, is_doubted):
    view = make_view(["Annual report of Meridian"], ["Revenue was $12 million."], [prose])
    citation = Citation(ref="doc", page=2, line_start=1, line_end=1, quote="Revenue was $12 million.")
    item = Item(sub_question="q1", text="$12 million", value="12", citations=(citation,), extraction="verbatim")
    reading = Reading(text="$12 million", items=(item,), has_typed_fit=True)
    marked = mark_unsaid_part(make_task(view, "What was total revenue for Block in 2022?"), reading)
    assert marked.has_typed_fit is not is_doubted


def test_a_reason_has_a_caveat_when_its_year_stands_nowhere_in_the_document():
    view = make_view(COVER, PAGE)
    quote = view.document.line_at(2, OTHER).text
    citation = Citation(ref="doc", page=2, line_start=OTHER, line_end=OTHER, quote=quote)
    item = Item(sub_question="q1", text=quote, citations=(citation,), extraction="verbatim")
    task = make_task(view, "Why did the costs of towage rise in 2017?")
    marked = mark_unsaid_years(task, Reading(text=quote, items=(item,), has_typed_fit=True))
    assert not marked.has_typed_fit
    assert any("2017" in caveat for caveat in marked.caveats)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What was revenue in 2022?", ["$12 million"]),
        ("By how much did revenue increase in 2022?", ["$3 million"]),
    ],
)
def test_how_far_a_figure_moved_is_no_level_when_no_change_is_asked(question, found):
    lines = ["Revenue increased $3 million in 2022.", "", "In 2022 revenue was $12 million."]
    task = make_task(make_view(COVER, lines), question)
    assert [hit.typed.text for hit in find_prose_hits(task, "money") if hit.typed.text in found] == found
    level = {hit.typed.text for hit in find_prose_hits(task, "money")}
    assert ("$3 million" in level) is ("increase" in question)
