"""Who signed a document and as what: the name of a signature with the office that is printed below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_lines
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.signatures import list_signed
from pipeline.models.answer import Item
from pipeline.text.matching import join_lines

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.generation.extractive.signatures import Sighting
    from pipeline.models.document import Line

MAX_TITLE_LINES = 3


def read_signed_as(task: ReaderTask) -> Reading | None:
    """Each signatory with the office below the name; None where no signature has one."""
    items: list[Item] = []
    for sighting in list_signed(task.view):
        titles = _find_title(task, sighting)
        citations = cite_lines(task.view, (*sighting.lines, *(line for line in titles if line not in sighting.lines)))
        if not titles or not citations:
            continue
        title = join_lines([line.text.strip() for line in titles]).display.strip()
        office = " ".join(title.partition(":")[2].split() or title.split())
        items.append(
            Item(
                sub_question=task.part.id,
                text=f"{sighting.name}, {office}",
                label=sighting.name,
                value=office,
                citations=citations,
                extraction="verbatim",
            )
        )
    if not items:
        return None
    return Reading(text="\n".join(item.text for item in items), items=tuple(items), has_typed_fit=True)


def _find_title(task: ReaderTask, sighting: Sighting) -> tuple[Line, ...]:
    """The line with an office in the block of a signature, and those that it runs over behind a comma."""
    offices = task.view.lexicon.office_word_set
    titled = [
        line
        for line in sighting.lines
        if any(word.strip(",.;()").casefold() in offices for word in line.text.split())
        and sighting.name not in line.text
    ]
    if not titled:
        return ()
    found = [titled[0]]
    after = task.view.lines_in((titled[0].page, titled[0].number + 1), (titled[0].page + 1, 0))
    for line in after[: MAX_TITLE_LINES - 1]:
        is_below = line.box[0] >= found[0].box[0] - 300 and 0 < line.box[1] - found[-1].box[1] < 2000
        if not found[-1].text.rstrip().endswith((",", " and", "&")) or not is_below:
            break
        found.append(line)
    return tuple(found)
