"""The evidence of an answer: its items, the quotes they rest on, and the pages with the quotes marked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pipeline.report.page.escaping import count_words, escape, join_items, spell_words

if TYPE_CHECKING:
    from pipeline.models.answer import Citation, Item
    from pipeline.report.entries import Entry
    from pipeline.report.page.sheets import SheetIndex

_REFERENCE = re.compile(r"([0-9a-f]{12}):p([0-9]+):")
# hundredths of a point that a mark is wider than its line, and how large its number is
_MARGIN, _DIGIT = 120, 1000
_EXTRACTIONS = {"computed": "computed from the quotes", "inferred": "inferred from the quotes"}

Key = tuple[int, int, int, str]


class Quote(NamedTuple):
    """A citation under its number in the answer; `fault` says why it is not marked on its page."""

    number: int
    citation: Citation
    is_conflict: bool
    fault: str


def number_quotes(entry: Entry) -> dict[Key, Quote]:
    """The distinct citations of an answer in the order of its items, those of a conflict behind them."""
    row = entry.row
    against = dict.fromkeys(_key(citation) for citation in (row.conflict.citations if row.conflict else ()))
    own = [citation for item in row.items for citation in item.citations]
    quotes: dict[Key, Quote] = {}
    for citation in (*own, *(row.conflict.citations if row.conflict else ())):
        key = _key(citation)
        if key not in quotes:
            fault = find_fault(citation, row.document_sha256)
            quotes[key] = Quote(len(quotes) + 1, citation, key in against, fault)
    return quotes


def find_fault(citation: Citation, sha256: str) -> str:
    """Why a citation must not be marked on a page; empty when its place is certain."""
    if citation.is_ambiguous:
        return "its place on the page is ambiguous"
    # the picture is of the document that the row names, and of no other
    named = _REFERENCE.match(citation.ref)
    if named is None or not sha256.startswith(named[1]) or int(named[2]) != citation.page:
        return "its reference names another place"
    if not citation.boxes:
        return "the record does not say where on the page it is"
    # a box for each line, or nobody knows which is whose
    if len(citation.boxes) != len(citation.quote.split("\n")):
        return "its lines and their places do not match"
    return ""


def render_evidence(entry: Entry, link: str, sheets: SheetIndex, max_sheets: int) -> str:
    """Items, quotes and pages; `link` leads to the document, and is empty where that is not known."""
    quotes = number_quotes(entry)
    if not quotes and not entry.row.items:
        return ""
    items = (
        f'<h4>Answer items</h4><ol class="items">{"".join(_render_item(each, quotes) for each in entry.row.items)}</ol>'
    )
    listed = "".join(_render_quote(quote) for quote in quotes.values())
    told = f'{items}<h4>Quotes, as they stand in the document</h4><ol class="quotes">{listed}</ol>'
    pages = _render_pages(entry, list(quotes.values()), link, (sheets, max_sheets))
    return f'<section class="evidence"><div class="told">{told}</div>{pages}</section>'


def _key(citation: Citation) -> Key:
    return (citation.page, citation.line_start, citation.line_end, citation.quote)


def _render_item(item: Item, quotes: dict[Key, Quote]) -> str:
    facts = []
    if item.picked:
        facts.append("picked")
    if item.extraction != "verbatim":
        facts.append(_EXTRACTIONS[item.extraction])
    if item.value is not None:
        facts.append(f"value {item.value} {item.unit}".strip())
    if item.period:
        facts.append(f"for {item.period}")
    facts += item.qualifiers
    numbers = dict.fromkeys(quotes[_key(citation)].number for citation in item.citations)
    refs = " ".join(f'<button type="button" class="ref" data-q="{n}">{n}</button>' for n in numbers)
    told = f' <span class="facts">{escape("; ".join(facts))}</span>' if facts else ""
    text = f'<span dir="auto">{escape(item.text)}</span>'
    return f'<li class="level{min(item.level, 4)}">{text}{told} <span class="refs">quote {refs}</span></li>'


def _render_quote(quote: Quote) -> str:
    citation = quote.citation
    lines = citation.quote.split("\n")
    # a quote that leaves lines out cannot be numbered line by line
    is_numbered = len(lines) == citation.line_end - citation.line_start + 1
    shown = "".join(
        f'<span class="line" dir="auto"{_number_line(citation.line_start + at, is_numbered)}>{escape(line)}</span>'
        for at, line in enumerate(lines)
    )
    place = name_place(citation)
    note = f'<p class="note">Not marked on the page: {escape(quote.fault)}.</p>' if quote.fault else ""
    kind = ' class="against"' if quote.is_conflict else ""
    go = f'<button type="button" class="go" data-q="{quote.number}">{place}</button>'
    word = ' <span class="facts">in conflict</span>' if quote.is_conflict else ""
    return f'<li{kind} data-q="{quote.number}">{go}{word}<blockquote>{shown}</blockquote>{note}</li>'


def _number_line(number: int, is_numbered: bool) -> str:
    return f' data-line="{number}"' if is_numbered else ""


def name_place(citation: Citation) -> str:
    """Page and lines of a citation in words."""
    if citation.line_start == citation.line_end:
        return f"page {citation.page}, line {citation.line_start}"
    return f"page {citation.page}, lines {citation.line_start}\u2013{citation.line_end}"


def _render_pages(entry: Entry, quotes: list[Quote], link: str, shown: tuple[SheetIndex, int]) -> str:
    """The pages that hold quotes, in the order of the quotes."""
    sheets, max_sheets = shown
    pages = list(dict.fromkeys(quote.citation.page for quote in quotes))
    if not pages:
        return ""
    if entry.document is None:
        note = entry.document_note or "the document is not known"
        return f'<div class="pages"><p class="note">No pictures of the pages: {escape(note)}.</p></div>'
    figures, left_out = [], pages[max_sheets:]
    for page in pages[:max_sheets]:
        number = sheets.place(entry.row.document_sha256, entry.document, page)
        if number is None:
            left_out.append(page)
            continue
        marks = _render_marks([each for each in quotes if each.citation.page == page and not each.fault])
        name = f"{escape(entry.row.document)}, page {page}"
        opened = (
            f'<a href="{escape(link)}#page={page}" rel="noopener noreferrer">open the document there</a>'
            if link
            else ""
        )
        described = f'role="img" aria-label="{_describe_marks(quotes, page)}"'
        figures.append(
            f'<figure data-page="{page}" data-sheet="{number}" aria-label="{name}"><div class="window" tabindex="0">'
            f'<div class="sheet"><svg class="marks" {described}>{marks}</svg></div></div>'
            f"<figcaption>{name} {opened}</figcaption></figure>"
        )
    note = ""
    if left_out:
        listed = ", ".join(map(str, sorted(left_out)))
        few = f"No picture of {count_words(len(left_out), 'page')} ({listed})"
        note = f'<p class="note">{few}: there are no more than a report or an answer may have.</p>'
    return f'<div class="pages">{"".join(figures)}{note}</div>'


def _describe_marks(quotes: list[Quote], page: int) -> str:
    numbers = [str(each.number) for each in quotes if each.citation.page == page and not each.fault]
    return f"marks of quote {', '.join(numbers)}" if numbers else "no marks"


def _render_marks(quotes: list[Quote]) -> str:
    """The marks of a page; quotes that begin on one line have their numbers in one place, where all can be read."""
    numbers: dict[tuple[int, int], list[int]] = {}
    for quote in quotes:
        numbers.setdefault(quote.citation.boxes[0][:2], []).append(quote.number)
    told = {listed[0]: _join_numbers(listed) for listed in numbers.values()}
    return "".join(_render_mark(quote, told.get(quote.number, "")) for quote in quotes)


def _join_numbers(numbers: list[int]) -> str:
    """Numbers in their order, those that follow one another as a span."""
    first, last = numbers[0], numbers[-1]
    if len(numbers) > 2 and last - first == len(numbers) - 1:
        return f"{first}\u2013{last}"
    return ", ".join(map(str, numbers))


def _render_mark(quote: Quote, label: str) -> str:
    """Rectangles over the lines of a quote and numbers before them, in hundredths of a point."""
    rects = "".join(
        f'<rect x="{x0 - _MARGIN}" y="{y0}" width="{x1 - x0 + 2 * _MARGIN}" height="{y1 - y0}" rx="150"/>'
        for x0, y0, x1, y1 in quote.citation.boxes
    )
    x0, y0, _, y1 = quote.citation.boxes[0]
    # the number says the same as the colour, for those who do not see it
    middle = (y0 + y1) // 2 + _DIGIT // 3
    left = max(_DIGIT, x0 - 2 * _MARGIN)
    # many numbers need more room than there may be before the line
    anchor, left = ("start", 0) if len(label) * _DIGIT > 2 * left else ("end", left)
    text = f'<text x="{left}" y="{middle}" font-size="{_DIGIT}" text-anchor="{anchor}">{label}</text>' if label else ""
    kind = "against" if quote.is_conflict else "own"
    return f'<g class="{kind}" data-q="{quote.number}">{rects}{text}</g>'


def render_conflict(entry: Entry) -> str:
    """A conflict in a sentence."""
    conflict = entry.row.conflict
    if conflict is None:
        return ""
    values = " and ".join(f"<b>{escape(value)}</b>" for value in conflict.values)
    return f"The document gives {values} for {escape(conflict.concept)}."


def render_absence(entry: Entry) -> str:
    """What is known of an answer that is not there: kind, reason, near misses."""
    row = entry.row
    if row.absence is None:
        return ""
    kind = f"<b>{spell_words(row.absence)}</b>: {escape(row.absence_reason or 'no reason was recorded')}"
    near = join_items((f'<span dir="auto">{escape(each)}</span>' for each in row.near_misses), "near")
    return f"<p>{kind}</p>" + (f"<p>Near misses:</p>{near}" if near else "")
