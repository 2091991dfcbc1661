"""Facts of a title page that are set as forms are: "Commission file number: 1-4534", or a value over its caption.

On such pages a caption stands beside its value or, mostly in parentheses, under it: "Delaware" over "(State of
incorporation)". A sentence elsewhere that happens to have the same words does not answer what the form states.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.citing import cite_lines
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.verdict import is_subject
from pipeline.models.answer import Item
from pipeline.question.terms import cue_of, split_words
from pipeline.text.anchors import find_anchor
from pipeline.text.late import compile_late
from pipeline.text.matching import fold
from pipeline.text.tokens import stem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.document import Line

COVER_PAGES, MAX_CAPTION_LINES, MAX_VALUE_LINES = 2, 3, 4
MAX_LINE = 130
"""A longer line is a sentence."""
GAP_PERCENT = 260
"""Of the height of a line: so far above its caption a value may begin."""
_INITIALS = compile_late(r"\b([^\W\d_])\.(?=[^\W\d_]\.|[\s,)]|$)")
_NUMBER = compile_late(r"[(+]?[0-9A-Z]*\d[0-9A-Z]*(?:[)\s.\u2010-\u2015-]{1,2}\(?[0-9A-Z]*\d[0-9A-Z]*\)?)*")
_CAPTION = compile_late(r"^\(\s*[^\W\d_]")


class _Asked(NamedTuple):
    """The words that a caption has to have, as sets of equal stems, and whether they ask for a number or an address."""

    words: tuple[frozenset[str], ...]
    is_number: bool
    is_address: bool


def read_cover(task: ReaderTask) -> Reading | None:
    """The value with the caption that is asked for, from the first pages; None where no caption has all words asked."""
    asked = _read_asked(task)
    if not asked.words:
        return None
    for page in range(1, COVER_PAGES + 1):
        lines = [
            line
            for line in task.view.document.lines_on(page)
            if line.is_evidence and 0 < len(line.text.strip()) <= MAX_LINE
        ]
        for found in (_read_inline(task, asked, lines), _read_above(task, asked, lines)):
            if found is not None:
                return _tell(task, *found)
    return None


def _read_asked(task: ReaderTask) -> _Asked:
    lexicon = task.view.lexicon
    idle = frozenset(cue_of(lexicon.value_cues, "cover places"))
    names = [anchor for anchor in task.part.anchors if is_subject(task, anchor)]
    spans = [span for anchor in names for span in find_anchor(anchor, task.part.text)]
    words: list[frozenset[str]] = []
    folded: list[str] = []
    for word in split_words(task.part.text, lexicon):
        is_named = any(start <= word.start < end for start, end in spans) and word.is_name
        # "No." is a number, however small the word
        is_number = word.folded == "no" and word.text[:1].isupper()
        small = word.folded in lexicon.stop_word_set or word.folded in lexicon.copula_set
        is_idle = not is_number and (small or word.folded in idle)
        is_verb = word.folded in lexicon.light_verb_set and not _is_cue_word(task, word.folded)
        is_asking = is_verb or word.folded in lexicon.question_words
        # the words of a caption are often capitalised in a question: then its cue tells that it names no company
        if is_idle or is_asking or (is_named and not _is_cue_word(task, word.folded)):
            continue
        is_owner = task.part.text[word.bare_end : word.bare_end + 2] in ("'s", "\u2019s", "' ")
        if is_owner or word.folded.endswith(("'s", "s'")) or (word.is_name and not _is_cue_word(task, word.folded)):
            continue
        folded.append(word.folded)
        words.append(_spell(task, word.folded))
    numbers = _spell(task, "number")
    is_number = any(numbers & each for each in words)
    return _Asked(tuple(words), is_number, "address" in folded)


def _is_cue_word(task: ReaderTask, folded: str) -> bool:
    return any(folded in cue.split() for cue in cue_of(task.view.lexicon.value_cues, "cover words"))


def _spell(task: ReaderTask, folded: str) -> frozenset[str]:
    """A word with the words that stand for it on title pages, as stems."""
    lexicon = task.view.lexicon
    plain = folded.replace(".", "")
    groups = [line.split() for line in cue_of(lexicon.value_cues, "cover synonyms")]
    same = {plain, *(word for group in groups if plain in group for word in group)}
    return frozenset(stem(word, lexicon.language) for word in sorted(same))


def _stems(task: ReaderTask, text: str) -> frozenset[str]:
    plain = _INITIALS.sub(r"\1", " ".join(text.split()))
    return frozenset(stem(word, task.view.lexicon.language) for word in re.findall(r"[^\W\d_]+", fold(plain)))


def _covers(task: ReaderTask, asked: _Asked, text: str) -> bool:
    stems = _stems(task, text)
    return all(each & stems for each in asked.words)


def _read_inline(task: ReaderTask, asked: _Asked, lines: Sequence[Line]) -> tuple[str, list[Line]] | None:
    """A value behind its caption on one line: behind a colon, or the number that the line ends with."""
    for line in lines:
        text = " ".join(line.text.split())
        head, colon, rest = text.partition(":")
        if colon and rest.strip() and _covers(task, asked, head) and _fits(asked, rest):
            return rest.strip(), [line]
        numbers = list(_NUMBER.finditer(text)) if asked.is_number else []
        # figures before the caption are of something else
        if numbers and len(numbers[-1][0]) > 3 and _covers(task, asked, text[: numbers[-1].start()]):
            return numbers[-1][0].strip(" ."), [line]
    return None


def _fits(asked: _Asked, value: str) -> bool:
    has_digit = any(map(str.isdigit, value))
    return has_digit if asked.is_number else any(map(str.isalpha, value))


def _read_above(task: ReaderTask, asked: _Asked, lines: Sequence[Line]) -> tuple[str, list[Line]] | None:
    """The value over a caption of one or more lines that are set under each other."""
    for line in lines:
        for caption in _list_stacks(lines, line):
            if not _covers(task, asked, " ".join(each.text for each in caption)):
                continue
            values = _list_above(lines, caption[0], MAX_VALUE_LINES if asked.is_address else 1)
            text = ", ".join(" ".join(each.text.split()).strip(" ,") for each in values)
            if values and _fits(asked, text):
                return text, [*values, *caption]
    return None


def _list_stacks(lines: Sequence[Line], first: Line) -> Iterator[list[Line]]:
    stack = [first]
    yield stack
    while len(stack) < MAX_CAPTION_LINES:
        below = [line for line in lines if line.box[1] - stack[-1].box[1] > 0 and _is_near(stack[-1], line)]
        if not below or _CAPTION.match(below[0].text):
            return
        stack = [*stack, min(below, key=lambda line: line.box[1])]
        yield stack


def _list_above(lines: Sequence[Line], caption: Line, wanted: int) -> list[Line]:
    """The nearest lines above a caption and in its column, top first, up to another caption."""
    found: list[Line] = []
    under = caption
    while len(found) < wanted:
        above = [line for line in lines if line.box[1] < under.box[1] and _is_near(line, under)]
        nearest = max(above, key=lambda line: (line.box[1], -line.number), default=None)
        if nearest is None or _CAPTION.match(nearest.text) or nearest.text.strip("_- ") == "":
            break
        found.insert(0, nearest)
        under = nearest
    return found


def _is_near(upper: Line, lower: Line) -> bool:
    """Whether two lines stand under each other: about one middle, and hardly a line apart."""
    middles = abs((upper.box[0] + upper.box[2]) - (lower.box[0] + lower.box[2])) // 2
    widest = max(upper.box[2] - upper.box[0], lower.box[2] - lower.box[0])
    height = max(1, lower.box[3] - lower.box[1])
    return middles * 4 <= widest and (lower.box[1] - upper.box[1]) * 100 <= GAP_PERCENT * height


def _tell(task: ReaderTask, value: str, lines: Sequence[Line]) -> Reading | None:
    ordered = sorted(lines, key=lambda line: (line.page, line.number))
    citations = cite_lines(task.view, ordered)
    if not citations:
        return None
    item = Item(sub_question=task.part.id, text=value, value=value, citations=citations, extraction="verbatim")
    return Reading(text=value, items=(item,), has_typed_fit=True)
