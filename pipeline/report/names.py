"""Names of copies: those of the documents, but inside the folder of copies and each once."""

from __future__ import annotations

from pathlib import PurePosixPath

_SUFFIX = ".pdf"
# file systems take 255 bytes; what is added to a name must fit too
_MAX_PART_BYTES = 200
_HASH_LENGTH = 8


class CopyNames:
    """Gives every document a name of its own, the same in every call that comes in the same order."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def choose(self, document: str, sha256: str) -> PurePosixPath:
        """A relative path that leads nowhere else; `sha256` tells apart what would have the same name."""
        name = make_safe(document)
        # some file systems do not tell A from a
        number = 1
        while str(name).casefold() in self._taken:
            mark = sha256[:_HASH_LENGTH] if number == 1 else f"{sha256[:_HASH_LENGTH]}-{number}"
            name = _mark(make_safe(document), mark)
            number += 1
        self._taken.add(str(name).casefold())
        return name


def make_safe(document: str) -> PurePosixPath:
    """The name of a document below a folder as one that stays in any folder: no way up, no root, no hidden part."""
    parts = [_clean_part(part) for part in document.split("/")]
    parts = [part for part in parts if part] or ["document"]
    if not parts[-1].casefold().endswith(_SUFFIX):
        parts[-1] += _SUFFIX
    return PurePosixPath(*(_shorten(part) for part in parts))


def _clean_part(part: str) -> str:
    shown = part.encode("utf-8", "replace").decode()
    shown = "".join("_" if sign in '\\:*?"<>|' or not sign.isprintable() else sign for sign in shown)
    return shown.strip().lstrip(".").rstrip(". ")


def _shorten(part: str) -> str:
    encoded = part.encode()
    if len(encoded) <= _MAX_PART_BYTES:
        return part
    # two long names may differ only at their ends
    from pipeline.canonical import hash_bytes

    ending = part[-len(_SUFFIX) :] if part.casefold().endswith(_SUFFIX) else ""
    kept = encoded[: _MAX_PART_BYTES - _HASH_LENGTH - 1 - len(ending.encode())].decode("utf-8", "ignore")
    return f"{kept}-{hash_bytes(encoded)[:_HASH_LENGTH]}{ending}"


def _mark(name: PurePosixPath, mark: str) -> PurePosixPath:
    return name.with_name(f"{name.name[: -len(_SUFFIX)]}-{mark}{name.name[-len(_SUFFIX) :]}")
