"""How much an anchor weighs, in thousandths: rare words say more (inverse frequency, Sparck Jones 1972)."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.models.lexicon import Lexicon
from pipeline.question.terms import Word

EXACT_WEIGHT = 1000
CONCEPT_WEIGHT = 900
CAPITALS_WEIGHT = 800
HINT_WEIGHT = 700
NUMBER_WEIGHT = 400
INPUT_WEIGHT = 350
PERIOD_WEIGHT = 300
_GENERIC_WEIGHT = 200
_COMMON_ZIPF = 600  # a word this common weighs least
_RARE_ZIPF = 250
_LEAST_WEIGHT = 150


def weigh_word(folded: str, lexicon: Lexicon) -> int:
    """Weight of a word: from 150 for the commonest to 1000 for the rare and unknown; generic nouns weigh 200."""
    if folded in lexicon.generic_set:
        return _GENERIC_WEIGHT
    zipf = lexicon.zipf_of(folded) or _RARE_ZIPF
    rarity = (_COMMON_ZIPF - min(max(zipf, _RARE_ZIPF), _COMMON_ZIPF)) * 1000 // (_COMMON_ZIPF - _RARE_ZIPF)
    return max(_LEAST_WEIGHT, rarity)


def weigh_compound(members: Sequence[Word], lexicon: Lexicon) -> int:
    """Weight of a compound: its rarest member and a tenth of the scale, since the words stand together."""
    return min(1000, max(weigh_word(member.folded, lexicon) for member in members) + 100)
