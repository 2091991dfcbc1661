"""Settings from defaults, a file, the environment and flags, each overriding the one before."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pydantic import ValidationError

from pipeline.errors import UsageError
from pipeline.models.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

SETTINGS_FILE = "pdfdocket.toml"
# key of a user -> place in Settings
_PLACES = {
    "cache": ("is_cache_used",),
    "cache_folder": ("cache_folder",),
    "rules": ("rules_folder",),
    "records": ("records_folder",),
    "ledger": ("ledger_path",),
    "keep_ledger": ("is_ledger_kept",),
    "ledger_limits": ("ledger_limits",),
    "ledger_key": ("ledger_key",),
    "log_level": ("log_level",),
    "max_iterations": ("run", "max_iterations"),
    "password": ("password",),
    "parse": ("parse",),
}
_PATHS = {"cache_folder": "folder", "rules": "folder", "records": "folder", "ledger": "file"}
# Secrets come from the environment only: a settings file is read by everybody who can read the folder.
_SECRETS = {"password": "PDFDOCKET_PASSWORD", "ledger_key": "PDFDOCKET_LEDGER_KEY"}
FILE_KEYS = frozenset(_PLACES) - frozenset(_SECRETS)
ENVIRONMENT = {
    "PDFDOCKET_CACHE": "cache_folder",
    "PDFDOCKET_RULES": "rules",
    "PDFDOCKET_RECORDS": "records",
    "PDFDOCKET_LEDGER": "ledger",
    "PDFDOCKET_LEDGER_KEY": "ledger_key",
    "PDFDOCKET_LOG": "log_level",
    "PDFDOCKET_PASSWORD": "password",
}


class _Given(NamedTuple):
    """A value and where it comes from, for the person who has to mend it."""

    value: object
    source: str


def load_settings(flags: Mapping[str, object], folder: Path | None = None) -> Settings:
    """Settings for one call of the program.

    Args:
        flags: values given on the command line; None means not given. Keys as in the file, plus `password`.
        folder: where `pdfdocket.toml` is looked for; the working directory by default.

    Raises:
        UsageError: an unknown key or a value of the wrong type, naming the source.
    """
    path = (folder or Path()) / SETTINGS_FILE
    given: dict[str, _Given] = {}
    if path.exists():
        given.update({key: _Given(value, str(path)) for key, value in _read_file(path).items()})
    # an empty variable is one that was not set
    given.update({key: _Given(os.environ[name], name) for name, key in ENVIRONMENT.items() if os.environ.get(name)})
    given.update({key: _Given(value, "the flag") for key, value in flags.items() if value is not None})
    return _build_settings(given)


def _read_file(path: Path) -> dict[str, object]:
    try:
        content = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}", "mend the file or remove it") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path}: not a TOML file in UTF-8: {error}", "mend the file or remove it") from error
    unknown = sorted(set(content) - FILE_KEYS)
    for secret in (name for name in unknown if name in _SECRETS):
        raise UsageError(f"{path}: a {secret} does not belong in a file", f"set {_SECRETS[secret]} instead")
    if unknown:
        known = ", ".join(sorted(FILE_KEYS))
        raise UsageError(f"{path}: unknown keys: {', '.join(unknown)}", f"known keys are {known}")
    return content


def _build_settings(given: Mapping[str, _Given]) -> Settings:
    values: dict[str, object] = {}
    run: dict[str, object] = {}
    for key, (value, source) in given.items():
        place = _PLACES[key]
        target = values if len(place) == 1 else run
        target[place[-1]] = _read_path(key, value, source) if key in _PATHS else value
    if run:
        values["run"] = run
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        raise _explain(error, given) from error


def _read_path(key: str, value: object, source: str) -> Path:
    if not isinstance(value, (str, Path)) or not str(value):
        raise UsageError(f"{source}: {key} should be the path of a {_PATHS[key]}", "give it as text")
    try:
        return Path(value).expanduser()
    except RuntimeError as error:
        # "~nobody/x" where there is no such user
        raise UsageError(f"{source}: {key}: {error}", "give the whole path") from error


def _explain(error: ValidationError, given: Mapping[str, _Given]) -> UsageError:
    first = error.errors(include_url=False, include_input=False)[0]
    place = tuple(str(part) for part in first["loc"])
    key = next(name for name, own in _PLACES.items() if own == place[: len(own)])
    named = ".".join((key, *place[len(_PLACES[key]) :]))
    message = first["msg"].removeprefix("Input should be ")
    if first["type"] == "extra_forbidden":
        return UsageError(f"{given[key].source}: {named} is no setting", "remove it")
    return UsageError(f"{given[key].source}: {named} should be {message}", "mend it or leave it out")
