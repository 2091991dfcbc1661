"""Patterns that are compiled when they are first used: a question uses few of those that its modules hold."""

from __future__ import annotations

import re
from typing import cast


class LatePattern:
    """Stands for a compiled pattern and becomes as quick as one: what is asked for once is kept beside it."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._source = (pattern, flags)

    def __getattr__(self, name: str) -> object:
        """Take a method or an attribute from the compiled pattern, which `re` itself may still hold."""
        found: object = getattr(re.compile(*self._source), name)
        self.__dict__[name] = found
        return found


def compile_late(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern like that of `re.compile`, whose faults show at its first use only."""
    return cast("re.Pattern[str]", LatePattern(pattern, flags))
