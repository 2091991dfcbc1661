"""Mutants of the dispatcher: modules that choose, each with one small change, and whether the suite notices.

`python -m tests.soak.dispatcher_mutants MODULE INDEX...` prints one JSON object: the name of each mutant and its fate.
A process forks for each mutant after loading everything but the modules that choose, so a mutant costs its tests only.
"""

from __future__ import annotations

import ast
import importlib
import json
import os
import resource
import sys
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
_DECIDING = ("tests/rules/test_truth_table.py", "tests/rules/test_cases.py", "tests/unit/decide")
SUITES = {
    "pipeline.decide": _DECIDING,
    "pipeline.policy.conditions": ("tests/unit/policy/test_conditions.py", *_DECIDING),
    "pipeline.loop.triggers": ("tests/unit/loop",),
    "pipeline.loop.stops": ("tests/unit/loop",),
    "pipeline.loop.best": ("tests/unit/loop",),
    "pipeline.loop.drift": ("tests/unit/loop",),
}
"""The modules that choose, each with the part of the suite that is held against its mutants."""

MAX_SECONDS, MAX_BYTES = 12, 1_500_000_000

_OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_OTHER_CALLS = {"all": "any", "any": "all", "min": "max", "max": "min"}


class Change(NamedTuple):
    """One change: the place of the node in the walk of the tree, which of its variants, and both in words."""

    place: int
    variant: int
    name: str


def list_changes(module: str) -> tuple[Change, ...]:
    """Every change of a module, in the order of its source."""
    source = _find_source(module).read_text(encoding="utf-8")
    changes = []
    for place, node in enumerate(ast.walk(_parse(source))):
        for variant, (words, _) in enumerate(_mutate(node)):
            number = node.ifs[0].lineno if isinstance(node, ast.comprehension) else node.lineno
            line = source.splitlines()[number - 1].strip()
            changes.append((number, Change(place, variant, f"{number}: {line} [{words}]")))
    return tuple(change for _, change in sorted(changes, key=lambda pair: pair[0]))


def _find_source(module: str) -> Path:
    return ROOT / (module.replace(".", "/") + ".py")


def _parse(source: str) -> ast.Module:
    """The tree without docstrings and annotations, which nobody's behaviour depends on."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module) and ast.get_docstring(node) is not None:
            # a string still: what is imported from the future must follow one, or be first
            node.body[0] = ast.copy_location(ast.Expr(ast.Constant("")), node.body[0])
    return ast.fix_missing_locations(tree)


def _mutate(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Changed copies of one node, with the change in words."""
    if isinstance(node, ast.Compare):
        for at, operator in enumerate(node.ops):
            ops = [*node.ops[:at], _OPPOSITES[type(operator)](), *node.ops[at + 1 :]]
            yield (
                f"{type(operator).__name__} turned in {ast.unparse(node)}",
                ast.Compare(node.left, ops, node.comparators),
            )
    elif isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield f"and and or exchanged in {ast.unparse(node)}", ast.BoolOp(other, node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield f"not left out of {ast.unparse(node)}", node.operand
    elif isinstance(node, ast.If | ast.IfExp):
        yield f"never {ast.unparse(node.test)}", type(node)(ast.Constant(False), node.body, node.orelse)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield f"{node.value} raised", ast.Constant(node.value + 1)
    elif isinstance(node, ast.Raise):
        yield "not raised", ast.Pass()
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _OTHER_CALLS:
        other_name = ast.copy_location(ast.Name(_OTHER_CALLS[node.func.id], ast.Load()), node.func)
        yield f"{node.func.id} exchanged in {ast.unparse(node)}", ast.Call(other_name, node.args, node.keywords)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        other_op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
        yield f"plus and minus exchanged in {ast.unparse(node)}", ast.BinOp(node.left, other_op, node.right)
    elif isinstance(node, ast.Return) and node.value is not None:
        yield f"nothing returned instead of {ast.unparse(node.value)}", ast.Return(ast.Constant(None))
    elif isinstance(node, ast.comprehension) and node.ifs:
        yield "filter left out", ast.comprehension(node.target, node.iter, [], node.is_async)


class _Replace(ast.NodeTransformer):
    def __init__(self, target: ast.AST, other: ast.AST) -> None:
        self.target, self.other = target, other

    def visit(self, node: ast.AST) -> ast.AST:
        return self.other if node is self.target else self.generic_visit(node)


def _build_tree(module: str, change: Change | None) -> ast.Module:
    tree = _parse(_find_source(module).read_text(encoding="utf-8"))
    if change is None:
        return tree
    node = list(ast.walk(tree))[change.place]
    other = list(_mutate(node))[change.variant][1]
    if not isinstance(node, ast.comprehension):
        other = ast.copy_location(other, node)
    return ast.fix_missing_locations(_Replace(node, other).visit(tree))


def _run_suite(module: str, change: Change | None) -> int:
    """Run the suite against a mutant in this process; give the exit code of pytest."""
    import pytest

    code = compile(_build_tree(module, change), str(_find_source(module)), "exec")
    load = SourceFileLoader.get_code
    SourceFileLoader.get_code = lambda self, name: code if name == module else load(self, name)
    arguments = [
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "-W",
        "ignore::pytest.PytestAssertRewriteWarning",
        *SUITES[module],
    ]
    return int(pytest.main(arguments))


def _is_noticed(module: str, change: Change | None) -> bool:
    child = os.fork()
    if child == 0:
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        # a mutant that never ends, or that eats all memory, is noticed as well; processor time, not that of a busy desk
        resource.setrlimit(resource.RLIMIT_CPU, (MAX_SECONDS, MAX_SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))
        code = 3
        try:
            code = _run_suite(module, change)
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) != 0


def _load_libraries() -> None:
    """Load what every child needs and what no mutant is part of."""
    for name in ("pytest", "hypothesis.strategies", "pydantic", "pipeline.models.run", "pipeline.models.settings"):
        importlib.import_module(name)


def main(module: str, indexes: list[str]) -> None:
    """Judge the mutants at these places of the list and print their fates."""
    changes = list_changes(module)
    _load_libraries()
    # a sample is judged beside the suite itself, which shows that it passes
    if not indexes and _is_noticed(module, None):
        raise SystemExit(f"{module}: the suite fails without any change, so it proves nothing")
    chosen = [changes[int(index)] for index in indexes] if indexes else list(changes)
    print(json.dumps({change.name: _is_noticed(module, change) for change in chosen}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
