"""Looking a figure up: the row that a concept is printed under, in the column of a year, with scale and citations."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.rows import Amount, FigureRow, find_scale, read_rows
from pipeline.question.terms import cue_of
from pipeline.text.matching import contains_folded, fold
from pipeline.text.tokens import stem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.document import Line
    from pipeline.models.lexicon import Concept, Lexicon

# A label may say more than the pattern it begins with ("... and other"), up to this many words.
MAX_EXTRA_WORDS = 6
OTHER_WORDS = 3
TITLE_LINES = 12
MAX_AROUND_TITLE = 40
NEIGHBOURS = (0, 1, -1)
MIN_STATEMENT_ROWS = 6


class Figure(NamedTuple):
    """A figure found: name of what it is of, printed label and amount, exact value in units, year and cited lines."""

    name: str
    label: str
    printed: str
    value: Decimal
    scale: int | None
    year: int
    lines: tuple[Line, ...]
    is_percent: bool


class _Match(NamedTuple):
    order: tuple[int, int, int, int, int]
    page: int
    row: FigureRow


class FigureBook:
    """The rows of figures on the pages of the evidence, read once each; best pages first."""

    def __init__(self, task: ReaderTask) -> None:
        """Note the pages that evidence stands on; nothing is read yet."""
        self._task = task
        self._lexicon: Lexicon = task.view.lexicon
        self._rows: dict[int, tuple[FigureRow, ...]] = {}
        self._statements: dict[int, frozenset[str]] = {}
        spans = (span for piece in task.evidence for span in piece.candidate.spans)
        self._evidence_pages = tuple(dict.fromkeys(span.page for span in spans))

    def find(self, name: str, year: int, *, is_strict: bool = False) -> Figure | None:
        """The figure of a concept in a year; None where no row fits. Strict: only on the statement it belongs to."""
        patterns = cue_of(self._lexicon.row_labels, name) or self._forms_of(name)
        matches = sorted(self._match_rows(name, patterns), key=lambda match: match.order)
        for match in matches:
            if is_strict and match.order[0] and self._places_of(name):
                continue
            amount = self._choose_amount(match.row, year)
            if amount is not None:
                return self._build(name, match, amount, year)
        return None

    def _choose_amount(self, row: FigureRow, year: int) -> Amount | None:
        """The amount of a whole year; None where the columns of that year are only parts of it, or more than one."""
        cues = self._lexicon.calculation_cues
        fitting = [
            amount
            for amount in row.amounts
            if amount.year == year and not _has_cue(cue_of(cues, "partial"), amount.header)
        ]
        if len(fitting) > 1:
            fitting = [amount for amount in fitting if _has_cue(cue_of(cues, "annual"), amount.header)] or fitting
        return fitting[0] if len({amount.value for amount in fitting}) == 1 else None

    def list_years(self, name: str) -> tuple[int, ...]:
        """The years that the best row of a concept has figures for, newest first."""
        patterns = cue_of(self._lexicon.row_labels, name) or self._forms_of(name)
        matches = sorted(self._match_rows(name, patterns), key=lambda match: match.order)
        years = {amount.year for match in matches[:1] for amount in match.row.amounts if amount.year is not None}
        return tuple(sorted(years, reverse=True))

    def is_confirmed(self, figure: Figure) -> bool:
        """Whether another page of the evidence prints the same amount in the same year under a fitting label."""
        patterns = cue_of(self._lexicon.row_labels, figure.name) or self._forms_of(figure.name)
        return any(
            amount.text == figure.printed and amount.year == figure.year and match.page != figure.lines[0].page
            for match in self._match_rows(figure.name, patterns)
            for amount in match.row.amounts
        )

    def _build(self, name: str, match: _Match, amount: Amount, year: int) -> Figure:
        scale = self._find_scale(match.page)
        is_plain = amount.is_percent or _is_per_unit(match.row.label)
        value = amount.value if name in cue_of(self._lexicon.calculation_cues, "signed") else abs(amount.value)
        power = 0 if is_plain else (scale or 0)
        lines = tuple(dict.fromkeys((*match.row.label_lines, amount.line)))
        return Figure(
            name=name,
            label=" ".join(match.row.label.split()),
            printed=amount.text,
            value=value.scaleb(power),
            scale=0 if is_plain else scale,
            year=year,
            lines=lines,
            is_percent=amount.is_percent,
        )

    def _find_scale(self, page: int) -> int | None:
        """What the page says, else the page before it: a statement that goes on says it once."""
        for number in (page, page - 1):
            if number >= 1:
                scale = find_scale(self._task.view, number)
                if scale is not None:
                    return scale
        return None

    def _forms_of(self, name: str) -> tuple[str, ...]:
        concept = _find_concept(name, self._lexicon)
        return concept.forms if concept is not None else (name,)

    def _match_rows(self, name: str, patterns: Sequence[str]) -> Iterator[_Match]:
        wanted = [(_split_label(pattern, self._lexicon), pattern.endswith("*")) for pattern in patterns]
        places = self._places_of(name)
        seen: set[int] = set()
        for distance in NEIGHBOURS:
            for rank, origin in enumerate(self._evidence_pages):
                page = origin + distance
                if page in seen or not 1 <= page <= len(self._task.view.document.pages):
                    continue
                seen.add(page)
                rows = self._rows_on(page)
                is_place = len(rows) >= MIN_STATEMENT_ROWS and bool(places & self._statements_on(page))
                far = rank if distance == 0 else rank + 100
                for position, row in enumerate(rows):
                    grade = self._grade(row, wanted)
                    if grade is not None:
                        yield _Match((not is_place, grade[0], grade[1], far, position), page, row)

    def _grade(self, row: FigureRow, wanted: Sequence[tuple[tuple[str, ...], bool]]) -> tuple[int, int] | None:
        """(0 equal or words more than a pattern, place of the pattern); lower is better, None is no match."""
        grades = [
            (self._count_extra(words, pattern, is_open), index)
            for words in self._list_readings(row)
            for index, (pattern, is_open) in enumerate(wanted)
            if words[: len(pattern)] == pattern
        ]
        best = min(grades, default=None)
        return best if best is not None and best[0] <= MAX_EXTRA_WORDS else None

    def _count_extra(self, words: Sequence[str], pattern: Sequence[str], is_open: bool) -> int:
        """How many words a label has more than a pattern; words that make it the label of something else count more."""
        rest = words[len(pattern) :]
        others = _split_label(" ".join(cue_of(self._lexicon.calculation_cues, "other")), self._lexicon)
        return OTHER_WORDS * sum(word in others for word in rest) + (0 if is_open else len(rest))

    def _list_readings(self, row: FigureRow) -> list[tuple[str, ...]]:
        """A label as printed, without its parentheses, without the line it goes on from, and under its heading."""
        last = row.label_lines[-1].text if row.label_lines else row.label
        texts = [row.label, re.sub(r"\([^)]*\)", " ", row.label), last]
        if len(_split_label(row.label, self._lexicon)) <= 1:
            texts.append(f"{row.label} {row.heading}")
        return [words for text in dict.fromkeys(texts) if (words := _split_label(text, self._lexicon))]

    def _rows_on(self, page: int) -> tuple[FigureRow, ...]:
        if page not in self._rows:
            self._rows[page] = read_rows(self._task.view, page)
        return self._rows[page]

    def _places_of(self, name: str) -> frozenset[str]:
        hinted = [hint.value for hint in self._task.question.hints if hint.kind == "statement"]
        concept = _find_concept(name, self._lexicon)
        own = concept.places if concept is not None else ()
        shared = [place for place in own if place in hinted]
        return frozenset(shared or own or hinted)

    def _statements_on(self, page: int) -> frozenset[str]:
        """The statements that a page shows: by the title among its first lines, or by enough of their usual rows."""
        if page not in self._statements:
            document = self._task.view.document
            start, end = document.index_of((page, 0)), document.index_of((page + 1, 0))
            squashed = [_squash(text) for text in document.folded[start:end]]
            top, text = squashed[:TITLE_LINES], "".join(squashed)
            titled = (
                cue.label
                for cue in self._lexicon.statement_titles
                if any(_is_title(title, line) for title in map(_squash, cue.phrases) for line in top)
            )
            usual = (
                cue.label
                for cue in self._lexicon.statement_rows
                if sum(_squash(row) in text for row in cue.phrases) >= MIN_STATEMENT_ROWS
            )
            self._statements[page] = frozenset((*titled, *usual))
        return self._statements[page]


def _is_title(title: str, line: str) -> bool:
    """Whether a line is little more than a title: a company's name or "consolidated" may stand around it."""
    return title in line and len(line) < len(title) + MAX_AROUND_TITLE


def _find_concept(name: str, lexicon: Lexicon) -> Concept | None:
    return next((concept for concept in lexicon.concepts if concept.name == name), None)


def _has_cue(cues: Sequence[str], header: str) -> bool:
    folded = fold(header)
    return any(contains_folded(cue, folded) for cue in cues)


def _is_per_unit(label: str) -> bool:
    return " per " in f" {fold(label)} "


@lru_cache(maxsize=2048)
def _squash(text: str) -> str:
    return re.sub(r"[^a-z0-9&\u00c0-\u024f\u3400-\u9fff]+", "", fold(text))


@lru_cache(maxsize=8192)
def _split_words(text: str, language: str, fillers: tuple[str, ...]) -> tuple[str, ...]:
    plain = re.sub(r"\((?:see )?notes?\b[^)]*\)|\bnotes? \d+\b", " ", fold(text))
    words = re.findall(r"[^\W_]+(?:'[a-z]+)?|&", plain)
    return tuple(stem(word, language) for word in words if word not in fillers and not word.isdigit())


def _split_label(text: str, lexicon: Lexicon) -> tuple[str, ...]:
    """The words of a label that count, as stems; "and", "of" and numbers of notes do not."""
    return _split_words(text, lexicon.language, cue_of(lexicon.calculation_cues, "filler"))
