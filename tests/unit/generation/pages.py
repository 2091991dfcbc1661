"""Pages set by hand and the tasks that readers get of them."""

from __future__ import annotations

from functools import cache

from pipeline.generation.extractive.reading import ReaderTask
from pipeline.models.document import DocumentProfile, Line, Page, ParsedDocument
from pipeline.models.evidence import Candidate, Evidence, FoundBy, Span
from pipeline.models.lexicon import Lexicons
from pipeline.policy.lexicon import load_lexicons
from pipeline.policy.rulebook import find_default_folder
from pipeline.question.parse import parse_question
from pipeline.structure.view import DocumentView
from pipeline.text.matching import fold

CHARACTER_WIDTH = 500
LINE_HEIGHT = 1000

Cell = tuple[int, str]
Row = str | list[Cell]


@cache
def read_lexicons() -> Lexicons:
    return load_lexicons(find_default_folder() / "lexicons")


def make_view(*pages: list[Row]) -> DocumentView:
    """A document of rows: a text is a line at the left margin, a list holds cells at columns, "" parts paragraphs."""
    lines: list[Line] = []
    for number, rows in enumerate(pages, start=1):
        lines += _set_page(number, rows)
    profile = DocumentProfile(
        sha256="ab" * 32,
        engine="none",
        engine_flags=0,
        parser_revision=1,
        state="ok",
        page_count=len(pages),
        ok_page_count=len(pages),
    )
    document = ParsedDocument(
        profile=profile,
        pages=tuple(Page(number=number, width=60000, height=80000) for number in range(1, len(pages) + 1)),
        lines=tuple(lines),
        folded=tuple(fold(line.text) for line in lines),
        sections=(),
    )
    return DocumentView(document, read_lexicons().of("en"))


def _set_page(page: int, rows: list[Row]) -> list[Line]:
    lines: list[Line] = []
    block, top = 0, 5000
    for row in rows:
        if row == "":
            block, top = block + 1, top + LINE_HEIGHT
            continue
        block += isinstance(row, list)
        for column, text in [(0, row)] if isinstance(row, str) else row:
            left = 5000 + column * CHARACTER_WIDTH
            box = (left, top, left + len(text) * CHARACTER_WIDTH, top + LINE_HEIGHT)
            lines.append(Line(page=page, number=len(lines) + 1, text=text, box=box, size=LINE_HEIGHT, block=block))
        top += LINE_HEIGHT * 6 // 5
    return lines


def make_task(view: DocumentView, question: str, pages: tuple[int, ...] = ()) -> ReaderTask:
    """The task of the first part of a question, with whole pages (all of them by default) as its evidence."""
    parsed = parse_question(question, read_lexicons())
    part = parsed.sub_questions[0]
    numbers = pages or tuple(page.number for page in view.document.pages)
    evidence = tuple(_make_evidence(view, number, part.id) for number in numbers)
    return ReaderTask(question=parsed, part=part, evidence=evidence, view=view, max_quote_characters=3600)


def _make_evidence(view: DocumentView, page: int, part: str) -> Evidence:
    last = view.document.lines_on(page)[-1].number
    span = Span(page=page, line_start=1, line_end=last)
    found = FoundBy(method="keyword", rank=1, score=1000, why="set by hand")
    candidate = Candidate(
        ref=view.reference((span,)), sub_question=part, spans=(span,), score=1000, found_by=(found,), matched=()
    )
    return Evidence(candidate=candidate, lines=view.evidence_lines(span))
