"""What schedules of years to come are made of: years and what comes after them, amounts, and blocks of names."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.question.terms import cue_of
from pipeline.text.late import compile_late
from pipeline.text.matching import contains_folded, fold
from pipeline.text.numbers import parse_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.models.document import Line
    from pipeline.models.lexicon import Lexicon

MAX_PERIOD_CHARACTERS = 48
MIN_INDENT = 200
"""How much further in, in hundredths of a point, the rows of a block begin than its name."""
LATER = 9999
"""The last year of a row of all later years; `first` is 0 for the total of all years."""

PERIOD = compile_late(
    r"((?:[a-z]+\.?,? ){0,4}(?:\d{1,2}, )?)(20\d\d)"
    r"(?: ?(?:-|\u2013|\u2014|to|through|and) ?(20\d\d))?((?: [(a-z]+\)?){0,4})"
)
_TAIL = compile_late(r"(?:[$\u20ac\u00a3]\s*)?\(?\d[\d.,]*\)?%?|[\u2014\u2013-]+(?=\s|$)")
_NIL = frozenset("\u2014\u2013-")
NOTE = compile_late(r"\(\w{1,2}\)|\d")


class Span(NamedTuple):
    """Years from `first` to `last` with what is printed for them; `last` is LATER for all later years."""

    first: int
    last: int
    printed: str

    @property
    def is_total(self) -> bool:
        """Whether it is of all years together."""
        return not self.first

    @property
    def is_single(self) -> bool:
        """Whether it is of one year alone."""
        return 0 < self.first == self.last


class Cell(NamedTuple):
    """An amount of a schedule: when it is of, what its column or row is called, and the lines that say all of it."""

    span: Span
    name: str
    printed: str
    lines: tuple[Line, ...]
    heads: tuple[Line, ...]


class Schedule(NamedTuple):
    """The cells of a schedule with the sentence over it, its lines, and what else stands over it."""

    page: int
    cells: tuple[Cell, ...]
    lead: str
    lead_lines: tuple[Line, ...]
    around: str


class Column(NamedTuple):
    """The edges of the amounts of a column, currency signs included."""

    left: int
    right: int


class Block(NamedTuple):
    """The name over some rows, its left edge, and whether rows under it stand further in."""

    name: str
    left: int
    has_indent: bool = False

    def move(self, left: int) -> Block:
        """The block as it is for a row at a left edge."""
        if left > self.left + MIN_INDENT:
            return self._replace(has_indent=True)
        return Block("", 0) if self.has_indent else self


def read_span(text: str, lexicon: Lexicon) -> Span | None:
    """The years that a label is of and nothing else; None where it is of none."""
    plain = " ".join(text.split()).strip(" .:\u2026")
    folded = fold(plain)
    found = PERIOD.fullmatch(folded)
    if found is None or len(folded) > MAX_PERIOD_CHARACTERS:
        return None
    first, last = int(found[2]), int(found[3] or found[2])
    is_later = any(contains_folded(cue, folded) for cue in cue_of(lexicon.value_cues, "later years"))
    return Span(first, LATER if is_later else max(first, last), plain)


def read_label(band: Sequence[Line], lexicon: Lexicon) -> tuple[Span | None, list[str]]:
    """The years of a row with its amounts, which stand in lines of their own or behind the years."""
    amounts = [line.text for line in list_amounts(band) if line is not band[0]]
    if amounts:
        return read_span(band[0].text, lexicon), amounts
    found = PERIOD.match(fold(band[0].text)) if len(band) == 1 else None
    text = " ".join(band[0].text.split())
    tail = text[found.end() :].strip(" .\u2026") if found is not None else ""
    parts = _TAIL.findall(tail)
    if not parts or "".join(parts).replace(" ", "") != tail.replace(" ", ""):
        return None, []
    return read_span(text[: found.end()] if found is not None else "", lexicon), parts


def is_amount(text: str) -> bool:
    """Whether a cell holds an amount, or the dash that stands for none."""
    plain = strip_signs(text)
    return bool(plain) and (set(plain.rstrip("%")) <= _NIL or parse_number(plain) is not None)


def list_amounts(band: Sequence[Line]) -> list[Line]:
    """The lines of a row that hold amounts; the mark of a note right behind its label is none."""
    near = band[0].box[2] + MIN_INDENT
    return [
        line
        for line in band
        if is_amount(line.text) and not (NOTE.fullmatch(line.text.strip()) and band[0].box[0] < line.box[0] < near)
    ]


def strip_signs(text: str) -> str:
    """An amount without currency signs."""
    return text.strip().strip("$\u20ac\u00a3 ")


def read_tail(label: str, last: int, lexicon: Lexicon) -> Span | None:
    """What a row behind the years is of: all later years, or the total."""
    folded = fold(label)
    if any(folded.startswith(cue) for cue in cue_of(lexicon.superlatives, "total")):
        return Span(0, 0, label)
    if any(folded.startswith(cue) for cue in cue_of(lexicon.value_cues, "later years")):
        return Span(last + 1, LATER, label)
    return None
