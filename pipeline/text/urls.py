"""What is a URL and what is a path."""

from __future__ import annotations

from pipeline.text.late import compile_late

_SCHEME = compile_late(r"[A-Za-z][A-Za-z0-9+.-]*://")


def is_url(text: str) -> bool:
    """Whether a text is a URL rather than a path."""
    return bool(_SCHEME.match(text))
