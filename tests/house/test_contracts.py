"""The models between the rooms, the excepts, and what a module may cost when it is imported."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys

from pydantic import BaseModel

from tests.house.source import PACKAGE, ROOT, Module, read_modules, walk_public

LOOSE_TYPES = {"float", "list", "dict", "set", "Any", "List", "Dict", "Set"}
# imported inside the function that needs them: a warm question pays for none of them
HEAVY_PACKAGES = {"numpy", "rank_bm25", "Stemmer", "structlog", "rich", "pymupdf", "openai"}
# its modules that draw on the engine are loaded in the child only, so they may import it at the top
# the last two are loaded by the child that makes an annotated copy, and by nobody else
ENGINE_ROOM = ("pipeline/parsing/", "pipeline/report/glyphs.py", "pipeline/report/markup.py")
# the only place where anything may go wrong and the rest goes on; it records what it caught
BATCH_BOUNDARY = "pipeline/batch/"


def _import_module(module: Module) -> object:
    parts = module.path.relative_to(ROOT).with_suffix("").parts
    return importlib.import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))


def test_every_model_is_frozen_closed_and_strict_when_loaded():
    loose = []
    seen = 0
    for module in read_modules():
        if "Contract" not in module.text and "BaseModel" not in module.text:
            continue
        loaded = _import_module(module)
        for model in vars(loaded).values():
            if not (isinstance(model, type) and issubclass(model, BaseModel) and model.__module__ == loaded.__name__):
                continue
            seen += 1
            config = model.model_config
            if not (config.get("frozen") and config.get("extra") == "forbid" and config.get("strict")):
                loose.append(f"{module.name}: {model.__name__}")
    assert seen
    assert loose == []


def test_no_model_has_a_float_or_a_loose_container_when_its_annotations_are_read():
    found = []
    for module in read_modules(PACKAGE / "models"):
        for owner in (node for node in ast.walk(module.tree) if isinstance(node, ast.ClassDef)):
            for field in (node for node in owner.body if isinstance(node, ast.AnnAssign)):
                names = {node.id for node in ast.walk(field.annotation) if isinstance(node, ast.Name)}
                found += [f"{module.name}:{field.lineno} {name}" for name in sorted(names & LOOSE_TYPES)]
    assert found == []


def test_no_except_is_broad_when_it_stands_before_the_batch_boundary():
    found = []
    for module in read_modules():
        for node in ast.walk(module.tree):
            if not isinstance(node, ast.ExceptHandler) or module.name.startswith(BATCH_BOUNDARY):
                continue
            names = {part.id for part in ast.walk(node.type) if isinstance(part, ast.Name)} if node.type else {"bare"}
            if names & {"bare", "Exception", "BaseException"}:
                found.append(f"{module.name}:{node.lineno}")
    assert found == []


def test_no_except_is_empty_when_read():
    """`except X: pass` swallows; what is meant is a named outcome, or contextlib.suppress with a reason."""
    found = [
        f"{module.name}:{node.lineno}"
        for module in read_modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ExceptHandler) and all(isinstance(step, ast.Pass) for step in node.body)
    ]
    assert found == []


def test_heavy_packages_are_imported_late_when_a_module_is_loaded():
    found = []
    for module in read_modules():
        for node in module.tree.body:
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            late = HEAVY_PACKAGES - ({"pymupdf"} if module.name.startswith(ENGINE_ROOM) else set())
            found += [f"{module.name}:{node.lineno} {n}" for n in names if n.split(".")[0] in late]
    assert found == []


def test_no_heavy_package_is_loaded_when_the_library_and_the_command_line_are_imported():
    code = "import sys, pipeline.cli, pipeline.run; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert sorted(HEAVY_PACKAGES & set(done.stdout.split())) == []


def test_every_public_name_has_a_docstring_when_read():
    found = [module.name for module in read_modules() if ast.get_docstring(module.tree) is None and module.text.strip()]
    for module in read_modules():
        found += [
            f"{module.name}:{node.lineno} {node.name}"
            for node in walk_public(module)
            if ast.get_docstring(node) is None and not _is_overload(node)
        ]
    assert found == []


def _is_overload(node: ast.AST) -> bool:
    decorators = getattr(node, "decorator_list", [])
    return any(isinstance(name, ast.Name) and name.id == "overload" for name in decorators)
