"""The exact edge of what counts: weights of drift, shares of dropped candidates, pages that were read anew."""

from __future__ import annotations

import pytest

from pipeline.loop.best import choose_best
from pipeline.loop.drift import drop_drifted, is_drift
from pipeline.models.answer import Citation
from pipeline.models.plan import Limits
from pipeline.models.run import Iteration, Trigger
from tests.unit.loop.fakes import WHOLE, ScriptedPorts, Turn, make_candidate, make_item, make_plan
from tests.unit.policy.builders import make_anchor, make_part, make_question

LIMITS = Limits()


def _drops(light: int, heavy: int, *matched: str) -> bool:
    """Whether a candidate that matches these keys is dropped; the focus is the heavy anchor."""
    from pipeline.loop.state import LoopState

    anchors = (make_anchor("light", light), make_anchor("heavy", heavy))
    part = make_part(anchors=anchors, focus=anchors[1:])
    brief = LoopState(make_question(part), make_plan()).build_brief(part)
    found = make_candidate(1, matched=matched, matched_expansions=("term",))
    return bool(drop_drifted((found,), brief, frozenset(), LIMITS).dropped)


def test_half_of_the_weight_is_enough_and_a_thousandth_less_is_not_when_the_focus_is_missing():
    assert not _drops(500, 500, "light")
    assert _drops(499, 501, "light")
    assert _drops(4996, 5004, "light")
    assert not _drops(1, 999, "heavy")


def test_a_key_that_is_no_anchor_weighs_nothing_when_it_is_matched():
    assert _drops(499, 501, "light", "stray")


@pytest.mark.parametrize(
    ("dropped", "new", "drifts"), [(2, 3, True), (1, 2, False), (666, 1000, False), (667, 1000, True), (0, 0, False)]
)
def test_two_thirds_dropped_are_drift_when_nothing_is_rounded_away(dropped: int, new: int, drifts: bool):
    assert is_drift(dropped, new, LIMITS) == drifts


def _make_iteration(number: int, page: int, confidence: int, trigger: Trigger | None = None) -> Iteration:
    from pipeline.loop import run_loop

    citation = Citation(page=page, line_start=1, line_end=1, quote="x", ref="r")
    item = make_item("q1", "x").model_copy(update={"citations": (citation,)})
    answer = WHOLE.model_copy(update={"items": (item,), "confidence": confidence})
    [made] = run_loop(make_question(), make_plan(), ScriptedPorts(Turn(answer))).iterations
    return made.model_copy(update={"number": number, "trigger": trigger})


def _reread(action: str, *targets: str) -> Trigger:
    return Trigger.model_validate({"priority": 1, "signal": "page_check_failed", "action": action, "targets": targets})


@pytest.mark.parametrize(
    ("trigger", "best"),
    [
        (None, 1),
        (_reread("reparse", "page:3"), 2),
        (_reread("reparse", "page:4"), 1),
        (_reread("sweep", "page:3"), 1),
    ],
)
def test_the_new_text_counts_when_a_quoted_page_was_read_again(trigger: Trigger | None, best: int):
    first, second = _make_iteration(1, 3, 900, trigger), _make_iteration(2, 3, 800)
    assert choose_best((first, second)).number == best
