from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.text.identifiers import contains_identifier, find_identifiers, identifier_family, identifier_key


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("ID.AM-1", "ID.AM-01"),
        ("Fig. 2", "Figure 2"),
        ("Sec. 5", "Section 5"),
        ("§ 5", "Section 5"),
        ("dmodel", "d_model"),
        ("gv.sc-1", "GV.SC-01"),
        ("NIST SP 800-53 Rev. 5", "SP 800-53r5"),
        ("10-K", "10-k"),
        ("ISO/IEC 27001", "ISO 27001"),
        ("Form 10-K", "10-K"),
        ("Article 5(2)", "Art. 5(2)"),
    ],
)
def test_keys_are_equal_when_spellings_vary(left: str, right: str) -> None:
    assert identifier_key(left) == identifier_key(right)


@pytest.mark.parametrize(
    ("left", "right"), [("AC-2-1", "AC-21"), ("ID.AM-1", "ID.AM-10"), ("d_k", "d_kv"), ("5.4", "54")]
)
def test_keys_differ_when_identifiers_differ(left: str, right: str) -> None:
    assert identifier_key(left) != identifier_key(right)


def test_identifiers_are_found_when_text_names_them() -> None:
    text = "GV.SC-01, AC-2(1), SP 800-53, d_model, P_drop, 10-K, Article 5(2), CVE-2021-44228, REQ-012, ECC-1-1, GV.SC"
    assert [item.text for item in find_identifiers(text)] == text.split(", ")


@pytest.mark.parametrize("text", ["WMT 2014", "FY18 and U.S. law", "plain words only", "", "up 5-10% in 2019-2020"])
def test_nothing_is_found_when_text_names_no_identifier(text: str) -> None:
    assert find_identifiers(text) == ()


@pytest.mark.parametrize(
    ("text", "family"),
    [
        ("GV.SC-01", "GV.SC"),
        ("GV.SC", "GV"),
        ("CVE-2021-44228", "CVE"),
        ("SP 800-53", "SP"),
        ("d_model", ""),
        ("10-K", ""),
        ("T1059.001", "T"),
        ("Figure 2", "figure"),
    ],
)
def test_family_is_what_members_share_when_there_is_one(text: str, family: str) -> None:
    assert identifier_family(text) == family


@pytest.mark.parametrize(
    ("key", "text", "hits"),
    [
        ("ID.AM-1", "ID.AM-10 ID.AM-01 id.am-1", ["ID.AM-01", "id.am-1"]),
        ("d_k", "d_kv dk d_k", ["dk", "d_k"]),
        ("Fig. 2", "see Figure 2 and Figure 21", ["Figure 2"]),
        ("SP 800-53", "SP 800-53r5 SP 800-53A", ["SP 800-53"]),
        ("AC-2", "AC-2(1) AC-2", ["AC-2"]),
        ("ECC-1", "ECC-1-1", []),
        ("gvsc1", "no such thing", []),
        ("", "text", []),
        ("Table 2", "Tables 1-3", ["Tables 1-3"]),
        ("Section 3", "第3节", ["第3节"]),
    ],
)
def test_variants_are_located_when_text_holds_them(key: str, text: str, hits: list[str]) -> None:
    assert [text[start:end] for start, end in contains_identifier(key, text)] == hits


@given(
    st.from_regex(r"[A-Z]{2,3}(\.[A-Z]{2,3})?", fullmatch=True),
    st.integers(1, 999),
    st.sampled_from(["-", "\u2011", "\u2013"]),
)
def test_zeros_dashes_and_case_do_not_count_when_codes_are_generated(family: str, number: int, dash: str) -> None:
    plain, padded = f"{family}-{number}", f"{family.lower()}{dash}{number:04d}"
    assert identifier_key(plain) == identifier_key(padded)
    assert contains_identifier(plain, f"see {padded}, and") == ((4, 4 + len(padded)),)
    assert not contains_identifier(plain, f"see {family}-{number}7")


@given(st.text(max_size=60))
def test_places_are_verbatim_and_apart_when_any_text_is_searched(text: str) -> None:
    found = find_identifiers(text)
    assert all(text[item.start : item.end] == item.text for item in found)
    assert all(left.end <= right.start for left, right in pairwise(found))


@pytest.mark.parametrize("between", ["", " ", "-", " Publication ", " PUB ", " PUB. ", " No. ", " Number ", " Std "])
def test_a_code_is_found_when_a_word_before_its_number_only_says_that_it_follows(between):
    assert contains_identifier("HLS-41", f"as HLS{between}41 says")
    assert not contains_identifier("HLS-41", f"as HLS{between}410 says")


def test_a_publication_is_found_when_its_series_is_spelled_out():
    assert contains_identifier("SP 800-53", "NIST Special Publication 800-53 lists them")
    assert contains_identifier("ASU 2016-02", "Accounting Standards Update No. 2016-02")
    assert not contains_identifier("SP 800-53", "Special Publication 800-54")
