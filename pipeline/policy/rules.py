"""One rule: its TOML file read strictly, so that a mistake is found at load and names file and rule."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast, get_args

from pipeline.errors import RulebookError
from pipeline.models.base import Contract
from pipeline.models.plan import ActionName, Parameter, Pattern, RuleStatus, SignalKind
from pipeline.policy.conditions import GROUPS, Condition, parse_condition
from pipeline.policy.vocabulary import ACTIONS, PARAMETERS, PATTERNS, SIGNALS, TRIGGER_ORDER, find_code_ceiling

_REQUIRED = ("id", "name", "status", "since", "because", "then")
_OPTIONAL = ("overrides", "when")


class Rule(Contract):
    """A dispatch rule. `pattern` is set for a step; `signal` and `action` for a standby step; never all three."""

    id: str
    name: str
    status: RuleStatus
    since: str
    because: str
    conditions: tuple[Condition, ...]
    parameters: tuple[Parameter, ...]
    overrides: tuple[str, ...] = ()
    pattern: Pattern | None = None
    signal: SignalKind | None = None
    action: ActionName | None = None

    @property
    def is_step(self) -> bool:
        """Whether the rule puts a step into the plan, not a standby step."""
        return self.pattern is not None

    @property
    def is_default(self) -> bool:
        """Whether the rule always puts a step into the plan: stable and without conditions."""
        return self.is_step and self.status == "stable" and not self.conditions


def parse_rule(raw: Mapping[str, object], where: str) -> Rule:
    """Read one rule as `tomllib` gives it; `where` names the file.

    Raises:
        RulebookError: a missing or unknown key, a wrong type, an unknown fact, pattern, signal, action or parameter.
    """
    _check_keys(raw, where)
    rule_id = _read_text(raw, "id", where, r"[A-Z]{3}\d{2}")
    named = f"{where}: rule {rule_id}"
    status = _read_text(raw, "status", named, "|".join(get_args(RuleStatus)))
    then = raw["then"]
    if not isinstance(then, Mapping):
        raise RulebookError(f"{named}: 'then' is not a table")
    pattern, signal, action = _read_consequence(then, named)
    return Rule(
        id=rule_id,
        name=_read_text(raw, "name", named, r"[a-z0-9]+(-[a-z0-9]+)*"),
        status=cast(RuleStatus, status),
        since=_read_text(raw, "since", named, r"\d+\.\d+\.\d+"),
        because=_read_text(raw, "because", named, r"\S.*"),
        conditions=_read_conditions(raw.get("when", {}), named),
        parameters=_read_parameters(then, pattern or action or "", named),
        overrides=_read_overrides(raw.get("overrides", []), rule_id, named),
        pattern=pattern,
        signal=signal,
        action=action,
    )


def _check_keys(raw: Mapping[str, object], where: str) -> None:
    missing = [key for key in _REQUIRED if key not in raw]
    unknown = sorted(set(raw) - set(_REQUIRED) - set(_OPTIONAL))
    named = f"{where}: rule {raw.get('id', '?')}"
    if missing:
        raise RulebookError(f"{named}: missing {', '.join(missing)}")
    if unknown:
        raise RulebookError(f"{named}: unknown key {', '.join(unknown)}")


def _read_text(raw: Mapping[str, object], key: str, where: str, form: str) -> str:
    value = raw[key]
    if not isinstance(value, str) or not re.fullmatch(form, value):
        raise RulebookError(f"{where}: {key} is {value!r}, which does not have the form {form}")
    return value


def _read_conditions(raw: object, where: str) -> tuple[Condition, ...]:
    if not isinstance(raw, Mapping) or not set(raw) <= set(GROUPS):
        raise RulebookError(f"{where}: 'when' takes the groups {', '.join(GROUPS)} only")
    conditions: list[Condition] = []
    for group in GROUPS:
        members = raw.get(group, [])
        # an empty group is a slip of the pen: "any of nothing" would block for ever
        if not isinstance(members, list) or (group in raw and not members):
            raise RulebookError(f"{where}: '{group}' is not a list of conditions")
        conditions += [parse_condition(member, group, where) for member in members]
    return tuple(conditions)


def _read_consequence(
    then: Mapping[str, object], where: str
) -> tuple[Pattern | None, SignalKind | None, ActionName | None]:
    pattern, signal, action = then.get("pattern"), then.get("signal"), then.get("action")
    if (pattern is None) == (signal is None and action is None):
        raise RulebookError(f"{where}: 'then' takes a pattern, or a signal and an action")
    for key, value, words in (("pattern", pattern, PATTERNS), ("signal", signal, SIGNALS), ("action", action, ACTIONS)):
        # a step is checked for its pattern only, a standby step for signal and action only
        if (pattern is None) != (key == "pattern") and value not in words:
            raise RulebookError(f"{where}: unknown {key} {value!r}", f"one of {', '.join(words)}")
    if pattern is not None:
        return cast(Pattern, pattern), None, None
    # the pairs and their priorities are fixed in code; a rule only says when they may be used
    if not any((signal, action) == (known, answer) for _, known, answer in TRIGGER_ORDER):
        raise RulebookError(f"{where}: {action} is no answer to the signal {signal}")
    return None, cast(SignalKind, signal), cast(ActionName, action)


def _read_parameters(then: Mapping[str, object], owner: str, where: str) -> tuple[Parameter, ...]:
    known = PARAMETERS[owner]
    parameters: list[Parameter] = []
    for name in sorted(set(then) - {"pattern", "signal", "action"}):
        value = then[name]
        if name not in known:
            words = ", ".join(known) or "no parameters"
            raise RulebookError(f"{where}: {owner} has no parameter {name!r}", f"it takes {words}")
        # not isinstance: true would pass as 1
        if type(value) is not int or not 1 <= value <= find_code_ceiling(known[name]):
            ceiling = find_code_ceiling(known[name])
            raise RulebookError(f"{where}: {name} is {value!r}, which is no count from 1 to {ceiling}")
        parameters.append(Parameter(name=name, value=value))
    return tuple(parameters)


def _read_overrides(raw: object, rule_id: str, where: str) -> tuple[str, ...]:
    if not isinstance(raw, list) or not all(isinstance(name, str) for name in raw):
        raise RulebookError(f"{where}: overrides is not a list of rule ids")
    if rule_id in raw:
        raise RulebookError(f"{where}: a rule cannot override itself")
    return tuple(sorted(set(raw)))
