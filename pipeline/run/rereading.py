"""The action "reparse": pages that failed a check are read again, by the cheapest method that may help."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from pipeline.loop import ActionResult
from pipeline.models.run import LedgerEntry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.effects import Effects
    from pipeline.loop import ActionRequest, LoopOutcome
    from pipeline.models.document import Page, PageCheck, ParsedDocument
    from pipeline.models.evidence import Candidate
    from pipeline.models.question import RetrievalBrief
    from pipeline.models.run import Iteration
    from pipeline.parsing.rereading import Reading
    from pipeline.parsing.source import PageSource
    from pipeline.structure.view import DocumentView

UNREAD_STATES = ("without_text", "garbled")

_MISREAD: frozenset[PageCheck] = frozenset(
    (
        "no_text", "undefined_characters", "ocr_noise", "wrong_encoding", "text_under_image", "figure_without_text",
        "letter_spaced",
    )
)  # fmt: skip
_LADDER: tuple[tuple[str, frozenset[PageCheck]], ...] = (
    ("reflow", frozenset(("mixed_columns",))),
    ("grid", frozenset(("flattened_table",))),
    ("layout", frozenset(("mixed_columns", "flattened_table"))),
    ("ocr", _MISREAD),
)
"""Methods from the cheapest to the dearest, and the checks that each may mend."""
_UNSTRUCTURED = ("reflow", "grid", "layout")


class Attempt(NamedTuple):
    """What one method made of a page: a document with more lines, candidates, or words that say why there are none."""

    method: str
    document: ParsedDocument | None = None
    derived: tuple[Candidate, ...] = ()
    words: str = ""

    @property
    def has_result(self) -> bool:
        """Whether there is more to read than before."""
        return self.document is not None or bool(self.derived)


class Rereader:
    """Reads pages again in one run; each page once, and what it changed is in the view that it gives back."""

    def __init__(self, source: PageSource, effects: Effects, language: str) -> None:
        self.source = source
        self.effects = effects
        self.language = language
        self.tried: set[int] = set()

    def list_unread(self, view: DocumentView) -> tuple[int, ...]:
        """Pages without usable text that were not tried yet, in page order; blank pages have nothing to read."""
        return tuple(
            page.number
            for page in view.document.pages
            if page.state in UNREAD_STATES and page.failed_checks and page.number not in self.tried
        )

    def read_pages(
        self, view: DocumentView, request: ActionRequest, max_pages: int
    ) -> tuple[ActionResult, DocumentView]:
        """Read the pages that a trigger names, at most `max_pages` of them; the view has what they gave."""
        wanted = [int(target.partition(":")[2]) for target in request.trigger.targets if target.startswith("page:")]
        pages = [page for page in sorted(set(wanted)) if page not in self.tried]
        rows: list[LedgerEntry] = []
        changed: list[str] = []
        derived: list[Candidate] = []
        first_read: list[int] = []
        for number in pages[:max_pages]:
            # also a page that gives nothing is not tried a second time
            self.tried.add(number)
            page = view.document.pages[number - 1]
            attempts = self._climb(view, page, request)
            rows.append(_write_row(page, attempts))
            last = attempts[-1]
            derived += last.derived
            if last.document is not None:
                changed.append(f"page {number}: {last.words}")
                view = _exchange(view, last.document)
                first_read += [number] if page.state in UNREAD_STATES else []
        if first_read:
            from pipeline.parsing.additions import settle_document

            view = _exchange(view, settle_document(view.document, first_read))
        derived += _derive_again(view, request, pages) if changed else []
        refused = tuple(f"page {page}: more than {max_pages} pages an action" for page in pages[max_pages:])
        result = ActionResult(changed=tuple(changed), refused=refused, derived=tuple(derived), ledger=tuple(rows))
        return result, view

    def _climb(self, view: DocumentView, page: Page, request: ActionRequest) -> tuple[Attempt, ...]:
        """Methods in their order until one gives something; at least one attempt."""
        checks = frozenset(page.failed_checks)
        methods = [method for method, mended in _LADDER if mended & checks] or list(_UNSTRUCTURED)
        if request.answer.found and request.answer.complete and "mixed_columns" not in checks:
            # a whole answer is worth a look at the cells of its table, not a model
            methods = [method for method in methods if method != "layout"]
        attempts: list[Attempt] = []
        for method in methods:
            attempts.append(self._try(view, page, method, request))
            if attempts[-1].has_result:
                break
        return tuple(attempts)

    def _try(self, view: DocumentView, page: Page, method: str, request: ActionRequest) -> Attempt:
        if method == "reflow":
            return _reflow(view, page)
        if method == "grid":
            return _read_grid(view, page, request)
        reading = self._call(method, page.number)
        checks = page.failed_checks
        if reading.reason or not reading.lines:
            return Attempt(method, words=reading.reason or "nothing found")
        if method == "ocr":
            return _add_ocr(view, page, reading)
        return (
            _add_flow(view, page, reading) if "mixed_columns" in checks else _add_tables(view, page, reading, request)
        )

    def _call(self, method: str, page: int) -> Reading:
        from pipeline.parsing.rereading import decode_reading, read_page_again

        # the key names no engine: a replay has none, and what was recorded says which it was
        key = f"{self.source.sha256[:12]}:p{page}:{self.language}"
        return decode_reading(
            self.effects.call(method, key, lambda: read_page_again(self.source, page, method, self.language))
        )


def _derive_again(view: DocumentView, request: ActionRequest, pages: Iterable[int]) -> list[Candidate]:
    """What references led to, where its lines were superseded: no query finds those places a second time."""
    from pipeline.retrieval.grids import derive_again

    derived = [piece.candidate for piece in request.evidence if piece.candidate.derived_from is not None]
    made = [derive_again(view, candidate, page) for candidate in derived for page in pages]
    return [candidate for candidate in made if candidate is not None]


def _exchange(view: DocumentView, document: ParsedDocument) -> DocumentView:
    return type(view)(document, view.lexicon)


def _reflow(view: DocumentView, page: Page) -> Attempt:
    from pipeline.parsing.additions import add_flow
    from pipeline.parsing.reflow import reflow_lines

    lines = [line for line in view.document.lines_on(page.number) if line.is_evidence]
    added = add_flow(view.document, page.number, reflow_lines(lines), "reflow")
    # the engine's own order was kept when no gutter was found
    if not added.line_count:
        return Attempt("reflow", words="no columns found")
    return Attempt("reflow", added.document, words=f"read by reflow: {added.line_count} lines")


def _read_grid(view: DocumentView, page: Page, request: ActionRequest) -> Attempt:
    from pipeline.retrieval.grids import derive_grids, is_within

    read = [piece.candidate for piece in request.evidence]
    found: list[Candidate] = []
    for query, source in _find_sources(page, request):
        found += [table for table in derive_grids(view, query, source, page.number) if not is_within(table, read)]
    if not found:
        return Attempt("grid", words="no row of a table that was not read already")
    return Attempt("grid", derived=tuple(found), words=f"read by grid: {len(found)} tables")


def _find_sources(page: Page, request: ActionRequest) -> list[tuple[RetrievalBrief, Candidate]]:
    """What a table is derived from, for each query: its best candidate on the page, else the best of all."""
    sources = []
    read = [piece.candidate for piece in request.evidence]
    for query in request.queries:
        mine = [known for known in (*read, *request.candidates) if known.sub_question == query.sub_question]
        here = [known for known in mine if any(span.page == page.number for span in known.spans)]
        sources += [(query, known) for known in (here or mine)[:1]]
    return sources


def _add_tables(view: DocumentView, page: Page, reading: Reading, request: ActionRequest) -> Attempt:
    from pipeline.parsing.layout import TABLE, find_region
    from pipeline.retrieval.grids import derive_region, is_within

    read = [piece.candidate for piece in request.evidence]
    lines = [line for line in view.document.lines_on(page.number) if line.is_evidence]
    found: list[Candidate] = []
    for region in (region for region in reading.lines if region.text == TABLE):
        inside = [line for line in lines if find_region(line.box, (region,)) is not None]
        for _, source in _find_sources(page, request) if inside else ():
            candidate = derive_region(view, source, inside, len(found) + 1)
            found += [candidate] if not is_within(candidate, read) else []
    if not found:
        return Attempt("layout", words="no table that was not read already")
    return Attempt("layout", derived=tuple(found), words=f"read by layout: {len(found)} tables ({reading.engine})")


def _add_flow(view: DocumentView, page: Page, reading: Reading) -> Attempt:
    from pipeline.parsing.additions import add_flow
    from pipeline.parsing.layout import order_by_regions

    lines = [line for line in view.document.lines_on(page.number) if line.is_evidence]
    flow = [(line, line.column) for line in order_by_regions(lines, reading.lines)]
    added = add_flow(view.document, page.number, flow, "layout")
    if not added.line_count:
        return Attempt("layout", words=added.note)
    return Attempt("layout", added.document, words=f"read by layout: {added.line_count} lines ({reading.engine})")


def _add_ocr(view: DocumentView, page: Page, reading: Reading) -> Attempt:
    from pipeline.parsing.additions import add_recognised

    added = add_recognised(view.document, page.number, reading.lines)
    if not added.line_count:
        return Attempt("ocr", words=added.note)
    return Attempt("ocr", added.document, words=f"read by ocr: {added.line_count} lines ({reading.engine})")


def _write_row(page: Page, attempts: tuple[Attempt, ...]) -> LedgerEntry:
    """One row a page: what the last method gave, why it was read again, and what did not help before."""
    *earlier, last = attempts
    checks = ", ".join(page.failed_checks) or "evidence without structure"
    tried = "".join(f"; {attempt.method}: {attempt.words}" for attempt in earlier)
    outcome = last.words if last.has_result else f"{last.method}: {last.words}"
    return LedgerEntry(kind="reparse", target=f"page:{page.number}", outcome=outcome, why=f"{checks}{tried}")


def complete_rows(rows: tuple[LedgerEntry, ...], outcome: LoopOutcome) -> tuple[LedgerEntry, ...]:
    """The rows of the ledger; those of reparses say whether the iteration that followed had other evidence."""
    effects = {row: _compare(before, after) for before, after, row in _pair_rows(outcome.iterations)}
    return tuple(
        row.model_copy(update={"why": f"{row.why}; {effects.get(row, 'nothing changed')}"})
        if row.kind == "reparse"
        else row
        for row in rows
    )


def _pair_rows(iterations: tuple[Iteration, ...]) -> Iterable[tuple[Iteration, Iteration, LedgerEntry]]:
    for before, after in pairwise(iterations):
        for row in after.ledger:
            yield before, after, row


def _compare(before: Iteration, after: Iteration) -> str:
    has_new_evidence = [piece.candidate.ref for piece in before.evidence] != [
        piece.candidate.ref for piece in after.evidence
    ]
    has_new_answer = (before.answer.text, before.answer.items) != (after.answer.text, after.answer.items)
    evidence = "the evidence changed" if has_new_evidence else "the evidence stayed"
    return f"{evidence}, {'the answer changed' if has_new_answer else 'the answer stayed'}"
