"""Settings from defaults, a file, the environment and flags, each overriding the one before."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from pipeline.errors import UsageError
from pipeline.models.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

SETTINGS_FILE = "pdfdocket.toml"
# Secrets come from the environment only: a settings file is read by everybody who can read the folder.
FILE_KEYS = frozenset({"cache", "cache_folder", "rules", "records", "log_level", "max_iterations", "parse"})
ENVIRONMENT = {
    "PDFDOCKET_CACHE": "cache_folder",
    "PDFDOCKET_RULES": "rules",
    "PDFDOCKET_RECORDS": "records",
    "PDFDOCKET_LOG": "log_level",
    "PDFDOCKET_PASSWORD": "password",
}


def load_settings(flags: Mapping[str, object], folder: Path | None = None) -> Settings:
    """Settings for one call of the program.

    Args:
        flags: values given on the command line; None means not given. Keys as in the file, plus `password`.
        folder: where `pdfdocket.toml` is looked for; the working directory by default.

    Raises:
        UsageError: an unknown key or a value of the wrong type, naming the source.
    """
    path = (folder or Path()) / SETTINGS_FILE
    merged: dict[str, object] = {}
    if path.is_file():
        merged.update(_read_file(path))
    merged.update({key: os.environ[name] for name, key in ENVIRONMENT.items() if os.environ.get(name)})
    merged.update({key: value for key, value in flags.items() if value is not None})
    return _build_settings(merged)


def _read_file(path: Path) -> dict[str, object]:
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}", "mend the file or remove it") from error
    unknown = sorted(set(content) - FILE_KEYS)
    if unknown:
        raise UsageError(
            f"{path} has unknown keys: {', '.join(unknown)}", f"known keys are {', '.join(sorted(FILE_KEYS))}"
        )
    return content


def _build_settings(merged: Mapping[str, object]) -> Settings:
    values: dict[str, object] = {}
    run: dict[str, object] = {}
    for key, value in merged.items():
        if key == "max_iterations":
            run["max_iterations"] = value
        elif key == "cache":
            values["is_cache_used"] = value
        elif key in {"cache_folder", "rules", "records"}:
            name = {"cache_folder": "cache_folder", "rules": "rules_folder", "records": "records_folder"}[key]
            values[name] = Path(str(value)).expanduser()
        else:
            values[key] = value
    if run:
        values["run"] = run
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"setting {place}: {first['msg']}", "see pdfdocket --help for what a setting takes") from error
