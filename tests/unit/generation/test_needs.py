"""References in the members of a list: what one of several points at is no member."""

from __future__ import annotations

from pipeline.generation.extractive.citing import cite_extents
from pipeline.generation.extractive.needs import find_needs
from pipeline.models.answer import Item
from pipeline.models.structure import Extent
from tests.unit.generation.pages import make_task, make_view

PAGE = [
    "Sails are dried in three ways:",
    "1. In the loft, by warm air. See Table 4.",
    "2. On the quay, by wind.",
    "3. In the kiln, as set out in Table 4.",
]


def _read_kinds(*lines):
    view = make_view(PAGE)
    task = make_task(view, "In which ways are sails dried?")
    items = tuple(
        Item(
            sub_question="q1",
            text=PAGE[line - 1],
            citations=cite_extents(view, (_extent(line),)),
            extraction="verbatim",
        )
        for line in lines
    )
    return [need.kind for need in find_needs(task, items)]


def _extent(line):
    return Extent(page=1, line_start=line, line_end=line)


def test_reference_is_not_needed_when_one_member_of_several_points_at_it():
    assert _read_kinds(2, 3) == ["none"]


def test_reference_is_followed_when_the_only_passage_points_at_it():
    assert _read_kinds(2) == ["defers"]


def test_reference_is_followed_when_a_member_defers_to_it():
    assert _read_kinds(3, 4) == ["defers"]
