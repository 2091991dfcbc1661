"""Series inside sentences: which words lead them."""

from __future__ import annotations

from tests.unit.structure.pages import make_view, stack_lines


def test_a_series_in_parentheses_is_led_by_the_noun_before_them_when_the_sentence_counts_something_else():
    text = "The port knows three levels of damage after a loss of goods (e.g., a leak, a theft, or a fire)."
    found = [each for each in make_view(stack_lines([text])).enumerations_in((1, 1), (2, 0)) if each.kind == "inline"]
    assert [item.text for item in found[0].items] == ["a leak", "a theft", "a fire"]
    assert "loss of goods" in found[0].lead
    assert "levels" not in found[0].lead


def test_a_series_is_led_by_its_whole_sentence_when_the_parenthesis_is_closed():
    text = "The harbour office (south) keeps ships of several kinds, including tankers, ferries, and tugs."
    found = [each for each in make_view(stack_lines([text])).enumerations_in((1, 1), (2, 0)) if each.kind == "inline"]
    assert "harbour office" in found[0].lead
