"""Things that a document numbers by their own name: "Proposal 1.", "Step 2:", "Phase III", each beginning a line.

They are no list in print: pages of text and tables may stand between two of them. The numbers show that all are there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.generation.extractive.enumerated import read_enumeration
from pipeline.generation.extractive.nouns import find_noun
from pipeline.generation.extractive.titled_kinds import list_held
from pipeline.models.lexicon import singular
from pipeline.models.structure import Enumeration, EnumerationItem
from pipeline.structure.cues import read_cardinal
from pipeline.structure.markers import read_roman
from pipeline.structure.paragraphs import Joined, is_close
from pipeline.text.matching import fold
from pipeline.text.tokens import split_sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.generation.extractive.reading import ReaderTask, Reading
    from pipeline.models.document import Line
    from pipeline.models.question import Anchor

MIN_MEMBERS, MAX_LINES, MAX_NAME, CUE_WORDS, LINES_BEFORE, CEILING = 2, 6, 300, 3, 40, 600


def read_numbered(task: ReaderTask) -> Reading | None:
    """List what is numbered by the noun that is asked for; None where no run of such numbers begins at one.

    Of several runs ("Step 1" of two procedures) the one with the best evidence is meant.
    """
    # "Example 2" says that it is one, however general the word
    noun = find_noun(task, may_be_generic=True)
    if not noun or singular(fold(noun[-1].text)) == fold(noun[-1].text):
        return None
    runs = list(_list_runs(_list_labelled(task, noun[-1])))
    if not runs:
        return None
    run = min(runs, key=lambda each: (_rank(task, each), each[0][0].position))
    reading = read_enumeration(task, _build_list(task, run, noun[-1]))
    homes = [section for line, _ in run if (section := task.view.document.section_at(line.position)) is not None]
    if reading is None or _rank(task, run) < len(task.evidence) or any(list_held(task, homes)):
        return reading
    # what no evidence holds may be numbered so by chance
    told = ", ".join(str(page) for page in sorted({each[0][0].page for each in runs}))
    return reading.doubt(f"numbered so on pages {told}, which say little else of what was asked", CEILING)


def _list_labelled(task: ReaderTask, anchor: Anchor) -> list[tuple[Line, re.Match[str]]]:
    """Lines that begin with the noun and a number that ends there: "Proposal 1. ...", "Tier 2" alone or with a dash."""
    name = re.escape(singular(fold(anchor.text)))
    label = re.compile(rf"\s*{name}\s+(?:no\.?\s*)?(\d{{1,2}}|[ivx]{{1,5}})(?:\s*[.:)\u2013\u2014-](?!\d)|\s*$)", re.I)
    found = []
    for place in task.view.positions_of(anchor):
        line = task.view.document.line_at(*place)
        match = label.match(line.text) if line is not None and line.is_evidence else None
        if line is not None and match is not None:
            found.append((line, match))
    return found


def _list_runs(labelled: Sequence[tuple[Line, re.Match[str]]]) -> Iterator[list[tuple[Line, re.Match[str]]]]:
    """Runs that begin at one and go on by one; a number that is printed again (at the top of a page) is skipped."""
    run: list[tuple[Line, re.Match[str]]] = []
    for line, match in labelled:
        number = int(match[1]) if match[1].isdigit() else read_roman(match[1])
        if number == len(run) + 1 and (run or number == 1):
            run.append((line, match))
        elif number != len(run):
            if len(run) >= MIN_MEMBERS:
                yield run
            run = [(line, match)] if number == 1 else []
    if len(run) >= MIN_MEMBERS:
        yield run


def _rank(task: ReaderTask, run: Sequence[tuple[Line, re.Match[str]]]) -> int:
    """The place among the evidence of the first piece that holds a member; the number of pieces where none does."""
    for rank, piece in enumerate(task.evidence):
        held = {(span.page, at) for span in piece.candidate.spans for at in range(span.line_start, span.line_end + 1)}
        if any(line.position in held for line, _ in run):
            return rank
    return len(task.evidence)


def _build_list(task: ReaderTask, run: Sequence[tuple[Line, re.Match[str]]], head: Anchor) -> Enumeration:
    lexicon, first = task.view.lexicon, run[0][0]
    ends = [line.position for line, _ in run[1:]] + [(task.view.document.pages[-1].number + 1, 1)]
    items = tuple(_read_member(task, line, match, end) for (line, match), end in zip(run, ends, strict=True))
    before = task.view.lines_in((first.page, max(1, first.number - LINES_BEFORE)), first.position)
    words = [word.strip(".,:;()") for word in fold(" ".join(line.text for line in before)).split()]
    noun = singular(fold(head.text))
    # "voted on the four proposals set forth below"
    cues = [
        cue
        for at, word in enumerate(words)
        if word != noun and singular(word) == noun
        for cue in (read_cardinal(each, lexicon.language) for each in words[max(0, at - CUE_WORDS) : at])
        if cue is not None
    ]
    last = items[-1].extents[-1]
    return Enumeration(
        kind="numbered",
        items=items,
        start=first.position,
        end=(last.page, last.line_end + 1),
        cue=cues[-1] if cues else None,
    )


def _read_member(task: ReaderTask, line: Line, match: re.Match[str], end: tuple[int, int]) -> EnumerationItem:
    """A member: its label and the sentence that begins with it, or the line alone where a title stands on it."""
    lines = [line]
    is_title = any(section.start == line.position for section in task.view.document.sections)
    after = task.view.lines_in((line.page, line.number + 1), min(end, (line.page, line.number + MAX_LINES)))
    for each in () if is_title else after:
        if not is_close(lines[-1], each):
            break
        lines.append(each)
    joined = Joined(lines)
    stops = [stop for _, stop in split_sentences(joined.text) if stop > match.end() + 1]
    stop = min(stops[0] if stops else len(joined.text), MAX_NAME)
    text = joined.read_display(0, stop)
    return EnumerationItem(
        marker=line.text[match.start() : match.end()].strip().rstrip(".:)\u2013\u2014- "),
        head="",
        text=text,
        level=0,
        extents=joined.make_extents(0, stop),
    )
