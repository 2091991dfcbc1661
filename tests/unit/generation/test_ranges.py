"""Ranges are told whole: neither end of "0 to 50" is the value."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.ranges import is_range
from tests.unit.generation.pages import read_lexicons

ENGLISH = read_lexicons().of("en")


@pytest.mark.parametrize("text", ["0 to 50", "870 to 1,080", "5-6", "3 \N{EN DASH} 4 mm", "$5 to $10", "5 to 10%"])
def test_text_is_a_range_when_two_numbers_are_all_it_holds(text):
    assert is_range(text, ENGLISH)


@pytest.mark.parametrize("text", ["50", "-5", "6 of 10", "0 and 50", "from 0 to 50 and more", "5 days"])
def test_text_is_no_range_when_it_holds_one_number_or_says_more(text):
    assert not is_range(text, ENGLISH)
