"""Schedules of years to come: tables whose rows, or columns, are consecutive years and what comes after them.

"Maturities of long-term debt during the next five fiscal years and thereafter are as follows:" stands over rows that
hold no words but a year, so that what an amount is of is said by the sentence and by the head of its column. The other
way round, years stand as heads in one row over rows with names ("Payments due by period").
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from pipeline.generation.extractive.rows import group_rows
from pipeline.generation.extractive.schedule_cells import (
    LATER,
    MAX_PERIOD_CHARACTERS,
    NOTE,
    PERIOD,
    Block,
    Cell,
    Column,
    Schedule,
    Span,
    is_amount,
    list_amounts,
    read_label,
    read_span,
    read_tail,
    strip_signs,
)
from pipeline.question.terms import cue_of
from pipeline.text.late import compile_late
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.models.document import Line
    from pipeline.models.lexicon import Lexicon
    from pipeline.structure.view import DocumentView

MIN_YEARS = 3
MAX_HEAD_CHARACTERS, MAX_LABEL_CHARACTERS = 48, 120
MAX_HEAD_BANDS, MAX_LEAD_LINES, MAX_TAIL_BANDS, MAX_BODY_BANDS = 5, 4, 4, 30
_SENTENCE = compile_late(r"(?<=[.;])\s+(?=[A-Z])")
_YEAR = compile_late(r"20\d\d")
_SCALE = compile_late(r"\b(?:in|us\$|\$|of) ?(?:thousand|million|billion)")


def find_schedules(view: DocumentView) -> Iterator[Schedule]:
    """All schedules of a document, page by page."""
    document = view.document
    counts: dict[int, int] = {}
    for line, folded in zip(document.lines, document.folded, strict=True):
        # a plain test first: most lines of a filing hold no year, or more than one
        if "20" in folded and len(folded) <= MAX_PERIOD_CHARACTERS and PERIOD.match(folded):
            counts[line.page] = counts.get(line.page, 0) + 1
    for page in sorted(page for page, count in counts.items() if count >= MIN_YEARS):
        bands = group_rows([line for line in document.lines_on(page) if line.is_evidence and line.text.strip()])
        yield from _read_page(view, page, bands)


def _read_page(view: DocumentView, page: int, bands: Sequence[list[Line]]) -> Iterator[Schedule]:
    at = 0
    while at < len(bands):
        stop = _find_run(bands, at, view.lexicon)
        if stop - at >= MIN_YEARS:
            schedule = _build_rows(view, bands, at, stop)
        else:
            spans = _read_heads(bands[at], view.lexicon)
            schedule, stop = _build_columns(view, bands, at, spans) if spans else (None, at + 1)
        if schedule is not None and schedule.cells and _is_future(schedule, view.lexicon):
            yield schedule
        at = max(stop, at + 1)


def _find_run(bands: Sequence[list[Line]], at: int, lexicon: Lexicon) -> int:
    """Where the rows of consecutive years that begin at a band end."""
    year, stop = 0, at
    words: set[str] = set()
    while stop < len(bands):
        span, amounts = read_label(bands[stop], lexicon)
        if span is None or not amounts or (year and span.first != year + 1):
            break
        if stop > at:
            # rows of a schedule differ by their years alone, but for the first ("Remainder of") and a span of years
            words.add("" if span.last > span.first else " ".join(re.findall(r"[a-z]+", fold(span.printed))))
        year, stop = span.last, stop + 1
    return stop if len(words - {""}) <= 1 else at


def _build_rows(view: DocumentView, bands: Sequence[list[Line]], at: int, stop: int) -> Schedule | None:
    """The schedule of rows [at, stop), with rows of later years and of the total behind them."""
    lexicon = view.lexicon
    rows = [(span, bands[i]) for i in range(at, stop) if (span := read_label(bands[i], lexicon)[0]) is not None]
    last = rows[-1][0].last
    for band in bands[stop : stop + MAX_TAIL_BANDS]:
        amounts = list_amounts(band)
        label = " ".join(line.text.strip() for line in band if line not in amounts and strip_signs(line.text))
        span = read_tail(label, last, lexicon)
        if span is not None and amounts:
            rows.append((span, band))
        if span is None or span.is_total:
            break
    widest = max((band for _, band in rows), key=lambda band: len(list_amounts(band)))
    columns = _read_columns(widest)
    heads, top = _find_heads(bands, at, columns)
    names = [" ".join(line.text.strip() for line in lines) for lines in heads[1:]] or [""]
    lead, lead_lines, around = _read_lead(view, bands, top)
    corner = " ".join(line.text.strip() for line in heads[0])
    cells: list[Cell] = []
    for span, band in rows:
        own = [(line.text, line) for line in list_amounts(band) if line is not band[0]]
        printed = own or [(text, band[0]) for text in read_label(band, lexicon)[1]]
        if len(printed) > len(columns):
            return None
        for order, (text, line) in enumerate(printed):
            column = order if len(printed) == len(columns) else _nearest(columns, line)
            over = tuple(heads[column + 1]) if column + 1 < len(heads) else ()
            name = names[column] if column < len(names) else ""
            cells.append(Cell(span, name, strip_signs(text), tuple(band), over))
    return Schedule(bands[at][0].page, tuple(cells), f"{lead} {corner}".strip(), lead_lines, around)


def _read_columns(band: Sequence[Line]) -> list[Column]:
    """The columns of the amounts of a row, each from the end of the one before it."""
    found: list[Column] = []
    amounts = [line for line in list_amounts(band) if line is not band[0]]
    for line in amounts:
        signs = [other.box[0] for other in band if not is_amount(other.text) and other is not band[0]]
        before = found[-1].right if found else 0
        left = min([line.box[0], *(sign for sign in signs if before < sign < line.box[0])])
        found.append(Column(left, line.box[2]))
    # where a line holds its whole row, there is no telling one column from another
    return found or [Column(band[0].box[0], band[0].box[2])]


def _nearest(columns: Sequence[Column], line: Line) -> int:
    return min(range(len(columns)), key=lambda at: (abs(columns[at].right - line.box[2]), at))


def _find_heads(bands: Sequence[list[Line]], at: int, columns: Sequence[Column]) -> tuple[list[list[Line]], int]:
    """The heads over the labels and over each column, top to bottom, and the band that they begin at."""
    heads: list[list[Line]] = [[] for _ in range(len(columns) + 1)]
    top = at
    while (
        top
        and at - top < MAX_HEAD_BANDS
        and (_is_head(bands[top - 1]) or (top == at and _is_corner(bands[top - 1], columns)))
    ):
        top -= 1
    for band in bands[top:at]:
        for line in band:
            if _SCALE.search(fold(line.text)) or NOTE.fullmatch(line.text.strip()):
                continue
            places = [n for n, column in enumerate(columns) if line.box[0] < column.right and column.left < line.box[2]]
            centre = (line.box[0] + line.box[2]) // 2
            if not places and centre > columns[0].left // 2:
                places = [min(range(len(columns)), key=lambda n: abs(columns[n].left + columns[n].right - 2 * centre))]
            for place in places or [-1]:
                heads[place + 1].append(line)
    return heads, top


def _is_head(band: Sequence[Line]) -> bool:
    texts = [text for line in band if not NOTE.fullmatch(text := line.text.strip())]
    is_short = all(len(text) <= MAX_HEAD_CHARACTERS and not text.endswith((".", ":", ";")) for text in texts)
    return bool(texts) and is_short and not any(is_amount(text) and not _YEAR.fullmatch(text) for text in texts)


def _is_corner(band: Sequence[Line], columns: Sequence[Column]) -> bool:
    """Whether a band is the name over the labels ("Expected benefit payments:"), which stands beside the columns."""
    text = band[0].text.strip()
    return (
        len(band) == 1 and text[:1].isupper() and len(text) <= MAX_HEAD_CHARACTERS and band[0].box[2] < columns[0].left
    )


def _read_lead(view: DocumentView, bands: Sequence[list[Line]], top: int) -> tuple[str, tuple[Line, ...], str]:
    """The last sentence above the heads, its lines, and what else stands there; that may be on the page before."""
    lines = [line for band in bands[max(0, top - MAX_LEAD_LINES) : top] for line in band]
    lines = [line for line in lines if len(line.text.strip()) > 1]
    if not any(len(line.text) > MAX_HEAD_CHARACTERS or line.text.strip().endswith(":") for line in lines):
        first = bands[0][0]
        above = view.lines_in((first.page - 1, 1), (first.page, 1)) if first.page > 1 and top <= MAX_LEAD_LINES else ()
        lines = [*[line for line in above if line.is_evidence][-MAX_LEAD_LINES:], *lines]
    text, kept = "", []
    for line in reversed(lines):
        parts = _SENTENCE.split(line.text.strip())
        is_end = bool(text) and line.text.strip().endswith((".", ";"))
        # a table above is no part of the sentence
        if is_end or is_amount(line.text):
            break
        text = f"{parts[-1]} {text}".strip()
        kept.append(line)
        if len(parts) > 1:
            break
    around = " ".join(line.text.strip() for line in lines if not is_amount(line.text))
    section = view.document.section_at(bands[top][0].position)
    titles = (*section.breadcrumb[-1:], section.title) if section is not None else ()
    return text, tuple(reversed(kept)), " ".join((*titles, around))


def _read_heads(band: Sequence[Line], lexicon: Lexicon) -> list[tuple[Span | None, Line]]:
    """The years of a row of heads with their lines, later years and the total among them; else none.

    Heads of something else ("Fair Value") behind the first one are there without years.
    """
    found = [(read_span(line.text, lexicon), line) for line in band]
    dated = [span for span, _ in found if span is not None]
    is_run = all(one.last + 1 == other.first for one, other in pairwise(dated))
    if len(dated) < MIN_YEARS - 1 or not is_run:
        return []
    tails = [(span or read_tail(line.text.strip(), dated[-1].last, lexicon), line) for span, line in found]
    first = next(at for at, (span, _) in enumerate(tails) if span is not None)
    is_open = any(span is not None and span.last == LATER for span, _ in tails)
    return tails[first:] if is_open or len(dated) >= MIN_YEARS else []


def _build_columns(
    view: DocumentView, bands: Sequence[list[Line]], at: int, spans: Sequence[tuple[Span | None, Line]]
) -> tuple[Schedule | None, int]:
    """The schedule under a row of years, and where it ends."""
    if not any(span is not None and span.last > span.first for span, _ in spans):
        return None, at + 1
    top = at
    while top and at - top < MAX_HEAD_BANDS and _is_head(bands[top - 1]):
        top -= 1
    lead, lead_lines, around = _read_lead(view, bands, top)
    over = " ".join(line.text.strip() for band in bands[top:at] for line in band)
    cells: list[Cell] = []
    block, stop, left = Block("", 0), at + 1, min(line.box[0] for _, line in spans)
    for stop in range(at + 1, min(len(bands), at + 1 + MAX_BODY_BANDS)):
        band = bands[stop]
        amounts = [line for line in list_amounts(band) if line.box[2] > left]
        label = " ".join(line.text.strip() for line in band if line not in amounts and len(strip_signs(line.text)) > 1)
        if len(label) > MAX_LABEL_CHARACTERS or (not amounts and label.endswith(".")):
            break
        if not amounts:
            block = Block(label.strip(" :"), band[0].box[0])
            continue
        # a block ends where names that stood further in come back to its edge
        block = block.move(band[0].box[0])
        for order, line in enumerate(amounts):
            span, head = spans[order if len(amounts) == len(spans) else _nearest_head(spans, line)]
            # a name of a block that goes on in the row below it is the beginning of its name
            if span is not None:
                cells.append(Cell(span, f"{block.name} {label}".strip(), strip_signs(line.text), tuple(band), (head,)))
        block = block if label[:1].isupper() else Block("", 0)
    return Schedule(bands[at][0].page, tuple(cells), f"{lead} {over}".strip(), lead_lines, around), stop


def _nearest_head(spans: Sequence[tuple[Span | None, Line]], line: Line) -> int:
    centre = line.box[0] + line.box[2]
    return min(range(len(spans)), key=lambda at: (abs(spans[at][1].box[0] + spans[at][1].box[2] - centre), at))


def _is_future(schedule: Schedule, lexicon: Lexicon) -> bool:
    """Whether a schedule is of years to come: it has later years, or the sentence over it says so."""
    if any(cell.span.last > cell.span.first for cell in schedule.cells):
        return True
    said = fold(schedule.lead)
    return any(contains_folded(cue, said) for cue in cue_of(lexicon.value_cues, "schedule leads"))
