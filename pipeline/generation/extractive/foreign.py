"""Whether a list with values is of something else than what a question puts in order or adds up.

A breakdown of one figure ("Lodging revenue was $9 million, up 4 %." and bullets for its parts) stands under the same
headings as what is asked, and speaks of parts of that one figure only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.measures import find_measures
from pipeline.question.concepts import find_concepts
from pipeline.question.terms import split_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.members import Member
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.lexicon import Lexicon
    from pipeline.models.structure import Enumeration

_COLONS = (":", "\uff1a")


def is_foreign(task: ReaderTask, own: Enumeration, members: Sequence[Member]) -> bool:
    """Whether the values of a list are not what is asked for: parts of a figure, another figure, or a mere sentence."""
    is_led = not own.lead or own.lead.rstrip().endswith(_COLONS)
    if not is_led and (own.kind == "inline" or _has_value(task, own.lead, members)):
        return True
    asked = _list_figures(task.part.text, task.view.lexicon)
    told = [_list_figures(member.text, task.view.lexicon) for member in members]
    return bool(asked) and sum(1 for figures in told if figures and not figures & asked) * 2 > len(members)


def _has_value(task: ReaderTask, lead: str, members: Sequence[Member]) -> bool:
    """Whether the sentence before a list says a value of the kind of its members: they are parts of that one."""
    kind = members[0].measure.kind
    return any(measure.kind == kind for measure in find_measures(lead, task.view.lexicon))


def _list_figures(text: str, lexicon: Lexicon) -> frozenset[str]:
    """The names of the figures of statements that a text speaks of."""
    places = find_concepts(split_words(text, lexicon), lexicon)
    return frozenset(place.concept.name for place in places if place.concept.value_type != "any")
