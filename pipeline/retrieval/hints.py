"""Candidates of the places that a question names: pages, sections, tables, figures, statements."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.retrieval.candidates import CandidateMaker, Finding
from pipeline.retrieval.values import is_row
from pipeline.structure.resolving import find_by_key
from pipeline.structure.statements import find_statements, list_page_texts
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from pipeline.models.lexicon import Concept
    from pipeline.models.question import Anchor, Hint
    from pipeline.models.structure import Target
    from pipeline.structure.view import DocumentView

# a place that the question names stands above every place that merely has its words
NAMED_SCORE = 4.0
SECOND_SCORE = 3.0
# a statement that the question names, fully recognised, stands so far above the best window
NAMED_LEAD = 1.3
# a statement that only concepts point at leads when it holds more than the rest of the anchors
ROUTED_BASE = 0.5
MAX_STATEMENT_PAGES = 3


def find_hinted(maker: CandidateMaker) -> tuple[Finding, ...]:
    """Findings of all hints of a brief but statements, in the order of the hints."""
    found: list[Finding] = []
    for hint in maker.brief.hints:
        if hint.kind in ("physical_page", "printed_page"):
            found += _find_pages(maker, hint)
        elif hint.kind == "layout":
            found += _find_titled(maker, hint)
        elif hint.kind != "statement":
            found += _find_targets(maker, hint)
    return tuple(found)


def resolve_page(view: DocumentView, hint: Hint) -> tuple[int, ...]:
    """Physical pages that a page hint means; for a printed page what is printed wins over the file's labels."""
    wanted = fold(hint.value)
    if hint.kind == "physical_page":
        return tuple(page.number for page in view.document.pages if str(page.number) == wanted)
    printed = tuple(page.number for page in view.document.pages if page.printed and fold(page.printed) == wanted)
    return printed or tuple(page.number for page in view.document.pages if page.label and fold(page.label) == wanted)


def _find_pages(maker: CandidateMaker, hint: Hint) -> list[Finding]:
    word = "printed page" if hint.kind == "printed_page" else "page"
    # a plain "page 15" comes as both kinds, and the number in print is what a reader sees
    others = [other for other in maker.brief.hints if other.kind == "printed_page" and other.value == hint.value]
    is_second = hint.kind == "physical_page" and any(resolve_page(maker.view, other) for other in others)
    score = SECOND_SCORE if is_second else NAMED_SCORE
    return [
        Finding(maker.list_page(page), "hint", score, f"{word} {hint.value} is physical page {page}")
        for page in resolve_page(maker.view, hint)
        if maker.list_page(page)
    ]


def _find_targets(maker: CandidateMaker, hint: Hint) -> list[Finding]:
    found: list[Finding] = []
    for target in resolve_target(maker.view, hint):
        lines = maker.list_lines(target.start, target.end)
        if lines:
            found.append(Finding(lines, "hint", NAMED_SCORE, f"{hint.key} is {target.label} {target.title}".strip()))
    return found


def resolve_target(view: DocumentView, hint: Hint) -> tuple[Target, ...]:
    """Targets that a hint names: by its key, else by the title of a section."""
    found = find_by_key(view, hint.key)
    if found:
        return found
    wanted = fold(hint.value)
    named = (target for target in view.registry.targets if target.kind == hint.kind)
    return tuple(target for target in named if wanted in (fold(target.title), fold(target.label)))


def _find_titled(maker: CandidateMaker, hint: Hint) -> list[Finding]:
    """Sections whose title is the part of a document that the hint names ("abstract")."""
    wanted = hint.key.partition(":")[2] or fold(hint.value)
    return [
        Finding(maker.list_lines(entry.start, entry.end), "hint", NAMED_SCORE, f"section {entry.title}", entry.index)
        for entry in maker.view.document.sections
        if wanted in fold(entry.title).split() and maker.list_lines(entry.start, entry.end)
    ]


class Routing(NamedTuple):
    """What decides between statements and windows: the best window's score and the anchors' shares of pages."""

    best: float
    is_open: bool
    covers: dict[int, float]


def find_stated(maker: CandidateMaker, routing: Routing) -> tuple[Finding, ...]:
    """Pages of the statements that the question names and, where it names none, of those where its concepts stand.

    A named statement outranks every window. A figure that has to be computed from rows that are there (a quick ratio)
    is found on their statements. Any other concept only points there while routing is open, and the page has to hold
    the other anchors as well: a segment's revenue is not found on the income statement.
    """
    strengths = {hint.key.partition(":")[2]: 2 for hint in maker.brief.hints if hint.kind == "statement"}
    if not strengths:
        strengths = _find_places(maker, routing.is_open)
    pages = list_page_texts(maker.view) if strengths else ()
    found: list[Finding] = []
    for name, strength in strengths.items():
        for entry in find_statements(maker.view, pages, name)[:MAX_STATEMENT_PAGES]:
            cover = routing.covers.get(entry.page, 0.0)
            base = (routing.best * (ROUTED_BASE + cover), routing.best + cover, NAMED_LEAD * routing.best + cover)
            title = "with its title" if entry.has_title else "without a title"
            why = f"{name} {title}, {entry.row_count} of its usual rows"
            found.append(Finding(maker.list_page(entry.page), "hint", max(base[strength], 1.0) * entry.score, why))
    return tuple(found)


def _find_places(maker: CandidateMaker, is_open: bool) -> dict[str, int]:
    """Statements where the concepts of a brief usually stand, with how strongly they point there: 1 for inputs."""
    view = maker.view
    known = {cue.label for cue in view.lexicon.statement_rows}
    concepts = {fold(concept.name): concept for concept in view.lexicon.concepts}
    strengths: dict[str, int] = {}
    for anchor in maker.brief.anchors:
        concept = concepts.get(anchor.key) if anchor.source == "concept" else None
        if concept is None:
            continue
        is_computed = bool(concept.inputs) and not has_own_row(view, anchor, concept)
        inputs = [concepts[fold(name)] for name in concept.inputs if fold(name) in concepts]
        for place in (place for entry in (concept, *inputs) for place in entry.places if place in known):
            if is_computed or is_open:
                strengths[place] = max(strengths.get(place, 0), int(is_computed))
    return strengths


def has_own_row(view: DocumentView, anchor: Anchor, concept: Concept) -> bool:
    """Whether a table gives a computed figure itself, under one of the concept's own forms."""
    forms = tuple(fold(form) for form in concept.forms)
    document = view.document
    indices = (document.index_of(position) for position in view.positions_of(anchor))
    return any(any(form in document.folded[i] for form in forms) and is_row(view, i) for i in indices)
