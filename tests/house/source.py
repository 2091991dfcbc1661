"""The source of the package as the house tests read it: parsed once, listed in a fixed order."""

from __future__ import annotations

import ast
import functools
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "pipeline"
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """One Python file: its path, text and syntax tree."""

    path: Path
    text: str
    tree: ast.Module

    @property
    def name(self) -> str:
        """The path as a reader of the repository writes it."""
        return self.path.relative_to(ROOT).as_posix()


@functools.cache
def read_modules(folder: Path = PACKAGE) -> tuple[Module, ...]:
    """Every Python file below a folder, in the order of their paths."""
    built = ROOT / "fixtures" / "built"
    paths = sorted(path for path in folder.rglob("*.py") if built not in path.parents)
    texts = [(path, path.read_text(encoding="utf-8")) for path in paths]
    return tuple(Module(path, text, ast.parse(text, filename=str(path))) for path, text in texts)


def walk_functions(module: Module) -> Iterator[Function]:
    """Every function and method of a module, nested ones too."""
    for node in ast.walk(module.tree):
        if isinstance(node, Function):
            yield node


def walk_public(module: Module) -> Iterator[ast.ClassDef | Function]:
    """Classes and functions of the module and methods of its public classes whose names have no underscore."""
    bodies = [module.tree.body]
    while bodies:
        for node in bodies.pop():
            if isinstance(node, ast.ClassDef | Function) and not node.name.startswith("_"):
                yield node
                if isinstance(node, ast.ClassDef):
                    bodies.append(node.body)


@functools.cache
def list_tracked_files() -> tuple[Path, ...]:
    """The files that git knows, as paths that exist; empty outside of a checkout."""
    if not (ROOT / ".git").exists():
        return ()
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return tuple(path for name in sorted(listing.split("\0")) if name and (path := ROOT / name).is_file())
