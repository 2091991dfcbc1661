"""Looking a figure up: the row that a concept is printed under, in the column of a year, with scale and citations."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.fiscal import shift_years
from pipeline.generation.extractive.rowlabels import Wanted, build_patterns, grade_row, is_literal, is_per_unit
from pipeline.generation.extractive.rows import Amount, FigureRow, find_scale, read_rows
from pipeline.question.concepts import find_concept
from pipeline.question.terms import cue_of
from pipeline.structure.statements import StatementPage, find_statements, list_page_texts
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.generation.extractive.wording import Wording
    from pipeline.models.document import Line
    from pipeline.models.lexicon import Lexicon

NEIGHBOURS = (0, 1, -1)
ELSEWHERE = 2
MAX_CONFIRMING_PAGES = 6
FAR = 100
"""Ranks between a page of the evidence and its neighbours, and between those and statements found elsewhere."""


MIN_STATEMENT_ROWS = 5
"""Usual rows of a statement that a page must have for its figures to be those of the statement."""


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
    is_literal: bool = True


class _Match(NamedTuple):
    """`order` begins with how the page is a place of the concept: 0 its titled statement, 1 by its rows, 2 neither."""

    order: tuple[int, int, int, int, int]
    page: int
    row: FigureRow


class FigureBook:
    """The rows of figures on the pages of the evidence and of the statements that concepts belong to."""

    def __init__(self, task: ReaderTask, wording: Wording | None = None) -> None:
        """Note the pages that evidence stands on and the words that a concept is asked with; nothing is read yet."""
        self._task = task
        self._wording = wording
        self._lexicon: Lexicon = task.view.lexicon
        self._shifts: dict[tuple[str, ...], int] = {}
        self._rows: dict[int, tuple[FigureRow, ...]] = {}
        self._statements: dict[str, dict[int, StatementPage]] = {}
        spans = (span for piece in task.evidence for span in piece.candidate.spans)
        self._evidence_pages = tuple(dict.fromkeys(span.page for span in spans))

    def find(self, name: str, year: int, *, is_strict: bool = False) -> Figure | None:
        """The figure of a concept in a year; None where no row fits.

        A concept that belongs to a statement is read there when the document has that statement: a segment's table or
        a note prints the same label for something else. Strict: nowhere else at all.
        """
        matches = self._list_matches(name)
        for match in matches:
            is_elsewhere = match.order[0] == ELSEWHERE and bool(self._places_of(name))
            if is_elsewhere and (is_strict or match.order[1]):
                continue
            amount = self._choose_amount(match.row, year)
            if amount is None or (amount.is_percent and self._is_money(name)):
                continue
            figure = self._build(name, match, amount, year)
            if not (is_elsewhere and figure.scale is None):
                return figure
        return None

    def _list_matches(self, name: str) -> list[_Match]:
        """Rows that fit a concept, best first: those of its statement where there are any, else those elsewhere."""
        wanted = self._list_wanted(name)
        places = self._places_of(name)
        for pages in self._tier_pages(places):
            matches = [match for page, rank in pages for match in self._match_page(page, rank, wanted, places)]
            if matches:
                return sorted(matches, key=lambda match: match.order)
        return []

    def _list_wanted(self, name: str) -> Wanted:
        """The labels that a concept is printed under; first the very words it was asked with, where it was asked."""
        patterns = build_patterns(cue_of(self._lexicon.row_labels, name) or self._forms_of(name), self._lexicon)
        wording = self._wording
        if wording is None or wording.name != name:
            return Wanted(patterns)
        # "Equipment revenues" are no revenues of the company: only a row of that very name has them
        kept = () if wording.is_narrowed else patterns
        return Wanted(kept, wording.words, wording.own, is_per_unit(name) if self._is_money(name) else None)

    def _is_money(self, name: str) -> bool:
        concept = find_concept(name, self._lexicon)
        return concept is not None and concept.value_type == "money"

    def _choose_amount(self, row: FigureRow, year: int) -> Amount | None:
        """The amount of a whole year; None where the columns of that year are only parts of it, or more than one."""
        cues = self._lexicon.calculation_cues
        year -= self._shift_of(row)
        # "Three months ended June 30, 2018" is a column of 2018, but not the year.
        fitting = [
            amount
            for amount in row.amounts
            if amount.year == year and not _has_cue(cue_of(cues, "partial"), amount.header)
        ]
        if len(fitting) > 1:
            fitting = [amount for amount in fitting if _has_cue(cue_of(cues, "annual"), amount.header)] or fitting
        return fitting[0] if len({amount.value for amount in fitting}) == 1 else None

    def _shift_of(self, row: FigureRow) -> int:
        heads = tuple(amount.header for amount in row.amounts)
        if heads not in self._shifts:
            self._shifts[heads] = shift_years(self._task, heads)
        return self._shifts[heads]

    def list_years(self, name: str) -> tuple[int, ...]:
        """The years that the best row of a concept has figures for, newest first."""
        matches = self._list_matches(name)
        years = {
            amount.year + self._shift_of(match.row)
            for match in matches[:1]
            for amount in match.row.amounts
            if amount.year is not None
        }
        return tuple(sorted(years, reverse=True))

    def is_confirmed(self, figure: Figure) -> bool:
        """Whether another page of the evidence prints the same amount in the same year under a fitting label."""
        wanted = self._list_wanted(figure.name)
        return any(
            amount.text == figure.printed and amount.year == figure.year
            for rank, page in enumerate(self._evidence_pages[:MAX_CONFIRMING_PAGES])
            if page != figure.lines[0].page
            for match in self._match_page(page, rank, wanted, ())
            for amount in match.row.amounts
        )

    def is_evidence(self, figure: Figure) -> bool:
        """Whether a figure stands on a page of the evidence, not on a statement that was looked up beyond it."""
        return figure.lines[0].page in self._evidence_pages

    def _build(self, name: str, match: _Match, amount: Amount, year: int) -> Figure:
        scale = self._find_scale(match.page, amount.line.box[1])
        # Amounts per share and percentages are not in the millions that the page speaks of.
        is_plain = amount.is_percent or is_per_unit(match.row.label) or is_per_unit(name)
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
            is_literal=is_literal(match.order[2]),
        )

    def _find_scale(self, page: int, top: int) -> int | None:
        """What the page says above the figure, else the page before it: a statement that goes on says it once."""
        scale = find_scale(self._task.view, page, top)
        return scale if scale is not None or page == 1 else find_scale(self._task.view, page - 1, None)

    def _forms_of(self, name: str) -> tuple[str, ...]:
        concept = find_concept(name, self._lexicon)
        return concept.forms if concept is not None else (name,)

    def _match_page(self, page: int, rank: int, wanted: Wanted, places: tuple[str, ...]) -> Iterator[_Match]:
        shown = self._judge_page(page, places)
        if shown is None:
            return
        for position, row in enumerate(self._rows_on(page)):
            grade = grade_row(row, wanted, self._lexicon)
            if grade is not None:
                yield _Match((shown, grade[0], grade[1], rank, position), page, row)

    def _tier_pages(self, places: tuple[str, ...]) -> Iterator[list[tuple[int, int]]]:
        """Pages with their rank, tier by tier: the concept's statements, then the evidence, then its neighbours."""
        ranks: dict[int, int] = {}
        count = len(self._task.view.document.pages)
        for distance in NEIGHBOURS:
            for rank, origin in enumerate(self._evidence_pages):
                if 1 <= origin + distance <= count:
                    ranks.setdefault(origin + distance, rank if distance == 0 else rank + FAR)
        stated = {page: rank + 2 * FAR for place in places for rank, page in enumerate(self._pages_of(place))}
        yield [(page, ranks.get(page, rank)) for page, rank in stated.items()]
        yield [(page, rank) for page, rank in ranks.items() if rank < FAR and page not in stated]
        yield [(page, rank) for page, rank in ranks.items() if rank >= FAR and page not in stated]

    def _judge_page(self, page: int, places: tuple[str, ...]) -> int | None:
        """How far a page is the place of a concept; None where it shows another statement: rows mean changes there."""
        own = [shown for place in places if (shown := self._pages_of(place).get(page)) is not None]
        # An index of statements names titles and rows as well, each with one number: its page.
        if own and sum(len(row.amounts) > 1 for row in self._rows_on(page)) >= MIN_STATEMENT_ROWS:
            return 0 if any(shown.has_title for shown in own) else 1
        others = (cue.label for cue in self._lexicon.statement_titles if cue.label not in places)
        is_other = any(shown is not None and shown.has_title for o in others for shown in [self._pages_of(o).get(page)])
        return None if places and is_other else ELSEWHERE

    def _pages_of(self, place: str) -> dict[int, StatementPage]:
        """The pages that show a statement, best first."""
        if place not in self._statements:
            found = find_statements(self._task.view, list_page_texts(self._task.view), place)
            self._statements[place] = {entry.page: entry for entry in found if entry.row_count >= MIN_STATEMENT_ROWS}
        return self._statements[place]

    def _rows_on(self, page: int) -> tuple[FigureRow, ...]:
        if page not in self._rows:
            self._rows[page] = read_rows(self._task.view, page)
        return self._rows[page]

    def _places_of(self, name: str) -> tuple[str, ...]:
        """Statements that a concept belongs to; those that the question names where both say one."""
        known = {cue.label for cue in self._lexicon.statement_titles}
        hinted = [hint.value for hint in self._task.question.hints if hint.kind == "statement"]
        concept = find_concept(name, self._lexicon)
        own = [place for place in (concept.places if concept is not None else ()) if place in known]
        return tuple([place for place in own if place in hinted] or own or [h for h in hinted if h in known])


def _has_cue(cues: Sequence[str], header: str) -> bool:
    folded = fold(header)
    return any(contains_folded(cue, folded) for cue in cues)
