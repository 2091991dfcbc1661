import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.text.mentions import find_mentions, label_key, parse_heading_number


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        (
            "See Sections 3 and 5.2, Tables 1-3 and Fig. 2.",
            ["section:3", "section:5.2", "table:1", "table:2", "table:3", "figure:2"],
        ),
        ("rows (C) and (D) of Table 3", ["row:c", "row:d", "table:3"]),
        ("Article 5(2), Item 1A. and Exhibit 10.1", ["article:5(2)", "item:1a", "exhibit:10.1"]),
        ("pages 3-5; p. 7", ["page:3", "page:4", "page:5", "page:7"]),
        ("Sections 3.1-3.3 and equation (3)", ["section:3.1", "section:3.2", "section:3.3", "equation:3"]),
        ("见表2和图 4，第三条、附录B、第5.2节", ["table:2", "figure:4", "article:3", "appendix:b", "section:5.2"]),
        ("第3至5条", ["article:3", "article:4", "article:5"]),
        (
            "conforme a secção 3 e o artigo 5.º, cláusulas 4 e 5, Anexo II",
            ["section:3", "article:5", "clause:4", "clause:5", "annex:ii"],
        ),
        ("Appendices A and B, § 5, §§ 6 and 7", ["appendix:a", "appendix:b", "section:5", "section:6", "section:7"]),
        (
            "Note 5, footnote 3, Part I, Schedule 2, Chapter 4, column (a)",
            ["note:5", "footnote:3", "part:i", "schedule:2", "chapter:4", "column:a"],
        ),
        ("NIST SP 800-53 Rev. 5 and ISO 9001", ["standard:sp800-53r5", "standard:iso9001"]),
        ("columns (A)-(C)", ["column:a", "column:b", "column:c"]),
        ("Ex. 10.2, Exh. 99.1, EX-21 and Ex 3.1", ["exhibit:10.2", "exhibit:99.1", "exhibit:21", "exhibit:3.1"]),
        ("Exhibit 101.LAB and Exhibit (10)(a)", ["exhibit:101.lab", "exhibit:10(a)"]),
        ("exhibit number 10.2, Anexo n\u00famero 3", ["exhibit:10.2", "annex:3"]),
    ],
)
def test_each_label_is_a_mention_when_lists_and_ranges_occur(text: str, keys: list[str]) -> None:
    assert [mention.key for mention in find_mentions(text)] == keys


@pytest.mark.parametrize(
    "text",
    [
        "part of it",
        "a note to readers",
        "the table shows 2018",
        "art 5",
        "page",
        "sections",
        "item is 5",
        "p. ex. 5 barcos",
        "por ex. 5",
    ],
)
def test_nothing_is_a_mention_when_no_label_follows(text: str) -> None:
    assert find_mentions(text) == ()


@pytest.mark.parametrize(
    ("text", "is_external"),
    [
        ("44 U.S.C., Sec. 3542", True),
        ("ISO/IEC 27001:2022", True),
        ("Section 302 of the Sarbanes-Oxley Act", True),
        ("Section 12(b) of the Act", True),
        ("Section 5 of this Agreement", False),
        ("Section 5 of the report", False),
        ("SP 800-53, Section 3", True),
        ("Article 6 of Regulation (EU) 2016/679", True),
        ("Table 2 of the plan", False),
    ],
)
def test_mention_is_external_when_it_leaves_the_document(text: str, is_external: bool) -> None:
    assert all(mention.is_external == is_external or mention.kind == "standard" for mention in find_mentions(text))
    assert find_mentions(text)[-1].is_external == is_external


@pytest.mark.parametrize(
    ("kind", "label", "key"),
    [
        ("fig. ", "2", "figure:2"),
        ("figure", "fig. 2", "figure:2"),
        ("", "fig. 2", "figure:2"),
        ("section", "Sec. 5.4.", "section:5.4"),
        ("article", "Article 5(2)", "article:5(2)"),
        ("row", "(C)", "row:c"),
        ("appendix", "Appendix A", "appendix:a"),
        ("standard", "NIST SP 800-53 Rev. 5", "standard:sp800-53r5"),
        ("artigo", "5.º", "article:5"),
        ("table", "02", "table:2"),
    ],
)
def test_keys_are_normal_when_labels_vary(kind: str, label: str, key: str) -> None:
    assert label_key(kind, label) == key


@pytest.mark.parametrize(
    ("title", "number", "rest"),
    [
        ("5.4 Regularization", "5.4", "Regularization"),
        ("Appendix A. CSF Core", "Appendix A", "CSF Core"),
        ("Item 7A. Quantitative", "Item 7A", "Quantitative"),
        ("Article 12 – Payment", "Article 12", "Payment"),
        ("IV. Results", "IV", "Results"),
        ("第三章 总则", "第三章", "总则"),
        ("3) Foo", "3", "Foo"),
        ("PART I", "PART I", ""),
        ("5 Training", "5", "Training"),
        ("(a) Scope", "(a)", "Scope"),
        ("A. Background", "A", "Background"),
        ("Note 5: Leases", "Note 5", "Leases"),
        ("一、总则", "一", "总则"),
        ("A.1 Scope", "A.1", "Scope"),
        ("5.4", "5.4", ""),
        ("1. Introduction", "1", "Introduction"),
        ("b) Terms", "b", "Terms"),
        ("附录B 术语", "附录B", "术语"),
        ("3.2.1 scaled attention", "3.2.1", "scaled attention"),
    ],
)
def test_heading_number_is_split_off_when_there_is_one(title: str, number: str, rest: str) -> None:
    assert parse_heading_number(title) == (number, rest)


@pytest.mark.parametrize(
    "title",
    [
        "2018 Overview",
        "100 Days",
        "30 Days",
        "12 Months Ended",
        "Executive summary",
        "U.S. Operations",
        "1.5 million users",
        "Section 5 applies to all",
        "2 December 2018",
        "Part of it",
        "12.5 % growth",
        "",
        "3.5 of them",
        "01 Start",
    ],
)
def test_heading_has_no_number_when_a_year_or_quantity_opens_it(title: str) -> None:
    assert parse_heading_number(title) == ("", title)


@given(st.text(alphabet="Section Table §Appx. 0123(a)-,and第条表", max_size=50))
def test_places_are_verbatim_when_any_text_is_read(text: str) -> None:
    assert all(text[item.start : item.end] == item.text for item in find_mentions(text))


@given(st.text(max_size=40))
def test_heading_parts_come_from_the_title_when_any_title_is_read(title: str) -> None:
    number, rest = parse_heading_number(title)
    assert "".join(number.split()) in "".join(title.split())
    assert rest in title.strip()
