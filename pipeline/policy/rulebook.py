"""Rulebooks: a folder of rules, lexicons and a rulebook.toml, read whole and checked before anything runs."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from pipeline.canonical import encode_json, hash_bytes
from pipeline.errors import RulebookError
from pipeline.models.base import Contract
from pipeline.models.lexicon import Lexicons
from pipeline.models.plan import Limits
from pipeline.models.thresholds import Thresholds
from pipeline.policy.lexicon import load_lexicons
from pipeline.policy.rules import Rule, parse_rule
from pipeline.policy.vocabulary import find_code_ceiling, find_lowest_limit

_RULE_GLOB = "[A-Z][A-Z][A-Z][0-9][0-9].toml"
_BOOK_FILE = "rulebook.toml"
_WHOLE = 1000
_PACKAGE = Path(__file__).resolve().parent.parent


class LimitCap(Contract):
    """A limit that a rulebook lowers."""

    name: str
    value: int


class Rulebook(Contract):
    """Rules ordered by id, lexicons, lowered limits and the revision: a hash over everything that can change a plan."""

    name: str
    revision: str
    rules: tuple[Rule, ...]
    caps: tuple[LimitCap, ...]
    lexicons: Lexicons

    def find(self, rule_id: str) -> Rule | None:
        """The rule with this id, or None."""
        return next((rule for rule in self.rules if rule.id == rule_id), None)


class _Source(NamedTuple):
    """One folder as read: the parts of a rulebook before they are put on top of each other."""

    name: str
    extends: str
    rules: dict[str, Rule]
    caps: dict[str, int]
    thresholds: dict[str, int]
    files: tuple[tuple[str, bytes], ...]


def find_default_folder() -> Path:
    """Where the shipped rulebook lies: inside the package of a wheel, beside it in a checkout.

    Raises:
        RulebookError: neither folder exists.
    """
    for folder in (_PACKAGE / "rules_default", _PACKAGE.parent / "rules"):
        if (folder / _BOOK_FILE).is_file():
            return folder
    raise RulebookError("the shipped rulebook is missing", "install pdfdocket again, or name a folder with rules")


def load_rulebook(folder: Path | None = None, base_folder: Path | None = None) -> Rulebook:
    """Read and check a rulebook; without a folder, the shipped one. A folder may extend the shipped one.

    `base_folder` stands in for the shipped rulebook: an archived rulebook extends what was shipped then.

    Raises:
        RulebookError: anything that is wrong in it, with the name of the file and the rule.
    """
    default = base_folder or find_default_folder()
    own = _read_source(folder or default)
    base = _read_source(default) if own.extends else None
    rules = _join_rules(base.rules if base else {}, own.rules)
    _check_rules(rules, folder or default)
    caps = dict(base.caps) if base else {}
    for name, value in own.caps.items():
        # an extending rulebook may lower what the shipped one lowered, never lift it again
        caps[name] = min(value, caps.get(name, value))
    has_own_lexicons = any(path.startswith("lexicons/") for path, _ in own.files)
    lexicons = load_lexicons((default if base and not has_own_lexicons else folder or default) / "lexicons")
    thresholds = Thresholds.model_validate({**(base.thresholds if base else {}), **own.thresholds})
    return Rulebook(
        name=own.name,
        revision=_hash_files(own, base),
        rules=tuple(rules[rule_id] for rule_id in sorted(rules)),
        caps=tuple(LimitCap(name=name, value=caps[name]) for name in sorted(caps)),
        lexicons=lexicons.set_thresholds(thresholds),
    )


def read_extends(folder: Path) -> str:
    """The name of the rulebook that the one in a folder extends; empty for one that stands alone.

    Raises:
        RulebookError: the folder holds no valid rulebook.
    """
    return _read_source(folder).extends


def _hash_files(own: _Source, base: _Source | None) -> str:
    layers = [base, own] if base else [own]
    # line ends are a matter of the checkout, not of the rules
    listing = [
        [depth, path, hash_bytes(content.replace(b"\r\n", b"\n"))]
        for depth, layer in enumerate(layers)
        for path, content in layer.files
    ]
    return hash_bytes(encode_json(listing))


def _read_source(folder: Path) -> _Source:
    if not folder.is_dir():
        raise RulebookError(f"{folder}: no such folder of rules")
    # sorted, because the order of a listing is the business of the file system
    files = [path for path in sorted(folder.glob(_RULE_GLOB)) if path.is_file()]
    lexicons = sorted((folder / "lexicons").rglob("*.toml"))
    contents = {path: _read_bytes(path) for path in (folder / _BOOK_FILE, *files, *lexicons)}
    book = _parse_toml(folder / _BOOK_FILE, contents)
    name, extends = _read_book(book, folder / _BOOK_FILE)
    rules: dict[str, Rule] = {}
    for path in files:
        rule = parse_rule(_parse_toml(path, contents), str(path))
        if rule.id != path.stem:
            raise RulebookError(f"{path}: rule {rule.id} stands in a file of another name")
        rules[rule.id] = rule
    caps = _read_caps(book.get("limits", {}), folder / _BOOK_FILE)
    named = tuple((path.relative_to(folder).as_posix(), content) for path, content in contents.items())
    thresholds = _read_thresholds(book.get("thresholds", {}), folder / _BOOK_FILE)
    return _Source(name, extends, rules, caps, thresholds, named)


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise RulebookError(f"{path}: cannot be read: {error.strerror}") from error


def _parse_toml(path: Path, contents: Mapping[Path, bytes]) -> dict[str, object]:
    try:
        return tomllib.loads(contents[path].decode("utf-8").replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RulebookError(f"{path}: not TOML: {error}") from error


def _read_book(book: Mapping[str, object], path: Path) -> tuple[str, str]:
    unknown = sorted(set(book) - {"name", "extends", "limits", "thresholds"})
    name, extends = book.get("name"), book.get("extends", "")
    if unknown:
        raise RulebookError(f"{path}: unknown key {', '.join(unknown)}")
    if not isinstance(name, str) or not name:
        raise RulebookError(f"{path}: the rulebook has no name")
    if extends not in ("", "default"):
        raise RulebookError(f"{path}: extends is {extends!r}", 'only extends = "default" is known')
    return name, str(extends)


def _read_caps(raw: object, path: Path) -> dict[str, int]:
    if not isinstance(raw, Mapping):
        raise RulebookError(f"{path}: limits is not a table")
    caps: dict[str, int] = {}
    for name, value in raw.items():
        if name not in Limits.model_fields:
            raise RulebookError(f"{path}: unknown limit {name!r}", f"one of {', '.join(Limits.model_fields)}")
        lowest, ceiling = find_lowest_limit(name), find_code_ceiling(name)
        if type(value) is not int or not lowest <= value <= ceiling:
            remedy = f"a rulebook may lower a limit, never raise it: from {lowest} to {ceiling}"
            raise RulebookError(f"{path}: limit {name} is {value!r}", remedy)
        caps[name] = value
    return caps


def _read_thresholds(raw: object, path: Path) -> dict[str, int]:
    if not isinstance(raw, Mapping):
        raise RulebookError(f"{path}: thresholds is not a table")
    found: dict[str, int] = {}
    for name, value in raw.items():
        if name not in Thresholds.model_fields:
            raise RulebookError(f"{path}: unknown threshold {name!r}", f"one of {', '.join(Thresholds.model_fields)}")
        if type(value) is not int or not 0 <= value <= _WHOLE:
            raise RulebookError(f"{path}: threshold {name} is {value!r}", "thousandths: from 0 to 1000")
        found[name] = value
    return found


def _join_rules(base: Mapping[str, Rule], own: Mapping[str, Rule]) -> dict[str, Rule]:
    # the same id in an own rulebook takes the place of the shipped rule, and the revision shows it
    for rule_id in sorted(set(base) & set(own)):
        if base[rule_id].status == "retired":
            raise RulebookError(f"rule {rule_id}: this id is retired and never comes back", "take another id")
    return {**base, **own}


def _check_rules(rules: Mapping[str, Rule], folder: Path) -> None:
    if not any(rule.is_default for rule in rules.values()):
        remedy = "one stable rule without conditions must put a step into every plan"
        raise RulebookError(f"{folder}: no default rule", remedy)
    for rule_id in sorted(rules):
        for other in rules[rule_id].overrides:
            if other not in rules:
                raise RulebookError(f"{folder}: rule {rule_id} overrides {other}, which does not exist")
            # otherwise a standby rule could leave a plan without a step, and decide would not be total
            if rules[other].is_step and not rules[rule_id].is_step:
                raise RulebookError(f"{folder}: rule {rule_id} puts no step and cannot override {other}, which does")
    _check_cycles(rules, folder)


def _check_cycles(rules: Mapping[str, Rule], folder: Path) -> None:
    # rules are settled from those that override nothing upwards; what never settles is in a circle
    settled: set[str] = set()
    while True:
        ready = [rule for rule in rules if rule not in settled and set(rules[rule].overrides) <= settled]
        if not ready:
            break
        settled.update(ready)
    if left := sorted(set(rules) - settled):
        raise RulebookError(f"{folder}: rules override each other in a circle: {', '.join(left)}")
