"""One word per thing: names of modules, classes and functions, and what tracked files may say."""

from __future__ import annotations

import ast
import re

import pytest

from tests.house.source import (
    PACKAGE,
    ROOT,
    Function,
    list_tracked_files,
    read_modules,
    walk_functions,
    walk_public,
)

UNUSED_WORDS = {"agent", "chain", "util", "utils", "helper", "helpers", "manager", "handler", "data", "info", "misc"}
# the ledger is a chain of hashes, and there the word means that
WORD_OF_A_ROOM = {"pipeline/audit/": {"chain"}}
ORDER_WORDS = {"check", "compare", "detect", "ensure", "find", "get", "test", "try", "validate", "verify"}


def _split_words(name: str) -> set[str]:
    return {word.casefold() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)}


def test_names_avoid_the_unused_words_when_split_into_words():
    found = []
    for module in read_modules():
        allowed = {word for room, words in WORD_OF_A_ROOM.items() if module.name.startswith(room) for word in words}
        nodes = [node.name for node in ast.walk(module.tree) if isinstance(node, ast.ClassDef | Function)]
        for name in [*module.path.relative_to(ROOT).with_suffix("").parts, *nodes]:
            found += [f"{module.name}: {name}" for _ in _split_words(name) & (UNUSED_WORDS - allowed)]
    assert found == []


def test_functions_read_as_facts_when_they_return_a_boolean():
    """`is_closed`, `has_outline`, `quote_matches`; an order such as `check_closed` leaves open what True means."""
    found = []
    for module in read_modules():
        for function in walk_functions(module):
            first = function.name.strip("_").split("_")[0]
            returns_boolean = isinstance(function.returns, ast.Name) and function.returns.id == "bool"
            if returns_boolean and first in ORDER_WORDS:
                found.append(f"{module.name}:{function.lineno} {function.name}")
    assert found == []


def test_no_public_function_has_the_name_of_a_top_level_module_when_both_are_exported():
    modules = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or path.is_dir()}
    functions = {
        f"{module.name}: {node.name}"
        for module in read_modules()
        for node in walk_public(module)
        if isinstance(node, Function) and node in module.tree.body and node.name in modules
    }
    assert sorted(functions) == []


def test_tracked_files_keep_silent_about_the_place_they_were_written_in_when_searched():
    if not list_tracked_files():
        pytest.skip("not a git checkout")
    # taken apart, so that this file does not find itself
    places = "|".join(["wo" + "rk", "fa" + "rm"])
    pattern = re.compile(rf"(?:^|[^A-Za-z0-9_.])/(?:{places})/|sub" + r"agent|\bsession" + " of", re.MULTILINE)
    found = []
    for path in list_tracked_files():
        text = path.read_bytes().decode("utf-8", errors="replace")
        if match := pattern.search(text):
            found.append(f"{path.relative_to(ROOT)}: {match.group().strip()}")
    assert found == []
