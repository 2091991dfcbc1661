"""The embedded default: answers read from the page without a model, one reader per answer shape."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.generation.extractive.asking import asks_pair, list_ground_readers, names_label
from pipeline.generation.extractive.compose import compose_answer
from pipeline.generation.extractive.doubts import mark_mere_use, mark_unsaid_qualifier, mark_unsaid_years
from pipeline.generation.extractive.linked import asks_terms, has_raised, is_linked, is_only_linked, may_refer
from pipeline.generation.extractive.operated import mark_uncomputed
from pipeline.generation.extractive.reading import ReaderTask
from pipeline.generation.extractive.shapes import readers_of
from pipeline.question.terms import cue_of
from pipeline.text.grammar import ATTACHMENT_KINDS
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import Reader, Reading
    from pipeline.models.answer import Answer
    from pipeline.models.evidence import Evidence
    from pipeline.models.question import GenerationBrief, SubQuestion
    from pipeline.structure.view import DocumentView

LOOKED_UP = frozenset({"text", "definition", "list", "section", "comparison"})
"""Shapes that a table of words may answer, cell by cell."""
MANIFOLD = frozenset({"list", "boolean", "count", "comparison"})
QUOTING = frozenset({"read_passage", "read_displayed", "read_boolean"})
"""Readers that quote what carries the words of a question, whatever it says."""
LABELLED = frozenset({"text", "definition", "procedure", "comparison"})
"""Shapes that a cell of a row may answer that the question names by its label."""
PLACED_HINTS = frozenset({"section", "appendix", "table", "figure", "physical_page", "printed_page"})


class ExtractiveGenerator:
    """Writes answers by reading: deterministic, offline, and no word that is not on the page or computed from it."""

    def generate(self, brief: GenerationBrief, evidence: tuple[Evidence, ...], view: DocumentView) -> Answer:
        """Answer every sub-question of the brief from its evidence.

        Args:
            brief: the question in its original wording and which of its parts are open.
            evidence: evidence of all parts, best first.
            view: the document, for the lines around the evidence.
        """
        readings = [
            (part, _tell_raised(view, self._read_part(part, brief, evidence, view)))
            for part in brief.question.sub_questions
            if part.id in brief.open_sub_questions
        ]
        return compose_answer(readings)

    def _read_part(
        self, part: SubQuestion, brief: GenerationBrief, evidence: tuple[Evidence, ...], view: DocumentView
    ) -> Reading | None:
        own = tuple(piece for piece in evidence if piece.candidate.sub_question == part.id)
        linked = tuple(piece for piece in own if is_linked(piece))
        direct = tuple(piece for piece in own if not is_only_linked(piece)) or own
        share = brief.max_quote_characters // max(1, len(brief.open_sub_questions))
        task = ReaderTask(brief.question, part, direct, view, share, linked)
        named = _keep_named(brief, part, direct)
        # What stands in the place that the question names comes first; the rest is read only if nothing there answers.
        for pieces in (named, direct) if named and named != direct else (direct,):
            reading = _try_readers(replace(task, evidence=pieces))
            if reading is not None:
                is_linking = asks_terms(task) or may_refer(view, reading)
                return _join_linked(task, reading) if is_linking else reading
        return _try_readers(replace(task, evidence=own)) if linked and direct != own else None


def _join_linked(task: ReaderTask, reading: Reading) -> Reading:
    """The reading with what its references lead to."""
    # most answers point nowhere, and what follows references takes its time to import
    from pipeline.generation.extractive.references import join_references

    joined = join_references(task, reading, _try_readers)
    if not asks_terms(task):
        return joined
    from pipeline.generation.extractive.termneeds import mark_terms

    return mark_terms(task, joined)


def _tell_raised(view: DocumentView, reading: Reading | None) -> Reading | None:
    """The reading with its raised figures told apart from the words and numbers that they stand behind."""
    if reading is None or not has_raised(view, reading):
        return reading
    # most documents raise nothing but footnote marks in small type
    from pipeline.generation.extractive.raised import tell_raised

    return tell_raised(view, reading)


def _named_readers(task: ReaderTask) -> tuple[Reader, ...]:
    """The reader of rows and columns, or of one member of a list, where the question names one."""
    if _names_member(task):
        from pipeline.generation.extractive.member import read_member

        return (read_member,)
    if any(hint.key.startswith(("row:", "column:")) for hint in task.question.hints):
        # few questions do, and reading cells takes its time to import
        from pipeline.generation.extractive.selected import read_selected

        return (read_selected,)
    if _asks_cover(task):
        from pipeline.generation.extractive.cover import read_cover
        from pipeline.generation.extractive.labelled import read_labelled

        # a list of subsidiaries says where each of them is incorporated, the title page only where the parent is
        return (read_labelled, read_cover)
    if _holds_cue(task, "asks marks"):
        from pipeline.generation.extractive.noted import read_noted

        return (read_noted,)
    if _holds_cue(task, "asks audience"):
        from pipeline.generation.extractive.audience import read_audience

        return (read_audience,)
    if _holds_cue(task, "signed as") and _names_signing(task):
        from pipeline.generation.extractive.signed_as import read_signed_as

        return (read_signed_as,)
    if asks_pair(task):
        # a gap of two figures stands in their table, not in what is said of either
        from pipeline.generation.extractive.paired import read_paired

        return (read_paired, *_contrast_readers(task))
    if (task.part.shape in LABELLED or task.part.value_type == "name") and names_label(task):
        # a glossary defines a word of a label, and the row tells what was asked
        from pipeline.generation.extractive.labelled import read_labelled
        from pipeline.generation.extractive.rowcells import read_row_cell

        return (read_labelled, read_row_cell)
    if _asks_contrast(task):
        return _contrast_readers(task)
    if task.part.shape not in LOOKED_UP or not _speaks_of_table(task):
        return ()
    from pipeline.generation.extractive.labelled import read_labelled

    return (read_labelled,)


def _contrast_readers(task: ReaderTask) -> tuple[Reader, ...]:
    if not _asks_contrast(task):
        return ()
    from pipeline.generation.extractive.contrasted import read_contrast

    return (read_contrast,)


def _speaks_of_table(task: ReaderTask) -> bool:
    """Whether the part speaks of a table, by its number or by the word, or of an exhibit of a list; a plain test."""
    hints = [hint for hint in task.question.hints if hint.kind == "table" or hint.key.startswith("exhibit:")]
    # a table that another part names is none of this one
    others = [part.text for part in task.question.sub_questions if part.id != task.part.id]
    if any(hint.value in task.part.text or not any(hint.value in text for text in others) for hint in hints):
        return True
    nouns = cue_of(task.view.lexicon.value_cues, "table nouns")
    return any(word in nouns for word in fold(task.part.text).split())


def _attached_readers(task: ReaderTask) -> tuple[Reader, ...]:
    """The reader of the index of attachments, where the question says a word for them; a plain test."""
    folded = fold(task.part.text)
    is_named = any(hint.key.partition(":")[0] in ATTACHMENT_KINDS for hint in task.question.hints)
    if (
        not is_named
        and not any(kind in folded for kind in ATTACHMENT_KINDS)
        and not _holds_cue(task, "attachment nouns")
    ):
        return ()
    from pipeline.generation.extractive.attached import read_attached

    return (read_attached,)


def _topic_readers(task: ReaderTask) -> tuple[Reader, ...]:
    """The readers of members of a family by what they speak of, where a question asks so; a plain test."""
    readers = list(list_ground_readers(task))
    if _opens_topic(task) and any(hint.kind == "table" for hint in task.question.hints):
        from pipeline.generation.extractive.topic_rows import read_topic_rows

        readers.append(read_topic_rows)
    if _may_ask_topic(task):
        from pipeline.generation.extractive.topical import read_topical

        readers.append(read_topical)
    return tuple(readers)


def _opens_topic(task: ReaderTask) -> bool:
    openers = cue_of(task.view.lexicon.value_cues, "topic openers")
    return any(word in openers for word in fold(task.part.text).split(maxsplit=2)[:2])


def _may_ask_topic(task: ReaderTask) -> bool:
    """Whether the first words of a question open one for things that speak of something, and it says such a verb."""
    return _opens_topic(task) and (_holds_cue(task, "speaks of") or _holds_cue(task, "spoken of"))


def _asks_cover(task: ReaderTask) -> bool:
    """Whether a question asks for one thing of those that forms state on their title page; a plain test."""
    return task.part.shape not in MANIFOLD and _holds_cue(task, "cover facts")


def _holds_cue(task: ReaderTask, label: str) -> bool:
    folded = fold(task.part.text)
    return any(contains_folded(cue, folded) for cue in cue_of(task.view.lexicon.value_cues, label))


def _names_signing(task: ReaderTask) -> bool:
    """Whether the question speaks of who signed, in any of its parts; a plain test."""
    signs = cue_of(task.view.lexicon.value_cues, "signs")
    return any(word in signs for word in fold(task.question.text).replace(",", " ").replace("?", " ").split())


def _asks_contrast(task: ReaderTask) -> bool:
    """Whether a question asks what tells two things apart, not by how much two figures differ; a plain test."""
    if task.part.shape not in ("comparison", "text", "definition") or task.question.periods:
        return False
    cues = task.view.lexicon.value_cues
    words = fold(task.part.text).split()
    return any(word in cue_of(cues, label) for word in words for label in ("contrast openers", "contrast verbs"))


def _names_member(task: ReaderTask) -> bool:
    """Whether a noun of members of lists stands beside a number or a place in the question; a plain test."""
    words = fold(task.part.text).replace("(", " ").split()
    nouns = cue_of(task.view.lexicon.value_cues, "members")
    return any(word in nouns for word in words)


def _try_readers(task: ReaderTask) -> Reading | None:
    for read in (*_attached_readers(task), *_topic_readers(task), *_named_readers(task), *readers_of(task.part)):
        reading = read(task)
        if reading is not None and reading.items:
            reading = _mark_part(task, mark_unsaid_years(task, mark_uncomputed(task, reading)))
            reading = _mark_quoted(task, reading) if getattr(read, "__name__", "") in QUOTING else reading
            judged = _judge(task, reading)
            if judged is not None:
                return judged
    return None


def _judge(task: ReaderTask, reading: Reading) -> Reading | None:
    """The reading, doubted where it says no year that is asked for; None where it is of another year or place."""
    from pipeline.generation.extractive.doings import judge_doings
    from pipeline.generation.extractive.opposites import judge_sides
    from pipeline.generation.extractive.undated import judge_border, judge_parts, judge_years

    kept = judge_years(task, reading) if task.question.periods else reading
    kept = judge_parts(task, kept) if kept is not None else None
    kept = judge_border(task, kept) if kept is not None else None
    kept = judge_sides(task, kept) if kept is not None else None
    return judge_doings(task, kept) if kept is not None else None


def _mark_quoted(task: ReaderTask, reading: Reading) -> Reading:
    """A passage with caveats where it only uses a term, or lacks what was asked about."""
    from pipeline.generation.extractive.deferred import follow_meaning
    from pipeline.generation.extractive.missed import mark_missed

    reading = mark_unsaid_qualifier(task, mark_mere_use(task, reading))
    reading = follow_meaning(task, mark_missed(task, reading))
    if _may_ask_topic(task):
        from pipeline.generation.extractive.topical import mark_unnamed

        reading = mark_unnamed(task, reading)
    if not _asks_contrast(task):
        return reading
    from pipeline.generation.extractive.contrasted import mark_sides

    return mark_sides(task, reading)


def _mark_part(task: ReaderTask, reading: Reading) -> Reading:
    """The reading with a caveat where it may be of the whole and a part was asked, or where it has no figure."""
    is_figure = any(item.value for item in reading.items)
    if task.part.shape not in ("value", "count") and (is_figure or not _may_ask_figure(task)):
        return reading
    # other answers are no figures, and what reads parts takes its time to import
    from pipeline.generation.extractive.unsaid import mark_unsaid_figure, mark_unsaid_part

    return mark_unsaid_part(task, reading) if is_figure else mark_unsaid_figure(task, reading)


def _may_ask_figure(task: ReaderTask) -> bool:
    """Whether a question may ask for one figure of a year ("What were apparel sales in 2018?"); a plain test."""
    return task.part.shape in ("list", "text") and len(task.question.periods) == 1


def _keep_named(brief: GenerationBrief, part: SubQuestion, pieces: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """Evidence from the places that this part names, and what was derived from it."""
    is_placed = any(hint.kind in PLACED_HINTS and hint.value in part.text for hint in brief.question.hints)
    if not is_placed:
        return ()
    named = {piece.candidate.ref for piece in pieces if any(f.method == "hint" for f in piece.candidate.found_by)}
    return tuple(piece for piece in pieces if {piece.candidate.ref, piece.candidate.derived_from} & named)
