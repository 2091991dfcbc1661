"""Exact arithmetic over named figures: expressions of a lexicon or of a question, parsed and computed in decimals."""

from __future__ import annotations

from decimal import Decimal, DivisionByZero, InvalidOperation, localcontext
from typing import TYPE_CHECKING, NamedTuple

from pipeline.text.late import compile_late

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PRECISION = 34
"""Digits carried through a computation; results are rounded once, at the end."""


class Operand(NamedTuple):
    """A figure by name: of the period itself, averaged with the period before, or the change since then."""

    name: str
    mode: str = "value"


class Operation(NamedTuple):
    """Two expressions and the sign between them."""

    sign: str
    left: Expression
    right: Expression


Expression = Operand | Operation | Decimal
Token = str | Operand | Decimal

_TOKEN = compile_late(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<mode>average|change)?\s*\{(?P<name>[^}]+)\}|(?P<sign>[-+*/()]))"
)


def parse_formula(text: str) -> Expression | None:
    """Read a lexicon's formula, such as `365 * average {inventory} / {revenue}`; None where it is none."""
    tokens: list[Token] = []
    at = 0
    while at < len(text.rstrip()):
        found = _TOKEN.match(text, at)
        if found is None:
            return None
        if found["number"]:
            tokens.append(Decimal(found["number"]))
        elif found["name"]:
            tokens.append(Operand(found["name"], found["mode"] or "value"))
        else:
            tokens.append(found["sign"])
        at = found.end()
    return parse_tokens(tokens)


def parse_tokens(tokens: Sequence[Token]) -> Expression | None:
    """Build an expression from signs, parentheses, numbers and operands; None where they do not make one."""
    parsed = _parse_sum(tokens, 0)
    return parsed[0] if parsed is not None and parsed[1] == len(tokens) else None


def _parse_sum(tokens: Sequence[Token], at: int) -> tuple[Expression, int] | None:
    return _parse_run(tokens, at, "+-", _parse_product)


def _parse_product(tokens: Sequence[Token], at: int) -> tuple[Expression, int] | None:
    return _parse_run(tokens, at, "*/", _parse_atom)


def _parse_run(
    tokens: Sequence[Token],
    at: int,
    signs: str,
    parse_part: Callable[[Sequence[Token], int], tuple[Expression, int] | None],
) -> tuple[Expression, int] | None:
    # Signs of one rank bind from the left: a - b - c is (a - b) - c.
    parsed = parse_part(tokens, at)
    while parsed is not None and parsed[1] < len(tokens):
        sign = tokens[parsed[1]]
        if not isinstance(sign, str) or sign not in signs:
            break
        right = parse_part(tokens, parsed[1] + 1)
        parsed = None if right is None else (Operation(sign, parsed[0], right[0]), right[1])
    return parsed


def _parse_atom(tokens: Sequence[Token], at: int) -> tuple[Expression, int] | None:
    if at >= len(tokens):
        return None
    first = tokens[at]
    if not isinstance(first, str):
        return first, at + 1
    if first != "(":
        return None
    inner = _parse_sum(tokens, at + 1)
    if inner is None or inner[1] >= len(tokens) or tokens[inner[1]] != ")":
        return None
    return inner[0], inner[1] + 1


def list_operands(expression: Expression) -> tuple[Operand, ...]:
    """The operands of an expression, left to right."""
    if isinstance(expression, Operation):
        return (*list_operands(expression.left), *list_operands(expression.right))
    return (expression,) if isinstance(expression, Operand) else ()


def evaluate(expression: Expression, year: int, look_up: Callable[[str, int], Decimal | None]) -> Decimal | None:
    """Compute an expression for a year; None where a figure is missing or a division by zero would be needed."""
    # The caller's decimal context must not change what a record says.
    with localcontext() as context:
        context.prec = PRECISION
        try:
            return _evaluate(expression, year, look_up)
        except (DivisionByZero, InvalidOperation):
            return None


def _evaluate(expression: Expression, year: int, look_up: Callable[[str, int], Decimal | None]) -> Decimal | None:
    if isinstance(expression, Decimal):
        return expression
    if isinstance(expression, Operand):
        return _read_operand(expression, year, look_up)
    left, right = _evaluate(expression.left, year, look_up), _evaluate(expression.right, year, look_up)
    if left is None or right is None:
        return None
    if expression.sign == "+":
        return left + right
    if expression.sign == "-":
        return left - right
    return left * right if expression.sign == "*" else left / right


def _read_operand(operand: Operand, year: int, look_up: Callable[[str, int], Decimal | None]) -> Decimal | None:
    value = look_up(operand.name, year)
    # An average or a change needs both years: half of a pair would be a wrong number, not a rough one.
    if operand.mode == "value" or value is None:
        return value
    before = look_up(operand.name, year - 1)
    if before is None:
        return None
    return (value + before) / 2 if operand.mode == "average" else value - before


def describe(expression: Expression) -> str:
    """The expression in words, as it is shown beside a result."""
    if isinstance(expression, Decimal):
        return format(expression, "f")
    if isinstance(expression, Operand):
        return expression.name if expression.mode == "value" else f"{expression.mode} of {expression.name}"
    parts = [
        f"({describe(part)})" if isinstance(part, Operation) and expression.sign in "*/" else describe(part)
        for part in (expression.left, expression.right)
    ]
    return f"{parts[0]} {expression.sign} {parts[1]}"
