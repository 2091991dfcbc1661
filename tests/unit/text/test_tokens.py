from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.text.tokens import split_sentences, stem, tokenize


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The company's 4,000 units", ("the", "company", "4000", "units")),
        ("multi-head", ("multi-head", "multi", "head")),
        ("GV.SC-01", ("gv.sc-01", "gv", "sc", "01")),
        ("(1,234.5) U.S. R&D", ("1234.5", "u.s", "r&d", "r", "d")),
        ("and/or, d_model.", ("and", "or", "d_model", "d", "model")),
        ("第三条 a 甲", ("第三", "三条", "a", "甲")),
        ("ação d'água", ("ação", "d", "água")),
        ("2019,2020", ("2019,2020",)),
        ("one,two", ("one", "two")),
        (" -- ", ()),
    ],
)
def test_tokens_are_folded_and_split_when_text_holds_marks(text: str, tokens: tuple[str, ...]) -> None:
    assert tokenize(text) == tokens


@given(st.text(max_size=60))
def test_tokens_hold_no_space_when_any_text_is_tokenized(text: str) -> None:
    assert all(token and not any(char.isspace() for char in token) for token in tokenize(text))


def test_stem_leaves_codes_alone_when_the_language_has_a_stemmer() -> None:
    assert stem("requirements", "en") == stem("requirement", "en")
    assert stem("contratos", "pt") == stem("contrato", "pt")
    assert stem("requirements", "zh") == "requirements"
    assert [stem(token, "en") for token in ("gv.sc-01", "4000", "running")] == ["gv.sc-01", "4000", "run"]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("See Fig. 2 and Sec. 5. Then stop.", ["See Fig. 2 and Sec. 5.", "Then stop."]),
        (
            "U.S. law applies, e.g. GDPR. It costs 4.5 million.",
            ["U.S. law applies, e.g. GDPR.", "It costs 4.5 million."],
        ),
        ("J. Smith et al. Found it. See Appendix A. Next.", ["J. Smith et al. Found it.", "See Appendix A.", "Next."]),
        ("合同总则。第二条！ok", ["合同总则。", "第二条！", "ok"]),
        ("No. 5 is open. Is it? Yes!", ["No. 5 is open.", "Is it?", "Yes!"]),
        ('He said "no." Then left\n\nNew', ['He said "no."', "Then left", "New"]),
        ("It is the U.S. The end.", ["It is the U.S.", "The end."]),
        ("", []),
    ],
)
def test_sentences_end_only_at_real_stops_when_abbreviations_occur(text: str, sentences: list[str]) -> None:
    assert [text[start:end] for start, end in split_sentences(text)] == sentences


@given(st.text(max_size=80))
def test_sentences_cover_all_words_in_order_when_any_text_is_split(text: str) -> None:
    spans = split_sentences(text)
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
    assert "".join("".join(text[start:end].split()) for start, end in spans) == "".join(text.split())


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("effective", "effect", False),
        ("effective", "effectively", True),
        ("objectives", "objective", True),
        ("objectives", "objects", False),
        ("protected", "protect", True),
    ],
)
def test_stem_keeps_words_apart_when_one_only_derives_from_the_other(one: str, other: str, is_same: bool) -> None:
    assert (stem(one, "en") == stem(other, "en")) == is_same
