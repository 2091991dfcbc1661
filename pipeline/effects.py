"""The one door for anything that is not a pure function: model calls, layout models, OCR."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Literal

from pipeline.canonical import encode_json
from pipeline.errors import EffectMissing
from pipeline.models.run import EffectRecord

EffectMode = Literal["live", "recorded", "forbidden"]


class Effects:
    """Impure calls of one run: made and recorded (`live`), answered from a recording (`recorded`), or not allowed.

    A call is named by its kind and key; the same name is asked for once and answered alike for the rest of the run.
    """

    def __init__(self, mode: EffectMode, recorded: tuple[EffectRecord, ...] = ()) -> None:
        self.mode = mode
        self._recorded = {(record.kind, record.key): record for record in recorded}
        # insertion order is the order of first use, and that is what a record keeps
        self._used: dict[tuple[str, str], EffectRecord] = {}

    def call(self, kind: str, key: str, live: Callable[[], str]) -> str:
        """The outcome of an impure call as canonical JSON; `live` makes the call and returns JSON.

        Raises:
            EffectMissing: the mode forbids the call, or nothing was recorded for it.
            ValueError: `live` returned no JSON.
            TypeError: `live` returned JSON with a float or an integer beyond 2**53.
        """
        name = (kind, key)
        if name not in self._used:
            self._used[name] = self._find_outcome(kind, key, live)
        return self._used[name].outcome

    def _find_outcome(self, kind: str, key: str, live: Callable[[], str]) -> EffectRecord:
        if self.mode == "forbidden":
            raise EffectMissing(f"the run asks for {kind} {key}, and impure calls are forbidden here")
        if self.mode == "live":
            # canonical form here, so that a replay compares equal whatever white space the caller got
            outcome = encode_json(json.loads(live())).decode("utf-8")
            return EffectRecord(kind=kind, key=key, outcome=outcome)
        if (kind, key) not in self._recorded:
            message = f"the run asks for {kind} {key}, which the record does not hold"
            raise EffectMissing(message, "replay reaches no network and no model; run it anew instead")
        return self._recorded[kind, key]

    def records(self) -> tuple[EffectRecord, ...]:
        """What was used, in the order of first use."""
        return tuple(self._used.values())
