"""What is written beside a question: the answer, the evidence and the confidence, of one document or of several."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from pipeline.batch.results import spell_answer, spell_share

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.models.batch import ResultRow


class Reply(NamedTuple):
    """The texts of the cells beside one question."""

    answer: str
    evidence: str
    confidence: str


TITLES = Reply("Answer", "Evidence", "Confidence")
WIDTHS = (48, 64, 12)
"""Widths of new columns, in characters."""


def collect_replies(rows: Iterable[ResultRow]) -> dict[int, Reply]:
    """Replies by the line of their question; rows of one question follow one another. A row without one has none."""
    replies = {}
    for line, group in groupby(rows, key=lambda row: row.line):
        asked = [row for row in group if row.state != "input" or row.question]
        if asked:
            replies[line] = _describe_one(asked[0]) if len(asked) == 1 else _describe_many(asked)
    return replies


def _describe_one(row: ResultRow) -> Reply:
    told = spell_answer(row) if row.status == "answered" else _tell_answer(row)
    return Reply(told, "\n".join(_list_evidence(row, row.document)), spell_share(row))


def _describe_many(rows: list[ResultRow]) -> Reply:
    """A line for each document; line ends inside become semicolons."""
    answers, evidence, shares = [], [], []
    for row in rows:
        answers.append(f"{row.document}: {_join_lines(_tell_answer(row))}")
        told = _list_evidence(row, "")
        evidence += [f"{row.document}: {'; '.join(told)}"] if told else []
        share = spell_share(row)
        shares += [f"{row.document}: {share}"] if share else []
    return Reply("\n".join(answers), "\n".join(evidence), "\n".join(shares))


def _join_lines(text: str) -> str:
    """Lines in one, with a semicolon where none of them ends in a sign of its own."""
    lines = [line.removeprefix("- ") for line in text.splitlines()]
    ends = ["" if line.endswith((";", ",", ".", ":", "; or", "; and")) else ";" for line in lines[:-1]]
    return " ".join(map("".join, zip(lines, [*ends, ""], strict=True)))


def _tell_answer(row: ResultRow) -> str:
    if row.status == "answered":
        return row.answer
    if row.status == "asked_back":
        return f"Please say more: {row.clarification}"
    return f"Not answered: {row.reason}" if row.status == "failed" else f"Not found: {row.absence_reason}"


def _list_evidence(row: ResultRow, document: str) -> list[str]:
    """Places and quotes in their order, each once, and what a reader must know of the answer."""
    told = []
    for citation in dict.fromkeys(citation for item in row.items for citation in item.citations):
        place = ", ".join(filter(None, (document, f"page {citation.page}")))
        told.append(f'{place}: "{" ".join(citation.quote.split())}"')
    notes = [f"Note: {caveat}" for caveat in row.caveats]
    if row.status == "answered" and not row.complete:
        notes.insert(0, "Note: the answer may be incomplete")
    return list(dict.fromkeys(told)) + notes
