"""What a question puts in order or adds up ("net sales" of "the highest net sales"), and whether a text says it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pipeline.generation.extractive.cells import match_words
from pipeline.models.lexicon import singular
from pipeline.question.anchors import make_word_anchor
from pipeline.question.concepts import find_concepts
from pipeline.question.terms import cue_of, find_first, find_phrase, split_words
from pipeline.text.anchors import find_anchor
from pipeline.text.numbers import find_years

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.generation.extractive.series import Series
    from pipeline.models.question import Anchor
    from pipeline.question.operations import Operation
    from pipeline.question.terms import Word

MIN_SAID_PERCENT = 60
MAX_CODE = 2


def list_measured(task: ReaderTask, operation: Operation) -> tuple[Anchor, ...]:
    """The words of the noun phrase behind the operator, each as an anchor; else those of the concept that is named.

    Nouns for any value ("amount", "number") tell nothing, and neither do other operators and verbs.
    """
    lexicon = task.view.lexicon
    words = split_words(task.part.text, lexicon)
    place = find_phrase(operation.cue, words) if operation.cue else None
    # "more does the hall cost": what stands behind a comparative is only what it is said of when it follows at once
    phrase = _take_phrase(task, words[place.stop :], bool(operation.direction)) if place is not None else []
    if not phrase:
        concepts = [entry for entry in find_concepts(words, lexicon) if entry.concept.value_type != "any"]
        phrase = [word for entry in concepts[:1] for word in words[entry.first : entry.stop]]
    sums = find_first(cue_of(lexicon.superlatives, "sum"), words) if not phrase else None
    if sums is not None:
        phrase = _take_phrase(task, words[sums.stop :], True)
    return tuple(make_word_anchor(word, lexicon) for word in phrase)


def _take_phrase(task: ReaderTask, words: Sequence[Word], may_skip: bool) -> list[Word]:
    lexicon = task.view.lexicon
    turns = cue_of(lexicon.superlatives, "turns")
    phrase: list[Word] = []
    for index, word in enumerate(words):
        is_parted = index > 0 and task.part.text[words[index - 1].end : word.start] != " "
        if is_parted and phrase:
            break
        is_small = word.folded in lexicon.stop_word_set or word.folded in lexicon.question_words
        if is_small and (phrase or not may_skip):
            break
        if not is_small:
            phrase.append(word)
    empty = (lexicon.generic_set, lexicon.operator_set, lexicon.quantity_nouns, lexicon.document_noun_set)
    return [
        word
        for word in phrase
        if word.folded in turns
        or not (word.is_number or word.folded in lexicon.light_verb_set or any(word.folded in group for group in empty))
    ]


def is_said(measured: Sequence[Anchor], text: str) -> bool:
    """Whether a text holds most of what is measured, by the weight of the words; any does where there are none."""
    total = sum(anchor.weight for anchor in measured)
    found = sum(anchor.weight for anchor in measured if find_anchor(anchor, text))
    return found * 100 >= MIN_SAID_PERCENT * total


def is_member(measured: Sequence[Anchor], name: str, members: Iterable[str]) -> bool:
    """Whether what is measured is one of the members and not what all are of: a row "Revenues" among other figures."""
    head = measured[-1:]
    return any(not find_anchor(one, name) and any(find_anchor(one, member) for member in members) for one in head)


def find_asked(task: ReaderTask) -> Word | None:
    """The noun of "which <noun>" or "what <noun>" at the start, also behind a preposition; None where there is none."""
    lexicon = task.view.lexicon
    words = split_words(task.part.text, lexicon)
    for opener, noun in list(pairwise(words))[:2]:
        if opener.folded in lexicon.list_opener_set:
            is_noun = noun.folded not in lexicon.stop_word_set and noun.folded not in lexicon.operator_set
            return noun if is_noun else None
    return None


def fits_asked(task: ReaderTask, around: str, headings: Sequence[str]) -> bool:
    """Whether the columns of a row may be what is asked for: periods for "which year", else things of the noun."""
    noun = find_asked(task)
    if noun is None:
        return True
    is_dated = all(find_years(heading) for heading in headings)
    if noun.folded in cue_of(task.view.lexicon.superlatives, "periods"):
        return is_dated
    return not is_dated and bool(
        find_anchor(make_word_anchor(noun, task.view.lexicon), f"{around} {' '.join(headings)}")
    )


def speaks_of(task: ReaderTask, series: Series, measured: Sequence[Anchor]) -> bool:
    """Whether the values of a series may be those of what is measured: it or its table says so, and nothing else.

    A column with a name of its own ("Organic sales") is of that, whatever its table speaks of; periods are no names.
    """
    names = [point.member for point in series.points]
    asked = find_asked(task)
    if asked is not None and asked.folded in cue_of(task.view.lexicon.superlatives, "periods"):
        return all(find_years(point.heading) for point in series.points)
    if not is_said(measured, f"{series.name} {series.context}") or is_member(measured, series.name, names):
        return False
    words = _list_own_words(task, series.name)
    known = frozenset(word for anchor in task.part.anchors for form in anchor.forms for word in form.split())
    said = [word for word in words if word in known or singular(word) in {singular(entry) for entry in known}]
    return len(said) * 2 >= len(words)


def _list_own_words(task: ReaderTask, name: str) -> list[str]:
    """The words of a header that say what it is of: no periods, no small words, no codes of two letters."""
    lexicon = task.view.lexicon
    empty = (lexicon.stop_word_set, lexicon.operator_set, cue_of(lexicon.superlatives, "period words"))
    words = [word.folded for word in split_words(name, lexicon) if not word.is_number]
    return [word for word in words if len(word) > MAX_CODE and not any(word in group for group in empty)]


def covers_asked(task: ReaderTask, own: Series, others: Sequence[Series]) -> bool:
    """Whether no other series, and no other column of its table, names what this one leaves out of the question."""
    focus = frozenset(anchor.key for anchor in task.part.focus)
    periods = frozenset(anchor.key for anchor in task.part.anchors if anchor.source in ("period", "number"))
    members = frozenset(key for point in own.points for key in match_words(task, point.member))
    covered = own.own | own.around | members
    if any(anchor.key not in covered for anchor in task.part.focus if _is_code(anchor)):
        return False
    if any((entry.own & focus) - covered - periods for entry in others):
        return False
    # a column beside it that is named by more of the question is the one that was meant, or nothing tells which
    return not any(match_words(task, head) - own.own - members - periods for head in own.heads)


def _is_code(anchor: Anchor) -> bool:
    """Whether an anchor is a name of letters and digits ("HALL-7"), which tells things of one kind apart."""
    is_period = anchor.source in ("period", "number", "compound")
    return not is_period and any(map(str.isdigit, anchor.text)) and any(map(str.isalpha, anchor.text))
