"""Resolving references: what is resolved, what fails and why; and on generated documents, that nothing is guessed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.structure.around import list_mentions
from pipeline.structure.marks import find_marks
from pipeline.structure.resolving import resolve_mark, resolve_mention
from tests.unit.structure.pages import lay_table, make_line, make_section, make_view, stack_lines


def _read(view, place=None):
    """Resolutions of all references in document order; only those on one line where a place is given."""
    last = view.document.lines[-1]
    start, end = (place, (place[0], place[1] + 1)) if place else ((1, 1), (last.page + 1, 0))
    return [resolve_mention(view, mention) for mention in list_mentions(view, start, end)]


def _clauses(sentence, kind="contract"):
    """Sections 1 to 3 with numbered paragraphs and items; the sentence stands in paragraph 1.2."""
    texts = [
        ["**1. Terms", "1.1 Words of one one.", f"1.2 {sentence}"],
        ["**2. Price", "2.1 Words of two one.", "2.2 The fee is:", "\t(a) ten euros;", "\t(b) two euros."],
        ["**3. End", "3.1 Words of three one.", "3.2 Words of three two."],
    ]
    lines, sections, y, number = [], [], 7200, 1
    for index, block in enumerate(texts):
        start = number
        made = stack_lines(block, 1, y=y, first=number)
        lines += made
        number += len(made)
        y += 1200 * len(block) + 2400
        sections.append(make_section(index, block[0][5:], (1, start), (1, number), number=str(index + 1)))
    return make_view(lines, sections, kind)


@pytest.mark.parametrize(
    ("sentence", "first"),
    [
        ("The price follows from section 2.", "2. Price"),
        ("The price follows from Sec. 2.1 of this Agreement.", "2.1 Words of two one."),
        ("The price follows from clause 2.2(b).", "(b) two euros."),
        ("The price follows from paragraph 2.", None),
        ("It ends under § 3 of the contract.", "3. End"),
        ("O preço segue da cláusula 3.2.", "3.2 Words of three two."),
        ("The rule of the preceding paragraph holds.", "1.1 Words of one one."),
    ],
)
def test_a_place_is_found_when_one_carries_the_label(sentence, first):
    view = _clauses(sentence)
    found = _read(view, (1, 3))
    firsts = [view.document.line_at(*each.target.start).text for each in found if each.target]
    assert firsts == ([first] if first else [])


@pytest.mark.parametrize(
    ("sentence", "state"),
    [
        ("It is as in clause 9.", "dangling"),
        ("It is as in clause 2.2(f).", "dangling"),
        ("It is as in Section 2 of WSJ.", "external"),
        ("It is as in Section 2 of that work.", "external"),
        ("It is as in section 2 of the Dock Labour Code.", "external"),
        ("It is as in the Clubs Act, section 2.", "external"),
        ("It is as in Section 2 of [4].", "external"),
        ("It is as in SP 800-53.", "external"),
        ("It is as in 44 U.S.C., Sec. 3542.", "external"),
        ("It is as in Annex C.", "dangling"),
        ("It is as the next table says.", "ambiguous"),
    ],
)
def test_a_reference_fails_with_a_reason_when_it_leads_nowhere(sentence, state):
    found = _read(_clauses(sentence), (1, 3))
    assert [each.state for each in found] == [state]
    assert found[0].target is None
    assert found[0].why


def test_a_reference_is_ambiguous_when_two_places_carry_its_label():
    lines = [
        make_line(text, page, 1, bold=True) for page, text in enumerate(["Annex A", "Part 1", "Annex B", "Part 1"], 1)
    ]
    lines.insert(1, make_line("See Part 1.", 1, 2, (7200, 9000)))
    sections = [
        make_section(0, "A", (1, 1), (3, 1), number="Annex A"),
        make_section(1, "", (2, 1), (3, 1), number="Part 1", level=2),
        make_section(2, "B", (3, 1), (5, 1), number="Annex B"),
        make_section(3, "", (4, 1), (5, 1), number="Part 1", level=2),
    ]
    found = _read(make_view(lines, sections), (1, 2))
    assert [each.state for each in found] == ["ambiguous"]
    assert "2 places" in found[0].why


def test_a_scope_decides_when_two_places_carry_a_label():
    lines = [
        make_line(text, page, 1, bold=True) for page, text in enumerate(["Annex A", "Part 1", "Annex B", "Part 1"], 1)
    ]
    lines.insert(1, make_line("It follows Part 1 of Annex B.", 1, 2, (7200, 9000)))
    sections = [
        make_section(0, "A", (1, 1), (3, 1), number="Annex A"),
        make_section(1, "", (2, 1), (3, 1), number="Part 1", level=2),
        make_section(2, "B", (3, 1), (5, 1), number="Annex B"),
        make_section(3, "", (4, 1), (5, 1), number="Part 1", level=2),
    ]
    found = _read(make_view(lines, sections), (1, 2))
    assert found[0].target.start == (4, 1)


def _table(sentence, rows, xs=(7200, 20000, 30000)):
    """A section with a sentence, a caption and a table."""
    lines = [make_line("1 Results", 1, 1, bold=True), make_line(sentence, 1, 2, (7200, 9000))]
    lines.append(make_line("Table 3: Variations of the model", 1, 3, (7200, 12000)))
    lines += lay_table(rows, xs, 1, 14000, 4)
    sections = [make_section(0, "Results", (1, 1), (2, 1), number="1")]
    return make_view(lines, sections)


LABELLED = [
    ("", "heads", "score"),
    ("base", "8", "25.8"),
    ("(A)", "1", "24.9"),
    ("", "4", "25.5"),
    ("(B)", "6", "25.1"),
]


def test_a_row_resolves_to_the_cells_of_its_group_when_its_label_opens_it():
    found = _read(_table("Table 3 lists them; row (A) has fewer heads.", LABELLED), (1, 2))
    assert [cell.text for cell in found[1].cells] == ["(A)", "1", "24.9", "4", "25.5"]


def test_a_row_belongs_to_the_table_named_behind_it_when_one_is():
    found = _read(_table("We see it in row (B) of Table 3.", LABELLED), (1, 2))
    assert [cell.text for cell in found[0].cells] == ["(B)", "6", "25.1"]


@pytest.mark.parametrize(
    "sentence", ["Table 3 lists them; row (Z) has more.", "Row (A) has fewer heads.", "Table 9 and its row (A)."]
)
def test_a_row_fails_when_its_table_or_label_is_missing(sentence):
    rows = [each for each in _read(_table(sentence, LABELLED), (1, 2)) if each.mention.kind == "row"]
    assert [each.target for each in rows] == [None]


def test_a_note_is_found_when_its_sign_stands_once_below_the_mark():
    lines = [
        make_line("The load is 22.51", 1, 1, (7200, 7200), raised=((16, 17),)),
        make_line("1. Only with four lines in the block.", 1, 2, (7200, 60000), size=800),
    ]
    view = make_view(lines)
    found = [resolve_mark(view, mark) for mark in find_marks(view.document.lines)]
    assert [each.target.start for each in found] == [(1, 2)]


@pytest.mark.parametrize(
    ("text", "raised"), [("2.3 · 1019", ((8, 10),)), ("n · d2", ((5, 6),)), ("4To illustrate", ((0, 1),))]
)
def test_an_exponent_or_the_note_itself_is_no_mark_when_raised(text, raised):
    assert find_marks([make_line(text, raised=raised)]) == ()


# ---------------------------------------------------------------- nothing is guessed

LABELS = st.lists(st.integers(1, 6), min_size=1, max_size=7)
SUFFIXES = ("", " of this document", " of WSJ", " of the Dock Act", " of that book", " of [7]", " of Annex Q")
OUTSIDE = frozenset(SUFFIXES[2:6])


@st.composite
def documents(draw):
    """Numbered sections in any order, some twice; paragraphs and items in them; one sentence that refers."""
    numbers = draw(LABELS)
    lines, sections, places = [], [], {}
    number, y, page = 1, 7200, 1
    for index, label in enumerate(numbers):
        start = (page, number)
        texts = [
            f"**{label}. Heading",
            *(f"{label}.{part} Words of a paragraph." for part in range(1, draw(st.integers(0, 3)) + 1)),
        ]
        items = draw(st.integers(0, 2))
        texts += [f"\t({'ab'[item]}) words of an item." for item in range(items if len(texts) > 1 else 0)]
        made = stack_lines(texts, page, y=y, first=number)
        for at, line in enumerate(made):
            key = line.text.split(" ")[0].rstrip(".")
            if at and not key.startswith("("):
                places.setdefault(key, []).append(line.position)
        places.setdefault(str(label), []).append(start)
        lines += made
        number += len(made)
        y += 1200 * (len(texts) + 2)
        if draw(st.booleans()):
            page, number, y = page + 1, 1, 7200
        end = (page, number)
        sections.append(make_section(index, "Heading", start, end, number=str(label)))
    wanted = draw(st.sampled_from(["1", "2", "3", "6", "1.1", "2.2", "3.1", "9", "2.9"]))
    word = draw(st.sampled_from(["section", "Section", "Sec.", "clause", "§"]))
    suffix = draw(st.sampled_from(SUFFIXES))
    lines.append(make_line(f"This holds as {word} {wanted}{suffix} says.", page, number, (7200, y)))
    return make_view(lines, sections, draw(st.sampled_from(["contract", "unknown"]))), wanted, suffix, places


@given(documents())
def test_the_resolver_never_returns_a_wrong_target_when_documents_are_generated(case):
    view, wanted, suffix, places = case
    line = view.document.lines[-1]
    for resolution in _read(view, line.position):
        true = sorted(set(places.get(wanted, [])))
        if resolution.target is None:
            assert resolution.state in ("external", "dangling", "ambiguous")
            continue
        if resolution.mention.kind == "annex":
            pytest.fail("Annex Q does not exist")
        assert suffix not in OUTSIDE
        assert true == [resolution.target.start]


@given(
    st.lists(st.tuples(st.sampled_from(["", "(A)", "(B)", "(C)"]), st.integers(10, 99)), min_size=2, max_size=8),
    st.sampled_from("abc"),
)
def test_a_row_is_never_another_ones_when_tables_are_generated(body, label):
    rows = [("", "heads", "score"), *((name, str(value), f"{value}.5") for name, value in body)]
    view = _table(f"Table 3 lists them; row ({label.upper()}) is of interest.", rows)
    found = [each for each in _read(view, (1, 2)) if each.mention.kind == "row"]
    for resolution in found:
        if not resolution.cells:
            continue
        starts = [at for at, (name, _) in enumerate(body) if name == f"({label.upper()})"]
        assert len(starts) == 1
        after = [at for at, (name, _) in enumerate(body) if name and at > starts[0]]
        group = {str(value) for _, value in body[starts[0] : after[0] if after else len(body)]}
        assert {cell.text for cell in resolution.cells if cell.column == 1} <= group


def test_a_row_resolves_to_the_rows_around_its_label_when_labels_stand_at_the_middle():
    rows = [("", "heads", "score"), ("base", "8", "25.8"), ("", "1", "24.9"), ("", "4", "25.5"), ("(B)", "6", "25.1")]
    view = _table("Table 3 lists them; row (A) has fewer heads.", rows)
    lines = [*view.document.lines]
    # the label of rows 1 and 4 is set between them
    high, low = (next(line for line in lines if line.text == text) for text in ("1", "4"))
    y = (high.box[1] + low.box[1]) // 2
    at = lines.index(high)
    label = make_line("(A)", 1, high.number, (7200, y))
    shifted = [line.model_copy(update={"number": line.number + 1}) for line in lines[at:]]
    view = make_view([*lines[:at], label, *shifted], view.document.sections)
    found = [each for each in _read(view, (1, 2)) if each.mention.kind == "row"]
    assert sorted(cell.text for cell in found[0].cells) == ["(A)", "1", "24.9", "25.5", "4"]
