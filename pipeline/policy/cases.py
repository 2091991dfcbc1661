"""Cases of rules: facts and what is to become of one rule; `fixtures/rules/<ID>.toml` holds those of a rule.

A case gives `name`, `facts` (what differs from an uneventful document and question), `state`, `blocked_by` and, where
the rule fires, `then`: what it puts into the plan, in the words of the catalogue ("on short_list: sweep").
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import cast, get_args

from pydantic import ValidationError

from pipeline.errors import RulebookError
from pipeline.models.base import Contract
from pipeline.models.facts import Facts
from pipeline.models.plan import FactReading, FactValue, OutcomeState
from pipeline.policy.facts import list_facts
from pipeline.policy.rulebook import find_default_folder

_KEYS = {"name", "facts", "state", "blocked_by"}
_UNEVENTFUL: Mapping[str, FactValue] = {
    "section_source": "none",
    "document_kind": "unknown",
    "document_language": "en",
    "page_count": 10,
    "column_count": 1,
    "intent": "lookup",
    "answer_shape": "value",
    "value_type": "any",
    "question_language": "en",
    "decomposition": "single",
    "sub_question_count": 1,
    "anchor_count": 2,
    "focus_count": 1,
}


class RuleCase(Contract):
    """One case of one rule. `given` are the facts as the file states them; `then` is None where nothing is said."""

    rule: str
    name: str
    facts: Facts
    given: tuple[FactReading, ...]
    state: OutcomeState
    blocked_by: tuple[str, ...]
    then: str | None = None


def make_facts(given: Mapping[str, object]) -> Facts:
    """Facts of an uneventful document and question, with what is given put in their place.

    Raises:
        RulebookError: an unknown fact, or a value of the wrong type.
    """
    # a fact that is added later gets its plainest value, so that old cases stay valid
    values: dict[str, object] = {name: kind.type() for name, kind in list_facts().items()}
    try:
        return Facts.model_validate({**values, **_UNEVENTFUL, **given})
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise RulebookError(f"fact {place}: {first['msg']}", "rules/README.md lists the facts") from error


def find_cases_folder(rules: Path | None) -> Path:
    """Where the cases of a rulebook lie: in its folder `cases`, or for a checkout in `fixtures/rules` beside it."""
    folder = rules or find_default_folder()
    # the shipped rules are data of the wheel, their cases are not
    beside = folder.parent / "fixtures" / "rules"
    return beside if beside.is_dir() and not (folder / "cases").is_dir() else folder / "cases"


def read_cases(folder: Path, rules: Iterable[str]) -> tuple[RuleCase, ...]:
    """The cases of these rules; a rule without a file has none.

    Raises:
        RulebookError: a file that is no TOML, or a case that does not have the form of one.
    """
    cases: list[RuleCase] = []
    for rule_id in rules:
        path = folder / f"{rule_id}.toml"
        if path.is_file():
            cases += _read_file(path, rule_id)
    return tuple(cases)


def _read_file(path: Path, rule_id: str) -> list[RuleCase]:
    try:
        raw = tomllib.loads(path.read_bytes().decode("utf-8").replace("\r\n", "\n"))
    except OSError as error:
        raise RulebookError(f"{path}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RulebookError(f"{path}: not TOML: {error}") from error
    listed = raw.get("case", [])
    if set(raw) - {"case"} or not isinstance(listed, list):
        raise RulebookError(f"{path}: a file of cases holds [[case]] tables only")
    return [_read_case(case, rule_id, f"{path}, case {number}") for number, case in enumerate(listed, 1)]


def _read_case(raw: object, rule_id: str, where: str) -> RuleCase:
    if not isinstance(raw, Mapping) or not _KEYS <= set(raw) <= _KEYS | {"then"}:
        raise RulebookError(f"{where}: a case has {', '.join(sorted(_KEYS))} and perhaps then")
    facts, blocked_by = raw["facts"], raw["blocked_by"]
    if not isinstance(facts, Mapping) or not isinstance(blocked_by, list):
        raise RulebookError(f"{where}: facts is a table and blocked_by a list")
    if raw["state"] not in get_args(OutcomeState):
        raise RulebookError(f"{where}: unknown state {raw['state']!r}", f"one of {', '.join(get_args(OutcomeState))}")
    try:
        return RuleCase(
            rule=rule_id,
            name=raw["name"],
            facts=make_facts(facts),
            given=tuple(FactReading(name=name, value=facts[name]) for name in Facts.model_fields if name in facts),
            state=cast(OutcomeState, raw["state"]),
            blocked_by=tuple(blocked_by),
            then=raw.get("then"),
        )
    except RulebookError as error:
        raise RulebookError(f"{where}: {error.message}", error.remedy) from error
    except ValidationError as error:
        raise RulebookError(f"{where}: name and then are text, blocked_by lists facts") from error
