"""Lists in pieces, numberings that go on, and single members as targets."""

from __future__ import annotations

import pytest

from pipeline.models.structure import Enumeration
from pipeline.structure.list_items import find_items
from tests.unit.structure.pages import make_line, make_section, make_view, stack_lines

PROSE = "The harbour office keeps what this part asks for and shows it to whoever may see it."


def _read(texts, sections=()) -> list[Enumeration]:
    found = make_view(stack_lines(texts), sections).enumerations_in((1, 1), (2, 0))
    return [each for each in found if each.kind in ("bullet", "numbered", "headings")]


def test_nothing_is_missing_when_the_numbering_goes_on_from_an_earlier_list():
    sections = (make_section(0, "By day", (1, 1), (1, 4)), make_section(1, "By night", (1, 4), (1, 8)))
    found = _read(["**By day", "1. ships", "2. crews", "**By night", "3. cargo", "4. ropes", "", PROSE], sections)
    assert [(each.begins_at, each.continued_from, each.gaps) for each in found] == [(1, 0, ()), (3, 1, ())]


def test_a_numbering_is_said_to_begin_late_when_nothing_stands_before_it():
    found = _read(["The report adds:", "5. ships", "6. crews", "", PROSE])[0]
    assert (found.begins_at, found.continued_from, found.gaps) == (5, 0, ())


@pytest.mark.parametrize(("number", "counts"), [("five", [5, 2]), ("six", [3, 2])])
def test_bullets_are_joined_over_a_paragraph_when_their_number_says_so(number, counts):
    texts = [f"The port keeps the following {number} books:", "• ships", "• crews", "• cargo", "", PROSE, ""]
    found = _read([*texts, "• ropes", "• lamps", "", PROSE])
    assert [len(each.items) for each in found] == counts


def test_a_paragraph_is_no_part_of_an_item_when_the_item_does_not_fill_its_line():
    found = _read(["\t• ships", "\t• crews", PROSE])[0]
    assert [item.text for item in found.items] == ["ships", "crews"]


def test_a_member_is_a_target_when_its_number_is_asked_for():
    view = make_view(stack_lines(["Steps:", "1. Read the log", "2. Lift the hook", "", PROSE]))
    target = find_items(view, "2", (1, 1), (2, 0))[0]
    assert (target.kind, target.title, target.start) == ("list_item", "Lift the hook", (1, 3))


def test_two_targets_are_given_when_two_lists_have_the_member():
    texts = [
        "Steps by day:",
        "1. ships",
        "2. crews",
        "",
        PROSE,
        "",
        "Steps by night:",
        "1. ropes",
        "2. lamps",
        "",
        PROSE,
    ]
    assert len(find_items(make_view(stack_lines(texts)), "2", (1, 1), (2, 0))) == 2


def test_no_target_is_given_when_no_list_has_the_member():
    view = make_view(stack_lines(["Steps:", "1. ships", "2. crews", "", PROSE]))
    assert find_items(view, "9", (1, 1), (2, 0)) == ()


@pytest.mark.parametrize("frame", ["{}.", "({})", "[{}]"])
def test_a_list_goes_on_when_its_numbers_are_set_flush_right(frame):
    lines = [make_line(PROSE)]
    for number in range(1, 13):
        mark = frame.format(number)
        # one character more begins one character further left
        at = (20000 - 480 * len(mark), 8400 + 1200 * number)
        lines.append(make_line(f"{mark} a book of the harbour", number=number + 1, at=at, block=2))
    lines.append(make_line(PROSE, number=14, at=(7200, 26000)))
    found = [each for each in make_view(lines).enumerations_in((1, 1), (2, 0)) if each.kind == "numbered"]
    assert [len(each.items) for each in found] == [12]
    assert found[0].items[11].marker == frame.format(12)


def test_no_list_begins_when_a_line_goes_on_with_a_citation_in_brackets():
    assert _read([f"{PROSE[:-1]} as told in", "[13] and by whoever may see it."]) == []
