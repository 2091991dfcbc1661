"""The matching form in one place: folding of a line, finding in a line and in lines joined to a paragraph."""

from __future__ import annotations

from pipeline.text.folding import FoldedText, contains_folded, fold, fold_mapped, is_cjk, squeeze
from pipeline.text.joining import JoinedText, LineSpan, join_lines, quote_matches

__all__ = [
    "FoldedText",
    "JoinedText",
    "LineSpan",
    "contains_folded",
    "fold",
    "fold_mapped",
    "is_cjk",
    "join_lines",
    "quote_matches",
    "squeeze",
]
