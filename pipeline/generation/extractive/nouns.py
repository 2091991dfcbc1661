"""The noun that a question for a list asks for, and whether a list is one of such things."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.announcing import announces, is_of_one
from pipeline.generation.extractive.leadins import leaves_out, read_lead_in
from pipeline.models.lexicon import singular
from pipeline.question.terms import cue_of
from pipeline.structure.cues import read_cardinal
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.question import Anchor
    from pipeline.models.structure import Enumeration

MAX_PLACES, MIN_PLURAL, NAMING_WORDS, COUNTED_WORDS = 60, 5, 8, 6
UNNAMED_CEILING, MENTIONED_CEILING = 400, 500
"""Thousandths of confidence in a list that nothing calls what was asked for, and in one whose lead only mentions it."""
_MARKS = ".,:;()\u2013\u2014-"
_TITLE_ENDS = ("", "(", ":", ".", "\u2013", "\u2014")
_POSSESSIVES = ("'s", "\u2019s", "s'", "s\u2019")


def find_noun(task: ReaderTask, *, may_be_generic: bool = False) -> tuple[Anchor, ...]:
    """The anchors of the noun that is asked for, "plans" in "what plans does the company offer".

    None if it is generic ("examples"), unless it may be. They are the words that the question names first, with the
    compounds that hold them, the head of them last; whose they are ("Acme's plans") is no part of it.
    """
    lexicon = task.view.lexicon
    placed = [(span, anchor) for anchor in task.part.anchors for span in find_anchor(anchor, task.part.text)[:1]]
    words = [(span, anchor) for span, anchor in placed if anchor.source in ("word", "concept")]
    others = [(span, anchor) for span, anchor in words if not is_owner(task.part.text, span)]
    words = others or words
    if not words:
        return ()
    start, end = min(words, key=lambda entry: entry[0])[0]
    runs = [span for span, anchor in placed if anchor.source == "compound" and span[0] == start]
    end = max((end, *(stop for _, stop in runs)))
    words.sort(key=lambda entry: entry[0])
    noun = _end_plural(task.part.text, [entry for entry in words if entry[0][0] >= start])
    noun = noun or tuple(anchor for span, anchor in words if start <= span[0] < end)
    is_generic = any(anchor.forms[0] in lexicon.generic_set for anchor in noun)
    return () if is_generic and not may_be_generic else noun


def _end_plural(text: str, words: Sequence[tuple[tuple[int, int], Anchor]]) -> tuple[Anchor, ...]:
    """The words that stand side by side from the first on, to the last plural: of "plans Acme offers" the plans.

    Empty where none of them is a plural.
    """
    run: list[Anchor] = []
    best, end = 0, words[0][0][0]
    for (start, stop), anchor in words:
        if run and text[end:start].strip():
            break
        run.append(anchor)
        end = stop
        said = fold(text[start:stop])
        best = len(run) if singular(said) != said else best
    return tuple(run[:best])


def is_owner(text: str, span: tuple[int, int]) -> bool:
    """Whether a word at a span is whose something is: "Acme's"."""
    return text[span[1] :].startswith(_POSSESSIVES[:2]) or text[span[0] : span[1] + 1].endswith(_POSSESSIVES)


def says_word(task: ReaderTask, anchor: Anchor) -> bool:
    """Whether the document has the word itself, be it in the singular: what is limited has no limitations yet."""
    words = {fold(anchor.text), singular(fold(anchor.text)), _shorten_plural(fold(anchor.text))}
    if anchor.source != "word":
        return bool(task.view.positions_of(anchor))
    lines = (task.view.document.line_at(*place) for place in task.view.positions_of(anchor)[:MAX_PLACES])
    return any(word in fold(line.text) for line in lines if line is not None for word in words)


def _shorten_plural(word: str) -> str:
    """What plural and singular share: "categor" of "categories"."""
    return word.removesuffix("ies") if word.endswith("ies") and len(word) > MIN_PLURAL else word


def doubt_noun(task: ReaderTask, own: Enumeration, headers: Sequence[str]) -> tuple[str, int]:
    """The caveat of a list that nothing shows to be what is asked for, and the thousandths that it may claim.

    ("", 1000) where it is named so. Sub-layers are no layers' list of parts, and countries are not the cities: the head
    of the noun decides. `headers` are the caption and the column heads of a table.
    """
    noun = find_noun(task)
    if not noun:
        return "", 1000
    head = noun[-1]
    section = task.view.document.section_at(own.start)
    above = (*section.breadcrumb, section.title) if section is not None else ()
    lead = read_lead_in(task.view, own)
    # a paragraph that mentions the noun is none of it
    members = [f"{item.marker} {item.head} {' '.join(item.text.split()[:NAMING_WORDS])}" for item in own.items]
    # "the proposal to elect ten nominees" leads to parts of one proposal, not to the proposals
    is_one = is_of_one(task, head, lead)
    is_headed = not is_one and (any(_is_headed(head, title) for title in headers) or _is_titled(task, head, above))
    is_said = bool(find_anchor(head, lead)) and not is_one
    is_announced = is_said and (
        announces(task, head, lead) if own.cue is None else _is_counted(task, head, lead, own.cue)
    )
    # "which works are exempt" and "no permit is needed for" leave out the same in other words
    is_left_out = all(leaves_out(text, task.view.lexicon) for text in (task.part.text, lead))
    if is_headed or is_announced or is_left_out or _is_shared(head, members):
        return "", 1000
    if is_said:
        return f'the line over the list speaks of "{head.text}" and does not say that they follow', MENTIONED_CEILING
    return f'nothing says of the list that it is one of "{head.text}"', UNNAMED_CEILING


def _is_counted(task: ReaderTask, head: Anchor, lead: str, cue: int) -> bool:
    """Whether the number that a lead announces is of the noun: "three objectives for systems" counts no systems."""
    lexicon = task.view.lexicon
    placing = cue_of(lexicon.value_cues, "placing words")
    for start, _ in find_anchor(head, lead):
        for word in [word.strip(_MARKS) for word in fold(lead[:start]).split()[-COUNTED_WORDS:]][::-1]:
            if read_cardinal(word, lexicon.language) == cue:
                return True
            if word in placing:
                break
    return False


def _is_shared(head: Anchor, members: Sequence[str]) -> bool:
    """Whether most members are called so."""
    return sum(1 for text in members if find_anchor(head, text)) * 2 >= len(members)


def _is_headed(head: Anchor, header: str) -> bool:
    """Whether a caption or column head is of the noun: "Brands", "Brand (owned)"; "Brand Revenues" is of revenues."""
    for start, end in find_anchor(head, header):
        if _is_as_many(head, header[start:end]) or header[end:].lstrip()[:1] in _TITLE_ENDS:
            return True
    return False


def _is_titled(task: ReaderTask, head: Anchor, above: Sequence[str]) -> bool:
    """Whether the headings above are of the noun: "Segments", but not where the last says one of them.

    "Categorization of systems" is of no systems, as they stand behind a word that places them.
    """
    cues = task.view.lexicon.value_cues
    placing = {*cue_of(cues, "placing words"), *cue_of(cues, "of words")}
    said = [find_anchor(head, title) for title in above]
    naming = [
        any(
            _is_as_many(head, title[start:end]) and not set(fold(title[:start]).split()) & placing
            for start, end in spans
        )
        for title, spans in zip(above, said, strict=True)
    ]
    return naming[-1:] == [True] or (any(naming) and not said[-1])


def _is_as_many(head: Anchor, said: str) -> bool:
    """Whether a word is a plural, or a noun is asked for that is none."""
    asked, folded = fold(head.text), fold(said)
    return singular(folded) != folded or singular(asked) == asked
