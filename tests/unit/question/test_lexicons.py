"""Lexicons: what loads, and what is refused with a reason."""

from __future__ import annotations

import pytest

from pipeline.errors import RulebookError
from pipeline.policy.lexicon import load_lexicons


def test_every_language_has_frequencies_and_cues_when_loaded(lexicons):
    assert [lexicon.language for lexicon in lexicons.languages] == ["en", "pt", "zh"]
    for lexicon in lexicons.languages:
        assert len(lexicon.zipf) > 2500
        assert lexicon.intent_cues
        assert lexicon.concepts


def test_every_input_of_a_concept_is_a_concept_when_loaded(lexicons):
    for lexicon in lexicons.languages:
        names = {concept.name for concept in lexicon.concepts}
        assert {name for concept in lexicon.concepts for name in concept.inputs} <= names
        assert len(names) == len(lexicon.concepts)


def test_english_is_read_when_a_language_is_unknown(lexicons):
    assert lexicons.of("xx").language == "en"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("stop = ", "no TOML"),
        ("[words]\nunheard = 'a'", "words.unheard"),
        ("[unheard]\na = 'b'", "unknown table"),
        ("[intent]\nwhere = 3", "intent.where"),
        ("max_focus_zipf = 'x'", "max_focus_zipf"),
        ("[frequencies]\nhigh = 'a'", "unknown table"),
        ("[concepts]\nx = '= form'", "no concept"),
        ("language = 'pt'", "language"),
    ],
)
def test_a_lexicon_is_refused_when_it_says_what_none_knows(tmp_path, text, reason):
    (tmp_path / "en.toml").write_text(text, encoding="utf-8")
    with pytest.raises(RulebookError, match=reason):
        load_lexicons(tmp_path)


def test_a_folder_is_refused_when_it_lacks_english(tmp_path):
    with pytest.raises(RulebookError, match="English"):
        load_lexicons(tmp_path)


def test_a_concept_keeps_all_it_says_when_its_line_is_read(tmp_path):
    line = "quick ratio [number] @ balance sheet; notes <- current assets; inventory = acid test | quick-ratio"
    (tmp_path / "en.toml").write_text(f"[concepts]\nmoney = '''\n{line}\ncash\n'''", encoding="utf-8")
    quick, cash = load_lexicons(tmp_path).of("en").concepts
    assert quick.forms == ("quick ratio", "acid test", "quick-ratio")
    assert (quick.value_type, quick.domain) == ("number", "money")
    assert (quick.places, quick.inputs) == (("balance sheet", "notes"), ("current assets", "inventory"))
    assert (cash.forms, cash.value_type) == (("cash",), "any")
