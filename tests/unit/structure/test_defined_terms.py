"""Defined terms: where they are defined, and which of them a text uses."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.structure.defined_terms import find_defined, find_used_terms, key_term, mention_at
from pipeline.structure.pointers import Pointer, resolve_pointer
from pipeline.structure.resolving import resolve_mention
from tests.unit.generation.pages import make_view

DEED = [
    "\u201cBerth Fee\u201d means the sum that the Harbour Office asks for at a Long Quay.",
    "",
    "\u201cHarbour Office\u201d means the house at the north gate.",
    "",
    "\u201cLong Quay\u201d means a quay at which a Tall Ship may lie.",
    "",
    "\u201cTall Ship\u201d means a ship that fits no place but a Long Quay.",
]


def _used(view, number: int, page: int = 1) -> list[str]:
    return [mention.key for mention in find_used_terms(view, [view.document.line_at(page, number)])]


def _number(view, words: str) -> int:
    return next(line.number for line in view.document.lines if words in line.text)


def test_used_terms_are_found_in_their_order_when_a_definition_uses_others():
    view = make_view(DEED)
    assert _used(view, _number(view, "Berth Fee")) == ["definition:harbour office", "definition:long quay"]


def test_each_uses_the_other_and_never_itself_when_two_definitions_are_a_circle():
    view = make_view(DEED)
    assert _used(view, _number(view, "\u201cLong Quay")) == ["definition:tall ship"]
    assert _used(view, _number(view, "\u201cTall Ship")) == ["definition:long quay"]


def test_only_the_longer_term_is_used_when_one_stands_within_another():
    view = make_view(
        [*DEED, "", "\u201cQuay\u201d means a wall.", "", "\u201cKeep\u201d means the care of a Long Quay by day."]
    )
    assert _used(view, _number(view, "\u201cKeep")) == ["definition:long quay"]


def test_term_is_not_used_when_small_letters_say_the_common_word():
    view = make_view([*DEED, "", "\u201cBeam\u201d means a firm.", "", "\u201cLight\u201d means the beam of a lamp."])
    assert _used(view, _number(view, "\u201cLight")) == []


def test_named_term_is_found_when_a_sentence_gives_it_in_parentheses():
    view = make_view(["The yards paid for all repairs in autumn (the \u201cAutumn Works\u201d)."])
    found = find_defined(view, key_term("Autumn Works"))
    assert [target.start for target in found] == [(1, 1)]


def test_reference_is_ambiguous_when_a_term_is_defined_in_two_ways():
    view = make_view([*DEED, "", "\u201cHarbour Office\u201d means the clerks of the Trust."])
    line = view.document.line_at(1, 1)
    resolution = resolve_mention(view, mention_at(line, "definition:harbour office"))
    assert (resolution.state, resolution.target) == ("ambiguous", None)


def test_pointer_leads_to_the_definition_when_it_names_a_term():
    view = make_view(DEED)
    resolution = resolve_pointer(view, Pointer("q1", "definition:tall ship", (1, 1)))
    assert resolution.state == "resolved"
    assert "fits no place" in view.document.line_at(*resolution.target.start).text


def test_row_is_found_when_a_term_stands_left_of_its_meaning():
    rows = [
        [(0, "Far North"), (20, "Includes the Near North and the ice")],
        [(0, "Near North"), (20, "Includes Brill and Oswick")],
        [(0, "South"), (20, "the islands below the line")],
        [(0, "West"), (20, "the coast of long nights")],
        [(0, "East"), (20, "the coast of short nights")],
    ]
    view = make_view(rows)
    cells = [line for line in view.document.lines if "Far" in line.text or "ice" in line.text]
    mentions = find_used_terms(view, cells)
    assert [mention.key for mention in mentions] == ["definition:near north"]
    assert resolve_mention(view, mentions[0]).state == "resolved"


TERMS = st.lists(st.sampled_from(["Tall Ship", "Long Quay", "Berth Fee", "Night Watch"]), min_size=1, max_size=6)


@settings(max_examples=25, deadline=None)
@given(TERMS, st.sampled_from(["Tall Ship", "Long Quay", "Berth Fee", "Night Watch"]))
def test_no_place_is_guessed_when_a_term_is_defined_never_or_more_than_once(terms, asked):
    rows = []
    for number, term in enumerate(terms):
        rows += [f"\u201c{term}\u201d means the thing of number {number}.", ""]
    view = make_view(rows[:-1])
    resolution = resolve_mention(view, mention_at(view.document.lines[0], key_term(asked)))
    count = terms.count(asked)
    assert resolution.state == {0: "dangling", 1: "resolved"}.get(count, "ambiguous")
    assert (resolution.target is None) == (count != 1)


def test_definition_is_found_when_a_sentence_opens_with_the_term_without_quotation_marks():
    view = make_view(
        [
            "\u201cChange of Watch\u201d shall have the meaning of Annex A.",
            "",
            "The keepers stay for a Change of Watch.",
        ],
        ["Annex A", "", "A Change of Watch shall mean that the lamps pass to one owner."],
    )
    found = find_defined(view, key_term("Change of Watch"))
    assert [target.start[0] for target in found] == [2]
    assert view.document.line_at(*found[0].start).text.startswith("A Change of Watch")
