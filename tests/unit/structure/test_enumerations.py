"""Lists as printed: members, heads, leads, cues, gaps and ends."""

from __future__ import annotations

import pytest

from pipeline.models.document import Page
from pipeline.models.structure import Enumeration
from pipeline.structure.cues import find_cue
from pipeline.structure.markers import name_ordinal, read_markers
from pipeline.structure.view import DocumentView
from tests.unit.structure.pages import (
    lay_table,
    load_english,
    make_document,
    make_line,
    make_section,
    make_view,
    stack_lines,
)

PROSE = "The harbour office keeps what this part asks for and shows it to whoever may see it."


def _read(texts, sections=(), kind: str | None = None) -> list[Enumeration]:
    found = make_view(stack_lines(texts), sections).enumerations_in((1, 1), (2, 0))
    return [each for each in found if kind is None or each.kind == kind]


def _heads(enumeration: Enumeration) -> list[str]:
    return [item.head for item in enumeration.items if item.level == 0]


def test_bullets_are_a_list_when_they_share_a_mark():
    found = _read(["The port keeps three books:", "• ships", "• crews", "• cargo", "", PROSE])[0]
    assert (found.kind, found.cue, found.is_closed, found.gaps) == ("bullet", 3, True, ())
    assert _heads(found) == ["ships", "crews", "cargo"]
    assert found.lead == "The port keeps three books:"
    assert (found.start, found.end) == ((1, 2), (1, 5))


def test_an_item_is_whole_when_its_lines_wrap():
    found = _read(["1. Fees: what a ship pays", "\tand when it pays", "2. Dues: what a crew pays", "", PROSE])[0]
    assert found.items[0].text == "Fees: what a ship pays and when it pays"
    assert found.items[0].head == "Fees"
    assert [(extent.line_start, extent.line_end) for extent in found.items[0].extents] == [(1, 2)]


@pytest.mark.parametrize(
    ("marks", "kind"),
    [
        (("(a)", "(b)"), "lettered"),
        (("i.", "ii."), "numbered"),
        (("(1)", "(2)"), "numbered"),
        (("AB.C-01:", "AB.C-02:"), "identifier"),
    ],
)
def test_lists_are_told_apart_when_their_markers_differ(marks, kind):
    found = _read([f"{mark} Ships and crews" for mark in marks])[0]
    assert (found.kind, len(found.items)) == (kind, 2)


def test_the_missing_member_is_named_when_numbers_have_a_gap():
    assert _read(["1. ships", "2. crews", "4. cargo"])[0].gaps == ("3.",)


def test_the_missing_member_is_named_in_its_style_when_numbers_are_roman():
    assert _read(["(i) ships", "(ii) crews", "(iv) cargo"])[0].gaps == ("(iii)",)


def test_a_sentence_is_no_list_when_its_lines_begin_with_numbers():
    found = _read(["The port keeps 1) ships, 2) crews,", "3) cargo and 4) ropes in its books."])
    assert [(each.kind, len(each.items)) for each in found] == [("inline", 4)]


def test_a_pair_is_a_list_when_its_number_is_said():
    found = _read(["The port has two quays: the old one and the new one."], kind="inline")[0]
    assert (_heads(found), found.cue) == (["the old one", "the new one"], 2)


def test_gaps_are_no_losses_when_the_document_announces_them():
    texts = ["Gaps in numbering mean what was moved.", "", "AB.C-01: ships", "AB.C-03: cargo"]
    found = _read(texts, kind="identifier")[0]
    assert (found.gaps, found.has_announced_gaps) == (("AB.C-02",), True)
    assert not _read(texts[2:], kind="identifier")[0].has_announced_gaps
    said = _read(["Numbers of books are not always", "consecutive.", "", *texts[2:]], kind="identifier")[0]
    assert said.has_announced_gaps


def test_nested_items_have_a_level_and_a_list_of_their_own_when_indented():
    found = _read(["• ships", "\t– oil", "\t– corn", "• crews", "", PROSE])
    assert [(item.head, item.level) for item in found[0].items] == [("ships", 0), ("oil", 1), ("corn", 1), ("crews", 0)]
    assert _heads(found[1]) == ["oil", "corn"]
    assert found[1].lead == "ships"


def test_a_list_goes_on_when_a_page_break_and_furniture_cut_it():
    lines = [
        *stack_lines(["• ships", "• crews"]),
        make_line("Port rules 7", 1, 3, (7200, 75000), is_furniture=True),
        *stack_lines(["• cargo", "", PROSE], page=2),
    ]
    found = make_view(lines).enumerations_in((1, 1), (3, 0))
    assert [_heads(each) for each in found if each.kind == "bullet"] == [["ships", "crews", "cargo"]]


def test_a_list_goes_on_when_a_captioned_figure_stands_between():
    lines = stack_lines(["• ships", "• crews", "", "Figure 1. Map of the port", "", "• cargo", "", PROSE])
    found = make_view(lines).enumerations_in((1, 1), (2, 0))
    assert _heads(found[0]) == ["ships", "crews", "cargo"]


def test_the_end_is_seen_when_the_document_ends_with_the_list():
    assert _read(["• ships", "• crews"])[0].is_closed


@pytest.mark.parametrize(("state", "checks"), [("failed", ()), ("without_text", ("no_text",))])
def test_the_end_is_not_seen_when_the_next_page_has_no_text(state: str, checks: tuple[str, ...]):
    document = make_document(stack_lines(["• ships", "• crews"]))
    page = Page(number=2, width=61200, height=79200, state=state, failed_checks=checks)
    view = DocumentView(document.model_copy(update={"pages": (*document.pages, page)}), load_english())
    assert not view.enumerations_in((1, 1), (2, 0))[0].is_closed


def test_a_list_is_whole_when_it_is_longer_than_what_is_read_at_first():
    pages = [
        [f"{60 * page + number}. keeps book {page} of berth {number}" for number in range(1, 61)] for page in range(3)
    ]
    lines = [line for page, texts in enumerate(pages, 1) for line in stack_lines(texts, page)]
    found = make_view([*lines, *stack_lines([PROSE], 4)]).enumerations_in((1, 1), (1, 5))
    assert (len(found[0].items), found[0].is_closed, found[0].gaps) == (180, True, ())


def test_codes_are_the_markers_when_every_head_ends_in_one():
    found = _read(["• Ships of the port (AB.SH): all of them", "• Crews (AB.CR): all of them", "", PROSE])[0]
    assert found.kind == "identifier"
    assert [(item.marker, item.head) for item in found.items] == [("AB.SH", "Ships of the port"), ("AB.CR", "Crews")]


def test_run_in_heads_are_a_list_when_paragraphs_begin_with_them():
    lines = [
        make_line("There are two kinds of dues:", 1, 1),
        make_line("Berth dues are paid by every ship that stays.", 1, 2, (7200, 9500), bold_prefix=10),
        make_line("Towing dues are paid by ships that are towed.", 1, 3, (7200, 12500), bold_prefix=11),
    ]
    found = next(each for each in make_view(lines).enumerations_in((1, 1), (2, 0)) if each.kind == "run_in")
    assert (_heads(found), found.cue) == (["Berth dues", "Towing dues"], 2)


def test_subsections_are_a_list_when_a_section_has_several():
    texts = ["**Dues", "The port has two kinds of dues:", "**Berths", PROSE, "**Towing", PROSE]
    sections = [
        make_section(0, "Dues", (1, 1), (1, 7)),
        make_section(1, "Berths", (1, 3), (1, 5), level=2, parent=0),
        make_section(2, "Towing", (1, 5), (1, 7), level=2, parent=0),
    ]
    found = _read(texts, sections, "headings")[0]
    assert (_heads(found), found.cue, found.is_closed) == (["Berths", "Towing"], 2, True)


def test_marked_series_are_lists_when_they_stand_in_a_sentence():
    found = _read(["The office may: (i) stop a ship, (ii) fine it; and (iii) send it away."], kind="inline")[0]
    assert [(item.marker, item.text) for item in found.items] == [
        ("(i)", "stop a ship"),
        ("(ii)", "fine it"),
        ("(iii)", "send it away"),
    ]
    extent = found.items[0].extents[0]
    assert (extent.start_offset, extent.end_offset) == (20, 31)


def test_a_series_is_a_list_when_its_number_is_said():
    found = _read(["Ships are of three kinds: tankers, ferries, and tugs."], kind="inline")[0]
    assert (_heads(found), found.cue) == (["tankers", "ferries", "tugs"], 3)


@pytest.mark.parametrize(
    "text",
    [
        "The rules are kept, shown, and read on every day of the year.",
        "Section 12(b) and section 14(c) apply to ships, crews and whoever else may come to the port by night.",
    ],
)
def test_a_sentence_is_no_list_when_it_only_has_commas_or_parentheses(text: str):
    assert _read([text], kind="inline") == []


def test_rows_of_a_table_are_a_list_when_their_first_cells_name_them():
    lines = lay_table(
        [["Ports", "East", "AA.B"], ["", "West", "AA.C"], ["Quays", "North", "AA.D"]], (7200, 30000, 45000)
    )
    found = [each for each in make_view(lines).enumerations_in((1, 1), (2, 0)) if each.kind == "table_rows"]
    assert [(each.lead, [(item.marker, item.head) for item in each.items]) for each in found] == [
        ("", [("", "Ports"), ("", "Quays")]),
        ("Ports", [("AA.B", "East"), ("AA.C", "West")]),
    ]


@pytest.mark.parametrize(
    ("lead", "count", "cue"),
    [
        ("The port has three kinds of dues:", 3, 3),
        ("The port has three kinds of dues:", 2, 3),
        ("It has the following six Functions", 6, 6),
        ("The 4 steps are:", 4, 4),
        ("This supports the other five Functions", 6, None),
        ("It lasts two years and has rules:", 3, None),
        ("With N = 6 layers it has rules:", 3, None),
        ("Table 2 shows ships and two of them came in prose.", 3, None),
    ],
)
def test_the_cue_counts_members_when_the_lead_announces_them(lead: str, count: int, cue: int | None):
    assert find_cue(lead, count, load_english()) == cue


def test_an_item_has_its_text_when_its_mark_is_a_line_of_its_own():
    lines = []
    for number, text in enumerate(("ships", "crews"), 1):
        lines.append(make_line("•", 1, 2 * number - 1, (7200, 7200 * number)))
        lines.append(make_line(text, 1, 2 * number, (9000, 7200 * number)))
    found = make_view(lines).enumerations_in((1, 1), (2, 0))[0]
    assert [(item.marker, item.text) for item in found.items] == [("•", "ships"), ("•", "crews")]


def test_the_cell_to_the_left_is_no_part_of_an_item_when_it_has_more_lines():
    lines = [
        make_line("Quays and", 1, 1, (7200, 7200)),
        make_line("AB.C-01: Ships pay fees", 1, 2, (24000, 7200)),
        make_line("berths of the", 1, 3, (7200, 8400)),
        make_line("port", 1, 4, (7200, 9600)),
        make_line("AB.C-02: Crews pay dues", 1, 5, (24000, 10800)),
    ]
    found = next(each for each in make_view(lines).enumerations_in((1, 1), (2, 0)) if each.kind == "identifier")
    assert [item.text for item in found.items] == ["Ships pay fees", "Crews pay dues"]


def test_a_numbered_list_goes_on_when_paragraphs_stand_between_its_items():
    texts = ["\t1. Ships pay fees.", PROSE, "", "\t2. Crews pay dues.", "", PROSE]
    found = _read(texts, kind="numbered")[0]
    assert [item.marker for item in found.items] == ["1.", "2."]


def test_a_list_ends_when_a_heading_follows():
    sections = [make_section(0, "Fees", (1, 3), (1, 6))]
    found = _read(["• ships", "• crews", "**Fees", "• oil", "• corn"], sections, "bullet")
    assert [_heads(each) for each in found] == [["ships", "crews"], ["oil", "corn"]]


def test_a_series_is_a_list_when_a_number_counts_it_without_a_colon():
    found = _read(["Fees follow from the three sizes of tankers, ferries, and tugs."], kind="inline")[0]
    assert (_heads(found), found.cue) == (["tankers", "ferries", "tugs"], 3)


def test_names_in_capitals_are_a_list_when_a_value_may_be_one_of_them():
    found = _read(["The values for a ship are LOW, HIGH, or NONE."], kind="inline")[0]
    assert _heads(found) == ["LOW", "HIGH", "NONE"]


@pytest.mark.parametrize(
    ("line", "ordinal", "text"),
    [("（一）船票", 1, "船票"), ("（十二） 缆绳", 12, "缆绳"), ("(三)桨", 3, "桨"), ("（4）帆", 4, "帆")],
)
def test_a_number_in_full_width_marks_begins_an_item_when_no_space_follows(line: str, ordinal: int, text: str):
    (marker,) = read_markers(line)
    assert (marker.kind, marker.ordinal, line[marker.length :]) == ("numbered", ordinal, text)


@pytest.mark.parametrize("line", ["(4)sails", "（船票）另付", "（一）", "一船"])
def test_no_item_begins_when_parentheses_hold_no_number_or_nothing_follows(line: str):
    assert read_markers(line) == ()


@pytest.mark.parametrize(("ordinal", "name"), [(3, "（三）"), (10, "（十）"), (12, "（十二）"), (20, "（二十）")])
def test_a_missing_item_is_named_in_its_own_numerals_when_the_list_has_full_width_marks(ordinal: int, name: str):
    assert name_ordinal("（一）", ordinal) == name
