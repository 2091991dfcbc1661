import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.text.folding import is_bounded, locate_end
from pipeline.text.matching import (
    contains_folded,
    fold,
    fold_mapped,
    join_lines,
    quote_matches,
    squeeze,
)

PRINTED = st.text(
    alphabet=st.one_of(
        st.sampled_from(
            "abc XYZ 019.,-"
            "()'\t\n\u00a0\u00ad\u200b\u2019\u201c\u2013\u2014\ufb01\u00b2\u00b9\u00bd\u2122éÇß\u0301第三条 한"
        ),
        st.characters(exclude_categories=("Cs",)),
    ),
    max_size=60,
)
WORDS = st.lists(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=2, max_size=9), min_size=1, max_size=8)


def find_folded(needle: str, text: str, *, whole_words: bool = True) -> tuple[tuple[int, int], ...]:
    """The verbatim spans of a needle in any surface form: what offsets and bounds are for."""
    wanted, mapped = fold(needle), fold_mapped(text)
    starts = [at for at in range(len(mapped.folded)) if wanted and mapped.folded.startswith(wanted, at)]
    ends = [(at, at + len(wanted)) for at in starts]
    hits = [hit for hit in ends if not whole_words or is_bounded(mapped.folded, *hit)]
    return tuple((mapped.offsets[start], locate_end(mapped, end)) for start, end in hits)


def test_fold_unifies_marks_when_a_line_is_typeset() -> None:
    assert (
        fold("  The \u201cﬁnal\u201d\u00a0in\u00adsurance \u2014 Co\u2019s\t1\u20132 ")
        == 'the "final" insurance - co\'s 1-2'
    )


def test_fold_collapses_letters_when_a_heading_is_spaced_out() -> None:
    assert fold("B A L A N C E  S H E E T") == "balance sheet"
    assert fold("Note 3 B A L A N C E") == "note 3 balance"


def test_fold_keeps_letters_apart_when_they_are_column_heads() -> None:
    assert fold("A B C D E") == "a b c d e"
    assert fold("x x x x") == "x x x x"


def test_fold_sets_superscripts_apart_when_they_follow_a_word() -> None:
    assert fold("Revenue¹² 10² 5½ Azure™") == "revenue 12 10 2 5 1/2 azure"


def test_fold_drops_spaces_when_they_part_han_characters() -> None:
    assert fold("第 三 条 总则") == "第三条总则"


@given(PRINTED)
@settings(max_examples=400)
def test_fold_changes_nothing_when_the_text_is_folded(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(PRINTED)
@settings(max_examples=400)
def test_offsets_are_monotone_and_in_range_when_any_text_is_mapped(text: str) -> None:
    mapped = fold_mapped(text)
    assert mapped.folded == fold(text)
    assert len(mapped.offsets) == len(mapped.folded) + 1
    assert list(mapped.offsets) == sorted(mapped.offsets)
    assert all(0 <= offset <= len(text) for offset in mapped.offsets)


@given(WORDS, st.data())
def test_found_spans_fold_back_to_the_needle_when_its_surface_varies(words: list[str], data: st.DataObject) -> None:
    gap = st.sampled_from([" ", "  ", "\u00a0", "\t", " \u200b"])
    needle = " ".join(words)
    surface = "".join(word.upper() + data.draw(gap) for word in words).strip().replace("FI", "\ufb01")
    text = "\u00a0(x9) " + surface + ", 7\u00bd"
    spans = find_folded(needle, text)
    assert spans
    assert all(fold(text[start:end]) == needle for start, end in spans)


def test_find_folded_respects_words_and_numbers_when_the_needle_is_part_of_more() -> None:
    assert find_folded("418", "1418 and 1,418 and 418.5 and 418.") == ((29, 32),)
    assert find_folded("cap", "capital cap") == ((8, 11),)
    assert find_folded("cap", "capital", whole_words=False) == ((0, 3),)
    assert find_folded("", "anything") == ()
    assert find_folded("合同", "本合同总则") == ((1, 3),)


def test_find_folded_takes_the_whole_ligature_when_a_match_ends_inside() -> None:
    assert find_folded("f", "o\ufb01", whole_words=False) == ((1, 2),)


def test_contains_folded_agrees_with_word_bounds_when_texts_are_folded() -> None:
    assert contains_folded("net income", "the net income of")
    assert not contains_folded("net", "internet nets")
    assert not contains_folded("", "text")


def test_squeeze_equates_titles_when_typesetting_split_them() -> None:
    assert squeeze("Balance Shee t") == squeeze("BALANCE SHEET")
    assert squeeze("d_model") == squeeze("dmodel")
    assert squeeze("Section 5.4") != squeeze("Section 54")


def test_join_lines_reads_a_line_end_hyphen_both_ways_when_searching() -> None:
    joined = join_lines(["the insur-", "ance of English-", "to-German, 2019-", "2020 and long-", "and short-term"])
    assert joined.find("insurance")[0] == (0, 4, 1, 4)
    assert joined.find("insur-ance")
    assert joined.find("English-to-German")
    assert joined.find("2019-2020")
    assert joined.find("long- and short-term")
    assert not joined.find("ance")
    assert not joined.find("insuring")


def test_display_joins_only_plain_words_when_hyphens_end_lines() -> None:
    assert join_lines(["the insur-", "ance"]).display == "the insurance"
    assert join_lines(["English-", "to-German"]).display == "English-to-German"
    assert join_lines(["long-", "and short-term"]).display == "long- and short-term"
    assert join_lines(["state-of-", "the-art"]).display == "state-of-the-art"
    assert join_lines(["well-known, well-", "known"]).display == "well-known, well-known"
    assert join_lines(["COVID-", "related", "", "Section 10-", "year"]).display == "COVID-related Section 10-year"
    assert join_lines(["in\u00ad", "surance", "合同", "总则"]).display == "insurance 合同总则"


@given(WORDS, st.data())
def test_words_are_found_when_lines_break_anywhere(words: list[str], data: st.DataObject) -> None:
    text = " ".join(words)
    cut = data.draw(st.integers(0, len(text)))
    left, right = text[:cut], text[cut:]
    is_inside = bool(left and right) and left[-1] != " " and right[0] != " "
    joined = join_lines([left + "-" if is_inside else left, right])
    spans = joined.find(text)
    assert spans
    assert all(0 <= span.start <= len(joined.texts[span.first_line]) for span in spans)
    assert all(0 < span.end <= len(joined.texts[span.last_line]) for span in spans)


@given(st.lists(PRINTED, min_size=1, max_size=4))
@settings(max_examples=200)
def test_verbatim_lines_are_quotes_of_themselves_when_joined_by_line_ends(lines: list[str]) -> None:
    plain = [unicodedata.normalize("NFKC", line).replace("\n", " ").replace("\r", " ") for line in lines]
    quote = "\n".join(plain)
    has_letters = any(char.isalnum() for char in fold(quote))
    if has_letters and len(quote.splitlines()) == len(plain):
        assert quote_matches(quote, plain)


def test_quote_is_rejected_when_it_is_not_on_the_lines() -> None:
    lines = ["Total revenue was 1,418 in", "2019, up from 417 in the prior", "T A X  N O T E S"]
    assert quote_matches("revenue was 1,418 in 2019", lines)
    assert quote_matches("T A X", lines)
    assert not quote_matches("418", lines)
    assert not quote_matches("revenue was 1,419 in 2019", lines)
    assert not quote_matches("revenues were 1,418 in 2019", lines)
    assert not quote_matches("", lines)
    assert not quote_matches("--", ["one - two"])


def test_sign_counts_when_the_needle_carries_one() -> None:
    joined = join_lines(["was -5 and 7", "-8"])
    assert joined.find("-5") == ((0, 4, 0, 6),)
    assert not joined.find("-7")
