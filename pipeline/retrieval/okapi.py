"""The reference ranking: rank_bm25's Okapi with a weight that is never negative.

Nothing on the path of a question imports this: numpy and rank_bm25 take 160 to 210 ms to load, as much as the rest of a
warm run. `lexical.score_passages` gives the same scores bit for bit from the terms of the query alone; tests compare
the two, and whoever has a whole corpus of tokens may use this one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from pipeline.retrieval.lexical import LENGTH_SHARE, SATURATION, compute_idf


@cache
def load_okapi() -> Any:  # noqa: ANN401 - the base class has no types
    """The subclass of `rank_bm25.BM25Okapi` (ATIRE, see Trotman et al. 2014), built when it is first asked for."""
    import numpy
    from rank_bm25 import BM25Okapi

    class SmoothedOkapi(BM25Okapi):  # type: ignore[misc] # rank_bm25 has no types
        """BM25Okapi whose idf is ln(1 + ...), and for which no text at all is a corpus too."""

        avgdl: float
        idf: dict[str, float]

        def __init__(self, corpus: Sequence[Sequence[str]]) -> None:
            # one passage without a token stands in for no passage, and an empty answer hides it again
            self.is_empty = not corpus
            super().__init__(corpus or [[]], k1=SATURATION, b=LENGTH_SHARE)
            self.avgdl = self.avgdl or 1.0

        def _calc_idf(self, nd: dict[str, int]) -> None:
            for term, frequency in nd.items():
                self.idf[term] = compute_idf(self.corpus_size, frequency)

        def get_scores(self, query: Sequence[str]) -> Any:  # noqa: ANN401
            """Scores of all passages, in their order; an array of floats, empty for an empty corpus."""
            return numpy.zeros(0) if self.is_empty else super().get_scores(query)

    return SmoothedOkapi
