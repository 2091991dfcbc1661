"""Raised and lowered figures of a line: footnote marks, powers, and what only looks like either.

The text layer says "Agreement1", "n2" and "1019" alike; what is raised, and what it stands behind, tells them apart.
An exponent is told with a caret, as it is in values ("10^19"); a mark is no part of the word that it stands behind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from pipeline.text.folding import fold, is_cjk
from pipeline.text.late import compile_late

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Ranges = tuple[tuple[int, int], ...]
Kind = Literal["mark", "power", "mark or power", "mark or plain", "plain", "lead"]

_SIGNS = "*∗†‡§¶#"
_IN_BRACKETS = r"(?:\d{1,2}|[A-Za-z]|[ivx]{1,4})"
# a bracket of a row of marks may be missing or doubled: "(4)(5(7)", "((j)(k)"
_ENCLOSED = compile_late(rf"(?:[(\[]{{1,2}}{_IN_BRACKETS}(?:\s*,\s*{_IN_BRACKETS})*[)\]]?[\s,]*)+(?<=[)\]])")
_SIGNED = compile_late(rf"[{_SIGNS}]{{1,3}}")
_ONE = rf"(?:\d{{1,2}}|[a-z]|[{_SIGNS}]{{1,3}})"
_BARE = compile_late(rf"{_ONE}(?:\s*,\s*{_ONE})*")
_SIMPLE = compile_late(r"[-\u2013\u2212+]?(?:\d+(?:\.\d+)?|[^\W\d_])")
# a letter that stands alone; those of "SG&A", "U.S." and "Poor's" do not
_VARIABLE = compile_late(r"(?:^|[^\w.&'\u2019])[^\W\d_]$|\w_\w+$")
_NAMED = compile_late(r"[A-Z][a-z]+\s+(?:[A-Z]|\d+)$")
_WORD = compile_late(r"[^\W\d_]+$")
_AMOUNT = compile_late(r"(?:\d[.,]\d+|(?<![\d.,])(?:19|20)\d\d)$")
_TEN = compile_late(r"(?:^|[^\w.,])10$")
_LONG_WORD = compile_late(r"[^\W\d_]{3}")
_BLANK = compile_late(r"\s")
_ABBREVIATED = compile_late(r"(?:^|\s)[A-Z]$")
_FUNCTIONS = frozenset("sin cos tan cot sec csc sinh cosh tanh log ln lg exp".split())
_UNITS = frozenset("mm cm dm km nm hm µm μm yd kg mg ft".split())
"""Symbols that carry a power and are no word of a language."""
_MAX_POWER = 16


class Script(NamedTuple):
    """What is raised at [start, end) of a line, white space around it left out.

    Of two kinds joined by "or" the first holds where the page has a note with this sign. A `lead` opens a note.
    """

    kind: Kind
    start: int
    end: int


class Edit(NamedTuple):
    """What is told in place of [start, end) of a line."""

    start: int
    end: int
    told: str


def find_scripts(text: str, raised: Ranges, lowered: Ranges = ()) -> Iterator[Script]:
    """What is raised in a line, by what it stands behind: the letter, unit, number, bracket or word."""
    for low, high in raised:
        sign = text[low:high]
        start, end = low + len(sign) - len(sign.lstrip()), high - len(sign) + len(sign.rstrip())
        if start < end:
            head = _find_base(text[:start], text, (*raised, *lowered))
            yield Script(_tell_kind(head, text[start:end]), start, end)


def fold_line(text: str, raised: Ranges, lowered: Ranges = ()) -> str:
    """The matching form of a line, with a footnote mark set apart from the word or amount that it is glued to."""
    folded = text
    for kind, start, _ in sorted(find_scripts(text, raised, lowered), key=lambda script: -script.start):
        if kind == "mark" and text[start].isalnum() and text[start - 1].isalnum():
            folded = f"{folded[:start]} {folded[start:]}"
    return fold(folded)


def list_edits(text: str, raised: Ranges, lowered: Ranges, is_noted: Callable[[Script], bool]) -> tuple[Edit, ...]:
    """How the raised and lowered figures of a line are told, ascending; `is_noted` says whether a mark has its note.

    A mark with a note or in brackets goes, any other is kept apart, a power gets a caret. A lowered figure gets an
    underscore where it would be read as part of a number, or where it begins a line: its letter ends the line before.
    What needs no telling has no edit.
    """
    edits = [edit for script in find_scripts(text, raised, lowered) if (edit := _tell(text, script, is_noted))]
    for start, end in lowered:
        figure = text[start:end].strip()
        is_number = figure.isdigit() and text[start - 1 : start].isdigit()
        if is_number or (figure.isalpha() and not text[:start].strip() and text[end:].strip()):
            edits.append(Edit(start, start + len(text[start:end].rstrip()), f"_{figure}{_part(text, end)}"))
    return tuple(sorted(edits))


def apply_edits(text: str, edits: tuple[Edit, ...], start: int = 0, end: int | None = None) -> str:
    """The part [start, end) of a line as it is told."""
    end = len(text) if end is None else end
    parts, at = [], start
    for edit in edits:
        if at <= edit.start and edit.end <= end:
            parts += [text[at : edit.start], edit.told]
            at = edit.end
    return "".join((*parts, text[at:end]))


def _find_base(head: str, text: str, spans: Ranges) -> str:
    """What a raised figure stands behind: the text before it without other raised and lowered figures at its end."""
    base = head.rstrip()
    ends = {len(text[:end].rstrip()): start for start, end in spans}
    while base and len(base) in ends and ends[len(base)] < len(base):
        base = base[: ends[len(base)]].rstrip()
    return base


def _tell_kind(base: str, sign: str) -> Kind:
    if not base:
        return "lead" if any(form.fullmatch(sign) for form in (_BARE, _ENCLOSED)) else "plain"
    if _ENCLOSED.fullmatch(sign):
        return "mark"
    if _SIGNED.fullmatch(sign):
        return "plain" if _VARIABLE.search(base) else "mark"
    if _BARE.fullmatch(sign):
        return _tell_letter(base, sign) if sign.isalpha() else _tell_figure(base, sign)
    return "power" if _may_be_power(sign) and _is_formula(base) else "plain"


def _tell_figure(base: str, sign: str) -> Kind:
    """The kind of raised digits, or of several signs with commas between them."""
    last = base[-1]
    if _VARIABLE.search(base):
        # "Class A" has notes, and a variable has powers
        return "mark or power" if _NAMED.search(base) else "power"
    if last.isalpha():
        return "power" if _is_power_of_word(base, sign) else "mark"
    if last.isdigit():
        if "," in sign or _AMOUNT.search(base):
            return "mark"
        return "power" if _TEN.search(base) and not _NAMED.search(base) else "mark or power"
    if last in ")]":
        return _tell_behind_bracket(base)
    return "mark" if _ends_phrase(last) else "plain"


def _tell_letter(base: str, sign: str) -> Kind:
    """The kind of a raised small letter."""
    last = base[-1]
    if _VARIABLE.search(base):
        # "No 8" and "Mr" with their last letter raised
        return "plain" if sign in "aeors" and _ABBREVIATED.search(base) else "power"
    if last.isalpha():
        word = _last_word(base)
        return "mark" if len(word) >= 3 and not word.isupper() else "mark or plain"
    if last.isdigit():
        return "mark" if _AMOUNT.search(base) else "mark or plain"
    if last in ")]":
        return _tell_behind_bracket(base)
    return "mark" if _ends_phrase(last) else "plain"


def _tell_behind_bracket(base: str) -> Kind:
    """A bracket that holds words is part of a sentence or label; one of variables is part of a formula."""
    inner = base[max(base.rfind("("), base.rfind("[")) + 1 : -1]
    if _LONG_WORD.search(inner) and "_" not in inner:
        return "mark"
    return "power" if any(map(str.isalpha, inner)) else "mark or power"


def _may_be_power(sign: str) -> bool:
    """Whether raised text that is no mark by its form may be an exponent: "T", "-0.5", "2i/d"; not "th", "TM", ")"."""
    is_whole = sign.count("(") == sign.count(")") and any(map(str.isalnum, sign))
    return is_whole and len(sign) <= _MAX_POWER and not _BLANK.search(sign) and (not sign.isalpha() or len(sign) == 1)


def _is_power_of_word(base: str, sign: str) -> bool:
    word = _last_word(base)
    return (word in _UNITS and sign in ("2", "3")) or (word in _FUNCTIONS and sign.isdigit())


def _is_formula(base: str) -> bool:
    """Whether an exponent may stand here: behind a variable, a number, short symbols or a bracket of them."""
    last = base[-1]
    if last in ")]":
        return _tell_behind_bracket(base) != "mark"
    word = _last_word(base)
    return last.isdigit() or bool(_VARIABLE.search(base)) or 0 < len(word) <= 2 or word in _FUNCTIONS | _UNITS


def _last_word(base: str) -> str:
    match = _WORD.search(base)
    return match.group() if match else ""


def _ends_phrase(last: str) -> bool:
    return last in ".,;:!?%\"'\u201d\u2019\u00bb\u3002\uff0c\uff1b" or is_cjk(last)


def _tell(text: str, script: Script, is_noted: Callable[[Script], bool]) -> Edit | None:
    kind, start, end = script
    sign, tail = text[start:end], _part(text, end)
    before = len(text[:start].rstrip())
    if kind == "lead":
        return Edit(start, end, f"{sign} ") if tail and sign[-1].isalnum() else None
    # what is raised in brackets is a mark, wherever its note stands
    if kind == "mark" and (sign[0] in "([" or is_noted(script)):
        return Edit(before, end, tail)
    if kind in ("mark or power", "mark or plain") and is_noted(script):
        return Edit(before, end, tail)
    if kind == "mark":
        is_apart = before < start or not sign[0].isalnum()
        return Edit(start, end, f"{'' if is_apart else ' '}{sign}{tail}") if not is_apart or tail else None
    if kind in ("power", "mark or power"):
        return Edit(before, end, f"^{sign}{tail}" if _SIMPLE.fullmatch(sign) else f"^({sign}){tail}")
    return None


def _part(text: str, end: int) -> str:
    """The space that keeps what is told apart from a word that follows it directly."""
    return " " if text[end : end + 1].isalnum() else ""
