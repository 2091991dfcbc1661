"""The registry: everything in a document that can be pointed at, by its normal form."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipeline.models.base import Position
from pipeline.models.document import Line, ParsedDocument, Section
from pipeline.models.structure import Caption, Registry, Target, TargetKind
from pipeline.structure.clauses import find_clauses
from pipeline.text.late import compile_late
from pipeline.text.mentions import find_mentions, label_key

_NAMED: dict[str, TargetKind] = {
    "section": "section", "sec": "section", "seção": "section", "secção": "section", "article": "article", "artigo":
    "article",
    "clause": "clause", "cláusula": "clause", "appendix": "appendix", "apêndice": "appendix", "annex": "annex",
    "anexo": "annex",
    "schedule": "schedule", "chapter": "chapter", "capítulo": "chapter", "part": "part", "parte": "part", "item":
    "item",
    "exhibit": "exhibit", "note": "note", "nota": "note",
}  # fmt: skip
_GLOSSARY = compile_late(r"glossary|definitions|defined terms|terms and |glossário|definições|术语|定义")
_NOTES = compile_late(r"notes to |notas (?:às|explicativas)")
_CODE = compile_late(
    r"\W{0,4}(?:o\s+)?([A-Z][A-Z0-9]{0,9}(?:\.[A-Z]{1,6}){0,2}[-\u2010\u2011]\d{1,5}(?:[-.]\d{1,4}){0,2}(?:\([0-9a-z]{1,3}\))?)"
    r"(?=[\s:.)]|$)"
)
_CATEGORY = compile_late(r"\(([A-Z]{2,4}(?:\.[A-Z]{2,4})*)\)\s*:")
_TERM = compile_late(
    r"[“\"]([^”\"]{2,80})[”\"]\s*(?:\([^)]*\)\s*)?(?:means|shall mean|has the meaning|is defined|significa|refers to)"
)
_FOOTNOTE = compile_late(r"(\d{1,3}(?=\s)|[*∗†‡§])\s*\S")
_RAISED_NOTE = compile_late(r"(\d{1,3})\s*\S")
_CONTINUED = compile_late(r"\W*(?:continued|cont\W?d?\b|continua\u00e7\u00e3o|cont\.|\u7eed)", re.IGNORECASE)
_MAX_ENTRY_LINES = 14


def build_registry(document: ParsedDocument, captions: tuple[Caption, ...], skipped: frozenset[int]) -> Registry:
    """Sections, captions, definitions, identifiers and footnotes, ordered by start.

    `skipped` are lines of contents pages.
    """
    targets = list(_list_sections(document))
    targets += _list_clauses(document, skipped)
    targets += _list_captions(captions)
    targets += _list_definitions(document)
    targets += _list_identifiers(document, skipped)
    targets += _list_footnotes(document)
    targets.sort(key=lambda target: (target.start, target.kind, target.key))
    return Registry(targets=tuple(targets), closed_kinds=_find_closed(document, targets))


def _make(kind: TargetKind, label: str, title: str, place: tuple[Position, Position], key: str = "") -> Target:
    start, end = place
    return Target(kind=kind, key=key or label_key(kind, label), label=label, title=title, start=start, end=end)


def _list_sections(document: ParsedDocument) -> Iterator[Target]:
    is_contract = document.profile.kind == "contract"
    notes_level = 0
    for section in document.sections:
        if not section.number:
            notes_level = _find_notes_level(section, notes_level)
            continue
        kind, label = _name_number(section)
        if kind == "section" and 0 < notes_level <= section.level and label.isdigit():
            kind = "note"
        yield _make(kind, label, section.title, (section.start, section.end))
        # contracts call their numbered sections clauses, and articles by their numbers alone
        if kind == "section" and is_contract:
            yield _make("clause", label, section.title, (section.start, section.end))


def _find_notes_level(section: Section, level: int) -> int:
    """The level of the heading over the notes, while sections stand beside or below it; 0 where there is none.

    Filings print the numbered notes as headings of the same rank as "Notes to the statements".
    """
    if _NOTES.search(section.title.casefold()):
        return max(1, section.level)
    return 0 if section.level < level else level


def _list_clauses(document: ParsedDocument, skipped: frozenset[int]) -> Iterator[Target]:
    is_contract = document.profile.kind == "contract"
    for clause in find_clauses(document, skipped):
        kind = _NAMED.get(clause.word.rstrip("."), "article" if clause.word.startswith("art") else "section")
        yield _make(kind, clause.label, clause.title, (clause.start, clause.end))
        if kind == "section" and is_contract:
            yield _make("clause", clause.label, clause.title, (clause.start, clause.end))


def _name_number(section: Section) -> tuple[TargetKind, str]:
    """Kind and label of a section's number: by its word, by the reference grammar, else a plain section or a note."""
    word, _, label = section.number.rpartition(" ")
    kind = _NAMED.get(word.casefold().rstrip("."))
    if kind is not None:
        return kind, label
    if not section.number.isascii() and (mentions := find_mentions(section.number)):
        return mentions[0].kind, mentions[0].label  # type: ignore[return-value]
    return _name_decimal(section), section.number


def _name_decimal(section: Section) -> TargetKind:
    is_note = any(_NOTES.search(title.casefold()) for title in section.breadcrumb) and "." not in section.number
    return "note" if is_note else "section"


def _list_captions(captions: tuple[Caption, ...]) -> Iterator[Target]:
    named: set[tuple[str, str]] = set()
    for caption in captions:
        # a table that goes on over the page is one table, however often its number is printed again
        is_repeated = (caption.kind, caption.label) in named and _CONTINUED.match(caption.title) is not None
        named.add((caption.kind, caption.label))
        extent = caption.extent
        start, end = (extent.page, extent.line_start), (extent.page, extent.line_end + 1)
        if not is_repeated:
            yield _make(caption.kind, caption.label, caption.title, (start, end))


def _list_definitions(document: ParsedDocument) -> Iterator[Target]:
    defined: set[Position] = set()
    for index, text in enumerate(document.folded):
        if '"' in text[:3] and ("mean" in text or "defined" in text or "signif" in text or "refers" in text):
            line = document.lines[index]
            match = _TERM.match(line.text.strip())
            if match and line.is_evidence:
                defined.add(line.position)
                place = (line.position, _find_entry_end(document, index))
                yield _make("definition", match.group(1), match.group(1), place, _key_term(match.group(1)))
    for section in document.sections:
        if _GLOSSARY.search(section.title.casefold()):
            yield from (target for target in _read_glossary(document, section) if target.start not in defined)


def _key_term(term: str) -> str:
    return f"definition:{' '.join(term.casefold().split())}"


def _read_glossary(document: ParsedDocument, section: Section) -> Iterator[Target]:
    """Entries whose term is set in bold: a line of its own, or the head of the paragraph."""
    first, last = document.index_of(section.start) + 1, document.index_of(section.end)
    starts: list[tuple[int, str]] = []
    title = section.title.casefold()
    for index in range(first, last):
        line = document.lines[index]
        if not line.is_evidence or line.text.strip().casefold() in title:
            continue
        wraps = bool(starts) and starts[-1][0] == index - 1 and line.text[:1].islower()
        if line.bold and len(line.text) < 80 and not wraps:
            starts.append((index, line.text.strip(' “”"').rstrip(":.")))
        elif 2 < line.bold_prefix < 80 or (":" in line.text[2:60] and line.text[:4].isupper()):
            head = line.text[: line.bold_prefix] if line.bold_prefix > 2 else line.text.partition(":")[0]
            starts.append((index, head.strip(' :.—–-“”"')))
    for place, (index, term) in enumerate(starts):
        end = document.lines[starts[place + 1][0]].position if place + 1 < len(starts) else section.end
        yield _make("definition", term, term, (document.lines[index].position, end), _key_term(term))


def _list_identifiers(document: ParsedDocument, skipped: frozenset[int]) -> Iterator[Target]:
    """Lines that introduce an identifier: it opens the line, or stands in parentheses before a colon."""
    from pipeline.text.identifiers import identifier_key

    for index, line in enumerate(document.lines):
        text = line.text
        head = text[:28]
        if "-" in head or "\u2011" in head or "\u2010" in head:
            match = _CODE.match(text)
        elif "):" in text:
            match = _CATEGORY.search(text[:120])
        else:
            continue
        if match is None or not line.is_evidence or index in skipped:
            continue
        label = match.group(1)
        title = text[match.end() :].strip(" :.—–-") if match.start() == 0 else text[: match.start()].strip("•▪◦o -\t")
        end = _find_entry_end(document, index)
        yield _make("identifier", label, title, (line.position, end), identifier_key(label))


def _find_entry_end(document: ParsedDocument, index: int) -> Position:
    """The end of the paragraph that begins at `index`: a wider gap, a new entry, other type, or another column."""
    lines = document.lines
    first = lines[index]
    last = index
    for after in range(index + 1, min(index + _MAX_ENTRY_LINES, len(lines))):
        line, before = lines[after], lines[last]
        gap = line.box[1] - before.box[3]
        is_far = gap > (first.box[3] - first.box[1]) * 7 // 10 or line.page != first.page
        if (
            is_far
            or not line.is_evidence
            or _CODE.match(line.text)
            or line.bold != first.bold
            or line.text[:1] in "•▪◦–"
            or (line.text.lstrip()[:1] in '“"' and _TERM.match(line.text.strip()))
        ):
            break
        last = after
    return (lines[last].page, lines[last].number + 1)


def _list_footnotes(document: ParsedDocument) -> Iterator[Target]:
    """Small type in the lower half of a page that begins with a number or a mark."""
    heights = {page.number: page.height for page in document.pages}
    usual = _measure_body(document.lines)
    for index, line in enumerate(document.lines):
        if line.size * 100 > usual * 93 or not line.is_evidence or line.box[1] * 2 < heights.get(line.page, 0):
            continue
        text = line.text.lstrip()
        match = _RAISED_NOTE.match(text) if line.raised and line.raised[0][0] == 0 else _FOOTNOTE.match(text)
        if match is None or len(text) < 25 or not any(c.isalpha() for c in text[:12]):
            continue
        before = document.lines[index - 1] if index else None
        if before is not None and before.page == line.page and abs(before.box[1] - line.box[1]) < 200:
            continue
        label = match.group(1)
        yield _make(
            "footnote", label, text[len(label) :].strip()[:80], (line.position, _find_entry_end(document, index))
        )


def _measure_body(lines: tuple[Line, ...]) -> int:
    counts: dict[int, int] = {}
    for line in lines:
        counts[line.size] = counts.get(line.size, 0) + len(line.text)
    return max(sorted(counts), key=lambda size: counts[size], default=0)


def _find_closed(document: ParsedDocument, targets: list[Target]) -> tuple[TargetKind, ...]:
    """Kinds whose numbers run from their first member on without a gap, so that another number cannot exist."""
    # recognised type may have hidden the last headings of a numbering from us
    if any(line.method == "ocr" for line in document.lines):
        return ()
    numbers: dict[TargetKind, set[int]] = {}
    for target in targets:
        head = re.match(r"\d+|[A-Z](?![A-Za-z])", target.label)
        if target.kind in ("definition", "identifier", "footnote") or head is None:
            continue
        text = head.group()
        numbers.setdefault(target.kind, set()).add(int(text) if text.isdigit() else ord(text) - 64)
    closed = [kind for kind, values in numbers.items() if len(values) > 1 and values == set(range(1, max(values) + 1))]
    return tuple(sorted(closed))
