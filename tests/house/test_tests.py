"""The tests themselves: named by what happens, asserting something, never waiting."""

from __future__ import annotations

import ast
import re

from tests.house.source import ROOT, Function, read_modules, walk_functions

NAME = re.compile(r"test_[a-z0-9_]+_when_[a-z0-9_]+")
# calls that fail by themselves, beside the assert statement
CHECKING_CALLS = re.compile(r"raises|warns|fail|run_state_machine_as_test|(assert|check|expect)_\w+")


def _walk_tests() -> list[tuple[str, Function]]:
    return [
        (f"{module.name}:{function.lineno} {function.name}", function)
        for module in read_modules(ROOT / "tests")
        for function in walk_functions(module)
        if function.name.startswith("test_")
    ]


def _asserts_something(function: Function) -> bool:
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            return True
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if CHECKING_CALLS.fullmatch(name.lstrip("_")):
                return True
    return False


def test_tests_say_what_happens_and_when_when_named():
    assert [place for place, function in _walk_tests() if not NAME.fullmatch(function.name)] == []


def test_tests_assert_something_when_read():
    assert [place for place, function in _walk_tests() if not _asserts_something(function)] == []


def test_tests_never_sleep_when_read():
    found = [
        f"{module.name}:{node.lineno}"
        for module in read_modules(ROOT / "tests")
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "sleep"
    ]
    assert found == []
