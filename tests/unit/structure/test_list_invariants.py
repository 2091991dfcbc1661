"""Aggregation never loses or invents a member, however a list is printed."""

from __future__ import annotations

from hypothesis import given

from pipeline.models.document import Line
from pipeline.models.structure import Enumeration
from tests.unit.structure.pages import make_view
from tests.unit.structure.printed import Printed, printed_heads, printed_lists, printed_rows, printed_series
from tests.unit.structure.printed_nested import printed_trees
from tests.unit.structure.printed_odd import definition_lists, lists_in_cells, odd_lists

MARKED = ("bullet", "numbered", "lettered", "identifier")


def _read(printed: Printed) -> list[Enumeration]:
    return _read_marked(printed.lines)


def _texts(enumeration: Enumeration, level: int) -> list[str]:
    return [item.text for item in enumeration.items if item.level == level]


@given(printed_lists(can_nest=False))
def test_no_member_is_lost_or_invented_when_a_list_is_printed(printed):
    found = _read(printed)
    assert [_texts(each, 0) for each in found] == [[member.text for member in printed.members]]
    assert found[0].is_closed
    assert found[0].gaps == ()


@given(printed_lists())
def test_nested_members_stand_below_their_own_when_a_list_is_printed(printed):
    found = _read(printed)
    expected = [(text, level) for member in printed.members for text, level in _levels(member)]
    assert [(item.text, item.level) for item in found[0].items] == expected
    nested = [member.below for member in printed.members if member.below]
    assert [_texts(each, 0) for each in found[1:]] == nested


@given(printed_trees())
def test_every_member_keeps_its_level_when_lists_are_nested_deeper(printed):
    found = _read_marked(printed.lines)
    assert [(item.text, item.level) for item in found[0].items] == printed.expected


@given(odd_lists())
def test_no_member_is_lost_or_invented_when_something_stands_between(printed):
    found = _read_marked(printed.lines)
    assert [_texts(each, 0) for each in found] == [printed.texts]


@given(definition_lists())
def test_no_entry_is_lost_when_terms_are_explained(printed):
    names, lines = printed
    found = make_view(lines).enumerations_in((1, 1), (lines[-1].page + 1, 0))
    assert [[item.head for item in each.items] for each in found] == [names]


@given(lists_in_cells())
def test_members_of_each_cell_are_a_list_when_a_table_holds_them(printed):
    names, lines = printed
    ends = ("master", "pilot")
    assert [_texts(each, 0) for each in _read_marked(lines)] == [[f"{n} of the {end}" for n in names] for end in ends]


@given(printed_series())
def test_no_member_is_lost_when_a_sentence_lists_them(printed):
    names, lines = printed
    assert [[item.text for item in each.items] for each in _read_all(lines, "inline")] == [names]


@given(printed_heads())
def test_no_member_is_lost_when_paragraphs_have_heads(printed):
    heads, lines = printed
    assert [[item.head for item in each.items] for each in _read_all(lines, "run_in")] == [heads]


@given(printed_rows())
def test_no_row_is_lost_when_a_table_goes_on_over_the_page(printed):
    names, lines = printed
    assert [[item.head for item in each.items] for each in _read_all(lines, "table_rows")] == [names]


def _read_marked(lines: list[Line]) -> list[Enumeration]:
    found = make_view(lines).enumerations_in((1, 1), (lines[-1].page + 1, 0))
    return [each for each in found if each.kind in MARKED]


def _read_all(lines: list[Line], kind: str) -> list[Enumeration]:
    found = make_view(lines).enumerations_in((1, 1), (lines[-1].page + 1, 0))
    return [each for each in found if each.kind == kind]


def _levels(member):
    return [(member.text, 0), *((text, 1) for text in member.below)]
