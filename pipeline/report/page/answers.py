"""One answer as a row of the page: what is asked, what came of it, and how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.report.page.escaping import escape, join_items, spell_share, spell_words
from pipeline.report.page.evidence import render_absence, render_conflict

if TYPE_CHECKING:
    from pipeline.models.batch import ResultRow
    from pipeline.report.entries import Entry
    from pipeline.report.page.tally import Tally

_MAX_SHOWN_PAGES = 8


def render_row(entry: Entry, link: str, tally: Tally) -> str:
    """The row, with what filters look at in its attributes; `link` leads to the document."""
    row = entry.row
    number = row.number
    # short names: they stand in every row
    marks = {
        "s": row.status,
        "d": str(tally.find_document(row)),
        "t": " ".join(str(tally.find_tag(tag)) for tag in row.tags),
        "c": str(row.confidence) if row.status in ("answered", "not_found") else "",
        "e": "" if row.is_expected_seen is None else str(int(row.is_expected_seen)),
        "r": row.stop_reason or "",
        "x": "1" if row.conflict else "",
    }
    shown = "".join(f' data-{name}="{escape(value)}"' for name, value in marks.items() if value)
    question = f'<span class="q" dir="auto">{escape(row.question) or "(no question)"}</span>'
    # a link to a run leads here, wherever the row stands
    anchor = f'<span id="run-{escape(row.run_id)}"></span>' if row.run_id else ""
    head = (
        f'<h3>{anchor}<button type="button" aria-expanded="false" aria-controls="b{number}">'
        f'<span class="n">{number}</span>{question}</button></h3>'
    )
    # filled when it is opened, so that a browser has little to build before
    body = f'<div class="body" id="b{number}" hidden></div>'
    told = f"{_render_facts(row, link)}{_render_outcome(entry)}"
    return f'<article class="row" id="a{number}"{shown}>{head}{told}{body}</article>\n'


def _render_facts(row: ResultRow, link: str) -> str:
    status = f'<span class="badge {row.status}">{spell_words(row.status)}</span>'
    parts = [status]
    if row.status in ("answered", "not_found"):
        parts.append(_render_confidence(row))
    parts.append(_render_place(row, link))
    if row.stop_reason:
        parts.append(f'<span class="stop">{spell_words(row.stop_reason)}</span>')
    parts.append(f'<span class="id">id {escape(row.id)}</span>')
    parts += [f'<span class="tag">{escape(tag)}</span>' for tag in row.tags]
    return f'<p class="meta">{" ".join(filter(None, parts))}</p>'


def _render_confidence(row: ResultRow) -> str:
    # a row may come from a file that somebody edited
    width = min(1000, max(0, row.confidence)) // 10
    bar = (
        f'<svg viewBox="0 0 100 8" class="bar" aria-hidden="true"><rect class="all" width="100" height="8" rx="4"/>'
        f'<rect class="part" width="{width}" height="8" rx="4"/></svg>'
    )
    complete = "" if row.complete or row.status != "answered" else ", incomplete"
    return f'<span class="conf">{bar}confidence {spell_share(row.confidence)}{complete}</span>'


def _render_place(row: ResultRow, link: str) -> str:
    if not row.document:
        return ""
    name = f'<span class="doc" dir="auto">{escape(row.document)}</span>'
    if link:
        place = f"#page={row.pages[0]}" if row.pages else ""
        name = f'<a class="doc" dir="auto" href="{escape(link + place)}" rel="noopener noreferrer">'
        name += f"{escape(row.document)}</a>"
    more = "\u2026" if len(row.pages) > _MAX_SHOWN_PAGES else ""
    pages = ", ".join(map(str, row.pages[:_MAX_SHOWN_PAGES]))
    word = "page" if len(row.pages) == 1 else "pages"
    return f"{name} {word} {pages}{more}" if row.pages else name


def _render_outcome(entry: Entry) -> str:
    """What came of the question: the answer, or why there is none; caveats, conflict, and what was expected."""
    row = entry.row
    parts = []
    if row.answer and row.status == "answered":
        parts.append(f'<p class="answer" dir="auto">{escape(row.answer)}</p>')
    if row.status == "failed":
        kind = f"{spell_words(row.state)}: " if row.state else ""
        parts.append(f'<p class="why failed"><b>{kind}</b>{escape(row.reason)}</p>')
    if row.clarification:
        parts.append(f'<p class="why" dir="auto"><b>Asked back:</b> {escape(row.clarification)}</p>')
    if absence := render_absence(entry):
        parts.append(f'<div class="why">{absence}</div>')
    if row.conflict:
        parts.append(f'<p class="why conflict"><b>Conflict.</b> {render_conflict(entry)}</p>')
    if row.caveats:
        listed = join_items(escape(each) for each in row.caveats)
        parts.append(f'<div class="why caveats"><b>Caveats</b>{listed}</div>')
    if row.expected:
        seen = {True: "seen in the answer", False: "not seen in the answer", None: "not compared"}[row.is_expected_seen]
        kind = "seen" if row.is_expected_seen else "unseen"
        parts.append(f'<p class="expected {kind}">Expected <q dir="auto">{escape(row.expected)}</q>: {seen}</p>')
    return "".join(parts)
