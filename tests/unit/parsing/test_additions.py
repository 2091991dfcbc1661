"""A reading comes to a page as new lines: other pages and all texts stay, what it replaces is never quoted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.models.document import Line, Page
from pipeline.parsing.additions import add_flow, add_recognised, settle_document
from pipeline.parsing.ocr import ReadLine
from tests.unit.structure.pages import make_document, make_line, make_section, stack_lines

SENTENCES = ("Nineteen residents were present.", "Two offers were received.", "The lime will be felled.")
WORDS = "the tenant pays yearly rent in two halves and either party may end lease".split()


def _read(*texts, top=7200):
    return [
        ReadLine(text, (7200, top + 1500 * at, 40000, top + 1500 * at + 1200), 900, 1200, 1)
        for at, text in enumerate(texts)
    ]


def _flaw(document, page, **changes):
    pages = tuple(each.model_copy(update=changes) if each.number == page else each for each in document.pages)
    return document.model_copy(update={"pages": pages})


def _make_pages(*pages):
    return make_document([line for at, texts in enumerate(pages, start=1) for line in stack_lines(texts, page=at)])


def test_everything_read_counts_when_the_text_of_a_page_cannot_be_decoded():
    document = _flaw(_make_pages(["Gur granag"], ["The rent"]), 1, state="garbled", failed_checks=("wrong_encoding",))
    added = add_recognised(document, 1, _read("The tenant pays", "the yearly rent"))
    lines = added.document.lines_on(1)
    assert added.line_count == 2
    assert [(line.number, line.text, line.method, line.hidden) for line in lines] == [
        (1, "Gur granag", "native", "superseded"),
        (2, "The tenant pays", "ocr", ""),
        (3, "the yearly rent", "ocr", ""),
    ]
    assert added.document.pages[0].state == "ok"
    assert added.document.folded[2] == "the yearly rent"
    assert added.document.profile == document.profile


def test_only_faulty_lines_are_replaced_when_the_rest_of_the_page_is_sound():
    document = _make_pages(["The tenant pays", "the \ufffd\ufffd rent", "in two halves"])
    document = _flaw(document, 1, failed_checks=("undefined_characters",))
    faulty = document.lines[1].box
    read = [ReadLine("the yearly rent", faulty, 900, 1200, 1), *_read("Something else", top=60000)]
    added = add_recognised(document, 1, read)
    assert [line.text for line in added.document.lines if line.is_evidence] == [
        "The tenant pays", "in two halves", "the yearly rent",
    ]  # fmt: skip


def test_words_in_a_figure_are_added_when_no_line_stands_there():
    document = _flaw(_make_pages(["The pump"]), 1, failed_checks=("figure_without_text",))
    added = add_recognised(document, 1, [*_read("The pump"), *_read("Valve A", top=50000)])
    assert [line.text for line in added.document.lines] == ["The pump", "Valve A"]


@pytest.mark.parametrize(
    ("read", "note"),
    [
        ((), "nothing found"),
        (("A renda anual A@ de a€” a cauA§A£o nA£o vence",), "what was read is noise"),
        (("The tenant pays the yearly rent",), "the picture shows what the text layer says"),
    ],
)
def test_a_text_layer_stays_when_nothing_better_was_read(read, note):
    document = _flaw(_make_pages(["The tenant pays", "the yearly rent"]), 1, failed_checks=("text_under_image",))
    added = add_recognised(document, 1, _read(*read))
    assert (added.document, added.line_count, added.note) == (document, 0, note)


def test_a_text_layer_is_superseded_when_the_picture_says_another_thing():
    document = _flaw(_make_pages(["The fee is nine pounds"]), 1, failed_checks=("text_under_image",))
    added = add_recognised(document, 1, _read("Any price was two euros"))
    assert [line.text for line in added.document.lines if line.is_evidence] == ["Any price was two euros"]


def test_sections_move_with_their_headings_when_a_page_is_read_in_another_order():
    lines = stack_lines(["1 One", "text of one", "2 Two", "text of two"])
    sections = (make_section(0, "One", (1, 1), (1, 3)), make_section(1, "Two", (1, 3), (2, 0)))
    document = make_document(lines, sections)
    flow = [(document.lines[at], column) for at, column in ((1, 1), (0, 1), (2, 2), (3, 2))]
    added = add_flow(document, 1, flow, "reflow")
    assert [(section.start, section.end) for section in added.document.sections] == [((1, 6), (1, 7)), ((1, 7), (2, 0))]
    assert [line.text for line in added.document.lines[4:]] == ["text of one", "1 One", "2 Two", "text of two"]
    assert added.document.pages[0].column_count == 2


def test_nothing_is_added_when_the_order_is_the_same():
    document = _make_pages(["one", "two"])
    flow = [(line, line.column) for line in document.lines]
    assert add_flow(document, 1, flow, "layout").line_count == 0
    assert add_flow(document, 1, (), "reflow").line_count == 0


def test_running_heads_are_furniture_when_pages_were_read_for_the_first_time():
    pages = [
        Page(number=at, width=61200, height=79200, state="without_text", failed_checks=("no_text",)) for at in (1, 2, 3)
    ]
    document = make_document([]).model_copy(update={"pages": tuple(pages)})
    for page in (1, 2, 3):
        read = [*_read("Minutes of the parish", top=2500), *_read(SENTENCES[page - 1], top=30000)]
        document = add_recognised(document, page, read).document
    settled = settle_document(document, (1, 2, 3))
    assert [line.text for line in settled.lines if line.is_furniture] == ["Minutes of the parish"] * 3
    assert settle_document(document, (2,)).lines[0].is_furniture is False


texts = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join), min_size=1, max_size=6)
states = st.sampled_from(
    [
        ("ok", ("text_under_image",)),
        ("ok", ("undefined_characters",)),
        ("ok", ("figure_without_text",)),
        ("garbled", ("wrong_encoding",)),
        ("without_text", ("no_text",)),
    ]
)


@given(st.lists(texts, min_size=1, max_size=4), st.data(), states, texts)
def test_other_pages_and_all_texts_stay_when_any_page_is_read_again(pages, data, flaw, read):
    number = data.draw(st.integers(1, len(pages)))
    document = _flaw(_make_pages(*pages), number, state=flaw[0], failed_checks=flaw[1])
    own = document.lines_on(number)
    order = data.draw(st.permutations(own))
    for after in (
        add_recognised(document, number, _read(*read)).document,
        add_flow(document, number, [(line, 1 + at % 2) for at, line in enumerate(order)], "reflow").document,
    ):
        for page in range(1, len(pages) + 1):
            kept = after.lines_on(page)
            if page != number:
                assert all(new is old for new, old in zip(kept, document.lines_on(page), strict=True))
        lines = after.lines_on(number)
        assert [(line.number, line.text, line.box) for line in lines[: len(own)]] == [
            (line.number, line.text, line.box) for line in own
        ]
        assert [line.number for line in lines] == list(range(1, len(lines) + 1))
        assert all(isinstance(line, Line) and line.method != "native" for line in lines[len(own) :])
        assert len(after.folded) == len(after.lines)
        assert after.profile is document.profile


def test_a_line_keeps_its_place_when_it_is_superseded():
    document = _flaw(_make_pages(["Gur"]), 1, state="garbled", failed_checks=("wrong_encoding",))
    after = add_recognised(document, 1, _read("The rent")).document
    assert after.line_at(1, 1) == make_line("Gur").model_copy(
        update={"hidden": "superseded", **_place(document.lines[0])}
    )


def _place(line):
    return {name: getattr(line, name) for name in ("box", "size", "block")}
