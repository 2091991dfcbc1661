"""One row of results: made of a record, or of the reason why there is none."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from pipeline.canonical import hash_bytes
from pipeline.models.batch import BatchQuestion, ResultRow
from pipeline.report.spending import count_spending, read_worst_case
from pipeline.text.folding import contains_folded, fold
from pipeline.text.surrogates import escape_surrogates

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.models.answer import Answer
    from pipeline.models.batch import RowStatus
    from pipeline.models.run import RunRecord


class Frame(NamedTuple):
    """What is known of a row before it is asked; `link` leads from the folder of the results to the document."""

    number: int
    asked: BatchQuestion
    document: str
    document_sha256: str
    link: str


@lru_cache(maxsize=256)
def link_document(path: Path, out: Path) -> str:
    """A relative link from a folder to a file, as a URL."""
    return quote(os.fsencode(os.path.relpath(path.absolute(), out.absolute())))


def describe_failure(frame: Frame, state: str, reason: str) -> ResultRow:
    """The row of a question that could not be asked; line ends of the reason become spaces."""
    told = " ".join(escape_surrogates(reason).split())
    return ResultRow(**_describe_frame(frame), link=frame.link, status="failed", state=state, reason=told)


def describe_record(frame: Frame, record: RunRecord) -> ResultRow:
    """The row of a run."""
    body = record.body
    return ResultRow(
        **_describe_frame(frame),
        **_describe_answer(frame, body.answer),
        stop_reason=body.stop_reason,
        iteration_count=len(body.iterations),
        patterns=tuple(step.pattern for step in body.plan.steps),
        rules=tuple(outcome.rule for outcome in body.plan.outcomes if outcome.state == "fired"),
        rulebook_revision=body.plan.rulebook_revision,
        run_id=record.run_id,
        body_hash=record.body_hash,
        spent=count_spending(body),
        worst_case=read_worst_case(body.plan),
    )


def find_difference(row: ResultRow, record: RunRecord) -> str:
    """The first thing that a row of results says otherwise than the record of its run; empty where there is none."""
    frame = Frame(row.number, BatchQuestion(line=row.line, id=row.id, question=row.question), "", "", "")
    told = _describe_answer(frame, record.body.answer) | {
        "body_hash": record.body_hash,
        "document_sha256": record.body.document_sha256,
        "stop_reason": record.body.stop_reason,
    }
    # those depend on the questions and on where the documents are, which no record has
    del told["is_expected_seen"], told["link"]
    if hash_bytes(row.question.encode()) != record.body.question_sha256:
        return "question"
    return next((name.replace("_", " ") for name, value in told.items() if getattr(row, name) != value), "")


def describe_remains(frame: Frame, answer: Answer) -> ResultRow:
    """The row of a run of which only the answer is still to be read, since other fields of it are blinded."""
    return ResultRow(**_describe_frame(frame), **_describe_answer(frame, answer))


def _describe_answer(frame: Frame, answer: Answer) -> dict[str, Any]:
    pages = tuple(dict.fromkeys(citation.page for item in answer.items for citation in item.citations))
    return {
        "status": _find_status(answer),
        "answer": escape_surrogates(answer.text),
        "complete": answer.complete,
        "confidence": answer.confidence,
        "items": answer.items,
        "pages": pages,
        "absence": answer.absence,
        "absence_reason": answer.absence_reason,
        "near_misses": answer.near_misses,
        "conflict": answer.conflict,
        "clarification": answer.clarification,
        "caveats": answer.caveats,
        "link": f"{frame.link}#page={pages[0]}" if pages and frame.link else frame.link,
        "is_expected_seen": _is_seen(frame.asked.expected, answer),
    }


def _describe_frame(frame: Frame) -> dict[str, Any]:
    return {
        "number": frame.number,
        "line": frame.asked.line,
        "id": frame.asked.id,
        "question": frame.asked.question,
        "document": frame.document,
        "document_sha256": frame.document_sha256,
        "expected": frame.asked.expected,
        "tags": frame.asked.tags,
    }


def _find_status(answer: Answer) -> RowStatus:
    if answer.found:
        return "answered"
    return "asked_back" if answer.clarification else "not_found"


def _is_seen(expected: str, answer: Answer) -> bool | None:
    """Whether the words expected stand in the answer, whatever their case and spaces."""
    wanted = fold(expected).strip()
    if not wanted:
        return None
    return any(contains_folded(wanted, fold(text)) for text in (answer.text, *(item.text for item in answer.items)))
