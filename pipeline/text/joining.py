"""Lines of a paragraph read as one text for matching, with a hyphen at a line end read both ways."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pipeline.text.folding import FoldedText, fold, fold_mapped, is_bounded, is_cjk, locate_end
from pipeline.text.grammar import LIST_JOINERS

_HYPHENS = "-\u2010\u2011"
_SOFT_HYPHEN = "\u00ad"


class LineSpan(NamedTuple):
    """Verbatim place in given lines: from `start` on line `first_line` up to `end` on line `last_line` (0-based)."""

    first_line: int
    start: int
    last_line: int
    end: int


class _Form(NamedTuple):
    """A folded text without spaces and hyphens; `gaps[i]` lists the readings of what stood before letter i.

    The first reading is the preferred one; `gaps` has one entry more than letters, for what follows the last.
    `spots[i]` is (line, folded index) of letter i.
    """

    letters: str
    gaps: tuple[tuple[str, ...], ...]
    spots: tuple[tuple[int, int], ...]


class JoinedText:
    """Lines joined for matching and for display; made by `join_lines`."""

    __slots__ = ("_display", "_form", "_letters", "_mapped", "texts")

    def __init__(self, texts: Sequence[str]) -> None:
        """Keep the lines; everything derived is made when first asked for."""
        self.texts: tuple[str, ...] = tuple(texts)
        self._letters: str | None = None
        self._form: _Form | None = None
        self._mapped: tuple[FoldedText, ...] = ()
        self._display: str | None = None

    @property
    def display(self) -> str:
        """The lines as one readable text; a hyphen at a line end goes only where it parted one plain word."""
        if self._display is None:
            self._display = _join_display(self.texts)
        return self._display

    def find(self, needle: str, whole_words: bool = True) -> tuple[LineSpan, ...]:
        """Return every place of `needle` (any surface form, also across line ends, also itself of several lines)."""
        wanted = _build_form(needle.splitlines())[0]
        if not wanted.letters or wanted.letters not in self._squash():
            return ()
        if self._form is None:
            self._form, self._mapped = _build_form(self.texts)
        spans: list[LineSpan] = []
        at = self._form.letters.find(wanted.letters)
        while at >= 0:
            if _agree(self._form, wanted, at) and not (whole_words and _is_inside_word(self._form, wanted, at)):
                spans.append(self._locate(self._form, wanted, at))
            at = self._form.letters.find(wanted.letters, at + 1)
        return tuple(spans)

    def _squash(self) -> str:
        """The letters of the form, made cheaply: most searches end here without building offsets."""
        if self._letters is None:
            self._letters = "".join(map(fold, self.texts)).replace(" ", "").replace("-", "")
        return self._letters

    def _locate(self, form: _Form, wanted: _Form, at: int) -> LineSpan:
        first_line, first = form.spots[at]
        last_line, last = form.spots[at + len(wanted.letters) - 1]
        # offsets are per line, so a match over a line end gets its two ends from two maps
        first = max(0, first - len(wanted.gaps[0][0].strip()))  # a sign in front belongs to the match
        end = min(last + 1 + len(wanted.gaps[-1][0].strip()), len(self._mapped[last_line].folded))
        start = self._mapped[first_line].offsets[first]
        return LineSpan(first_line, start, last_line, locate_end(self._mapped[last_line], end))


def join_lines(texts: Sequence[str]) -> JoinedText:
    """Join lines for matching: "insur-/ance" holds "insurance", "English-/to-German" holds "English-to-German"."""
    return JoinedText(texts)


def quote_matches(quote: str, texts: Sequence[str]) -> bool:
    """Tell whether `quote` stands on these lines after folding, as whole words and whole numbers (promise P11)."""
    if join_lines(texts).find(quote):
        return True
    # A verbatim piece of a letter-spaced heading folds differently alone than in its line.
    page, piece = "\n".join(texts), quote.strip()
    at = page.find(piece)
    while piece and at >= 0:
        if is_bounded(page, at, at + len(piece)):
            return True
        at = page.find(piece, at + 1)
    return False


def _agree(form: _Form, wanted: _Form, at: int) -> bool:
    """Tell whether spaces and hyphens inside the match agree in at least one reading."""
    count = len(wanted.letters)
    # hyphens and spaces were left out of the search, so they are compared here, reading by reading
    inner = all(
        gaps == form.gaps[at + index] or any(gap in form.gaps[at + index] for gap in gaps)
        for index, gaps in enumerate(wanted.gaps[1:count], start=1)
    )
    if not inner:
        return False
    lead, tail = wanted.gaps[0][0], wanted.gaps[-1][0]
    return any(gap.endswith(lead) for gap in form.gaps[at]) and any(
        gap.startswith(tail) for gap in form.gaps[at + count]
    )


def _is_inside_word(form: _Form, wanted: _Form, at: int) -> bool:
    end = at + len(wanted.letters)
    # word bounds are judged on the preferred reading: "ance" is no word of "insur-/ance"
    left = "".join(form.gaps[i][0] + form.letters[i] for i in range(max(0, at - 2), at)) + form.gaps[at][0]
    right = "".join(form.gaps[i][0] + form.letters[i] for i in range(end, min(len(form.letters), end + 2)))
    right = right or form.gaps[end][0]
    middle = wanted.letters
    return not is_bounded(left + middle + right, len(left), len(left) + len(middle))


def _build_form(texts: Sequence[str]) -> tuple[_Form, tuple[FoldedText, ...]]:
    mapped = tuple(fold_mapped(text) for text in texts)
    letters: list[str] = []
    gaps: list[tuple[str, ...]] = []
    spots: list[tuple[int, int]] = []
    pending: tuple[str, ...] = ("",)
    previous = ""
    for number, line in enumerate(mapped):
        gap = ""
        is_first = True
        for index, char in enumerate(line.folded):
            if char in " -":
                gap += char
                continue
            if is_first and previous:
                pending = _read_break(pending[0], gap, previous, texts[number], texts)
            elif is_first:
                pending = (gap,)
            gaps.append(pending if is_first else (gap,))
            letters.append(char)
            spots.append((number, index))
            gap, is_first = "", False
        if not is_first:
            pending, previous = (gap,), texts[number]
        elif gap.strip():
            pending = (pending[0] + " " + gap,)  # a line of dashes alone parts its neighbours
            previous = previous and texts[number]
    gaps.append(pending)
    return _Form("".join(letters), tuple(gaps), tuple(spots)), mapped


def _read_break(tail: str, lead: str, left: str, right: str, texts: Sequence[str]) -> tuple[str, ...]:
    """The readings of a line end: how the words around it hang together, the preferred one first."""
    left, right = left.rstrip(), right.lstrip()
    if left.endswith(_SOFT_HYPHEN):
        return ("", " ", "-")
    if tail == "-" and not lead:
        if left[-1] not in _HYPHENS:
            return ("-", "- ")  # an en or em dash never parts a word
        preferred = _read_hyphen(left, right, texts)
        return (preferred, *(reading for reading in ("", "-", "- ") if reading != preferred))
    if not tail and not lead and is_cjk(left[-1:] or " ") and is_cjk(right[:1] or " "):
        return ("", " ")
    return (tail + " " + lead,)


def _read_hyphen(left: str, right: str, texts: Sequence[str]) -> str:
    """What most likely stands for a hyphen at a line end: nothing, the hyphen, or hyphen and space ("long- and").

    It goes where it parts one plain word. It is kept where either side is itself a compound, where the next line does
    not go on in lower case, after capitals and digits ("COVID-/related", "10-/year"), and where the hyphenated word
    occurs elsewhere in these lines.
    """
    stem = left.split()[-1].rstrip(_HYPHENS).lstrip("(\"'\u201c\u2018[")
    rest = right.split()[0] if right else ""
    word = rest.rstrip(".,;:!?)\"'\u201d\u2019]")
    if word in LIST_JOINERS and len(word) > 1:
        return "- "
    if not stem.isalpha() or not rest[:1].islower() or (len(stem) > 1 and stem.isupper()):
        return "-"
    if any(hyphen in word for hyphen in _HYPHENS + "\u2013"):
        return "-"
    compound = f"{stem}-{word}"
    return "-" if any(compound in text for text in texts) else ""


def _join_display(texts: Sequence[str]) -> str:
    joined = ""
    previous = ""
    for text in texts:
        line = " ".join(text.split())
        if not line:
            continue
        if previous.endswith(_SOFT_HYPHEN):
            joined = joined[:-1] + line
        elif previous[-1:] and previous[-1:] in _HYPHENS and previous[-2:-1].isalnum() and line[0].isalnum():
            joined = joined[:-1] + _read_hyphen(previous, line, texts) + line
        elif previous and not (is_cjk(previous[-1]) and is_cjk(line[0])):
            joined += " " + line
        else:
            joined += line
        previous = line
    return joined.replace(_SOFT_HYPHEN, "")
