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


def _read_marked(text: str) -> list[list[str]]:
    found = make_view(stack_lines([text])).enumerations_in((1, 1), (2, 0))
    return [[item.text for item in each.items] for each in found if each.kind == "inline"]


def test_a_last_member_ends_before_what_offsets_it_when_one_sentence_holds_two_series():
    text = (
        "The rise was due to (1) new cranes, and (2) longer leases, partially offset by (1) storms, and (2) lost keys."
    )
    assert _read_marked(text) == [["new cranes", "longer leases"], ["storms", "lost keys"]]


def test_a_last_member_keeps_the_series_inside_it_when_that_has_other_marks():
    text = "The fee is (i) a fixed sum or (ii) the greater of (a) the toll and (b) the dues."
    found = _read_marked(text)
    assert found[0][1] == "the greater of (a) the toll and (b) the dues"
    assert ["the toll", "the dues"] in found


def test_a_long_member_is_named_by_its_first_clause_when_it_has_no_name():
    long = "stop the cranes of the old basin for so long that no ship can be unloaded, but the sheds stay open"
    found = make_view(stack_lines([f"A fault might: (i) {long}; (ii) wet the sheds."])).enumerations_in((1, 1), (2, 0))
    heads = [item.head for each in found if each.kind == "inline" for item in each.items]
    assert heads == [long.partition(",")[0], "wet the sheds"]
