"""A store that is none: a folder below another protocol, with the faults that stores have."""

from __future__ import annotations

from pathlib import Path

import fsspec
from fsspec.implementations.local import LocalFileSystem


class FakeStore(LocalFileSystem):
    """`shop://name` is a file of that name below `root`; what is called "locked" is refused, "odd" breaks it."""

    protocol = "shop"
    root = Path()
    opened: list[str] = []  # noqa: RUF012 - of the class on purpose

    @classmethod
    def _strip_protocol(cls, path):
        return str(path).removeprefix("shop://").strip("/")

    def unstrip_protocol(self, name):
        return f"shop://{name}"

    def find(self, path, **_):
        if path == "odd":
            raise ValueError("an odd\nanswer")
        base = self.root / path
        if path == "locked":
            raise PermissionError(path)
        if not base.exists():
            raise FileNotFoundError(path)
        return sorted(file.relative_to(self.root).as_posix() for file in base.rglob("*") if file.is_file())

    def open(self, path, mode="rb", **_):
        self.opened.append(path)
        if "locked" in path:
            raise PermissionError(path)
        return (self.root / path).open(mode)


def open_store(root: Path) -> type[FakeStore]:
    """Register the store, with a folder as what is in it."""
    FakeStore.root = root
    FakeStore.opened.clear()
    fsspec.register_implementation("shop", FakeStore, clobber=True)
    return FakeStore
