"""Which of several lists is meant: lists of advice only where advice is asked for, and the one that has the words.

"Tips for employees" stands in a document many times: where the words of the question single one out, that one is
meant; where they do not, the pages of the others are told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.announcing import announces
from pipeline.generation.extractive.nouns import find_noun
from pipeline.question.terms import cue_of, split_words
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import contains_folded, fold, squeeze
from pipeline.text.tokens import stem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.lists import RatedList
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.structure import Enumeration

MAX_TITLE_CHARACTERS = 60
MAX_TOLD_PAGES = 8
SAME_PERCENT = 50
"""Two lists that share so many of their members are one list, printed twice."""
NEAR_PERCENT = 60
"""A list with less of the best one's score is none that may be meant as well."""


def asks_advice(task: ReaderTask) -> bool:
    """Whether a question asks for tips, considerations or what to do, not for what there is."""
    folded = fold(task.part.text)
    return any(contains_folded(cue, folded) for cue in cue_of(task.view.lexicon.value_cues, "asks advice"))


def gives_advice(task: ReaderTask, lead: str) -> bool:
    """Whether a lead or title announces tips: "Here are a few tips", "be sure to:", "Tips for employees"."""
    folded = fold(lead)
    return any(contains_folded(cue, folded) for cue in cue_of(task.view.lexicon.value_cues, "gives advice"))


def keep_meant(task: ReaderTask, rated: Sequence[RatedList]) -> list[RatedList]:
    """The lists without those of advice where none is asked for; the one with more of the question's words first."""
    kept = list(rated)
    if not asks_advice(task):
        kept = [entry for entry in rated if not gives_advice(task, _read_lead(task, entry.enumeration))]
    nouns = find_noun(task)
    # a list that is titled by what is asked for goes before one of the same section that is titled otherwise
    titled = [entry for entry in kept if any(find_anchor(noun, entry.enumeration.lead) for noun in nouns)]
    is_titled = bool(kept and titled) and kept[0].enumeration.kind == titled[0].enumeration.kind
    if is_titled and not any(noun.key in kept[0].matched for noun in nouns):
        kept = [*titled, *(entry for entry in kept if entry not in titled)]
    if not kept:
        return kept
    best = kept[0]
    if is_led(task, best.enumeration):
        return kept  # it is led in as what is asked for
    said = _count_words(task, best.enumeration)
    for entry in kept[1:]:
        # of lists that match alike, words that weigh nothing ("selecting") still tell which is meant
        is_near = entry.score * 100 >= NEAR_PERCENT * best.score
        if is_near and best.matched <= entry.matched and _count_words(task, entry.enumeration) > said:
            return [entry, *(other for other in kept if other is not entry)]
    return kept


def tell_others(task: ReaderTask, rated: Sequence[RatedList]) -> str:
    """A caveat with the pages of other lists that the question fits as well; empty where the best one stands alone."""
    best = rated[0]
    said = _count_words(task, best.enumeration)
    is_best_led = is_led(task, best.enumeration)
    pages: set[int] = set(_find_same_titles(task, best.enumeration))
    for entry in rated[1:]:
        is_alike = best.matched <= entry.matched and _count_words(task, entry.enumeration) >= said
        is_near = entry.score * 100 >= NEAR_PERCENT * best.score
        is_apart = entry.enumeration.end <= best.enumeration.start or entry.enumeration.start >= best.enumeration.end
        if is_best_led and not is_led(task, entry.enumeration):
            continue
        if is_alike and is_near and is_apart and not _is_same(best.enumeration, entry.enumeration):
            pages.add(entry.enumeration.start[0])
    if not pages:
        return ""
    told = ", ".join(str(page) for page in sorted(pages)[:MAX_TOLD_PAGES])
    more = " and more" if len(pages) > MAX_TOLD_PAGES else ""
    return f"other lists fit the question as well: pages {told}{more}"


def is_led(task: ReaderTask, enumeration: Enumeration) -> bool:
    """Whether a list is led in as what is asked for."""
    lead = _read_lead(task, enumeration)
    return any(announces(task, head, lead) for head in find_noun(task)[-1:])


def _find_same_titles(task: ReaderTask, enumeration: Enumeration) -> list[int]:
    """Pages on which the very title of a list stands over another one, where it is all that is asked for."""
    lead = squeeze(enumeration.lead)
    if not lead or len(enumeration.lead) > MAX_TITLE_CHARACTERS:
        return []
    # what the question says beyond the title tells which of them is meant
    if _list_words(task, task.part.text) - _list_words(task, enumeration.lead):
        return []
    document, first = task.view.document, fold(enumeration.lead).split()[0]
    own = {extent.page for extent in enumeration.lead_extents} | {enumeration.start[0]}
    return [
        line.page
        for line, folded in zip(document.lines, document.folded, strict=True)
        if folded.startswith(first) and line.page not in own and line.is_evidence and squeeze(line.text) == lead
    ]


def _is_same(own: Enumeration, other: Enumeration) -> bool:
    names = {squeeze(item.text)[:30] for item in own.items}
    shared = sum(squeeze(item.text)[:30] in names for item in other.items)
    return shared * 100 >= SAME_PERCENT * min(len(own.items), len(other.items))


def _read_lead(task: ReaderTask, enumeration: Enumeration) -> str:
    section = task.view.document.section_at(enumeration.start)
    return enumeration.lead or (section.title if section is not None else "")


def _count_words(task: ReaderTask, enumeration: Enumeration) -> int:
    section = task.view.document.section_at(enumeration.start)
    above = (*section.breadcrumb, section.title) if section is not None else ()
    return len(_list_words(task, task.part.text) & _list_words(task, " ".join((enumeration.lead, *above))))


def _list_words(task: ReaderTask, text: str) -> frozenset[str]:
    """The words of a text as stems, without function words and question words."""
    lexicon = task.view.lexicon
    small = lexicon.stop_word_set
    words = (word.folded for word in split_words(text, lexicon) if word.folded not in small)
    return frozenset(stem(word, lexicon.language) for word in words if word not in lexicon.question_words)
