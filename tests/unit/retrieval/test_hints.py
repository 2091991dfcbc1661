from __future__ import annotations

from pipeline.retrieval.hints import resolve_page
from pipeline.retrieval.ranking import rank_passages
from tests.unit.retrieval.briefs import LIMITS, ask, make_brief
from tests.unit.structure.pages import lay_table, make_section, make_view, stack_lines

XS = (7200, 30000, 40000)
BALANCE = [
    ["", "2023", "2022"],
    ["Cash and cash equivalents", "214", "187"],
    ["Receivables, net", "301", "290"],
    ["Inventories", "412", "398"],
    ["Total current assets", "927", "875"],
    ["Goodwill", "55", "55"],
    ["Total assets", "1,644", "1,590"],
    ["Accounts payable", "188", "176"],
    ["Total current liabilities", "402", "390"],
    ["Long-term debt", "350", "350"],
    ["Retained earnings", "700", "650"],
    ["Total liabilities and equity", "1,644", "1,590"],
]


def make_filing(title="Consolidated Balance Sheets"):
    """Contents that name the statement, prose full of its words, and the statement itself on page 3."""
    lines = stack_lines(["Contents", f"{title} 3", "Notes 4"], page=1)
    prose = "The current ratio compares total current assets with total current liabilities, as analysts do."
    lines += stack_lines(["Ratios", *[prose] * 3], page=2)
    lines += stack_lines([title, "(in millions)"], page=3)
    return make_view([*lines, *lay_table(BALANCE, XS, page=3, y=12000, first=3)])


def find_pages(view, text):
    return [candidate.spans[0].page for candidate in rank_passages(view, make_brief(text), LIMITS)]


def test_the_statement_comes_first_when_the_question_names_it():
    text = "Using the balance sheet, what is the ratio of total current assets to total current liabilities?"
    assert find_pages(make_filing(), text)[0] == 3


def test_the_statement_is_found_when_its_title_is_set_with_odd_spaces():
    text = "What are total assets according to the balance sheet?"
    assert find_pages(make_filing("Consolidated Balance\u00a0Shee ts"), text)[0] == 3


def test_a_computed_figure_is_sought_on_its_statement_when_nothing_states_it():
    assert find_pages(make_filing(), "Does the company have a healthy quick ratio?")[0] == 3


def test_a_page_that_only_names_a_statement_is_no_statement_when_it_lacks_the_rows():
    view = make_view(stack_lines(["Consolidated Balance Sheets", *[f"Note {n} 1{n}" for n in range(20)]]))
    candidates = rank_passages(view, make_brief("What does the balance sheet say about notes?"), LIMITS)
    assert all(found.method != "hint" for candidate in candidates for found in candidate.found_by)


def print_numbers(view, numbers):
    pages = tuple(
        page.model_copy(update={"printed": printed, "label": label})
        for page, (printed, label) in zip(view.document.pages, numbers, strict=True)
    )
    view.document = view.document.model_copy(update={"pages": pages})
    return view


def test_what_is_printed_wins_when_the_labels_of_the_file_differ():
    view = print_numbers(make_view(stack_lines(["a"], page=3)), [("i", "1"), ("1", "2"), ("2", "3")])
    (hint,) = ask("What stands on printed page 2?").hints
    assert resolve_page(view, hint) == (3,)


def test_a_label_serves_when_nothing_is_printed():
    view = print_numbers(make_view(stack_lines(["a"], page=2)), [("", "A-1"), ("", "2")])
    (hint,) = ask("What stands on printed page 2?").hints
    assert resolve_page(view, hint) == (2,)


def test_the_printed_page_comes_first_when_a_page_is_named_plainly():
    lines = [line for number in (1, 2, 3) for line in stack_lines([f"text of {number}"], page=number)]
    view = print_numbers(make_view(lines), [("1", ""), ("", ""), ("2", "")])
    pages = find_pages(view, "What is on page 2?")
    assert pages[:2] == [3, 2]


def test_a_named_section_is_read_whole_when_its_number_is_known():
    lines = stack_lines(["1 Scope", "This applies.", "2 Fees", "A fee is due.", "It is small.", "3 Term", "One year."])
    sections = [
        make_section(0, "1 Scope", (1, 1), (1, 3), number="1"),
        make_section(1, "2 Fees", (1, 3), (1, 6), number="2"),
        make_section(2, "3 Term", (1, 6), (2, 1), number="3"),
    ]
    best = rank_passages(make_view(lines, sections), make_brief("What does section 2 say?"), LIMITS)[0]
    assert [(span.line_start, span.line_end) for span in best.spans] == [(3, 5)]
    assert best.found_by[0].method == "hint"
