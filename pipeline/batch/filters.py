"""Filters by which documents are chosen: `KEY OP VALUE`, read strictly and judged in three values.

A document fits, does not fit, or cannot be judged because what is asked of it cannot be known.
"""

from __future__ import annotations

import csv
import difflib
import fnmatch
import re
import unicodedata
from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from pipeline.batch.columns import squeeze_title, strip_cell
from pipeline.batch.metadata import KEYS, Key, Value
from pipeline.errors import UsageError

_SPELLINGS = {
    "=": "is", "==": "is", "equals": "is", "!=": "is not", "is one of": "one of", ">=": "at least", "<=": "at most",
    ">": "above", "<": "below", "like": "matches", "is in": "one of",
}  # fmt: skip
_OPERATOR = re.compile(
    r"(?<!\w)(?:is[ _]+not|(?:is[ _]+)?one[ _]+of|is[ _]+in|(?:is[ _]+)?(?:at[ _]+least|at[ _]+most|above|below)"
    r"|is|equals|contains|matches|like)(?!\w)|[<>!=]=|[<>=]",
    re.IGNORECASE,
)
_COMPARING = ("at least", "at most", "above", "below")
OPERATORS = ("is", "is not", "one of", *_COMPARING, "contains", "matches")
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?")
_DATE = re.compile(r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])")
_FACTS = {"yes": True, "true": True, "no": False, "false": False}
_MAX_NEAR_MISSES = 3

Quantity = tuple[str, Decimal | str]
"""What can be compared: "number" or "date", and its value; only two of a kind can be."""


class Filter(NamedTuple):
    """One filter: as it is shown, the key by its squeezed name, the operator and the values as they were written."""

    text: str
    key: str
    title: str
    op: str
    values: tuple[str, ...]


class Verdict(NamedTuple):
    """Whether a document fits a filter, None where that cannot be said, and the reason where it does not."""

    fits: bool | None
    reason: str = ""
    is_unknown: bool = False


def parse_filter(text: str, own: Mapping[str, str]) -> Filter:
    """Read one filter; `own` are the columns of the user's own table, squeezed name to title.

    Raises:
        UsageError: no operator, an unknown key, or a value that the key cannot have.
    """
    found = [match for match in _OPERATOR.finditer(text) if squeeze_title(text[: match.start()])]
    if not found:
        words = f"filter {text!r}: there is no key with an operator in it"
        raise UsageError(words, f"write KEY OP VALUE; OP is one of {', '.join(OPERATORS)}")
    # a key may hold a word that is an operator elsewhere, so the first split whose key is known counts
    known = [match for match in found if squeeze_title(text[: match.start()]) in own.keys() | KEYS.keys()]
    if not known:
        raise _refuse_key(text, strip_cell(text[: found[0].start()]), own)
    match = known[0]
    key = squeeze_title(text[: match.start()])
    spelled = " ".join(match[0].replace("_", " ").casefold().split())
    op = _SPELLINGS.get(spelled, spelled)
    op = op.removeprefix("is ") if op.removeprefix("is ") in _COMPARING else op
    values = _split_values(text[match.end() :], op)
    title = own.get(key) or KEYS[key].title
    shown = f"{title} {op} {', '.join(values)}"
    if not values or not all(values):
        raise UsageError(f"filter {text!r}: there is no value after {op}", "write KEY OP VALUE")
    built = Filter(shown, key, title, op, values)
    _check_values(built, None if key in own else KEYS[key])
    return built


def judge_filter(wanted: Filter, value: Value) -> Verdict:
    """Whether a value meets a filter; None is a document of which it is not told."""
    if value is None or value == "":
        return Verdict(False, f"{wanted.title} is not known", is_unknown=True)
    shown = _spell(value)
    if wanted.op in _COMPARING:
        left, right = read_quantity(shown), read_quantity(wanted.values[0])
        if left is None or right is None or left[0] != right[0]:
            kind = right[0] if right else "number"
            return Verdict(None, f"{wanted.title} is {shown!r}, which is no {kind}")
        is_met = _is_met(left[1], right[1], wanted.op)
    elif wanted.op == "contains":
        is_met = _fold(wanted.values[0]) in _fold(shown)
    elif wanted.op == "matches":
        is_met = fnmatch.fnmatchcase(_fold(shown), _fold(wanted.values[0]))
    else:
        is_met = any(_is_same(shown, each) for each in wanted.values) != (wanted.op == "is not")
    return Verdict(True) if is_met else Verdict(False, f"{wanted.title} is {shown}")


def read_quantity(text: str) -> Quantity | None:
    """An exact number, with or without commas between thousands, or a date as 2024-01-31; None for anything else."""
    shown = strip_cell(text).replace("\u2212", "-")
    if _DATE.fullmatch(shown):
        return "date", shown
    return ("number", Decimal(shown.replace(",", ""))) if _NUMBER.fullmatch(shown) else None


def _refuse_key(text: str, name: str, own: Mapping[str, str]) -> UsageError:
    titles = {**{key: found.title for key, found in KEYS.items()}, **own}
    near = difflib.get_close_matches(squeeze_title(name), titles, _MAX_NEAR_MISSES, 0.6)
    meant = f"did you mean {' or '.join(titles[key] for key in near)}" if near else ""
    remedy = meant or f"one of {', '.join(dict.fromkeys(titles.values()))}, or a column of a table given to --metadata"
    return UsageError(f"filter {text!r}: nothing is known as {name!r}", remedy)


def _split_values(text: str, op: str) -> tuple[str, ...]:
    text = strip_cell(text)
    if op != "one of":
        is_quoted = len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'"
        return (text[1:-1] if is_quoted else text,)
    inner = text[1:-1] if text[:1] + text[-1:] in ("()", "[]") else text
    return tuple(map(strip_cell, next(csv.reader([inner], skipinitialspace=True), [])))


def _check_values(wanted: Filter, key: Key | None) -> None:
    """A value that no document can have is a slip, and would leave all of them out."""
    where = f"filter {wanted.text!r}"
    if wanted.op in _COMPARING and any(read_quantity(value) is None for value in wanted.values):
        raise UsageError(f"{where}: {wanted.op} takes a number or a date such as 2024-01-31", "give one")
    if key is None:
        return
    if key.kind is not int and wanted.op in _COMPARING:
        raise UsageError(f"{where}: only numbers can be compared, and {key.title} is none", "use is or one of")
    if key.kind is not str and wanted.op in ("contains", "matches"):
        raise UsageError(f"{where}: {key.title} is not text", "use is, one of, at least, at most, above or below")
    for value in wanted.values:
        if key.kind is bool and _fold(value) not in _FACTS:
            raise UsageError(f"{where}: {key.title} is yes or no", "give one of them")
        quantity = read_quantity(value)
        if key.kind is int and (quantity is None or quantity[0] != "number"):
            raise UsageError(f"{where}: {key.title} is a number", "give one")
        if key.words and wanted.op in ("is", "is not", "one of") and _fold(value) not in key.words:
            near = difflib.get_close_matches(_fold(value), key.words, 1)
            meant = f"did you mean {near[0]}" if near else f"one of {', '.join(key.words)}"
            raise UsageError(f"{where}: {key.title} is never {value!r}", meant)


def _is_met(left: Decimal | str, right: Decimal | str, op: str) -> bool:
    # two numbers, or two dates whose order is that of their letters
    if op in ("at least", "below"):
        is_less = left < right  # type: ignore[operator]
        return is_less if op == "below" else not is_less
    is_more = left > right  # type: ignore[operator]
    return is_more if op == "above" else not is_more


def _is_same(left: str, right: str) -> bool:
    one, other = read_quantity(left), read_quantity(right)
    if one is not None and other is not None:
        return one == other
    folded, wanted = _fold(left), _fold(right)
    return folded == wanted or (wanted in _FACTS and _FACTS.get(folded) is _FACTS[wanted])


def _spell(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _fold(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
