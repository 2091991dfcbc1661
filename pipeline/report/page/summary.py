"""The beginning and the end of the page: what all answers come to, what can be filtered, and what is left out."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.report.page.escaping import count_words, escape, fold_away, join_items, spell_words
from pipeline.report.page.tally import STATUSES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.report.page.tally import DocumentTally, Tally

MARK = "<!doctype html>\n<!-- pdfdocket report -->\n"
"""What every report begins with; a file that does not is never written over."""
_MAX_OPEN_DOCUMENTS = 8
_GUIDE = (
    "Every quote stands word for word on the page and lines named beside it.",
    (
        "Pages are shown as they are printed. A mark covers the lines of a quote and carries its number; a quote whose "
        "place is not certain is not marked."
    ),
    (
        "Confidence is the sum of checks that are listed with each answer, and no probability. An answer that is "
        "incomplete or in conflict cannot have more than a part of it."
    ),
    (
        "Not found has a kind: no match (no form of the words occurs on any line), no such target (the numbering has "
        "no such entry), not seen (nothing was found, which proves nothing)."
    ),
    "Keys: / searches, j and k or the arrows go from answer to answer, Enter opens and closes, Escape goes back.",
)
_LEAST_CONFIDENCES = (900, 800, 700, 600, 500)


def read_part(name: str) -> str:
    """The style sheet or the script of the page."""
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def render_head() -> str:
    """Everything before the body. Only this style and this script may run, and nothing may be fetched."""
    # hashes instead of 'unsafe-inline': whatever got into the page could not run
    style = read_part("page.css")
    allowed = f"style-src '{_hash(style)}'; script-src '{_hash(read_part('page.js'))}'"
    policy = f"default-src 'none'; img-src data:; {allowed}; base-uri 'none'; form-action 'none'"
    return (
        f'{MARK}<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n<meta name="color-scheme" content="light dark">\n'
        '<link rel="icon" href="data:,">\n<title>Answers and their evidence</title>\n'
        f"<style>{style}</style>\n</head>\n"
    )


def render_foot() -> str:
    """The script, and the end of the page."""
    return f"<script>{read_part('page.js')}</script>\n</body>\n</html>\n"


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def render_summary(tally: Tally, notes: Sequence[str]) -> str:
    """Title, counts, tables and filters, up to where the answers begin."""
    # a row without a document has no name to count
    documents = [each for each in tally.documents.values() if each.name]
    counted = f"{count_words(tally.row_count, 'answer')} from {count_words(len(documents), 'document')}"
    title = f'<h1>Answers and their evidence</h1><p class="lead">{counted}, in the order asked.</p>'
    tiles = "".join(_render_tile(status, tally.counts[status], tally.row_count) for status in STATUSES)
    listed = join_items(map(escape, notes))
    noted = f'<section class="notes" aria-label="What is left out"><h2>Left out</h2>{listed}</section>'
    return (
        '<body>\n<a class="skip" href="#answers">Skip to the answers</a>\n'
        f'<header class="top"><div>{title}</div>'
        '<button type="button" id="theme" hidden>Theme: as the system</button></header>\n'
        f'<main>\n<section class="summary" aria-label="Summary"><dl class="tiles">{tiles}</dl>{_draw_shares(tally)}'
        f"{_render_counts(tally)}{_render_documents(documents)}{_render_guide(tally)}</section>\n"
        f"{noted if notes else ''}{_render_filters(tally, documents)}"
        '<section id="answers" tabindex="-1" aria-label="Answers">\n'
    )


def _render_tile(status: str, count: int, total: int) -> str:
    share = f"{100 * count / total:.0f}\u2009%" if total else ""
    return f'<div class="tile {status}"><dt>{spell_words(status)}</dt><dd>{count:,}<small>{share}</small></dd></div>'


def _draw_shares(tally: Tally) -> str:
    """One bar with a part for each status; the tiles say the same in numbers."""
    at, parts = 0, []
    for status in STATUSES:
        width = tally.counts[status] * 10_000 // max(1, tally.row_count)
        parts.append(f'<rect class="{status}" x="{at}" width="{width}" height="100"/>' if width else "")
        at += width
    drawn = "".join(parts)
    return f'<svg class="shares" viewBox="0 0 10000 100" preserveAspectRatio="none" aria-hidden="true">{drawn}</svg>'


def _render_counts(tally: Tally) -> str:
    stops = [f"{spell_words(name)} <b>{count:,}</b>" for name, count in _sort_counts(tally.stops)]
    facts = [f"Stop reasons: {', '.join(stops)}"] if stops else []
    if tally.expected_count:
        facts.append(f"Expected words seen in <b>{tally.seen_count:,}</b> of {tally.expected_count:,} answers")
    if tally.conflict_count:
        facts.append(f"In conflict: <b>{tally.conflict_count:,}</b>")
    if tally.incomplete_count:
        facts.append(f"Answered and incomplete: <b>{tally.incomplete_count:,}</b>")
    return join_items(facts, "counts")


def _sort_counts(counts: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def _render_documents(documents: Sequence[DocumentTally]) -> str:
    """A table of the documents; folded where there are many."""
    if not documents:
        return ""
    heads = "".join(f'<th scope="col">{spell_words(status)}</th>' for status in STATUSES)
    rows = "".join(_render_document(each) for each in documents)
    table = (
        '<div class="scroll" tabindex="0" role="region" aria-label="Documents"><table><thead><tr>'
        f'<th scope="col">document</th>{heads}<th scope="col">pages read</th><th scope="col">SHA-256</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )
    # a few are seen at once, many would push the answers away
    folded = fold_away("Documents", table, len(documents))
    return folded if len(documents) > _MAX_OPEN_DOCUMENTS else folded.replace("<details ", "<details open ", 1)


def _render_document(document: DocumentTally) -> str:
    name = f'<span dir="auto">{escape(document.name)}</span>'
    if document.link:
        name = f'<a dir="auto" href="{escape(document.link)}" rel="noopener noreferrer">{escape(document.name)}</a>'
    note = f'<br><span class="note">{escape(document.note)}</span>' if document.note else ""
    counts = "".join(f"<td>{document.counts[status] or ''}</td>" for status in STATUSES)
    sha256 = escape(document.sha256)
    return (
        f'<tr><th scope="row">{name}{note}</th>{counts}<td>{escape(document.pages)}</td>'
        f'<td><code title="{sha256}">{sha256[:12]}</code></td></tr>'
    )


def _render_guide(tally: Tally) -> str:
    made = [f"{escape(name)}: {count_words(count, 'run')}" for name, count in tally.programs.items()]
    made += [
        f"Rulebook revision <code>{escape(name)}</code>: {count_words(n, 'run')}" for name, n in tally.revisions.items()
    ]
    return fold_away("How to read this page, and what made it", join_items((*_GUIDE, *made)))


def _render_filters(tally: Tally, documents: Sequence[DocumentTally]) -> str:
    chips = "".join(
        f'<button type="button" class="chip {status}" data-status="{status}" aria-pressed="false">'
        f"{spell_words(status)} <span>{tally.counts[status]:,}</span></button>"
        for status in STATUSES
        if tally.counts[status]
    )
    least = [(str(share), f"at least 0.{share // 100}") for share in _LEAST_CONFIDENCES]
    stops = [name for name, _ in _sort_counts(tally.stops)]
    seen = [("1", "seen"), ("0", "not seen")] if tally.expected_count else []
    selects = (
        _render_select("document", "Document", [(str(each.number), each.name) for each in documents]),
        _render_select("tag", "Tag", [(str(number), tag) for tag, number in sorted(tally.tags.items())]),
        _render_select("confidence", "Confidence", [*least, ("below", "below 0.5")]),
        _render_select("stop", "Stop reason", [(name, name.replace("_", " ")) for name in stops]),
        _render_select("expected", "Expected", seen),
    )
    # the upper half scrolls away, the lower one stays in sight
    return (
        '<form role="search" class="filters" id="filters" hidden>'
        f'<div class="choices">{"".join(selects)}</div>'
        '<div class="find"><label for="search">Search</label>'
        '<input type="search" id="search" autocomplete="off" spellcheck="false" aria-keyshortcuts="/" '
        'placeholder="words or &quot;a phrase&quot;">'
        f'<div class="chips" role="group" aria-label="Status">{chips}</div>'
        '<output id="shown" aria-live="polite"></output><div class="acts"><button type="reset">Clear</button>'
        '<button type="button" id="unfold">Open all shown</button>'
        '<button type="button" id="refold">Close all</button></div></div></form>\n'
        '<noscript><p class="note">Filters, search and details need the script inside this page; nothing is fetched.'
        "</p></noscript>\n"
    )


def _render_select(name: str, title: str, choices: Sequence[tuple[str, str]]) -> str:
    """A choice among values; left out where there is nothing to choose."""
    if len(choices) < 2:
        return ""
    options = "".join(f'<option value="{escape(value)}">{escape(words)}</option>' for value, words in choices)
    return (
        f'<label class="choice">{title}<select id="by-{name}" data-by="{name}"><option value="">any</option>'
        f"{options}</select></label>"
    )


def render_end() -> str:
    """What follows the answers."""
    return (
        '<p id="none" class="note" hidden>No answer is like that. '
        '<button type="button" id="again">Show all</button></p>\n'
        "</section>\n</main>\n"
        "<footer><p>Made by pdfdocket from the records of the runs; the same records give the same page.</p></footer>\n"
    )
