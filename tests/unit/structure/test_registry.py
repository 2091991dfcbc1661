"""The registry: what can be pointed at, and which kinds have no other member."""

from __future__ import annotations

import pytest

from tests.unit.structure.pages import make_line, make_section, make_view, stack_lines

PROSE = "The harbour office keeps what this part asks for."


def _numbered(numbers: list[str]):
    lines = [make_line(f"{number} Title", page, 1, bold=True) for page, number in enumerate(numbers, 1)]
    sections = [
        make_section(index, "Title", (index + 1, 1), (index + 2, 1), number=number)
        for index, number in enumerate(numbers)
    ]
    return make_view(lines, sections).registry


def test_sections_resolve_by_their_normal_form_when_numbered_in_any_way():
    registry = _numbered(["1", "2", "Appendix A", "Item 7A", "Article 5", "Chapter II"])
    keys = [target.key for target in registry.targets]
    assert keys[:5] == ["section:1", "section:2", "appendix:a", "item:7a", "article:5"]
    assert registry.find("appendix:a")[0].start == (3, 1)


def test_a_kind_is_closed_when_its_numbers_have_no_gap():
    assert _numbered(["1", "2", "3"]).closed_kinds == ("section",)


def test_a_kind_is_open_when_a_number_is_missing():
    assert _numbered(["1", "2", "4"]).closed_kinds == ()


def test_clauses_are_targets_when_they_are_no_headings():
    lines = stack_lines(
        ["**3. Supply", "3.1 The Supplier shall supply.", "3.2 The Supplier shall not stop.", "4.9 Not of here."]
    )
    sections = [make_section(0, "Supply", (1, 1), (1, 5), number="3")]
    registry = make_view(lines, sections, "contract").registry
    assert [target.key for target in registry.targets if target.kind == "clause"] == [
        "clause:3",
        "clause:3.1",
        "clause:3.2",
    ]
    assert registry.find("clause:3.1")[0].end == (1, 3)


def test_identifiers_end_where_the_next_begins_when_listed():
    lines = stack_lines(["AB.CD-01: Ships are listed", "and counted", "AB.CD-02: Crews are listed"])
    targets = [target for target in make_view(lines).registry.targets if target.kind == "identifier"]
    assert [(target.label, target.start, target.end) for target in targets] == [
        ("AB.CD-01", (1, 1), (1, 3)),
        ("AB.CD-02", (1, 3), (1, 4)),
    ]


def test_terms_are_definitions_when_the_section_is_a_glossary():
    lines = stack_lines(["**Glossary", "**Berth", "A place for one ship.", "**Quay", "A wall for ships."])
    sections = [make_section(0, "Glossary", (1, 1), (1, 6))]
    targets = [target for target in make_view(lines, sections).registry.targets if target.kind == "definition"]
    assert [(target.key, target.end) for target in targets] == [
        ("definition:berth", (1, 4)),
        ("definition:quay", (1, 6)),
    ]


def test_quoted_terms_are_definitions_when_they_mean_something():
    targets = make_view([make_line("“Berth” means a place for one ship.")]).registry.targets
    assert [(target.key, target.title) for target in targets] == [("definition:berth", "Berth")]


def test_articles_are_targets_when_their_paragraphs_run_in_sequence():
    lines = stack_lines(["Article 1. Ships pay.", "Article 2. Crews pay.", "Article 9 of another law says more."])
    registry = make_view(lines).registry
    assert [target.key for target in registry.targets] == ["article:1", "article:2"]
    assert registry.find("article:1")[0].end == (1, 2)


def test_chinese_articles_resolve_by_their_number_when_written_in_characters():
    lines = stack_lines(["第一条 船舶应当缴纳费用。", "第二条 船员应当登记。"])
    assert [target.key for target in make_view(lines).registry.targets] == ["article:1", "article:2"]


def test_footnotes_are_targets_when_set_small_at_the_foot():
    lines = [make_line("The port keeps its books for whoever may see them.", 1, 1)]
    lines.append(make_line("1 As the law of the port has it since then.", 1, 2, (7200, 70000), size=800))
    targets = make_view(lines).registry.targets
    assert [(target.key, target.start) for target in targets] == [("footnote:1", (1, 2))]


@pytest.mark.parametrize(("levels", "kind"), [((1, 1), "note"), ((1, 2), "note"), ((2, 1), "section")])
def test_numbered_headings_are_notes_when_they_follow_the_heading_of_the_notes(levels, kind):
    texts = ["Notes to the statements", PROSE, "7. Hedging", PROSE, "8. Leases", PROSE]
    sections = (
        make_section(0, "Notes to the statements", (1, 1), (1, 3)).model_copy(update={"level": levels[0]}),
        make_section(1, "Hedging", (1, 3), (1, 5), number="7").model_copy(update={"level": levels[1]}),
        make_section(2, "Leases", (1, 5), (1, 7), number="8").model_copy(update={"level": levels[1]}),
    )
    targets = make_view(stack_lines(texts), sections).registry.targets
    assert [(target.kind, target.label) for target in targets] == [(kind, "7"), (kind, "8")]
