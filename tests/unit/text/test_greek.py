"""Greek letters by name and by sign are one symbol; other words are left alone."""

from __future__ import annotations

import pytest

from pipeline.text.greek import spell_symbol


@pytest.mark.parametrize(
    ("folded", "spelling"),
    [
        ("beta2", "β2"),
        ("beta_2", "β2"),
        ("beta-2", "β2"),
        ("β2", "beta2"),
        ("epsilon", "ε"),
        ("ε", "epsilon"),
        ("epsilon_ls", "εls"),
        ("lambda", "λ"),
    ],
)
def test_symbol_has_the_other_spelling_when_it_is_a_greek_letter(folded, spelling):
    assert spelling in spell_symbol(folded)
    assert folded not in spell_symbol(folded)


@pytest.mark.parametrize("folded", ["betamax", "pier", "d_model", "etas", "2beta", "", "multi-head"])
def test_word_has_no_other_spelling_when_it_is_no_greek_letter(folded):
    assert spell_symbol(folded) == ()
