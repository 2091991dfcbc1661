"""The laws of ranking (promise P16), on generated corpora."""

from __future__ import annotations

import math
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.retrieval.lexical import (
    Statistics,
    count_statistics,
    quantise,
    score_passages,
)
from pipeline.retrieval.okapi import load_okapi

WORDS = st.sampled_from(["fee", "cap", "term", "notice", "the", "of", "费用", "上限", "a1", "party"])
PASSAGES = st.lists(st.lists(WORDS, max_size=12), max_size=12)
QUERIES = st.lists(WORDS, max_size=6)


class Ranked(NamedTuple):
    position: int
    score: int


def rank_scores(scores, limit):
    """The best passages, by (-score in millionths, position): the order that candidates have."""
    ranked = [Ranked(position, quantise(score)) for position, score in scores.items()]
    return tuple(sorted(ranked, key=lambda entry: (-entry.score, entry.position))[: max(0, limit)])


def count_postings(corpus):
    """For each term, how often it stands in which passage."""
    postings = {}
    for position, tokens in enumerate(corpus):
        for token in tokens:
            found = postings.setdefault(token, {})
            found[position] = found.get(position, 0) + 1
    return postings


def score(query, corpus, statistics=None):
    return score_passages(query, count_postings(corpus), [len(tokens) for tokens in corpus], statistics)


def compute_reference_scores(query, corpus, k1=1.5, b=0.75):
    """BM25 as a textbook has it."""
    count = len(corpus)
    average = sum(map(len, corpus)) / count if count else 0
    scores = []
    for tokens in corpus:
        total = 0.0
        for term in query:
            holding = sum(term in other for other in corpus)
            frequency = tokens.count(term)
            if not frequency:
                continue
            idf = math.log(1 + (count - holding + 0.5) / (holding + 0.5))
            length = 1 - b + b * len(tokens) / average
            total += idf * frequency * (k1 + 1) / (frequency + k1 * length)
        scores.append(total)
    return scores


@given(QUERIES, PASSAGES)
def test_scores_are_positive_and_equal_the_reference_when_corpora_are_arbitrary(query, corpus):
    scores = score(query, corpus)
    expected = compute_reference_scores(query, corpus)
    assert all(value > 0 for value in scores.values())
    for position, value in enumerate(expected):
        assert scores.get(position, 0.0) == pytest.approx(value, abs=1e-9)


@given(QUERIES, PASSAGES)
def test_scores_are_bit_identical_when_rank_bm25_computes_them(query, corpus):
    scores = score(query, corpus)
    expected = list(load_okapi()(corpus).get_scores(query))
    assert [scores.get(position, 0.0) for position in range(len(corpus))] == expected


@given(QUERIES, PASSAGES)
def test_matched_passages_rank_above_all_others_when_ranked(query, corpus):
    ranked = rank_scores(score(query, corpus), len(corpus))
    matched = {position for position, tokens in enumerate(corpus) if set(tokens) & set(query)}
    assert {entry.position for entry in ranked} == matched
    assert all(entry.score >= 1 for entry in ranked)


@given(QUERIES, PASSAGES, st.integers(0, 12), st.integers(0, 12))
def test_a_shorter_ranking_is_a_prefix_when_the_limit_shrinks(query, corpus, first, second):
    scores = score(query, corpus)
    short, long = sorted((first, second))
    assert rank_scores(scores, short) == rank_scores(scores, long)[:short]


@given(QUERIES, PASSAGES, st.lists(st.sampled_from(["zebra", "quark"]), min_size=1, max_size=30))
def test_an_unrelated_page_reorders_nothing_when_the_statistics_are_fixed(query, corpus, unrelated):
    fixed = count_statistics(count_postings(corpus), [len(tokens) for tokens in corpus])
    before = rank_scores(score(query, corpus, fixed), 50)
    after = rank_scores(score(query, [*corpus, unrelated], fixed), 50)
    assert before == after


@given(QUERIES, PASSAGES)
def test_ties_keep_the_order_of_the_document_when_passages_are_equal(query, corpus):
    doubled = [*corpus, *corpus]
    ranked = rank_scores(score(query, doubled), len(doubled))
    assert [(-entry.score, entry.position) for entry in ranked] == sorted((-e.score, e.position) for e in ranked)


@pytest.mark.parametrize("corpus", [[], [[]], [[], []], [["the", "of"]], [["费用", "上限"]]])
def test_nothing_fails_when_the_corpus_is_tiny(corpus):
    scores = score(["the", "费用"], corpus)
    assert len(scores) == (1 if corpus and corpus[0] else 0)
    assert list(load_okapi()(corpus).get_scores(["the", "费用"])) == [
        scores.get(position, 0.0) for position in range(len(corpus))
    ]


def test_a_word_on_every_page_still_counts_when_the_corpus_is_huge():
    huge = Statistics(10_000_000, 100_000_000, {"the": 10_000_000})
    scores = score_passages(["the"], {"the": {0: 1}}, [10], huge)
    assert rank_scores(scores, 1)[0].score >= 1


def test_zero_stays_zero_when_quantised():
    assert quantise(0.0) == 0
    assert quantise(1e-12) == 1
    assert quantise(0.25) == 250_000
