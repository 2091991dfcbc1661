"""Two bodies held against each other in the order in which a run comes about; the first difference is the cause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.canonical import encode_json
from pipeline.models.replay import Difference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.models.run import RunBody

MAX_SHOWN = 400
"""Characters shown of each of two values that differ; the records hold them whole."""
BEFORE_LOOP = ("versions", "document_sha256", "question_sha256", "settings", "profile", "question", "facts", "plan")
IN_ITERATION = (
    "budget_before", "opened_by", "queries", "executed", "skipped", "candidates", "candidate_count", "ranking_hash",
    "dropped", "evidence", "answer", "signals", "is_validated", "trigger", "ledger", "budget_after", "number",
)  # fmt: skip
AFTER_LOOP = ("stop_reason", "stop_detail", "pending_trigger", "best_iteration", "answer", "ledger", "effects")


def find_first_difference(recorded: RunBody, replayed: RunBody) -> Difference | None:
    """The first value that differs, in causal order; None for equal bodies."""
    old, new = recorded.model_dump(mode="json"), replayed.model_dump(mode="json")
    for step, before, after in _list_steps(old, new):
        if before != after:
            path, left, right = _descend(step, before, after)
            return Difference(step=step, path=path, recorded=_show(left), replayed=_show(right))
    return None


def _list_steps(old: dict[str, object], new: dict[str, object]) -> Iterator[tuple[str, object, object]]:
    for name in BEFORE_LOOP:
        yield name, old[name], new[name]
    before, after = old["iterations"], new["iterations"]
    if not isinstance(before, list) or not isinstance(after, list):
        raise TypeError("iterations are a list")
    for number, (left, right) in enumerate(zip(before, after, strict=False), start=1):
        for name in IN_ITERATION:
            yield f"iteration {number} {name.replace('_', ' ')}", left[name], right[name]
    yield "number of iterations", len(before), len(after)
    for name in AFTER_LOOP:
        yield name.replace("_", " "), old[name], new[name]
    # whatever a later schema adds is compared as well, after everything that is known
    known = {*BEFORE_LOOP, *AFTER_LOOP}
    for name in sorted(set(old) | set(new)):
        if name not in known:
            yield name, old.get(name), new.get(name)


def _descend(path: str, old: object, new: object) -> tuple[str, object, object]:
    """The smallest part that differs: down through objects by key and lists of one length by place."""
    while True:
        if isinstance(old, dict) and isinstance(new, dict) and set(old) == set(new):
            key = next(name for name in sorted(old) if old[name] != new[name])
            path, old, new = f"{path}.{key}", old[key], new[key]
        elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            place = next(index for index, pair in enumerate(zip(old, new, strict=True)) if pair[0] != pair[1])
            path, old, new = f"{path}[{place}]", old[place], new[place]
        else:
            return path, old, new


def _show(value: object) -> str:
    text = encode_json(value).decode("utf-8", "backslashreplace")
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}... ({len(text)} characters)"
