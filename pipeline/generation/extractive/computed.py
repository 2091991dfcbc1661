"""The reader of figures and of what follows from them: rows of statements looked up and computed on, exactly."""

from __future__ import annotations

from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.arithmetic import PRECISION, describe, evaluate, list_operands
from pipeline.generation.extractive.calculation import Calculation, list_expressions, plan_calculation
from pipeline.generation.extractive.citing import cite_lines
from pipeline.generation.extractive.crosscheck import find_contradiction
from pipeline.generation.extractive.figures import Figure, FigureBook
from pipeline.generation.extractive.money import convert, tell_amount, tell_printed
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.wording import read_wording, says_wording
from pipeline.models.answer import Conflict, Item
from pipeline.question.terms import cue_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.arithmetic import Expression
    from pipeline.generation.extractive.hits import ValueHit
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.generation.extractive.wording import Wording


MIN_COMPARED_YEARS = 2
SYNONYM_CAVEAT = 'no row is called "{asked}"; this is the row "{label}"'
PERIOD_CAVEAT = "not every period that was asked for is in the table"


class _Result(NamedTuple):
    value: Decimal
    year: str
    figures: tuple[Figure, ...]
    expression: Expression


def read_computed(task: ReaderTask) -> Reading | None:
    """Look the asked figure up, or compute it from the figures that its formula names; None where one is missing."""
    plan = plan_calculation(task)
    if plan is None or not task.evidence:
        return None
    wording = read_wording(task, plan.core, plan.name)
    if wording is not None and wording.is_narrowed and not plan.is_direct and plan.mode == "each":
        return None
    desk = _Desk(task, wording)
    years = plan.years or desk.list_newest(plan)
    results = desk.compute(plan, years)
    if not results:
        return None
    items = tuple(item for result in results if (item := _build_item(task, plan, result)) is not None)
    if not items or (plan.is_direct and task.part.value_type == "percent" and not any(map(_is_share, items))):
        return None
    if plan.is_direct and len(results) == 1 and len(results[0].figures) == 1:
        against = find_contradiction(task, results[0].figures[0])
        if against is not None:
            return _build_conflict(task, plan, items[0], against)
    beyond = [figure for result in results for figure in result.figures if not desk.book.is_evidence(figure)]
    caveats = [f"{figure.label} was looked up on page {figure.lines[0].page}, beyond the evidence" for figure in beyond]
    synonyms = _list_synonyms(task, wording, results) if plan.is_direct else ()
    is_whole = len(items) == (len(years) if plan.mode == "each" else 1)
    return Reading(
        text="\n".join(item.text for item in items),
        items=items,
        is_complete=is_whole,
        has_typed_fit=True,
        has_second_place=not synonyms
        and all(desk.book.is_confirmed(figure) for result in results for figure in result.figures),
        caveats=tuple(dict.fromkeys((*synonyms, *caveats))) + (() if is_whole else (PERIOD_CAVEAT,)),
    )


def read_hinted(task: ReaderTask) -> Reading | None:
    """A figure of the statement that the question names; None where it names none, so that other places may have it."""
    is_hinted = any(hint.kind == "statement" for hint in task.question.hints)
    return read_computed(task) if is_hinted else None


def _list_synonyms(task: ReaderTask, wording: Wording | None, results: Sequence[_Result]) -> tuple[str, ...]:
    """A caveat for each figure whose row has another name than the one that was asked."""
    if wording is None:
        return ()
    return tuple(
        SYNONYM_CAVEAT.format(asked=wording.text, label=figure.label)
        for result in results
        for figure in result.figures
        if not figure.is_literal and not says_wording(wording, figure.label, task.view.lexicon)
    )


def _is_share(item: Item) -> bool:
    """Whether a figure is a share: an amount is no answer to "what percentage of", whatever it is an amount of."""
    return item.unit == "percent" or "%" in item.text


def read_computed_fact(task: ReaderTask) -> Reading | None:
    """Figures that a yes/no question turns on: a derived one, or one figure in two years; the verdict is left open."""
    plan = plan_calculation(task)
    if plan is None or (plan.is_direct and len(plan.years) < MIN_COMPARED_YEARS):
        return None
    reading = read_computed(task)
    if reading is None:
        return None
    caveat = "the figures are given; what follows from them is not said in the document"
    return replace(reading, has_typed_fit=False, caveats=(*reading.caveats, caveat))


class _Desk:
    """Looks figures up for expressions and remembers which were used."""

    def __init__(self, task: ReaderTask, wording: Wording | None) -> None:
        self.book = FigureBook(task, wording)
        self._lexicon = task.view.lexicon
        self._used: dict[tuple[str, int], Figure] = {}
        self._is_strict = False

    def list_newest(self, plan: Calculation) -> tuple[int, ...]:
        """The newest year with a figure, for a question that names no year."""
        formulas = cue_of(self._lexicon.formulas, plan.name)
        names = [plan.name, *(operand for formula in formulas for operand in _names_in(formula))]
        for name in names:
            years = self.book.list_years(name)
            if years:
                return years[:1]
        return ()

    def compute(self, plan: Calculation, years: tuple[int, ...]) -> tuple[_Result, ...]:
        """Results in the order of the years; one result for an average or a growth rate."""
        for expression in plan.expressions:
            self._used = {}
            # Figures of different tables are only put together where each comes from the statement it belongs to.
            self._is_strict = len(list_operands(expression)) > 1
            if plan.mode == "each":
                results = (self._compute_year(expression, year, plan) for year in years)
                known = tuple(result for result in results if result is not None)
                if known:
                    return known
            elif years:
                result = self._compute_over(expression, years, plan)
                if result is not None:
                    return (result,)
        return ()

    def _compute_year(self, expression: Expression, year: int, plan: Calculation) -> _Result | None:
        self._used = {}
        value = evaluate(expression, year, self._look_up)
        figures = tuple(self._used.values())
        if value is None or not _share_scale(figures):
            return None
        # A row may print the percentage itself ("effective tax rate 21.4%"); only ratios are scaled.
        is_ratio = not (plan.is_direct and figures[:1] and figures[0].is_percent)
        return _Result(value * 100 if plan.kind == "percent" and is_ratio else value, str(year), figures, expression)

    def _compute_over(self, expression: Expression, years: tuple[int, ...], plan: Calculation) -> _Result | None:
        span = (years[0] - 1, years[0]) if plan.mode == "growth" and len(years) == 1 else years
        values = [evaluate(expression, year, self._look_up) for year in span]
        known = [value for value in values if value is not None]
        if len(known) != len(values) or not _share_scale(tuple(self._used.values())):
            return None
        if plan.mode == "growth":
            if not known[0]:
                return None
            value = (known[-1] - known[0]) / known[0]
        elif plan.mode == "gap":
            value = known[-1] - known[0]
        else:
            value = sum(known, Decimal(0)) / len(known)
        value = value * 100 if plan.kind == "percent" else value
        return _Result(value, f"{span[0]}-{span[-1]}", tuple(self._used.values()), expression)

    def _look_up(self, name: str, year: int) -> Decimal | None:
        figure = self._used.get((name, year)) or self.book.find(name, year, is_strict=self._is_strict)
        if figure is not None:
            self._used[name, year] = figure
            return figure.value
        # An input that no row prints may itself be derived: gross profit from revenue and costs.
        for expression in list_expressions(name, self._lexicon):
            if not isinstance(expression, tuple) or len(expression) != 3:
                continue
            value = evaluate(expression, year, self._look_up)
            if value is not None:
                return value
        return None


def _share_scale(figures: tuple[Figure, ...]) -> bool:
    """Whether all figures say their scale, or none does: a ratio of the two kinds would be off by thousands."""
    return len({figure.scale is None for figure in figures}) <= 1


def _names_in(formula: str) -> list[str]:
    return [part.split("}")[0] for part in formula.split("{")[1:]]


def _build_item(task: ReaderTask, plan: Calculation, result: _Result) -> Item | None:
    citations = tuple(citation for figure in result.figures for citation in cite_lines(task.view, figure.lines))
    citations = tuple(dict.fromkeys(citations))
    if not citations:
        return None
    if plan.is_direct and len(result.figures) == 1 and result.figures[0].name == plan.name:
        return _build_direct(task, result, citations)
    value, unit, text = _tell(task, plan, result)
    used = "; ".join(f"{figure.label} {figure.year}: {tell_printed(figure)}" for figure in result.figures)
    return Item(
        sub_question=task.part.id,
        text=f"{text} ({plan.name}, {result.year} = {_tell_formula(plan, result)}; {used})",
        label=plan.name,
        value=value,
        unit=unit,
        period=result.year,
        citations=citations,
        extraction="computed",
    )


def _build_conflict(task: ReaderTask, plan: Calculation, item: Item, against: ValueHit) -> Reading:
    """The figure of the statement and what a sentence says instead, both shown."""
    other = Item(
        sub_question=task.part.id,
        text=f"{against.typed.text} ({against.context})",
        label=plan.name,
        value=against.typed.value,
        unit=against.typed.unit,
        period=item.period,
        citations=against.citations,
        extraction="verbatim",
    )
    conflict = Conflict(
        concept=plan.name,
        values=(item.text.split(" (")[0], against.typed.text),
        citations=(*item.citations, *other.citations),
    )
    return Reading(
        text=f"Contradicting values: {item.text}; {other.text}",
        items=(item, other),
        has_typed_fit=True,
        conflict=conflict,
        caveats=("a statement and the text give different values; both are shown",),
    )


def _build_direct(task: ReaderTask, result: _Result, citations: tuple[object, ...]) -> Item:
    figure = result.figures[0]
    amount, unit, is_converted = convert(figure, task.question.unit)
    text = tell_amount(task.view, figure, amount, unit)
    return Item.model_validate(
        {
            "sub_question": task.part.id,
            "text": f"{text} ({figure.label}, {figure.year}{': ' + tell_printed(figure) if is_converted else ''})",
            "label": figure.label,
            "value": format(amount, "f"),
            "unit": unit,
            "period": result.year,
            "citations": citations,
            "extraction": "computed" if is_converted else "verbatim",
        }
    )


def _tell(task: ReaderTask, plan: Calculation, result: _Result) -> tuple[str, str, str]:
    """Canonical value, unit and text of a computed result, rounded once and half up."""
    if plan.kind == "money":
        figure = result.figures[0]._replace(value=result.value, is_percent=False)
        amount, unit, _ = convert(figure, task.question.unit)
        amount = amount if plan.decimals is None else _round(amount, plan.decimals)
        return format(amount, "f"), unit, tell_amount(task.view, figure, amount, unit)
    value = _round(result.value, plan.decimals or 0)
    sign = "%" if plan.kind == "percent" else ""
    return format(value, "f"), sign, f"{format(value, 'f')}{sign}"


def _round(value: Decimal, decimals: int) -> Decimal:
    quantum = Decimal(1).scaleb(-decimals)
    return value.quantize(quantum, rounding=ROUND_HALF_UP) if value.adjusted() + decimals < PRECISION else value


def _tell_formula(plan: Calculation, result: _Result) -> str:
    words = describe(result.expression)
    if plan.mode == "average":
        return f"average of {words}"
    return {"growth": f"growth of {words}", "gap": f"change of {words}"}.get(plan.mode, words)
