"""The numbers of the house: file, function, parameters, comments."""

from __future__ import annotations

import io
import tokenize

from tests.house.source import Function, read_modules, walk_functions

MAX_FILE_LINES = 300
MAX_FUNCTION_LINES = 50
MAX_PARAMETERS = 5
COMMENTS_PER_100_LINES = (2, 8)
NOT_A_COMMENT = ("# noqa", "# type:", "# fmt:", "# pragma", "# mypy:", "#!")


def _count_parameters(function: Function) -> int:
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return len(named) - (1 if named and named[0].arg in ("self", "cls") else 0)


def _count_comments(text: str) -> int:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return sum(1 for t in tokens if t.type == tokenize.COMMENT and not t.string.startswith(NOT_A_COMMENT))


def test_files_are_short_when_counted():
    counts = {module.name: len(module.text.splitlines()) for module in read_modules()}
    assert counts
    assert {name: count for name, count in counts.items() if count > MAX_FILE_LINES} == {}


def test_functions_are_short_when_counted_from_def_to_last_line():
    long = {
        f"{module.name}:{function.lineno} {function.name}": count
        for module in read_modules()
        for function in walk_functions(module)
        if (count := (function.end_lineno or 0) - function.lineno + 1) > MAX_FUNCTION_LINES
    }
    assert long == {}


def test_functions_take_few_parameters_when_counted_without_self():
    wide = {
        f"{module.name}:{function.lineno} {function.name}": count
        for module in read_modules()
        for function in walk_functions(module)
        if (count := _count_parameters(function)) > MAX_PARAMETERS
    }
    assert wide == {}


def test_comments_are_neither_missing_nor_noise_when_counted_over_the_package():
    line_count = sum(len(module.text.splitlines()) for module in read_modules())
    comment_count = sum(_count_comments(module.text) for module in read_modules())
    lowest, highest = COMMENTS_PER_100_LINES
    assert lowest <= 100 * comment_count / line_count <= highest
