"""Rulebooks kept by revision, so that a run can be decided again by the rules of its day."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple

from pipeline.errors import RulebookError
from pipeline.policy.rulebook import find_default_folder, load_rulebook, read_extends

ARCHIVE_NAME = "rulebooks"
"""The folder beside a ledger that keeps the rulebooks of its runs."""
OWN, BASE = "own", "base"
"""An archived rulebook has its own files in one folder and those that it extends, if any, in the other."""


class ArchivedRulebook(NamedTuple):
    """Where an archived rulebook lies; `base` is None for one that extends nothing."""

    own: Path
    base: Path | None


def archive_rulebook(folder: Path | None, archive: Path, revision: str) -> Path:
    """Keep the files of a rulebook under its revision; one that is there already is left as it is.

    The copy appears whole or not at all: it is made beside its place and moved there.
    """
    place = archive / revision
    if place.is_dir():
        return place
    archive.mkdir(parents=True, exist_ok=True)
    own = folder or find_default_folder()
    made = Path(tempfile.mkdtemp(dir=archive, prefix=".new-"))
    _copy(own, made / OWN)
    if read_extends(own):
        _copy(find_default_folder(), made / BASE)
    try:
        made.replace(place)
    except OSError:
        # another process kept the same revision in the meantime
        shutil.rmtree(made)
        if not place.is_dir():
            raise
    return place


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
    files = [path for path in sorted(folder.rglob("*.toml")) if path.parent == folder or path.parent.name == "lexicons"]
    for path in files:
        copy = target / path.relative_to(folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
