"""Rulebooks kept by revision, so that a run can be decided again by the rules of its day."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple

from pipeline.errors import RecordError, RulebookError
from pipeline.policy.rulebook import find_default_folder, load_rulebook, read_extends

ARCHIVE_NAME = "rulebooks"
"""The folder beside a ledger that keeps the rulebooks of its runs."""
OWN, BASE = "own", "base"
"""An archived rulebook has its own files in one folder and those that it extends, if any, in the other."""

_FOLDER_MODE = 0o755


class ArchivedRulebook(NamedTuple):
    """Where an archived rulebook lies; `base` is None for one that extends nothing."""

    own: Path
    base: Path | None


def archive_rulebook(folder: Path | None, archive: Path, revision: str) -> Path:
    """Keep the files of a rulebook under its revision; one that is there already is left as it is.

    The copy appears whole or not at all: it is made beside its place, brought to the disk and moved there.

    Raises:
        RecordError: it cannot be written.
        RulebookError: the rules are no longer those of the revision.
    """
    place = archive / revision
    if place.is_dir():
        return place
    try:
        archive.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=archive, prefix=".new-"))
    except OSError as error:
        raise _refuse(archive, error) from error
    try:
        _fill(made, folder or find_default_folder(), revision)
        # whoever may read the ledger may read its rules; the folder was made for its owner only
        made.chmod(_FOLDER_MODE)
        made.replace(place)
    except OSError as error:
        # another process may have kept the same revision in the meantime
        if not place.is_dir():
            raise _refuse(archive, error) from error
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return place


def _fill(made: Path, own: Path, revision: str) -> None:
    _copy(own, made / OWN)
    if read_extends(own):
        _copy(find_default_folder(), made / BASE)
    base = made / BASE if (made / BASE).is_dir() else None
    if load_rulebook(made / OWN, base).revision != revision:
        raise RulebookError(f"{own}: the rules were changed while they were used", "ask again")


def _refuse(archive: Path, error: OSError) -> RecordError:
    words = f"{archive}: the rulebook of the run cannot be kept: {error.strerror or error}"
    return RecordError(words, "free some space, or give another place to --ledger")


def find_archived(archive: Path, revision: str) -> ArchivedRulebook | None:
    """The archived rulebook of a revision, None where it was not kept or its files were changed since."""
    place = archive / revision
    if not (place / OWN).is_dir():
        return None
    base = place / BASE if (place / BASE).is_dir() else None
    try:
        is_same = load_rulebook(place / OWN, base).revision == revision
    except RulebookError:
        return None
    return ArchivedRulebook(place / OWN, base) if is_same else None


def _copy(folder: Path, target: Path) -> None:
    """Copy what a revision covers: rulebook.toml, the rules, the lexicons."""
    lexicons = folder / "lexicons"
    for path in sorted(folder.rglob("*.toml")):
        if path.parent != folder and lexicons not in path.parents:
            continue
        copy = target / path.relative_to(folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        with copy.open("wb") as file:
            file.write(path.read_bytes())
            file.flush()
            # a ledger that survives a crash must not name rules that did not
            os.fsync(file.fileno())
