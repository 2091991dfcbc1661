from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pipeline.models.plan import Limits
from pipeline.models.question import Anchor
from pipeline.retrieval.ranking import MAX_WINDOWS, rank_passages
from tests.unit.retrieval.briefs import LIMITS, make_brief
from tests.unit.structure.pages import lay_table, make_line, make_section, make_view, stack_lines

WORDS = st.sampled_from(["notice", "period", "termination", "agreement", "the", "of", "premises", "licence", "audit"])
PAGES = st.lists(st.lists(st.lists(WORDS, min_size=1, max_size=9).map(" ".join), min_size=1, max_size=8), max_size=6)


def rank(view, text, limits=LIMITS, **fields):
    return rank_passages(view, make_brief(text, **fields), limits)


def stack_pages(pages):
    return [line for number, texts in enumerate(pages, start=1) for line in stack_lines(texts, page=number)]


@given(PAGES, st.integers(1, 5), st.integers(5, 50))
def test_a_lower_limit_gives_a_prefix_when_passages_are_ranked(pages, short, long):
    view = make_view(stack_pages(pages))
    brief = make_brief("What is the notice period for termination?")
    few = rank_passages(view, brief, Limits(max_candidates=short))
    assert few == rank_passages(view, brief, Limits(max_candidates=long))[:short]


@given(PAGES)
def test_candidates_carry_an_anchor_and_score_above_zero_when_ranked(pages):
    view = make_view(stack_pages(pages))
    for candidate in rank(view, "What is the notice period for termination?"):
        assert candidate.score > 0
        assert candidate.matched
        text = " ".join(line.text for span in candidate.spans for line in view.evidence_lines(span))
        assert any(word in text for word in ("notice", "period", "termination"))


@given(PAGES)
def test_hidden_text_changes_nothing_when_it_repeats_the_question(pages):
    lines = stack_pages(pages) or stack_lines(["notice"])
    last = lines[-1]
    secret = make_line("notice period termination 30 days", last.page, last.number + 1, hidden="invisible")
    brief = make_brief("What is the notice period for termination?")
    assert rank_passages(make_view([*lines, secret]), brief, LIMITS) == rank_passages(make_view(lines), brief, LIMITS)


def test_nothing_is_found_when_no_anchor_occurs():
    view = make_view(stack_lines(["Something else entirely."]))
    assert rank(view, "What is the notice period?") == ()
    assert rank(make_view([]), "What is the notice period?") == ()


def test_words_side_by_side_lead_when_another_page_has_them_apart():
    apart = [
        "Notice of the meeting was sent.",
        *["Filler text about premises."] * 8,
        "The period of the lease is long.",
    ]
    near = ["The notice period is thirty days.", *["Filler text about premises."] * 9]
    best = rank(make_view(stack_pages([apart, near])), "What is the notice period?")[0]
    assert best.spans[0].page == 2


def test_a_row_with_its_value_leads_when_the_words_stand_in_prose_too():
    prose = [["Inventories matter. We say inventories often, and inventories are reviewed."] for _ in range(3)]
    lines = stack_pages([text for text in prose])
    rows = [["", "2023", "2022"], ["Receivables", "1,204", "1,100"], ["Inventories", "4,021", "3,880"]]
    view = make_view([*lines, *lay_table(rows, (7200, 30000, 40000), page=4)])
    best = rank(view, "How much were inventories in 2023?")[0]
    assert best.spans[0].page == 4
    assert "typed_value" in [found.method for found in best.found_by]


def test_titles_count_when_the_text_below_them_lacks_a_word():
    first = stack_lines(["Vacation", "Employees get twenty days a year."], page=1)
    second = stack_lines(["Sick leave", "Employees get ten days a year."], page=2)
    sections = [make_section(0, "Vacation", (1, 1), (2, 1)), make_section(1, "Sick leave", (2, 1), (3, 1))]
    best = rank(make_view([*first, *second], sections), "How many days of sick leave do employees get?")[0]
    assert best.section == 1
    assert "heading" in [found.method for found in best.found_by]


def test_a_name_on_the_cover_weighs_little_when_pages_repeat_it():
    pages = [["Kestrel Outfitters", "Annual report"], *[["Kestrel Outfitters is Kestrel Outfitters."]] * 20]
    pages.append(["The dividend was raised."])
    best = rank(make_view(stack_pages(pages)), "What dividend did Kestrel Outfitters pay?")[0]
    assert best.spans[0].page == 22


def test_expansions_add_but_never_lead_when_an_anchor_stands_elsewhere():
    view = make_view(stack_pages([["The deposit is due."], ["The security is due."]]))
    added = Anchor(text="security", key="secur", source="word", forms=("security",), weight=1000)
    ranked = rank(view, "When is the deposit due?", expansions=(added,))
    assert [candidate.spans[0].page for candidate in ranked] == [1, 2]
    assert ranked[1].matched_expansions == ("secur",)


def test_no_more_windows_come_than_are_ever_read_when_every_page_matches():
    view = make_view(stack_pages([["The notice is here. " + "Filler. " * 60]] * (MAX_WINDOWS + 20)))
    assert len(rank(view, "What is the notice?")) == MAX_WINDOWS
