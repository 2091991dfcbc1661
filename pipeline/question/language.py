"""Which lexicon a question is read with."""

from __future__ import annotations

import re

from pipeline.models.lexicon import Lexicons
from pipeline.text.matching import fold, is_cjk

_CJK_LANGUAGE = "zh"
_DEFAULT = "en"


def detect_language(text: str, lexicons: Lexicons) -> str:
    """Language of a question: Chinese by its script, else the lexicon whose function words occur most, else English."""
    known = [lexicon.language for lexicon in lexicons.languages]
    letters = [char for char in text if char.isalpha()]
    if _CJK_LANGUAGE in known and 3 * sum(map(is_cjk, letters)) > len(letters):
        return _CJK_LANGUAGE
    words = re.findall(r"[^\W\d_]+", fold(text))
    scores = []
    for lexicon in lexicons.languages:
        if lexicon.language != _CJK_LANGUAGE:
            function_words = lexicon.stop_word_set | frozenset(lexicon.question_words)
            hits = sum(word in function_words for word in words)
            scores.append((-hits, lexicon.language != _DEFAULT, lexicon.language))
    return min(scores)[2]
