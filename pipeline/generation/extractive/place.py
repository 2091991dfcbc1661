"""The reader of "where is ...": the page of a figure, table, section or statement, in the file and in print."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_extent, cite_extents, cite_lines, name_target
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.sentences import Sentence, evidence_lines, split_evidence
from pipeline.generation.extractive.weights import weigh_anchor
from pipeline.models.answer import Item, ReferenceReport
from pipeline.question.terms import cue_of
from pipeline.structure.resolving import find_by_key
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.answer import Citation
    from pipeline.models.document import Line
    from pipeline.models.question import Anchor

LOCATION_WORDS = 4
"""A place stands so near behind the words that say where something is."""
NAMED_KINDS = frozenset({"section", "table", "figure", "appendix", "statement"})


def read_place(task: ReaderTask) -> Reading | None:
    """Say on which page the named thing stands; without a named thing, where the evidence carries the most anchors."""
    for hint in task.question.hints:
        if hint.kind not in NAMED_KINDS:
            continue
        targets = find_by_key(task.view, hint.key)
        if targets:
            first = targets[0]
            line = task.view.document.line_at(*first.start)
            name = name_target(first)
            if line is not None:
                return _tell_place(task, name or hint.value, (line,), is_single=len(targets) == 1)
    return _read_linked(task) or _read_location(task) or _read_best_line(task)


def _read_linked(task: ReaderTask) -> Reading | None:
    """The captioned table that a symbol of the prose led to: it shows what the prose names, though nothing cites it."""
    for piece in (*task.linked, *task.evidence):
        why = next((found.why for found in piece.candidate.found_by if found.method == "two_hop"), "")
        places = {(line.page, line.number) for line in piece.lines}
        for target in task.view.registry.targets if why else ():
            line = task.view.document.line_at(*target.start)
            is_meant = target.kind == "table" and target.start in places and why.endswith(f"Table {target.label}")
            reading = _tell_place(task, f"Table {target.label}", (line,), is_single=True) if is_meant and line else None
            if reading is not None:
                name = f"{target.key}@p{target.start[0]}:l{target.start[1]}"
                report = ReferenceReport(target=name, state="followed", why=why)
                return replace(reading, caveats=(why,), references=(report,))
    return None


def _read_location(task: ReaderTask) -> Reading | None:
    """Where in the world something is, in the sentence that says so: "our offices are located in Oslo"."""
    cues = cue_of(task.view.lexicon.value_cues, "is located")
    wanted = [anchor for anchor in task.part.anchors if not any(anchor.forms[0] in cue.split() for cue in cues)]
    # a document seldom says again whose it is: "our offices"
    single = [anchor for anchor in wanted if anchor.source != "compound" and not _is_on_cover(task, anchor)]
    total = sum(weigh_anchor(task.view, anchor) for anchor in single)
    best: tuple[int, int, Sentence] | None = None
    for rank, piece in enumerate(task.evidence if total else ()):
        for sentence in split_evidence(evidence_lines(task.view, piece)):
            held = [anchor for anchor in single if find_anchor(anchor, sentence.text)]
            share = sum(weigh_anchor(task.view, anchor) for anchor in held) * 1000 // total
            least = task.view.lexicon.thresholds.governing
            if share >= least and _says_location(sentence.text, cues) and (best is None or -share < best[0]):
                best = (-share, rank, sentence)
    citations = cite_extents(task.view, best[2].extents) if best is not None else ()
    if best is None or not citations:
        return None
    item = Item(sub_question=task.part.id, text=best[2].text, citations=citations, extraction="verbatim")
    return Reading(text=f"{item.text} (page {citations[0].page} of the file)", items=(item,), has_typed_fit=True)


def _is_on_cover(task: ReaderTask, anchor: Anchor) -> bool:
    return anchor.text[:1].isupper() and any(page == 1 for page, _ in task.view.positions_of(anchor)[:1])


def _says_location(text: str, cues: tuple[str, ...]) -> bool:
    """Whether a name or a number follows a cue of location within a few words: "located at 100 Quay Street"."""
    folded = fold(text)
    for cue in cues:
        at = folded.find(cue)
        words = text[at + len(cue) :].split()[:LOCATION_WORDS] if at >= 0 else []
        if any(word[:1].isupper() or word[:1].isdigit() for word in words):
            return True
    return False


def _read_best_line(task: ReaderTask) -> Reading | None:
    best: tuple[int, int, Line] | None = None
    for rank, piece in enumerate(task.evidence):
        for evidence_line in piece.lines:
            weight = sum(anchor.weight for anchor in task.part.anchors if find_anchor(anchor, evidence_line.text))
            line = task.view.document.line_at(evidence_line.page, evidence_line.number)
            if line is None or not line.is_evidence or not weight:
                continue
            if best is None or (-weight, rank) < (best[0], best[1]):
                best = (-weight, rank, line)
    return None if best is None else _tell_place(task, "", (best[2],), is_single=True)


def _tell_place(task: ReaderTask, name: str, lines: tuple[Line, ...], *, is_single: bool) -> Reading | None:
    citations = _cite_caption(task, lines[0]) or cite_lines(task.view, lines)
    if not citations:
        return None
    page = task.view.document.pages[lines[0].page - 1]
    text = f"page {page.number} of the file"
    if page.printed and page.printed != str(page.number):
        text += f" (printed page {page.printed})"
    section = task.view.document.section_at(lines[0].position)
    if section is not None and not name:
        title = " ".join(part for part in (section.number, section.title) if part)
        text += f", in section {title}"
    item = Item(
        sub_question=task.part.id,
        text=f"{name}: {text}" if name else text,
        value=str(page.number),
        label=name,
        citations=citations,
        extraction="inferred",
    )
    caveats = () if is_single else (f"{name} stands in more than one place; the first is given",)
    return Reading(text=item.text, items=(item,), has_typed_fit=True, has_second_place=is_single, caveats=caveats)


def _cite_caption(task: ReaderTask, line: Line) -> tuple[Citation, ...]:
    for caption in task.view.captions:
        if caption.extent.page == line.page and caption.extent.line_start <= line.number <= caption.extent.line_end:
            citation = cite_extent(task.view, caption.extent)
            return () if citation is None else (citation,)
    return ()
