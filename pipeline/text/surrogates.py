"""Lone surrogates: what a name or text that is no UTF-8 leaves in a string, and no file can hold."""

from __future__ import annotations


def escape_surrogates(text: str) -> str:
    """The text with its lone surrogates written as escapes; any other text as it is."""
    return text.encode("utf-8", "backslashreplace").decode()
