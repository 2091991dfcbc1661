"""Facts about the whole document that its text tells: language and kind."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from pipeline.parsing.constants import (
    FRONT_LINES,
    FRONT_WEIGHT,
    KIND_LINES,
    LANGUAGE_LINES,
    MAX_TERM_COUNT,
    MIN_CJK_SHARE,
    MIN_KIND_SCORE,
    MIN_LANGUAGE_SHARE,
)
from pipeline.parsing.vocabulary import load_vocabulary


def find_language(folded: Sequence[str]) -> str:
    """ISO 639-1 code of the text's language by script and frequent words; "en" where nothing speaks for another."""
    text = " ".join(sample_lines(folded, LANGUAGE_LINES))
    letters = sum(map(str.isalpha, text))
    if not letters:
        return "en"
    if len(re.findall(r"[\u3040-\u30ff]", text)) * 1000 >= MIN_CJK_SHARE * letters:
        return "ja"
    if len(re.findall(r"[\u4e00-\u9fff]", text)) * 1000 >= MIN_CJK_SHARE * letters:
        return "zh"
    # Neighbours share frequent words (de, a, en): only the sum tells languages apart.
    tokens = text.split()
    counts = Counter(tokens)
    best, language = MIN_LANGUAGE_SHARE * len(tokens), "en"
    for name, words in load_vocabulary().languages:
        hits = sum([counts[word] for word in words]) * 1000
        if hits > best:
            best, language = hits, name
    return language


def find_kind(folded: Sequence[str]) -> str:
    """Kind of document by its telling terms, "unknown" where there are too few; each term counts up to a ceiling."""
    # The first pages say what a document is; exhibits and appendices are often of another kind.
    front = "\n".join(folded[:FRONT_LINES])
    text = "\n".join(sample_lines(folded, KIND_LINES))
    best, kind = MIN_KIND_SCORE - 1, "unknown"
    for name, terms in load_vocabulary().kinds:
        score = _score_terms(text, terms) + FRONT_WEIGHT * _score_terms(front, terms)
        if score > best:
            best, kind = score, name
    return kind


def _score_terms(text: str, terms: tuple[str, ...]) -> int:
    """Many different terms tell more than one term many times."""
    counts = [min(text.count(term), MAX_TERM_COUNT) for term in terms]
    return sum(counts) * sum(count > 0 for count in counts) // 4


def sample_lines(folded: Sequence[str], limit: int) -> list[str]:
    """At most `limit` lines, spread over the document in stretches of twenty."""
    if len(folded) <= limit:
        return list(folded)
    stretch = 20
    step = len(folded) * stretch // limit
    return [line for start in range(0, len(folded), step) for line in folded[start : start + stretch]]
