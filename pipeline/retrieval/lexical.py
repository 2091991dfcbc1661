"""BM25 over passages from the terms of the query alone.

Scores equal those of `okapi.load_okapi()`, a subclass of rank_bm25's BM25Okapi, bit for bit: the same operations in
the same order. Only passages that hold a term of the query are touched, and no token of the rest is ever made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import NamedTuple

# k1: how soon more of the same term stops counting
SATURATION = 1.5
# b: how much of a passage's length is held against it
LENGTH_SHARE = 0.75
MILLION = 1_000_000


class Statistics(NamedTuple):
    """What BM25 knows of a corpus: its size, its terms (tokens in all) and in how many passages each term stands."""

    passage_count: int
    token_count: int
    frequencies: Mapping[str, int]


def compute_idf(passage_count: int, frequency: int) -> float:
    """ln(1 + (N - n + 0.5) / (n + 0.5)): above zero for every term, however common (Lucene's form)."""
    return log(1 + (passage_count - frequency + 0.5) / (frequency + 0.5))


def saturate(count: int, length: int, average: float) -> float:
    """What occurrences are worth in a passage of this length: 1 for one in an average passage, at most k1 + 1."""
    norm = count + SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length / average)
    return count * (SATURATION + 1) / norm


def count_statistics(postings: Mapping[str, Mapping[int, int]], lengths: Sequence[int]) -> Statistics:
    """Statistics of a corpus given the passages of each term and the length of each passage in tokens."""
    return Statistics(len(lengths), sum(lengths), {term: len(found) for term, found in postings.items()})


def score_passages(
    query: Iterable[str],
    postings: Mapping[str, Mapping[int, int]],
    lengths: Sequence[int],
    statistics: Statistics | None = None,
) -> dict[int, float]:
    """BM25 scores of the passages that hold a term of the query; all others score zero and are left out.

    `postings` give, for each term, how often it stands in which passage. A term that the query repeats counts again, as
    in rank_bm25. With fixed `statistics` a passage's score depends on that passage alone.
    """
    known = statistics or count_statistics(postings, lengths)
    average = known.token_count / known.passage_count if known.token_count else 1.0
    scores: dict[int, float] = {}
    for term in query:
        found = postings.get(term)
        if not found:
            continue
        idf = compute_idf(known.passage_count, known.frequencies.get(term, len(found)))
        for position, count in found.items():
            scores[position] = scores.get(position, 0.0) + idf * saturate(count, lengths[position], average)
    return scores


def quantise(score: float) -> int:
    """A score in millionths; whatever is above zero stays above zero, so that matched passages rank above the rest."""
    return max(1, round(score * MILLION)) if score > 0 else 0
