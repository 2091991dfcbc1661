"""Which signal is acted on next: fixed priorities, the plan's own actions only, and no key twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pipeline.models.plan import Plan, StandbyStep
from pipeline.models.run import Signal, Trigger
from pipeline.policy.vocabulary import TRIGGER_ORDER

TriggerKey = tuple[str, str, tuple[str, ...]]


class Choice(NamedTuple):
    """What the signals of an iteration allow: at most one of `trigger` (with its standby step) and `repeated`.

    `unavailable` are triggers whose action stands in the plan but cannot be run by this version.
    """

    trigger: Trigger | None
    standby: StandbyStep | None
    repeated: Trigger | None
    unavailable: tuple[Trigger, ...]


def choose_trigger(
    signals: tuple[Signal, ...], plan: Plan, used: frozenset[TriggerKey], idle: frozenset[TriggerKey] = frozenset()
) -> Choice:
    """The trigger of highest priority whose key was not used before.

    A key that was used never opens an iteration again; when nothing else is left, it is reported as repeated. Keys in
    `idle` were tried after this very iteration and changed nothing: they are passed over.
    """
    repeated: Trigger | None = None
    unavailable: list[Trigger] = []
    for trigger, standby in _list_triggers(signals, plan):
        if not standby.is_available:
            # passed over, not stopped at: a signal of lower priority may have an action that can run
            unavailable.append(trigger)
        elif trigger.key not in used:
            return Choice(trigger, standby, None, tuple(unavailable))
        elif repeated is None and trigger.key not in idle:
            repeated = trigger
    return Choice(None, None, repeated, tuple(unavailable))


def _list_triggers(signals: tuple[Signal, ...], plan: Plan) -> Iterator[tuple[Trigger, StandbyStep]]:
    for priority, kind, action in TRIGGER_ORDER:
        standby = next((step for step in plan.standby if (step.signal, step.action) == (kind, action)), None)
        for signal in signals:
            # an empty list is no signal: two empty keyword lists do not mean "stable"
            if standby is not None and signal.kind == kind and signal.targets:
                targets = tuple(sorted(set(signal.targets)))
                yield Trigger(priority=priority, signal=kind, action=action, targets=targets), standby
