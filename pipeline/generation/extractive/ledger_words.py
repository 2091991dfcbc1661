"""What a question about entries of tables asks for: the words that have to be said, and how well an entry says them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.narrowing import read_own_names
from pipeline.question.anchors import make_word_anchor
from pipeline.question.concepts import find_concepts
from pipeline.question.periods import find_periods
from pipeline.question.terms import cue_of, split_words
from pipeline.structure.times import read_time
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pipeline.generation.extractive.ledger import Entry
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.question import Anchor
    from pipeline.question.terms import Word

MIN_SAID_PERCENT = 70
OWN_SHARE = 2
MIN_STEM = 8
MIN_PAGES = 5
"""Pages of a document on so few of which any name may stand."""
MIN_INITIALS, MAX_INITIALS = 3, 6


class Fit(NamedTuple):
    """How well an entry says words: the weight said in row and column, then with its table, and words beyond them."""

    own: int
    said: int
    extra: int

    @property
    def rank(self) -> tuple[int, int]:
        """Greater is better."""
        return self.own * OWN_SHARE + self.said, -self.extra


def list_content(task: ReaderTask, text: str, dropped: Iterable[str] = ()) -> tuple[Anchor, ...]:
    """The words of a text that a table has to say: no operators, small words, verbs or periods.

    Words of a known figure count as one, with the other names that it has.
    """
    lexicon = task.view.lexicon
    words = split_words(text, lexicon)
    out = frozenset(dropped)
    places = [place for place in find_concepts(words, lexicon) if place.concept.value_type != "any"]
    covered = {at for place in places for at in range(place.first, place.stop)}
    taken = [place for place in places if not any(words[at].folded in out for at in range(place.first, place.stop))]
    found: list[Anchor] = []
    for place in taken:
        said = text[words[place.first].start : words[place.stop - 1].bare_end]
        known = (one for one in task.part.anchors if one.source == "concept" and one.text == said)
        anchor = next(known, None)
        if anchor is not None:
            found.append(anchor)
        else:
            covered -= set(range(place.first, place.stop))
    for at, word in enumerate(words):
        if at in covered or word.folded in out or not _tells(task, word) or _is_own_name(task, word):
            continue
        found.append(make_word_anchor(word, lexicon))
    return tuple({anchor.key: anchor for anchor in found}.values())


def _tells(task: ReaderTask, word: Word) -> bool:
    lexicon = task.view.lexicon
    small = (lexicon.stop_word_set, lexicon.operator_set, lexicon.question_words, lexicon.light_verb_set)
    others = (lexicon.generic_set, lexicon.quantity_nouns, cue_of(lexicon.superlatives, "period words"))
    turns = (cue_of(lexicon.superlatives, "falls"), cue_of(lexicon.superlatives, "rises"))
    if any(word.folded in group for group in (*small, *others, *turns)):
        return False
    return not (word.is_number or find_periods(word.text) or not read_time(word.text, lexicon)[1])


def _is_own_name(task: ReaderTask, word: Word) -> bool:
    """Whether a name stands on most pages of a document, and on its front: it is whose document it is, and no part."""
    page_count = len(task.view.document.pages)
    if not word.is_name or page_count < MIN_PAGES or not contains_folded(word.folded, read_own_names(task)):
        return False
    return task.view.count_pages(make_word_anchor(word, task.view.lexicon)) * 2 > page_count


def drop_own_names(task: ReaderTask, words: Sequence[Anchor], entries: Sequence[Entry]) -> tuple[Anchor, ...]:
    """The words without names of the document's owner, which no row or column says."""
    names = read_own_names(task)
    return tuple(
        anchor
        for anchor in words
        if not (anchor.text[:1].isupper() and contains_folded(fold(anchor.text), names))
        or any(says(anchor, entry.own) for entry in entries)
    )


def says(anchor: Anchor, folded: str) -> bool:
    """Whether a folded text says a word, also in a longer or shorter form of it ("internationally")."""
    if any(contains_folded(form, folded) for form in anchor.forms) or find_anchor(anchor, folded):
        return True
    if anchor.text.isupper() and MIN_INITIALS <= len(anchor.text) <= MAX_INITIALS:
        # "EMEA" for "Europe, Middle East & Africa"
        initials = "".join(word[0] for word in folded.replace("&", " ").replace(",", " ").split())
        return fold(anchor.text) in initials
    head = anchor.forms[0][:MIN_STEM]
    return len(head) == MIN_STEM and anchor.source == "word" and any(w.startswith(head) for w in folded.split())


def fit(task: ReaderTask, words: Sequence[Anchor], entry: Entry, skipped: str = "") -> Fit:
    """How well the row and column of an entry, and its table, say the words; `skipped` is a part that need not."""
    return fit_text(task, words, entry.own, entry.around, skipped)


def fit_text(task: ReaderTask, words: Sequence[Anchor], own: str, around: str, skipped: str = "") -> Fit:
    """The same for texts: `own` names the entry, `around` its table."""
    inside = [anchor for anchor in words if says(anchor, own)]
    beyond = [anchor for anchor in words if anchor not in inside and says(anchor, around)]
    weight = sum(anchor.weight for anchor in inside)
    return Fit(weight, weight + sum(anchor.weight for anchor in beyond), _count_extra(task, inside, own, skipped))


def _count_extra(task: ReaderTask, inside: Sequence[Anchor], own: str, skipped: str) -> int:
    lexicon = task.view.lexicon
    plain = (lexicon.stop_word_set, cue_of(lexicon.calculation_cues, "plain"), cue_of(lexicon.superlatives, "total"))
    layout = {word for cue in lexicon.layout_cues for phrase in cue.phrases for word in phrase.split()}
    known = set(skipped.split())
    words = [word.folded for word in split_words(own, lexicon)]
    return sum(
        1
        for word in dict.fromkeys(words)
        if len(word) > 1
        and any(map(str.isalpha, word))
        and word not in known
        and word not in layout
        and not any(word in group for group in plain)
        and not any(says(anchor, word) or any(word in form.split() for form in anchor.forms) for anchor in inside)
    )


def says_names(words: Sequence[Anchor], entry: Entry) -> bool:
    """Whether all names among the words are said by an entry or its table: a part that is not is another one."""
    said = f"{entry.own} | {entry.around}"
    return all(says(anchor, said) for anchor in words if anchor.text[:1].isupper())


def is_enough(words: Sequence[Anchor], found: Fit) -> bool:
    """Whether most of the words are said, by their weight."""
    return found.said * 100 >= MIN_SAID_PERCENT * sum(anchor.weight for anchor in words)


def list_asked_years(task: ReaderTask) -> tuple[int, ...]:
    """The whole years that the question asks for, ascending; a quarter is none."""
    return tuple(sorted({int(key) for key in task.question.periods if key.isdigit()}))


def says_all(words: Sequence[str], text: str) -> bool:
    """Whether a folded text says all of some folded words, each whole or in another form."""
    from pipeline.models.lexicon import singular

    own = {singular(word.strip(".,;:()'\u2019")) for word in fold(text).replace("-", " ").split()}
    return all(
        contains_folded(word, text)
        or singular(word) in own
        or (len(word) >= MIN_STEM and any(entry.startswith(word[:MIN_STEM]) for entry in own))
        for word in words
    )
