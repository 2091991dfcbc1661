from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pipeline.retrieval.passages import UNIT_WORDS, WINDOW_WORDS, build_passages, build_spans
from tests.unit.structure.pages import make_line, make_section, make_view, stack_lines

LINES = st.lists(
    st.tuples(st.integers(1, 30), st.booleans(), st.sampled_from(["", "", "", "tiny"]), st.integers(0, 3)), max_size=60
)


def build_lines(drawn):
    """Lines on pages of ten, each with a word count, furniture or not, hidden or not, in blocks of some lines."""
    return [
        make_line(
            " ".join(["word"] * words),
            1 + at // 10,
            1 + at % 10,
            is_furniture=furniture,
            hidden=hidden,
            block=at // (size + 1),
        )
        for at, (words, furniture, hidden, size) in enumerate(drawn)
    ]


@given(LINES)
def test_units_hold_every_evidence_line_once_when_lines_are_arbitrary(drawn):
    view = make_view(build_lines(drawn))
    passages = build_passages(view)
    lines = view.document.lines
    held = [at for at, unit in enumerate(passages.unit_of) if unit >= 0]
    assert held == [at for at, line in enumerate(lines) if line.is_evidence]
    for number, unit in enumerate(passages.units):
        own = [at for at in range(unit.first, unit.last) if passages.unit_of[at] == number]
        assert own
        assert {lines[at].page for at in own} == {unit.page}
        assert unit.word_count == sum(len(lines[at].text.split()) for at in own)


@given(LINES)
def test_windows_stay_within_their_length_when_they_hold_more_than_one_unit(drawn):
    passages = build_passages(make_view(build_lines(drawn)))
    for start in range(len(passages.units)):
        end = passages.measure_window(start)
        assert end > start
        words = sum(unit.word_count for unit in passages.units[start:end])
        assert end == start + 1 or words <= WINDOW_WORDS


def test_a_heading_opens_a_unit_when_the_paragraph_before_is_short():
    lines = stack_lines(["Short text.", "Fees", "The fee is ten."])
    view = make_view(lines, [make_section(0, "Fees", (1, 2), (2, 1))])
    passages = build_passages(view)
    assert [(unit.first, unit.section) for unit in passages.units] == [(0, -1), (1, 0)]


def test_lines_belong_to_the_deepest_section_when_sections_nest():
    lines = stack_lines(["Part", "Inner", "text", "Next", "text"])
    outer = make_section(0, "Part", (1, 1), (1, 4))
    inner = make_section(1, "Inner", (1, 2), (1, 4), level=2, breadcrumb=("Part",))
    view = make_view(lines, [outer, inner, make_section(2, "Next", (1, 4), (2, 1))])
    passages = build_passages(view)
    assert [passages.units[passages.unit_of[at]].section for at in range(5)] == [0, 1, 1, 2, 2]


def test_a_window_runs_over_the_page_when_a_sentence_is_cut():
    first = stack_lines(["The notice has to be given"], page=1)
    second = stack_lines(["within thirty days."], page=2)
    passages = build_passages(make_view([*first, *second]))
    assert len(passages.units) == 2
    assert passages.measure_window(0) == 2


def test_a_window_ends_with_the_page_when_the_sentence_does():
    first = stack_lines(["The notice has been given."], page=1)
    second = stack_lines(["within thirty days."], page=2)
    passages = build_passages(make_view([*first, *second]))
    assert passages.measure_window(0) == 1


def test_pages_that_cannot_be_read_are_left_out_when_they_have_lines():
    view = make_view([*stack_lines(["readable"], page=1), *stack_lines(["g@rbl3d"], page=2)])
    pages = (view.document.pages[0], view.document.pages[1].model_copy(update={"state": "garbled"}))
    view.document = view.document.model_copy(update={"pages": pages})
    assert build_passages(view).unit_of == [0, -1]


def test_dot_leaders_are_no_words_when_units_are_filled():
    leaders = [f"Row {at} " + ". " * UNIT_WORDS + "7" for at in range(3)]
    lines = [make_line(text, number=at + 1, at=(7200, 7200 + 1200 * at), block=at) for at, text in enumerate(leaders)]
    assert [unit.word_count for unit in build_passages(make_view(lines)).units] == [9]


def test_spans_close_gaps_of_furniture_only_when_lines_are_joined():
    lines = [
        make_line("a", number=1),
        make_line("footer", number=2, is_furniture=True),
        make_line("b", number=3),
        make_line("skipped", number=4),
        make_line("c", number=5),
        make_line("d", page=2, number=1),
    ]
    spans = build_spans(make_view(lines).document, [0, 1, 2, 4, 5])
    assert [(span.page, span.line_start, span.line_end) for span in spans] == [(1, 1, 3), (1, 5, 5), (2, 1, 1)]
