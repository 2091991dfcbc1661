"""Passages of the evidence and their order: what a clause is headed, what it says in the asked words, and the rest.

A heading answers nothing by itself; it goes with the text below it, and there it says more than a mention does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.meant import asks_advice, gives_advice
from pipeline.generation.extractive.prose import find_heads
from pipeline.generation.extractive.sentences import Sentence, evidence_lines, is_prose, split_evidence
from pipeline.generation.extractive.shaped import prefer_shaped
from pipeline.generation.extractive.weights import keep_own_forms, weigh_anchor
from pipeline.question.terms import split_words
from pipeline.text.anchors import find_anchor
from pipeline.text.late import compile_late
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.evidence import Evidence
    from pipeline.models.question import Anchor

PASSAGE_CHARACTERS = 900
HEADING_CHARACTERS, CAPTION_CHARACTERS, CAPTION_NUMBER = 60, 100, 12
OWN_POINTS, LENT_POINTS, HEADED_POINTS = 20, 10, 30
LOOSE_PERCENT = 70
"""What a passage has that only names a concept by another word once, next to one that says the asked words."""
BESIDE_PERCENT = 50
"""What a passage has that does not name the concept at all."""
TELLING_WORDS = 4
MAX_BELOW = 18
"""Lines below a heading, at the end of the evidence, that are read for the text that it heads."""
_PARTS = compile_late(r"[;:,/&\u2013\u2014]|\s-\s|\band\b")
_STOPS = (".", ":", ";", "?", "!", "。", "：", "；", "？", "！")


@dataclass(frozen=True, slots=True)
class Passage:
    """Sentences that stand together, what speaks for them, and how: `headed` keys stand in their own heading.

    `loose` are keys of concepts that only another word for them stands for, once, in no heading.
    """

    sentences: tuple[Sentence, ...]
    score: int
    rank: int
    matched: frozenset[str]
    headed: frozenset[str] = frozenset()
    loose: frozenset[str] = frozenset()

    @property
    def text(self) -> str:
        """The sentences in one line."""
        return " ".join(sentence.text for sentence in self.sentences)


class _Source(NamedTuple):
    """What passages of one piece of evidence share: its rank and the anchors that its headings have."""

    rank: int
    from_heading: frozenset[str]


def rank_passages(task: ReaderTask) -> tuple[Passage, ...]:
    """Passages of all evidence, best first: weight of the anchors in them, then the rank of their evidence."""
    passages: list[Passage] = []
    for rank, piece in enumerate(task.evidence):
        above = " ".join(piece.breadcrumb)
        lent = frozenset(anchor.key for anchor in task.part.anchors if find_anchor(anchor, above))
        source = _Source(rank, lent)
        passages.extend(_weigh(task, run, opening, source) for run, opening in _split_runs(task, piece))
    passages = _demote_advice(task, _demote_others(task, passages))
    ordered = sorted(passages, key=lambda passage: (-passage.score, passage.rank, passage.sentences[0].start))
    return prefer_shaped(task, [passage for passage in ordered if passage.matched])


def _demote_others(task: ReaderTask, passages: list[Passage]) -> list[Passage]:
    """Where some passages name the concept that is asked for, those that only share the rest count for less."""
    heads = {anchor.key for anchor in find_heads(task) if anchor.source == "concept" and anchor in task.part.focus}
    if not heads or not any(heads & passage.matched for passage in passages):
        return passages
    return [
        passage if heads & passage.matched else replace(passage, score=passage.score * BESIDE_PERCENT // 100)
        for passage in passages
    ]


def _demote_advice(task: ReaderTask, passages: list[Passage]) -> list[Passage]:
    """Where no advice is asked for, what only leads to tips ("to get the most out of it, be sure to:") counts less."""
    if asks_advice(task):
        return passages
    return [
        replace(passage, score=passage.score * BESIDE_PERCENT // 100)
        if passage.text.rstrip().endswith((":", "：")) and gives_advice(task, passage.sentences[-1].text)
        else passage
        for passage in passages
    ]


def _split_runs(task: ReaderTask, piece: Evidence) -> Iterator[tuple[tuple[Sentence, ...], int]]:
    """Runs of sentences, each with the number of sentences at its beginning that are its heading.

    A paragraph is a run where it is short enough; a heading on a line of its own goes with what stands below it.
    """
    lines = evidence_lines(task.view, piece)
    paragraphs: dict[int, list[Sentence]] = {}
    for sentence in split_evidence(lines):
        paragraphs.setdefault(sentence.paragraph, []).append(sentence)
    heading: tuple[Sentence, ...] = ()
    runs = [run for sentences in paragraphs.values() for run in _cut_paragraph(sentences)]
    for run in runs:
        if _is_heading(task, run):
            # of headings right below each other the last one heads the text
            heading = run
            continue
        below = _read_below(task, heading) if _carries(task, heading) else ()
        if below:
            yield (*heading, *below), len(heading)
        else:
            yield run, _count_opening(run)
        heading = ()
    if _carries(task, heading):
        below = _read_below(task, heading)
        if below:
            yield (*heading, *below), len(heading)


def _join_following(task: ReaderTask, runs: Sequence[tuple[Sentence, ...]]) -> tuple[Sentence, ...]:
    """The first paragraph below a heading with the next ones, as far as a passage goes: the first often only greets."""
    joined: tuple[Sentence, ...] = runs[0]
    for run in runs[1:]:
        length = sum(len(sentence.text) for sentence in (*joined, *run))
        is_apart = run[0].start[0] != joined[0].start[0] or not run[0].text[:1].isalpha()
        if length > PASSAGE_CHARACTERS or is_apart or _is_heading(task, run) or not _is_told(run):
            break
        joined = (*joined, *run)
    return joined


def _is_told(run: Sequence[Sentence]) -> bool:
    """Whether a run is told in words: what stands above the rows of a table heads no text."""
    return is_prose([word for sentence in run for word in sentence.text.split()])


def _carries(task: ReaderTask, run: Sequence[Sentence]) -> bool:
    text = " ".join(sentence.text for sentence in run)
    return bool(run) and any(find_anchor(anchor, text) for anchor in task.part.focus or task.part.anchors)


def _read_below(task: ReaderTask, heading: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
    """The text below a heading, also where its evidence ends: paragraphs as far as a passage goes."""
    extent = heading[-1].extents[-1]
    after = (extent.page, extent.line_end + 1)
    lines = [line for line in task.view.lines_in(after, (extent.page + 1, 1)) if line.text.strip()][:MAX_BELOW]
    paragraphs: dict[int, list[Sentence]] = {}
    for sentence in split_evidence(lines):
        paragraphs.setdefault(sentence.paragraph, []).append(sentence)
    runs = [run for sentences in paragraphs.values() for run in _cut_paragraph(sentences)]
    if not runs or _is_heading(task, runs[0]) or not _is_told(runs[0]):
        return ()
    # lines that were cut off end in the middle of a sentence
    whole = runs if len(lines) < MAX_BELOW else runs[:-1] or runs
    return _join_following(task, whole)


def _cut_paragraph(sentences: Sequence[Sentence]) -> Iterator[tuple[Sentence, ...]]:
    start = 0
    while start < len(sentences):
        stop, length = start, 0
        while stop < len(sentences) and (stop == start or length + len(sentences[stop].text) <= PASSAGE_CHARACTERS):
            length += len(sentences[stop].text)
            stop += 1
        yield tuple(sentences[start:stop])
        start = stop


def _is_heading(task: ReaderTask, run: Sequence[Sentence]) -> bool:
    """Whether a run is only a heading, a caption or an entry of a list of contents: "Appendix B. Core"."""
    length = sum(len(sentence.text) for sentence in run)
    is_numbered = all(len(sentence.text) < 20 for sentence in run[:-1])
    if length < HEADING_CHARACTERS and is_numbered and len(run) < 3 and not run[-1].text.rstrip().endswith(_STOPS):
        return True
    page, line = run[0].start
    # plain tests first: finding captions and contents pages is dear, and most runs are neither
    if length <= CAPTION_CHARACTERS and any(map(str.isdigit, run[0].text[:CAPTION_NUMBER])):
        extents = (caption.extent for caption in task.view.captions)
        if any(each.page == page and each.line_start <= line <= each.line_end for each in extents):
            return True
    if not run[-1].text.rstrip()[-1:].isdigit():
        return False
    return task.view.document.index_of((page, line)) in task.view.contents_lines


def _count_opening(run: Sequence[Sentence]) -> int:
    """How many sentences at the beginning of a run head a clause: "5. Applicable Law. This letter ..."."""
    for count, sentence in enumerate(run[:2], start=1):
        words = [word for word in sentence.text.split() if word[:1].isalpha()]
        long_words = [word for word in words if len(word) > 3]
        is_title = sum(word[0].isupper() for word in long_words) * 2 > len(long_words)
        if len(sentence.text) > HEADING_CHARACTERS or (words and not is_title):
            return 0
        if words:
            return count if count < len(run) else 0
    return 0


def _is_headed(task: ReaderTask, anchor: Anchor, head: str) -> bool:
    """Whether a part of a heading names what is asked and nothing more: "Benefits Exceptions" is not "Benefits"."""
    lexicon = task.view.lexicon
    for part in _PARTS.split(head):
        if not find_anchor(anchor, part):
            continue
        spans = [span for each in task.part.anchors for span in find_anchor(each, part)]
        words = [word for word in split_words(part, lexicon) if word.folded not in lexicon.stop_word_set]
        plain = [word for word in words if any(map(str.isalpha, word.folded)) and len(word.folded) > 1]
        if all(any(start <= word.start < end for start, end in spans) for word in plain):
            return True
    return False


def _weigh(task: ReaderTask, run: tuple[Sentence, ...], opening: int, source: _Source) -> Passage:
    text = " ".join(sentence.text for sentence in run)
    head = " ".join(sentence.text for sentence in run[:opening])
    own = [anchor for anchor in task.part.anchors if find_anchor(anchor, text)]
    # An anchor in the heading speaks for every paragraph under it, but less than one in the paragraph itself.
    lent = [anchor for anchor in task.part.anchors if anchor.key in source.from_heading and anchor not in own]
    focus = {anchor.key for anchor in task.part.focus}
    headed = frozenset(anchor.key for anchor in own if head and anchor.key in focus and _is_headed(task, anchor, head))
    loose = frozenset(
        anchor.key
        for anchor in own
        if anchor.key not in headed and is_loose(keep_own_forms(task.view.lexicon, anchor), text)
    )
    score = 0
    for anchor in own:
        points = HEADED_POINTS if anchor.key in headed else OWN_POINTS
        points = points * LOOSE_PERCENT // 100 if anchor.key in loose else points
        score += points * weigh_anchor(task.view, anchor)
    score += LENT_POINTS * sum(weigh_anchor(task.view, anchor) for anchor in lent)
    # Evidence comes ranked; of two passages with the same words the one ranked higher stands first by far.
    score = score * 12 // (12 + source.rank)
    return Passage(run, score, source.rank, frozenset(a.key for a in (*own, *lent)), headed, loose)


def is_loose(anchor: Anchor, text: str) -> bool:
    """Whether a text names a concept by one other word for it only: "as required by applicable law" is no clause.

    The asked words in any inflection, their initials, and two different words for it say it.
    """
    if anchor.source != "concept" or len(anchor.forms) < 2:
        return False
    asked = fold(anchor.text)
    found = [form for form in anchor.forms if find_anchor(anchor.model_copy(update={"forms": (form,)}), text)]
    initials = "".join(word[0] for word in asked.split())
    if asked in found or len(found) != 1:
        return not found
    form = found[0]
    # "governed by the law of" says it as plainly as its name
    if len(form.split()) >= TELLING_WORDS:
        return False
    return form != initials and "".join(word[0] for word in form.split()) != asked
