"""Candidates of the places that a question names: pages, sections, tables, figures, statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.retrieval.candidates import CandidateMaker, Finding
from pipeline.retrieval.statements import find_statements, squash_pages
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from pipeline.models.question import Hint, RetrievalBrief
    from pipeline.models.structure import Target
    from pipeline.structure.view import DocumentView

NAMED_SCORE = 4.0
"""A place that the question names stands above every place that merely has its words."""
STATEMENT_SCORE = 3.5
ROUTED_SCORE = 2.0
PAGE_SHARE = 0.5
"""What the anchors of the rest of the page add to a statement."""
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
    return [
        Finding(maker.list_page(page), "hint", NAMED_SCORE, f"{word} {hint.value} is physical page {page}")
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
    found = view.registry.find(hint.key)
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


def find_stated(maker: CandidateMaker, page_scores: dict[int, float], is_routing_open: bool) -> tuple[Finding, ...]:
    """Pages of the statements that the question names and, where routing is open, of those where its concepts stand."""
    named = [hint.key.partition(":")[2] for hint in maker.brief.hints if hint.kind == "statement"]
    routed = find_places(maker.view, maker.brief) if is_routing_open and not named else ()
    if not named and not routed:
        return ()
    pages = squash_pages(maker.view)
    found: list[Finding] = []
    for name in dict.fromkeys((*named, *routed)):
        base = STATEMENT_SCORE if name in named else ROUTED_SCORE
        for entry in find_statements(maker.view, pages, name)[:MAX_STATEMENT_PAGES]:
            score = base * entry.score + PAGE_SHARE * page_scores.get(entry.page, 0.0)
            title = "with its title" if entry.has_title else "without a title"
            why = f"{name} {title}, {entry.row_count} of its usual rows"
            found.append(Finding(maker.list_page(entry.page), "hint", score, why))
    return tuple(found)


def find_places(view: DocumentView, brief: RetrievalBrief) -> tuple[str, ...]:
    """Statements where the concepts of a brief, or the inputs of their values, usually stand; in order of the anchors."""
    known = {cue.label for cue in view.lexicon.statement_rows}
    concepts = {fold(concept.name): concept for concept in view.lexicon.concepts}
    places: list[str] = []
    for anchor in brief.anchors:
        concept = concepts.get(anchor.key) or concepts.get(anchor.forms[0])
        if anchor.source != "concept" or concept is None:
            continue
        inputs = [concepts[fold(name)] for name in concept.inputs if fold(name) in concepts]
        for entry in (concept, *inputs):
            places += [place for place in entry.places if place in known and place not in places]
    return tuple(places)
