"""Ceilings of a whole batch: worst cases are reserved in the order of the input, before anything is asked.

Row by row the worst cases of all plans up to it are added up, those of refused rows too. So the same rows fail whatever
the scheduling, and raising a ceiling never refuses a row that a lower one let through.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Literal, NamedTuple

from pydantic import ValidationError

from pipeline.audit.writing import replace_file
from pipeline.canonical import encode_model
from pipeline.errors import UsageError
from pipeline.models.batch import Ceilings, ResultRow, Spending
from pipeline.report.rows import describe_failure

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from pipeline.report.rows import Frame

CEILINGS_NAME = "ceilings.json"
_WORDS = {
    "iterations": "iterations",
    "reparsed_pages": "pages read again",
    "model_calls": "model calls",
    "model_tokens": "tokens",
}
_MAX_BYTES = 10_000_000
# what stays of a row whose answer nobody may rely on
_KEPT = (
    "number", "line", "id", "question", "document", "document_sha256", "expected", "tags", "spent", "worst_case",
    "run_id", "body_hash", "rulebook_revision",
)  # fmt: skip


class Reservation(NamedTuple):
    """A row with the worst case of its plan: still open, asked before, or refused before and not tried again."""

    number: int
    worst_case: Spending
    state: Literal["open", "asked", "refused"]


def read_ceilings(path: Path, given: Mapping[str, int | None]) -> Ceilings:
    """Ceilings from a file, and over them those given one by one; the file is what `--dry-run` gave, or a part of it.

    Raises:
        UsageError: the file is none, or names no ceiling.
    """
    told: dict[str, object] = {}
    try:
        if path.stat().st_size > _MAX_BYTES or not path.is_file():
            raise UsageError(f"{path}: not a file of ceilings", "give what --dry-run --json prints")
        told = json.loads(path.read_bytes())
        named = {name: told[name] for name in Ceilings.model_fields if told.get(name) is not None}
        ceilings = Ceilings.model_validate(named | {name: most for name, most in given.items() if most is not None})
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}", "give what --dry-run --json prints") from error
    except (ValidationError, ValueError, AttributeError, TypeError) as error:
        words = " ".join(str(error).split())[:200]
        raise UsageError(f"{path}: holds no ceilings: {words}", "give what --dry-run --json prints") from error
    if ceilings == Ceilings() or any(most is not None and most < 0 for _, most in ceilings):
        names = ", ".join(Ceilings.model_fields)
        raise UsageError(f"{path}: holds no ceilings", f"give what --dry-run --json prints, or one of {names}")
    return ceilings


def settle_ceilings(out: Path, asked: Ceilings, *, is_new: bool) -> Ceilings:
    """The ceilings that a batch is held to; they are kept beside it, and hold until others are given.

    Raises:
        UsageError: those that were kept cannot be read.
        RecordError: they cannot be written.
    """
    path = out / CEILINGS_NAME
    if asked == Ceilings():
        if is_new:
            path.unlink(missing_ok=True)
        return read_ceilings(path, {}) if path.exists() else asked
    replace_file(path, (encode_model(asked) + b"\n",))
    return asked


def refuse_rows(rows: Iterable[Reservation], ceilings: Ceilings) -> dict[int, str]:
    """Which open rows may not be asked, by number, and why; `rows` are all with a plan, in the order of the input."""
    refused: dict[int, str] = {}
    listed = tuple(rows)
    # the second sum matters only where a file was mended, and its plan has become dearer since others were asked
    reserved = sum_spending(row.worst_case for row in listed if row.state == "asked")
    total = Spending()
    for row in listed:
        total = add_spending(total, row.worst_case)
        if row.state != "open":
            continue
        wanted = add_spending(reserved, row.worst_case)
        reason = _find_excess(row.worst_case, total, ceilings) or _find_excess(row.worst_case, wanted, ceilings)
        if reason:
            refused[row.number] = reason
        else:
            reserved = wanted
    return refused


def describe_refusal(frame: Frame, worst_case: Spending, reason: str) -> ResultRow:
    """The row of a question whose plan does not fit under the ceilings."""
    return describe_failure(frame, "ceiling", reason).model_copy(update={"worst_case": worst_case})


def check_spending(row: ResultRow) -> ResultRow:
    """The row, or one that failed when its run took more than its plan allowed, which is a fault of the program."""
    if row.worst_case is None:
        return row
    allowed = row.worst_case
    over = [name for name in _WORDS if getattr(row.spent, name) > getattr(allowed, name)]
    if not over:
        return row
    told = ", ".join(f"{getattr(row.spent, name)} {_WORDS[name]} of {getattr(allowed, name)}" for name in over)
    words = f"a fault of the program: it took more than its plan allows: {told}"
    kept = {name: getattr(row, name) for name in _KEPT} | {"link": row.link.partition("#")[0]}
    return ResultRow(**kept, status="failed", state="fault", reason=words)


def find_breach(spent: Spending, ceilings: Ceilings) -> str:
    """What went over a ceiling, in words; empty when nothing did."""
    return _find_excess(spent, spent, ceilings)


def add_spending(one: Spending, other: Spending) -> Spending:
    """The sum of two."""
    return sum_spending((one, other))


def sum_spending(parts: Iterable[Spending]) -> Spending:
    """The sum of all."""
    counts = dict.fromkeys(_WORDS, 0)
    for part in parts:
        for name in counts:
            counts[name] += getattr(part, name)
    return Spending(**counts)


def describe_spending(spending: Spending, most: Spending) -> str:
    """Counts against their worst case, in words; iterations always, others where they could be spent."""
    counts = ((getattr(spending, name), getattr(most, name), words) for name, words in _WORDS.items())
    told = (f"{count} of at most {limit} {words}" for count, limit, words in counts if limit or words == "iterations")
    return ", ".join(told)


def describe_ceilings(ceilings: Ceilings) -> str:
    """The ceilings that there are, in words."""
    named = ((words, getattr(ceilings, f"max_{name}")) for name, words in _WORDS.items())
    return ", ".join(f"{most} {words}" for words, most in named if most is not None)


def _find_excess(cost: Spending, total: Spending, ceilings: Ceilings) -> str:
    """What a cost would bring over its ceiling; what costs nothing of a kind is not stopped by that kind."""
    for name, words in _WORDS.items():
        most, wanted, sum_ = getattr(ceilings, f"max_{name}"), getattr(cost, name), getattr(total, name)
        if most is not None and wanted and sum_ > most:
            return f"with {wanted} {words} by its plan the batch could come to {sum_}, over the ceiling of {most}"
    return ""
