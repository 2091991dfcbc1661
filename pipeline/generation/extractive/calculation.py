"""What a question wants computed: of which figures and years, as a ratio, a growth rate, an average or a share."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Literal, NamedTuple

from pipeline.generation.extractive.arithmetic import Expression, Operand, Operation, parse_formula, parse_tokens
from pipeline.generation.extractive.narrowing import is_narrowed
from pipeline.question.concepts import find_concepts
from pipeline.question.operations import read_operation
from pipeline.question.periods import find_periods, list_period_keys
from pipeline.question.terms import cue_of, find_first, find_label, find_phrase, split_words
from pipeline.text.late import compile_late
from pipeline.text.numbers import parse_number_word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.arithmetic import Token
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.lexicon import Concept, Lexicon
    from pipeline.question.terms import Word

Mode = Literal["each", "average", "growth", "gap"]
DEFAULT_DECIMALS = {"percent": 1, "number": 2, "money": 0}
_BETWEEN_OPERATORS = compile_late(r"\s([-+*/\u00d7\u00f7\u2212])\s|([()])|(?<=[\d)])\s*([*/\u00d7])")
_SAME_SIGN = {"\u00d7": "*", "\u00f7": "/", "\u2212": "-"}


class Calculation(NamedTuple):
    """`expressions` are alternatives, the first that can be read counts; `is_direct` when the figure itself is asked.

    `years` are ascending, empty where none is asked; `kind` is percent, number or money; `decimals` None keeps all;
    `core` is the question without its instructions.
    """

    name: str
    expressions: tuple[Expression, ...]
    years: tuple[int, ...]
    mode: Mode
    kind: str
    decimals: int | None
    is_direct: bool
    core: str = ""


def plan_calculation(task: ReaderTask) -> Calculation | None:
    """What is to be looked up or computed; None where the question names no concept that rows or formulas know."""
    lexicon = task.view.lexicon
    core = _cut_instructions(task)
    concept, share = _find_target(core, lexicon)
    if task.part.shape == "count" and not _is_derived(concept, lexicon):
        # "How many times was the inventory sold": only a derived figure is counted in times.
        concept, share = _find_target(task.question.text, lexicon)
        concept = concept if _is_derived(concept, lexicon) else None
    if concept is None or _is_restated(task.question.text, lexicon) or task.question.exclusions:
        return None
    years = _read_years(task, core)
    if years is None:
        return None
    words = split_words(core, lexicon)
    defined = _read_definition(task.question.instructions, lexicon)
    expressions = (defined,) if defined is not None else list_expressions(concept.name, lexicon)
    is_margin = asks_rate(words, concept, lexicon)
    if share is not None:
        expressions = (Operation("/", Operand(concept.name), Operand(share.name)),)
    elif is_margin and concept.value_type == "money":
        expressions = tuple(Operation("/", entry, Operand("revenue")) for entry in expressions)
    mode = _read_mode(core, years, lexicon)
    # what is compared or added up are rarely figures of the whole company
    operation = read_operation(task.part.text, lexicon)
    is_operated = bool(operation.direction or operation.choice or operation.singles or operation.bounds)
    if (is_operated or mode in ("growth", "gap")) and is_narrowed(task, core, concept.name):
        return None
    kind = "percent" if share is not None or is_margin or mode == "growth" else _read_kind(task, concept, defined)
    is_direct = expressions[0] == Operand(concept.name) and mode == "each"
    decimals = _read_decimals(task.question.text, lexicon)
    if decimals is None and kind != "money":
        decimals = DEFAULT_DECIMALS[kind]
    name = f"{concept.name} of {share.name}" if share else f"{concept.name} margin" if is_margin else concept.name
    return Calculation(name, expressions, years, mode, kind, decimals, is_direct, core)


def asks_rate(words: Sequence[Word], concept: Concept, lexicon: Lexicon) -> bool:
    """Whether an amount is asked as a rate: "operating income rate", "EBITDA margin", "operating income % margin"."""
    if find_first(cue_of(lexicon.calculation_cues, "margin"), words) is not None:
        return True
    rates = cue_of(lexicon.calculation_cues, "rate")
    behind = [words[place.stop : place.stop + 1] for place in find_concepts(words, lexicon) if place.concept == concept]
    return concept.value_type == "money" and any(word.folded in rates for rest in behind for word in rest)


def _read_kind(task: ReaderTask, concept: Concept, defined: Expression | None) -> str:
    """Whether a result is told as a percentage, a number or money; a ratio that the question defines is a number."""
    if task.question.unit == "percent":
        return "percent"
    if isinstance(defined, Operation) and defined.sign in "*/":
        return "number"
    return concept.value_type if concept.value_type in DEFAULT_DECIMALS else "number"


def _is_derived(concept: Concept | None, lexicon: Lexicon) -> bool:
    return concept is not None and any(cue.label == concept.name for cue in lexicon.formulas)


def _is_restated(text: str, lexicon: Lexicon) -> bool:
    """Whether a figure is asked for that no statement has: one that a company defines itself, or of a part of it."""
    words = split_words(text, lexicon)
    cues = (*cue_of(lexicon.calculation_cues, "restated"), *cue_of(lexicon.calculation_cues, "narrowed"))
    return find_first(cues, words) is not None


def list_expressions(name: str, lexicon: Lexicon) -> tuple[Expression, ...]:
    """The figure itself where rows are known for it, then the formulas of the lexicon."""
    own: tuple[Expression, ...] = (Operand(name),) if cue_of(lexicon.row_labels, name) else ()
    formulas = (parse_formula(text) for text in cue_of(lexicon.formulas, name))
    return (*own, *(formula for formula in formulas if formula is not None))


def _cut_instructions(task: ReaderTask) -> str:
    """The question without its instructions where it has one part; else the part as it was cut out."""
    if len(task.question.sub_questions) > 1:
        return task.part.text
    text = task.question.text
    for instruction in task.question.instructions:
        text = text.replace(instruction, " | ")
    return text


def _find_target(core: str, lexicon: Lexicon) -> tuple[Concept | None, Concept | None]:
    """The concept that is asked for and, for "X as a percentage of Y", the concept Y."""
    words = split_words(core, lexicon)
    known = {cue.label for cue in (*lexicon.formulas, *lexicon.row_labels)}
    derived = {cue.label for cue in lexicon.formulas}
    places = [place for place in find_concepts(words, lexicon) if place.concept.name in known]
    if not places:
        return None, None
    share = find_first(cue_of(lexicon.calculation_cues, "share"), words)
    # "X as a percentage of Y": what stands before the cue is divided by what stands after it.
    if share is not None:
        before = [place.concept for place in places if place.stop <= share.first]
        after = [place.concept for place in places if place.first >= share.stop]
        if before and after:
            return before[-1], after[0]
    # "operating income plus depreciation (EBITDA)" asks for the derived figure, whatever comes first.
    first = next((place.concept for place in places if place.concept.name in derived), places[0].concept)
    return first, None


def _read_years(task: ReaderTask, core: str) -> tuple[int, ...] | None:
    """The years asked for, ascending; None where a quarter is asked for, which rows of years do not have."""
    keys = list_period_keys(core, find_periods(core)) or task.question.periods
    # Columns of a quarter carry the year alone: reading one as the whole year would be wrong by a factor.
    if any(not key.isdigit() for key in keys):
        return None
    return tuple(sorted(int(key) for key in keys))


def _read_mode(core: str, years: Sequence[int], lexicon: Lexicon) -> Mode:
    words = split_words(core, lexicon)
    if find_first(cue_of(lexicon.calculation_cues, "growth"), words) is not None and years:
        return "growth"
    if len(years) > 1 and find_first(cue_of(lexicon.calculation_cues, "gap"), words) is not None:
        return "gap"
    if len(years) > 1 and find_first(cue_of(lexicon.calculation_cues, "average"), words) is not None:
        return "average"
    return "each"


def _read_decimals(text: str, lexicon: Lexicon) -> int | None:
    """How many decimals the question asks for, None where it does not say."""
    words = split_words(text, lexicon)
    place = find_first(cue_of(lexicon.calculation_cues, "decimals"), words)
    if place is None or place.first == 0:
        return None
    before = words[place.first - 1].folded
    return int(before) if before.isdigit() else parse_number_word(before, lexicon.language)


def _read_definition(instructions: Sequence[str], lexicon: Lexicon) -> Expression | None:
    """The formula that the question itself gives ("DPO is defined as: 365 * ..."), None where it is not clear."""
    for instruction in instructions:
        words = split_words(instruction, lexicon)
        place = find_first(cue_of(lexicon.calculation_cues, "definition"), words)
        if place is not None and place.stop < len(words):
            body = instruction[words[place.stop - 1].end :].lstrip(" :").rstrip(" .")
            parsed = parse_definition(body, lexicon)
            if parsed is not None:
                return parsed
    return None


def parse_definition(text: str, lexicon: Lexicon) -> Expression | None:
    """Read a formula in words and signs ("total current assets divided by total current liabilities")."""
    tokens: list[Token] = []
    for piece in _split_operators(_spell_operators(text, lexicon)):
        if piece in tuple("+-*/()"):
            tokens.append(piece)
            continue
        operand = _read_operand(piece, lexicon)
        if operand is None:
            return None
        # Two operands without a sign between them: the text says more than a formula.
        if tokens and not isinstance(tokens[-1], str):
            return None
        tokens.append(operand)
    parsed = parse_tokens(_drop_asides(tokens))
    return parsed if isinstance(parsed, Operation) else None


def _spell_operators(text: str, lexicon: Lexicon) -> str:
    """Operators in words as signs: "divided by" is " / "."""
    words = split_words(text, lexicon)
    spans: list[tuple[int, int, str]] = []
    for cue in lexicon.operator_words:
        for phrase in cue.phrases:
            start = 0
            while (place := find_phrase(phrase, words[start:])) is not None:
                spans.append((words[start + place.first].start, words[start + place.stop - 1].end, cue.label))
                start += place.stop
    for start, end, sign in sorted(spans, reverse=True):
        text = f"{text[:start]} {sign} {text[end:]}"
    return text


def _split_operators(text: str) -> list[str]:
    pieces: list[str] = []
    for piece in _BETWEEN_OPERATORS.split(text):
        if piece and piece.strip():
            sign = piece.strip()
            pieces.append(_SAME_SIGN.get(sign, sign))
    return pieces


def _drop_asides(tokens: Sequence[Token]) -> list[Token]:
    """Without parentheses that follow an operand directly: they explain it ("PP&E (net)")."""
    kept: list[Token] = []
    depth = 0
    for part in tokens:
        if part == "(" and (depth or (kept and not isinstance(kept[-1], str))):
            depth += 1
        elif part == ")" and depth:
            depth -= 1
        elif not depth:
            kept.append(part)
    return kept


def _read_operand(piece: str, lexicon: Lexicon) -> Operand | Decimal | None:
    """A number, or a concept with its mode; words that no concept covers make a label of their own."""
    if re.fullmatch(r"\d+(?:\.\d+)?", piece.strip()):
        return Decimal(piece.strip())
    plain = re.sub(r"\bFY ?\d{2,4}\b|\b(?:19|20)\d\d\b", " ", piece)
    words = split_words(plain, lexicon)
    mode = find_label([cue for cue in lexicon.calculation_cues if cue.label in ("mean", "change")], words)
    modes = {"mean": "average", "change": "change"}
    mode_words = {word for label in modes for cue in cue_of(lexicon.calculation_cues, label) for word in cue.split()}
    layout = {word for cue in lexicon.layout_cues for phrase in cue.phrases for word in phrase.split()}
    places = find_concepts(words, lexicon)
    covered = {index for place in places for index in range(place.first, place.stop)}
    loose = [
        word.folded
        for index, word in enumerate(words)
        if index not in covered
        and word.folded not in lexicon.stop_word_set
        and word.folded not in mode_words
        and word.folded not in layout
        and word.folded not in cue_of(lexicon.calculation_cues, "plain")
    ]
    # A concept with words that it does not cover is a narrower figure ("trade accounts payable").
    if len(places) == 1 and not loose:
        return Operand(places[0].concept.name, modes.get(mode or "", "value"))
    if not words or len(places) > 1:
        return None
    label = " ".join(word.folded for word in words if word.folded not in mode_words | lexicon.stop_word_set)
    return Operand(label, modes.get(mode or "", "value")) if label else None
