"""Completeness certificates: denominators, detectors, verdicts, and what is told of doubts."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.certificate import certify_list, join_certificates, list_members, tell_doubts
from pipeline.models.structure import Enumeration, EnumerationItem, Extent


def _list(names: list[str], kind: str = "bullet", **fields: object) -> Enumeration:
    items = tuple(
        EnumerationItem(
            marker=f"{number}." if kind == "numbered" else "",
            head=name,
            text=name,
            level=0,
            extents=(Extent(page=1, line_start=number, line_end=number),),
        )
        for number, name in enumerate(names, 1)
    )
    values: dict[str, object] = {"kind": kind, "items": items, "start": (1, 1), "end": (1, len(names) + 1)}
    return Enumeration.model_validate({**values, **fields})


SHIPS = ["tankers", "ferries", "tugs"]


def test_a_list_is_complete_when_its_cue_agrees_and_its_end_is_seen():
    found = certify_list("q1", _list(SHIPS, cue=3, lead="three kinds of ships:"), [])
    assert (found.verdict, found.denominator, found.denominator_source) == ("complete", 3, "stated")
    assert found.denominator_quote == "three kinds of ships:"
    assert tell_doubts(found) == ()


def test_a_list_is_incomplete_when_fewer_are_found_than_announced():
    found = certify_list("q1", _list(SHIPS[:2], cue=3), [])
    assert (found.verdict, found.why, found.is_end_seen) == ("incomplete", "2 of 3 members found", True)
    assert tell_doubts(found) == ("the list may be incomplete: 2 of 3 members found",)


def test_a_list_is_not_verified_when_more_are_found_than_announced():
    found = certify_list("q1", _list(SHIPS, cue=2), [])
    assert found.verdict == "unverified"
    assert tell_doubts(found) == ("the list could not be verified: 3 members found where 2 are announced",)


def test_a_list_is_incomplete_when_its_end_was_not_seen():
    found = certify_list("q1", _list(SHIPS, cue=3, is_closed=False), [])
    assert (found.verdict, found.is_end_seen) == ("incomplete", False)


def test_a_list_is_not_verified_when_nothing_says_how_many_there_are():
    found = certify_list("q1", _list(SHIPS), [])
    assert (found.verdict, found.denominator, found.denominator_source) == ("unverified", None, "none")
    assert tell_doubts(found) == ()


@pytest.mark.parametrize("kind", ["numbered", "lettered", "identifier", "table_rows"])
def test_structure_is_the_denominator_when_no_number_is_stated(kind: str):
    found = certify_list("q1", _list(SHIPS, kind), [])
    assert (found.verdict, found.denominator, found.denominator_source) == ("complete", 3, "structural")


def test_a_number_left_out_is_a_loss_when_the_document_does_not_announce_gaps():
    found = certify_list("q1", _list(SHIPS, "numbered", gaps=("3.",)), [])
    assert (found.verdict, found.denominator, found.gaps) == ("incomplete", 4, ("3.",))
    assert tell_doubts(found)[0] == "numbering gaps: 3."


def test_a_number_left_out_is_a_gap_when_the_document_announces_it():
    found = certify_list("q1", _list(SHIPS, "numbered", gaps=("3.",), has_announced_gaps=True), [])
    assert (found.verdict, found.denominator, found.gaps) == ("complete", 3, ("3.",))


def test_detectors_are_counted_when_another_list_has_the_same_members():
    other = _list([*SHIPS, "barges"], "table_rows")
    found = certify_list("q1", _list(SHIPS, cue=3), [other, _list(["oil", "corn"])])
    assert [(each.detector, each.item_count) for each in found.detectors] == [("bullet", 3), ("table_rows", 4)]
    assert (found.verdict, found.why) == ("unverified", "another detector found 4 members")


def test_the_number_of_another_list_counts_when_this_one_has_none():
    found = certify_list("q1", _list(SHIPS[:2]), [_list(SHIPS[:2], "inline", cue=3, lead="three ships, such as")])
    assert (found.verdict, found.denominator, found.denominator_quote) == ("incomplete", 3, "three ships, such as")


def test_members_are_those_of_the_outer_level_when_lists_are_nested():
    nested = _list(SHIPS)
    items = (nested.items[0], nested.items[1].model_copy(update={"level": 1}), nested.items[2])
    assert [item.head for item in list_members(nested.model_copy(update={"items": items}))] == ["tankers", "tugs"]


def test_the_worst_verdict_counts_when_lists_are_joined():
    whole, cut = certify_list("q1", _list(SHIPS, cue=3), []), certify_list("q1", _list(SHIPS[:1], cue=2), [])
    joined = join_certificates([whole, cut])
    assert (joined.verdict, joined.denominator, joined.item_count) == ("incomplete", 5, 4)
    assert joined.why == "all 3 members found and the end of the list seen; 1 of 2 members found"
    assert join_certificates([whole]) == whole
    assert join_certificates([whole, certify_list("q1", _list(SHIPS), [])]).denominator is None
