"""When the document itself was published: the date that its first pages print alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_lines
from pipeline.generation.extractive.hits import ValueHit
from pipeline.generation.extractive.typed import find_typed
from pipeline.question.terms import cue_of
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask

TITLE_PAGES = 2
MIN_DATE_PERCENT = 60
"""How much of a line the date makes up where the line is nothing but a date."""
PUBLICATION_SCORE = 800


def find_publication_hits(task: ReaderTask) -> list[ValueHit]:
    """The first date that stands alone on the title pages, for a question when what they name was published."""
    lexicon = task.view.lexicon
    cues = cue_of(lexicon.value_cues, "published")
    if not any(contains_folded(cue, fold(task.part.text)) for cue in cues):
        return []
    lines = [line for page in range(1, TITLE_PAGES + 1) for line in task.view.document.lines_on(page)]
    title = " ".join(line.text for line in lines if not line.hidden)
    named = [anchor for anchor in task.part.anchors if not any(cue in anchor.forms[0] for cue in cues)]
    # The title pages date the document, not everything that it mentions.
    if not all(find_anchor(anchor, title) for anchor in named):
        return []
    for line in lines:
        if not line.is_evidence:
            continue
        for typed in find_typed(line.text, "date", lexicon):
            if len(typed.text) * 100 >= MIN_DATE_PERCENT * len(line.text.strip()):
                return [
                    ValueHit(
                        typed=typed,
                        score=PUBLICATION_SCORE,
                        place=line.position,
                        citations=cite_lines(task.view, (line,)),
                        matched=tuple(sorted(anchor.key for anchor in named)),
                        qualifiers=frozenset(),
                        context=line.text,
                    )
                ]
    return []
