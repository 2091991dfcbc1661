"""Members of a family as a question for some of them sees them, and what a noun of such a question is narrowed to."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.question.anchors import make_word_anchor
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.answer import Certificate
    from pipeline.models.question import Anchor
    from pipeline.models.structure import EnumerationItem, Extent
    from pipeline.question.terms import Word


class Kin(NamedTuple):
    """A member of a family: its mark and name as printed ("" for none), its own text, and where that stands."""

    label: str
    name: str
    text: str
    extents: tuple[Extent, ...]


class Relatives(NamedTuple):
    """The members of a family in document order, and what certifies that they are all; `doubt` is "" for none.

    `is_whole` where all of the document was looked through for them, not only lists near the evidence.
    """

    members: tuple[Kin, ...]
    certificate: Certificate
    doubt: str = ""
    is_whole: bool = False


def list_named(task: ReaderTask, words: Sequence[Word]) -> tuple[Anchor, ...]:
    """Anchors of words, those of the question where it has them."""
    found: dict[str, Anchor] = {}
    for word in words:
        spans = ((anchor, span) for anchor in task.part.anchors for span in find_anchor(anchor, task.part.text))
        wide = (anchor for anchor, (start, end) in spans if start <= word.start and word.bare_end <= end)
        own = next((anchor for anchor in wide if anchor.source != "compound"), None)
        anchor = own or make_word_anchor(word, task.view.lexicon)
        found.setdefault(anchor.key, anchor)
    return tuple(found.values())


def as_kin(item: EnumerationItem) -> Kin:
    """A member of a printed list as a member of a family."""
    return Kin(item.marker, item.head, item.text, item.extents)


def tell_kin(member: Kin, text: str) -> str:
    """A member as a line of an answer: its mark and name before what it says, where they do not stand in it."""
    said = fold(text)
    # a bullet names nothing, be it printed as the letter o
    parts = [part for part in (member.label, member.name) if len(part) > 1 and any(map(str.isalnum, part))]
    return " ".join((*(part for part in dict.fromkeys(parts) if fold(part) not in said), text))
