"""Strings of PDF objects as the file writes them (PDF 32000-1, 7.3.4)."""

from __future__ import annotations

import re

_ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"\n": b""}


def decode_string(written: str) -> str:
    """The text of a string object as it is written in the file, "(...)" or "<...>"; "" for anything else."""
    if written.startswith("<") and written.endswith(">") and not written.startswith("<<"):
        digits = re.sub(r"[^0-9A-Fa-f]", "", written)
        raw = bytes.fromhex(digits + "0" * (len(digits) % 2))
    elif written.startswith("(") and written.endswith(")"):
        raw = re.sub(rb"\\([0-7]{1,3}|.)", _unescape, written[1:-1].encode("latin-1", "replace"), flags=re.DOTALL)
    else:
        return ""
    if raw.startswith(b"\xfe\xff"):
        return raw[2:].decode("utf-16-be", "replace")
    if raw.startswith(b"\xef\xbb\xbf"):
        return raw[3:].decode("utf-8", "replace")
    return raw.decode("cp1252", "replace")


def _unescape(match: re.Match[bytes]) -> bytes:
    mark = match[1]
    if mark.isdigit():
        return bytes([int(mark, 8) & 255])
    return _ESCAPES.get(mark, mark)
