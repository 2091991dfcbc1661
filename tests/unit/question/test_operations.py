"""Operators of a question, and the two things that it puts against each other."""

from __future__ import annotations

import pytest

from pipeline.question.alternatives import find_alternatives
from pipeline.question.operations import read_operation
from pipeline.question.parse import parse_question
from tests.unit.generation.pages import read_lexicons

LEXICON = read_lexicons().of("en")


@pytest.mark.parametrize(
    ("text", "direction", "dimension", "rank"),
    [
        ("Which fee is the highest", "max", "", 1),
        ("Which is the second lowest fee", "min", "", 2),
        ("Which notice period is the longest", "max", "duration", 1),
        ("Which paper is due first", "min", "date", 1),
        ("Which is the most recent report", "max", "date", 1),
        ("Which key costs the least", "min", "money", 1),
        ("Which reductions are at least 5 %", "", "", 1),
        ("Which First Aid box is it", "", "", 1),
    ],
)
def test_the_end_and_kind_are_read_when_a_superlative_stands_there(text, direction, dimension, rank):
    operation = read_operation(text, LEXICON)
    assert (operation.direction, operation.dimension, operation.rank) == (direction, dimension, rank)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Which fees exceed EUR 100", ["above"]),
        ("Which fees do not exceed EUR 100", ["at most"]),
        ("Which notices are of 30 days or more", ["at least"]),
        ("Which papers are due before 1 March 2026", ["below"]),
        ("What was the growth from 2024 to 2025", []),
        ("Which rooms hold more than 10 and less than 30 people", ["above", "below"]),
    ],
)
def test_bounds_are_read_when_a_value_stands_behind_them(text: str, kinds: list[str]):
    assert [bound.kind for bound in read_operation(text, LEXICON).bounds] == kinds


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("Does the Fern Plan or the Moss Plan have the higher fee", "Fern Plan", "Moss Plan"),
        ("Is the waiting period of the Fern Plan longer than that of the Moss Plan", "Fern Plan", "Moss Plan"),
        ("Which is higher, revenue in 2023 or 2022", "2023", "2022"),
        ("What is the difference between the fee of the hall and the fee of the kitchen", "hall", "kitchen"),
        ("Is the Northwind Low plan's fee lower than the Northwind Top Plus plan's", "Low", "Top Plus"),
    ],
)
def test_both_sides_are_found_when_two_are_put_against_each_other(text: str, first: str, second: str):
    sides = find_alternatives(text, LEXICON)
    assert sides is not None
    assert (sides[0].text, sides[1].text) == (first, second)


def test_no_sides_are_found_when_nothing_is_put_against_another():
    assert find_alternatives("Which fee is the highest", LEXICON) is None


@pytest.mark.parametrize("word", ["largest", "cheapest", "longest", "earliest", "shortest"])
def test_an_operator_is_never_judged_for_absence_when_it_is_rare(word: str):
    question = parse_question(f"Which fee is the {word}?", read_lexicons())
    assert [anchor.text for anchor in question.focus] == ["fee"]
    assert question.clarification is None


@pytest.mark.parametrize("text", ["Which is the largest?", "What is the total?", "What is the highest amount?"])
def test_it_is_asked_back_when_an_operator_has_nothing_to_work_on(text: str):
    assert parse_question(text, read_lexicons()).clarification is not None
