"""Numbered paragraphs that are no headings: clauses "3.1 The Supplier shall ...", articles, "第一条 ..."."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from pipeline.models.base import Position
from pipeline.models.document import ParsedDocument
from pipeline.text.late import compile_late

_DECIMAL = compile_late(r"\s*(\d{1,3}(?:\.\d{1,3}){1,4})[.)]?\s+(?=[^\W\d_(]|[“\"(])")
_NAMED = compile_late(
    r"\s*(article|clause|section|artigo|art\.|cláusula|§)\s*(\d{1,4}[A-Za-z]?)(?:\.?\s?[ºª°])?(?=[\s.:—–-])"
    r"[\s.:—–-]*(?=[A-ZÀ-Ý“\"(])",
    re.IGNORECASE,
)
_HAN = compile_late(r"\s*第\s*([0-9一二三四五六七八九十百零]{1,6})\s*条")
_FIRSTS = ("article", "clause", "section", "artigo", "art.", "cláusula", "§", "第")


class Clause(NamedTuple):
    """A numbered paragraph: its word ("" for a plain number), label, first words, start and end (not included)."""

    word: str
    label: str
    title: str
    start: Position
    end: Position


def find_clauses(document: ParsedDocument, skipped: frozenset[int]) -> list[Clause]:
    """Numbered paragraphs under their sections, in document order.

    A decimal number counts where the section it stands in has its first parts, so that versions and amounts at the
    start of a line do not; a named one where it goes on with the sequence.
    """
    found: list[Clause] = []
    starts = {section.start for section in document.sections}
    sections = iter([*document.sections])
    upcoming = next(sections, None)
    current, limit, ordinal = "", (0, 0), 0
    for index, text in enumerate(document.folded):
        # one plain test of the first character spares the regexes on nearly every line
        is_digit = text[:1].isdigit()
        if not is_digit and not text.startswith(_FIRSTS):
            continue
        line = document.lines[index]
        while upcoming is not None and upcoming.start <= line.position:
            if upcoming.number[:1].isdigit():
                current = upcoming.number
                limit = upcoming.end
            upcoming = next(sections, None)
        if line.position in starts or index in skipped or not line.is_evidence:
            continue
        if is_digit:
            match = _DECIMAL.match(line.text) if "." in text[:4] else None
            if match and current and line.position < limit and _is_under(match.group(1), current, found):
                found.append(Clause("", match.group(1), line.text[match.end() :].strip(), line.position, limit))
            continue
        named = _read_named(line.text, ordinal)
        if named is not None:
            ordinal = named[2]
            end = _find_section_end(document, line.position)
            found.append(Clause(named[0], named[1], line.text.strip(), line.position, end))
    return list(_close(found))


def _is_under(label: str, current: str, found: list[Clause]) -> bool:
    """Whether a number belongs to the section and does not go back behind the clause before it."""
    top = current.split(".")[0]
    # a clause of another section would be a reference at the start of a line
    if label.split(".")[0] != top:
        return False
    last = next((clause.label for clause in reversed(found) if not clause.word), "")
    return not last.startswith(f"{top}.") or _key(label) > _key(last)


def _key(label: str) -> tuple[int, ...]:
    return tuple(int(part) for part in label.split("."))


def _read_named(text: str, last: int) -> tuple[str, str, int] | None:
    if match := _HAN.match(text):
        from pipeline.text.number_words import parse_chinese_number

        label = match.group(1)
        value = int(label) if label.isdigit() else parse_chinese_number(label)
        return ("article", str(value), value) if value is not None and value == last + 1 else None
    match = _NAMED.match(text)
    if match is None:
        return None
    digits = re.match(r"\d+", match.group(2))
    value = int(digits.group()) if digits else 0
    return (match.group(1).casefold(), match.group(2), value) if value == last + 1 else None


def _find_section_end(document: ParsedDocument, position: Position) -> Position:
    section = document.section_at(position)
    last = document.lines[-1]
    return section.end if section is not None else (last.page, last.number + 1)


def _close(found: list[Clause]) -> Iterator[Clause]:
    """Give each clause its end: the next clause that is not a part of it, within its section."""
    for place, clause in enumerate(found):
        # a clause holds its own parts: 3.1 ends where 3.2 begins, not at 3.1.1
        after = (
            other.start
            for other in found[place + 1 : place + 60]
            if clause.word or not other.label.startswith(f"{clause.label}.")
        )
        end = next(after, clause.end)
        yield clause._replace(end=min(end, clause.end))
