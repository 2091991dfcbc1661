"""Bodies of older schemas brought to the present form, version by version, so that old records stay readable.

A field that is added with a default needs no migration, and the schema version stays. One that is renamed, removed or
given another meaning raises the version and brings a migration from the version before, with a test.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Body = dict[str, Any]
Migration = Callable[[Body], Body]

MIGRATIONS: Mapping[int, Migration] = {}
"""By schema version: what makes of a body of that version one of the next. There is no version before 1.

A migration leaves `versions` as they are: a migrated record says of which schema it was, and is not replayed.
"""


def migrate_body(body: Body, version: int, target: int) -> Body | None:
    """A body of schema `version` in the form of `target`; None where a migration on the way is missing."""
    for step in range(version, target):
        migration = MIGRATIONS.get(step)
        if migration is None:
            return None
        body = migration(body)
    return body
