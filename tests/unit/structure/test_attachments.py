"""Indexes of attachments: numbers by kinds of documents, wrapped descriptions, several pages, and what is none."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.structure.attached import find_indexed, list_kinds
from pipeline.structure.attachments import AttachmentList, find_attachments
from pipeline.structure.resolving import resolve_mention
from tests.unit.structure.pages import PITCH, make_document, make_line, make_view

LEFT, WORDS, ASIDE = 7200, 15000, 45000
HEAD = (("Exhibit No.", "Description"),)


def set_rows(rows, page=1, y=7200, first=1):
    """Lines of rows (number, description, other column); a description of several lines is parted by a slash."""
    lines = []
    for cells in rows:
        label, text, aside = (*cells, "", "")[:3]
        for at, part in enumerate(text.split("/")):
            found = [(label, LEFT), (part, WORDS), (aside, ASIDE)] if not at else [(part, WORDS)]
            for words, x in found:
                if words:
                    lines.append(make_line(words, page, first + len(lines), (x, y)))
            y += PITCH
        y += PITCH // 2
    return lines


def read(*pages) -> tuple[AttachmentList, ...]:
    lines = [line for number, rows in enumerate(pages, start=1) for line in set_rows(rows, number)]
    return find_attachments(make_document(lines), frozenset())


def tell(own):
    return [(entry.label, entry.title) for entry in own.members]


@pytest.mark.parametrize(
    ("printed", "label"),
    [
        ("10.2", "10.2"), ("10.2*", "10.2"), ("*10.2", "10.2"), ("31 .1", "31.1"), ("101.INS", "101.INS"),
        ("10(a)", "10(a)"), ("(10)(a)", "10(a)"), ("(10.2)", "10.2"), ("3b", "3b"), ("10a(ii)", "10a(ii)"),
        ("10.7(a)*", "10.7(a)"), ("10.3.1", "10.3.1"), ("10.6\u2020", "10.6"),
    ],
)  # fmt: skip
def test_a_number_is_spelled_as_it_is_pointed_at_when_the_index_marks_it(printed, label):
    (own,) = read([*HEAD, ("2.1", "Plan of merger"), (printed, "Lease of the quay"), ("104", "Cover page")])
    assert tell(own)[1] == (label, "Lease of the quay")


def test_descriptions_are_joined_when_they_wrap_beside_other_columns():
    (own,) = read([*HEAD, ("3.1", "Articles of the/harbour company", "8-K"), ("3.2", "Bylaws", "10-K")])
    assert tell(own) == [("3.1", "Articles of the harbour company"), ("3.2", "Bylaws")]
    assert own.members[0].cells == "8-K"


def test_a_number_begins_no_entry_when_a_description_wraps_before_it():
    (own,) = read([*HEAD, ("3.1", "Articles, filed as Exhibit/10.2 to the report of March"), ("10.4", "Lease")])
    assert [entry.label for entry in own.members] == ["3.1", "10.4"]


def test_a_list_goes_on_when_its_numbers_do_not_fall_on_the_next_page():
    (own,) = read([*HEAD, ("3.1", "Articles"), ("10.1", "Lease")], [("10.2", "Loan"), ("99.1", "Notice")])
    assert [(entry.label, entry.start[0]) for entry in own.members] == [
        ("3.1", 1), ("10.1", 1), ("10.2", 2), ("99.1", 2),
    ]  # fmt: skip


def test_sections_of_an_attached_agreement_are_no_entries_when_they_stand_behind_the_index():
    agreement = [("1.1", "Definitions"), ("10.1", "Notice"), ("10.2", "Offices are given up")]
    (own,) = read([*HEAD, ("10.1", "Lease"), ("10.2", "Contract"), ("99.1", "Notice")], agreement)
    assert tell(own) == [("10.1", "Lease"), ("10.2", "Contract"), ("99.1", "Notice")]


def test_sections_are_no_index_when_nothing_over_them_speaks_of_attachments():
    assert read([("Terms", ""), ("10.1", "Notice"), ("10.2", "Offices")]) == ()


def test_other_counts_are_left_out_when_they_stand_before_the_head_of_the_index():
    rows = [("Item 15. Exhibits and statements", ""), ("1.", "Statements"), ("2.", "Schedules"), *HEAD]
    (own,) = read([*rows, ("3.1", "Articles"), ("10.1", "Lease")])
    assert [entry.label for entry in own.members] == ["3.1", "10.1"]


def test_a_number_over_numbers_of_its_own_is_a_group_when_it_names_their_kind():
    (own,) = read([*HEAD, ("3", "Articles and bylaws"), ("3.1", "Articles"), ("3.2", "Bylaws"), ("21", "Subsidiaries")])
    assert [entry.label for entry in own.members] == ["3.1", "3.2", "21"]
    assert [entry.is_group for entry in own.entries] == [True, False, False, False]


def test_one_entry_is_an_index_when_the_heads_of_columns_stand_over_it():
    (own,) = read([*HEAD, ("104", "Cover page data file")])
    assert tell(own) == [("104", "Cover page data file")]


def test_lines_above_a_number_are_its_own_when_white_parts_them_from_the_entry_before():
    lines = set_rows([*HEAD, ("31.1", "First certification")])
    y = lines[-1].box[3] + 1000
    lines.append(make_line("Second certification under", 1, 20, (WORDS, y)))
    lines.append(make_line("31.2", 1, 21, (LEFT, y + PITCH)))
    lines.append(make_line("the rule of the exchange", 1, 22, (WORDS, y + PITCH)))
    (own,) = find_attachments(make_document(lines), frozenset())
    assert tell(own) == [
        ("31.1", "First certification"), ("31.2", "Second certification under the rule of the exchange"),
    ]  # fmt: skip


def test_numbers_left_out_are_gaps_and_the_list_is_not_gapless_when_numbers_are_by_kinds():
    (own,) = read([*HEAD, ("10.1", "Lease"), ("10.4", "Loan"), ("99.1", "Notice")])
    assert own.gaps == ("10.2", "10.3")
    assert not own.is_gapless


@pytest.mark.parametrize(
    ("head", "word", "labels", "kind"),
    [
        ("List of Schedules", "Schedule", ("1", "2", "3"), "schedule"),
        ("Index to Annexes", "Annex", ("A", "B"), "annex"),
        ("Exhibits", "Exhibit", ("A", "B", "C"), "exhibit"),
        ("Attachments", "Attachment", ("1", "2"), "attachment"),
        ("Schedules", "Schedule", ("I", "II", "III", "IV"), "schedule"),
        ("Lista de anexos", "Anexo", ("1", "2"), "annex"),
    ],
)
def test_entries_with_their_word_are_gapless_when_they_are_counted_from_the_first_on(head, word, labels, kind):
    (own,) = read([(head, ""), *((f"{word} {label} Terms of part {label}", "") for label in labels)])
    assert own.kind == kind
    assert own.is_gapless
    assert [entry.label for entry in own.members] == list(labels)
    assert own.members[0].title == f"Terms of part {labels[0]}"


def test_entries_with_their_word_are_no_list_when_their_count_does_not_begin():
    assert read([("Schedules", ""), ("Schedule 4 Prices", ""), ("Schedule 5 Times", "")]) == ()


def test_chinese_attachments_are_listed_when_they_are_counted():
    (own,) = read([("附件", ""), ("附件一：价格表", ""), ("附件二：交货时间", "")])
    assert own.kind == "annex"
    assert [entry.title for entry in own.members] == ["价格表", "交货时间"]


def test_the_index_of_the_report_goes_first_when_an_attached_agreement_lists_its_own():
    own = [*HEAD, ("10.1", "Lease"), ("99.1", "Notice")]
    other = [("Exhibits", ""), *((f"Exhibit {label} Form of paper {label}", "") for label in "ABCDE")]
    view = make_view([line for page, rows in ((1, own), (2, other)) for line in set_rows(rows, page)])
    assert [len(entry.members) for entry in list_kinds(view, "exhibit")] == [2, 5]
    assert [target.title for target in find_indexed(view, "exhibit:10.1")] == ["Lease"]
    assert find_indexed(view, "exhibit:10.2") == ()
    assert find_indexed(view, "section:10.1") == ()


def test_a_reference_to_an_exhibit_leads_to_its_entry_when_the_exhibit_itself_is_not_attached():
    rows = [
        ("The lease is filed as Exhibit 10.1 hereto.", ""),
        *HEAD,
        ("10.1", "Lease of the quay"),
        ("99.1", "Notice"),
    ]
    view = make_view(set_rows(rows))
    (mention,) = view.mentions_in((1, 1), (1, 2))
    assert resolve_mention(view, mention).target.title == "Lease of the quay"


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 99), st.integers(1, 30)), min_size=2, max_size=25, unique=True))
def test_every_entry_is_read_in_order_when_numbers_rise(numbers):
    labels = [f"{head}.{low}" for head, low in sorted(numbers)]
    half = len(labels) // 2
    rows = [(label, f"Paper {at}/of the company") for at, label in enumerate(labels)]
    (own,) = read([*HEAD, *rows[:half]], rows[half:]) if half else read([*HEAD, *rows])
    assert [entry.label for entry in own.entries] == labels
    assert [entry.title for entry in own.entries] == [f"Paper {at} of the company" for at in range(len(labels))]
