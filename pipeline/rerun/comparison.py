"""Two bodies held against each other in the order in which a run comes about; the first difference is the cause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.canonical import encode_json
from pipeline.models.replay import Difference

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pipeline.models.run import RunBody

MAX_SHOWN = 400
"""Characters shown of each of two values that differ; the records hold them whole."""
SHOWN_BEFORE = 80
"""Characters shown before the place where two long values part."""
NOTHING = "nothing"
"""Stands for a value that only the other body has; no JSON looks like it."""
BEFORE_LOOP = ("versions", "document_sha256", "question_sha256", "settings", "profile", "question", "facts", "plan")
IN_ITERATION = (
    "budget_before", "opened_by", "queries", "executed", "skipped", "candidates", "candidate_count", "ranking_hash",
    "dropped", "evidence", "answer", "signals", "is_validated", "trigger", "ledger", "budget_after", "number",
)  # fmt: skip
AFTER_LOOP = ("stop_reason", "stop_detail", "pending_trigger", "best_iteration", "answer", "ledger", "effects")
CAUSES = ("conditions", "value", "observed")
"""Of the parts of an object these come first: how a rule's conditions were judged before what it did."""

NAME = "rule"
"""Before all of them: what stands in the place of another rule is not that rule with another reason."""


class _Absent:
    """What a body has where the other one has a value more; equal to itself only."""


_ABSENT = _Absent()


def find_first_difference(recorded: RunBody, replayed: RunBody) -> Difference | None:
    """The first value that differs, in causal order; None for equal bodies."""
    return compare_bodies(recorded.model_dump(mode="json"), replayed.model_dump(mode="json"))


def compare_bodies(recorded: Mapping[str, object], replayed: Mapping[str, object]) -> Difference | None:
    """As `find_first_difference`, of bodies as JSON."""
    for step, before, after in _list_steps(recorded, replayed):
        if _differs(before, after):
            path, left, right = _descend(step, before, after)
            shown = _show(left, right)
            return Difference(step=step, path=path, recorded=shown[0], replayed=shown[1])
    return None


def _list_steps(old: Mapping[str, object], new: Mapping[str, object]) -> Iterator[tuple[str, object, object]]:
    yield from _pair(BEFORE_LOOP, old, new)
    before, after = old["iterations"], new["iterations"]
    if not isinstance(before, list) or not isinstance(after, list):
        raise TypeError("iterations are a list")
    for number, (left, right) in enumerate(zip(before, after, strict=False), start=1):
        # what a later version adds to an iteration is compared as well, after everything that is known
        others = sorted({*left, *right} - {*IN_ITERATION})
        for name, first, second in _pair((*IN_ITERATION, *others), left, right):
            yield f"iteration {number} {name}", first, second
    yield "number of iterations", len(before), len(after)
    known = {*BEFORE_LOOP, *AFTER_LOOP, "iterations"}
    yield from _pair((*AFTER_LOOP, *sorted({*old, *new} - known)), old, new)


def _pair(
    names: Iterable[str], old: Mapping[str, object], new: Mapping[str, object]
) -> Iterator[tuple[str, object, object]]:
    for name in names:
        yield name.replace("_", " "), old.get(name, _ABSENT), new.get(name, _ABSENT)


def _descend(path: str, old: object, new: object) -> tuple[str, object, object]:
    """The first part that differs and has no differing part itself: down through objects by key, lists by place."""
    while True:
        if isinstance(old, dict) and isinstance(new, dict):
            keys = sorted({*old, *new}, key=lambda name: (name != NAME, name not in CAUSES, name))
            key = next(name for name in keys if _differs(old.get(name, _ABSENT), new.get(name, _ABSENT)))
            path, old, new = f"{path}.{key}", old.get(key, _ABSENT), new.get(key, _ABSENT)
        elif isinstance(old, list) and isinstance(new, list):
            common = min(len(old), len(new))
            place = next((index for index in range(common) if _differs(old[index], new[index])), common)
            path, old, new = f"{path}[{place}]", _take(old, place), _take(new, place)
        else:
            return path, old, new


def _differs(old: object, new: object) -> bool:
    # Python takes 1 and true for equal, the bytes of a record do not
    return old != new or _spell(old) != _spell(new)


def _take(values: list[object], place: int) -> object:
    return values[place] if place < len(values) else _ABSENT


def _show(old: object, new: object) -> tuple[str, str]:
    """Both values as text; of long ones the part around the first character that differs."""
    left, right = _spell(old), _spell(new)
    shortest = min(len(left), len(right))
    place = next((index for index in range(shortest) if left[index] != right[index]), shortest)
    start = max(0, place - SHOWN_BEFORE) if max(len(left), len(right)) > MAX_SHOWN else 0
    return _cut(left, start), _cut(right, start)


def _spell(value: object) -> str:
    return NOTHING if isinstance(value, _Absent) else encode_json(value).decode("utf-8", "backslashreplace")


def _cut(text: str, start: int) -> str:
    shown = text[start : start + MAX_SHOWN]
    if len(shown) == len(text):
        return text
    before, after = "..." if start else "", "..." if start + MAX_SHOWN < len(text) else ""
    return f"{before}{shown}{after} ({len(text)} characters)"
