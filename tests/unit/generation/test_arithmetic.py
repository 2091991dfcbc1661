"""Formulas are computed exactly or not at all."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.generation.extractive.arithmetic import describe, evaluate, list_operands, parse_formula

FIGURES = {("assets", 2018): Decimal(200), ("assets", 2017): Decimal(100), ("debts", 2018): Decimal(80)}


def _look_up(name, year):
    return FIGURES.get((name, year))


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("{assets} / {debts}", "2.5"),
        ("{assets} - {debts} * 2", "40"),
        ("({assets} - {debts}) * 2", "240"),
        ("average {assets}", "150"),
        ("change {assets} / 4", "25"),
        ("365 * {debts} / {assets}", "146"),
        ("{assets} - {debts} - {debts}", "40"),
    ],
)
def test_formula_is_computed_when_all_figures_are_there(formula, value):
    parsed = parse_formula(formula)
    assert parsed is not None
    assert evaluate(parsed, 2018, _look_up) == Decimal(value)


@pytest.mark.parametrize("formula", ["{debts} / {assets} * {none}", "average {debts}", "{assets} / ({debts} - 80)"])
def test_nothing_is_computed_when_a_figure_is_missing_or_zero_divides(formula):
    parsed = parse_formula(formula)
    assert parsed is not None
    assert evaluate(parsed, 2018, _look_up) is None


@pytest.mark.parametrize("formula", ["{a} +", "* {a}", "({a}", "{a} {b}", "{a} % {b}", ""])
def test_formula_is_refused_when_it_is_malformed(formula):
    assert parse_formula(formula) is None


@given(st.recursive(st.sampled_from(["{a}", "{b}", "average {a}"]), lambda x: st.tuples(x, st.sampled_from("+-*/"), x)))
def test_operands_stand_in_their_order_when_any_formula_is_parsed(tree):
    def write(node):
        return node if isinstance(node, str) else f"({write(node[0])} {node[1]} {write(node[2])})"

    text = write(tree)
    parsed = parse_formula(text)
    assert parsed is not None
    assert [operand.name for operand in list_operands(parsed)] == re.findall(r"\{(\w)\}", text)
    assert [name for name in re.findall(r"\b[ab]\b", describe(parsed))] == re.findall(r"\{(\w)\}", text)
