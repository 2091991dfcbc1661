"""Small documents made of lines, for tests that need a page without a PDF."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from pipeline.models.document import DocumentProfile, Line, Page, ParsedDocument, Section
from pipeline.models.lexicon import Lexicon
from pipeline.policy.lexicon import load_lexicons
from pipeline.structure.view import DocumentView
from pipeline.text.matching import fold

HEIGHT = 1000
PITCH = 1200


@cache
def load_english() -> Lexicon:
    """The English lexicon of the default rulebook."""
    return load_lexicons(Path(__file__).resolve().parents[3] / "rules" / "lexicons").of("en")


def make_line(text: str, page: int = 1, number: int = 1, at: tuple[int, int] = (7200, 7200), **fields: object) -> Line:
    """One line at (x, y) in hundredths of a point; its width follows its length."""
    x, y = at
    values: dict[str, object] = {
        "page": page,
        "number": number,
        "text": text,
        "box": (x, y, x + 480 * len(text), y + HEIGHT),
        "size": HEIGHT,
        "block": number,
    }
    return Line.model_validate({**values, **fields})


def stack_lines(texts: Sequence[str], page: int = 1, x: int = 7200, y: int = 7200, first: int = 1) -> list[Line]:
    """Lines one below the other in one block; a leading tab indents, an empty text leaves a gap, `**` sets bold."""
    lines: list[Line] = []
    number, block = first, first
    for text in texts:
        if not text:
            y += PITCH
            block += 1
            continue
        indent = len(text) - len(text.lstrip("\t"))
        bold = text.strip("\t").startswith("**")
        plain = text.strip("\t").strip("*") if bold else text.strip("\t")
        at = (x + 1800 * indent, y)
        lines.append(make_line(plain, page, number, at, block=block, bold=bold, bold_prefix=len(plain) if bold else 0))
        number += 1
        y += PITCH
    return lines


def lay_table(
    rows: Sequence[Sequence[str]], xs: Sequence[int], page: int = 1, y: int = 7200, first: int = 1
) -> list[Line]:
    """Lines of a table: every non-empty cell is a line; the first column is set left, the others right, at `xs`."""
    lines: list[Line] = []
    number = first
    for row in rows:
        for column, text in enumerate(row):
            if text:
                x = xs[column] if column == 0 else xs[column] - 480 * len(text)
                lines.append(make_line(text, page, number, (x, y)))
                number += 1
        y += PITCH
    return lines


def make_document(lines: Sequence[Line], sections: Sequence[Section] = (), kind: str = "unknown") -> ParsedDocument:
    """A parsed document of US-letter pages around lines."""
    count = max((line.page for line in lines), default=1)
    profile = DocumentProfile(
        sha256="ab" * 32, engine="none", engine_flags=0, parser_revision=1, state="ok", page_count=count,
        ok_page_count=count, kind=kind,
    )  # fmt: skip
    pages = tuple(Page(number=number, width=61200, height=79200) for number in range(1, count + 1))
    folded = tuple(fold(line.text) for line in lines)
    return ParsedDocument(profile=profile, pages=pages, lines=tuple(lines), folded=folded, sections=tuple(sections))


def make_view(lines: Sequence[Line], sections: Sequence[Section] = (), kind: str = "unknown") -> DocumentView:
    """A view of lines."""
    return DocumentView(make_document(lines, sections, kind), load_english())


def make_section(index: int, title: str, start: tuple[int, int], end: tuple[int, int], **fields: object) -> Section:
    """A section of the first level, unless fields say otherwise."""
    values: dict[str, object] = {
        "index": index, "title": title, "number": "", "level": 1, "breadcrumb": (), "start": start, "end": end,
        "source": "typography",
    }  # fmt: skip
    return Section.model_validate({**values, **fields})
