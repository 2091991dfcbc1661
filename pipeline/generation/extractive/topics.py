"""Questions for the members of a family that speak of a topic: "which clauses mention the Buyer"; what says a topic.

The noun names the family, a verb that only asks ("deal with", "cover") parts it from the topic, and the words of the
topic have to stand in the text of a member itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.question.anchors import make_word_anchor
from pipeline.question.terms import cue_of, find_first, split_words
from pipeline.text.anchors import find_anchor
from pipeline.text.late import compile_late
from pipeline.text.matching import fold
from pipeline.text.tokens import split_sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.models.lexicon import Lexicon
    from pipeline.models.question import Anchor, SubQuestion
    from pipeline.question.terms import Word

MAX_NOUN_WORDS = 14
MIN_PASSIVE = 6
"""Words of the shortest passive question: "in which clause is delay mentioned"."""
MAX_WHOLE_TEXT = 300
"""Characters of a member up to which its words count together, wherever they stand in it; else one sentence has all."""
MIN_SHARED, MAX_ENDING = 7, 3
"""Letters that two words of one family share ("recover", "recovery"), and by how many the longer word may go on."""
_WORDS = compile_late(r"[^\W\d_]+")

Topic = tuple[tuple["Anchor", ...], ...]
"""What has to be said: all words of one of the alternatives."""


class TopicAsked(NamedTuple):
    """The noun that names a family, its words before it, what it is narrowed to ("of the Buyer"), and the topic."""

    head: Word
    modifiers: tuple[Word, ...]
    tail: tuple[Word, ...]
    topic: Topic
    said: str

    @property
    def is_single(self) -> bool:
        """Whether one member is asked for: "which clause"."""
        return not self.head.folded.endswith("s") or self.head.folded.endswith("ss")


def read_topic(part: SubQuestion, lexicon: Lexicon, verbs: str = "speaks of") -> TopicAsked | None:
    """What a question asks for that reads "which <noun> <verb> <topic>"; None for any other question.

    `verbs` is the label of the words that may part the noun from the topic.
    """
    words = split_words(part.text, lexicon)
    openers = cue_of(lexicon.value_cues, "topic openers")
    at = next((at for at, word in enumerate(words[:2]) if word.folded in openers), None)
    if at is None:
        return None
    rest = words[at + 1 :]
    found = find_first(cue_of(lexicon.value_cues, verbs), rest)
    if found is None or found.first == 0:
        return None
    if at and verbs == "speaks of":
        # only the passive has a word before its opener: "in which clauses"
        return None
    noun, topic = rest[: found.first], rest[found.stop :]
    while noun and _is_small(noun[-1], lexicon):
        noun = noun[:-1]  # "the clauses that mention"
    if not _is_noun(noun, lexicon) or not topic or len(noun) > MAX_NOUN_WORDS:
        return None
    negations = cue_of(lexicon.value_cues, "negations")
    if any(word.folded in negations for word in (*rest[: found.first], topic[0])):
        return None  # those that do not say it are all the others
    if topic[0].folded in lexicon.question_words:
        return None  # "describes how to ..." asks for what is told, be it in any words
    return _build(part, noun, topic, lexicon)


def read_passive_topic(part: SubQuestion, lexicon: Lexicon) -> TopicAsked | None:
    """What "in which <noun> are <topic> mentioned" asks for; None for any other question."""
    words = split_words(part.text, lexicon)
    openers = cue_of(lexicon.value_cues, "topic openers")
    if len(words) < MIN_PASSIVE or words[1].folded not in openers:
        return None
    verb = next((at for at, word in enumerate(words) if at > 2 and word.folded in _list_verbs(lexicon)), None)
    found = find_first(cue_of(lexicon.value_cues, "spoken of"), words)
    if verb is None or found is None or found.stop != len(words) or not verb + 1 < found.first:
        return None
    return _build(part, words[2:verb], words[verb + 1 : found.first], lexicon)


def find_topic(part: SubQuestion, lexicon: Lexicon) -> TopicAsked | None:
    """What a question for the members that speak of a topic asks for, in the active or the passive; None otherwise."""
    return read_topic(part, lexicon) or read_passive_topic(part, lexicon)


def _is_noun(words: Sequence[Word], lexicon: Lexicon) -> bool:
    """Whether words may name things: a verb among them says that somebody does something to them."""
    verbs = _list_verbs(lexicon)
    return bool(words) and not any(word.folded in verbs for word in words)


def _list_verbs(lexicon: Lexicon) -> frozenset[str]:
    """The verbs that questions for yes or no begin with."""
    return frozenset(cue.removeprefix("^") for cue in cue_of(lexicon.intent_cues, "yes_no"))


def _build(part: SubQuestion, noun: Sequence[Word], topic: Sequence[Word], lexicon: Lexicon) -> TopicAsked | None:
    cues = lexicon.value_cues
    placing = {*cue_of(cues, "placing words"), *cue_of(cues, "of words")}
    while noun and (noun[0].folded in placing or noun[0].folded in lexicon.stop_word_set):
        noun = noun[1:]  # "which of the clauses"
    cut = next((at for at, word in enumerate(noun) if at and word.folded in placing), len(noun))
    names = tuple(word for word in noun[:cut] if not _is_small(word, lexicon))
    others = tuple(word for word in noun[cut:] if not _is_small(word, lexicon) and word.folded not in placing)
    alternatives = tuple(_list_anchors(part, side, lexicon) for side in _split(topic, lexicon))
    if not names or not alternatives or not all(alternatives):
        return None
    said = part.text[topic[0].start : topic[-1].end]
    return TopicAsked(names[-1], names[:-1], others, alternatives, said)


def _split(words: Sequence[Word], lexicon: Lexicon) -> list[list[Word]]:
    joins = cue_of(lexicon.value_cues, "alternatives")
    sides: list[list[Word]] = [[]]
    for word in words:
        if word.folded in joins:
            sides.append([])
        else:
            sides[-1].append(word)
    return sides


def _is_small(word: Word, lexicon: Lexicon) -> bool:
    return word.folded in lexicon.stop_word_set or word.folded in lexicon.question_words


def _list_anchors(part: SubQuestion, words: Sequence[Word], lexicon: Lexicon) -> tuple[Anchor, ...]:
    """The words that have to be said, a known concept with its other names."""
    known = [(anchor, span) for anchor in part.anchors for span in find_anchor(anchor, part.text)]
    wide = [entry for entry in known if entry[0].source in ("concept", "quoted", "identifier", "period", "number")]
    found: dict[str, Anchor] = {}
    for word in words:
        own = next((anchor for anchor, (start, end) in wide if start <= word.start and word.bare_end <= end), None)
        if own is None and _is_small(word, lexicon):
            continue
        anchor = own or make_word_anchor(word, lexicon)
        found.setdefault(anchor.key, anchor)
    return tuple(found.values())


def says_topic(topic: Topic, text: str, name: str = "", *, is_wide: bool = False) -> bool:
    """Whether a text says all words of the topic: in one of its sentences, with the name of the member, if it is long.

    `is_wide` takes words of the same family for each other ("recovery" for what is to "RECOVER").
    """
    if len(text) <= MAX_WHOLE_TEXT:
        return _says_all(topic, f"{name} {text}", is_wide)
    return any(_says_all(topic, f"{name} {text[start:end]}", is_wide) for start, end in split_sentences(text))


def _says_all(topic: Topic, text: str, is_wide: bool) -> bool:
    return any(all(_says(anchor, text, is_wide) for anchor in words) for words in topic)


def _says(anchor: Anchor, text: str, is_wide: bool) -> bool:
    if find_anchor(anchor, text):
        return True
    return (
        is_wide and anchor.source == "word" and any(_is_kin(anchor.forms[0], word[0]) for word in _WORDS.finditer(text))
    )


def _is_kin(asked: str, word: str) -> bool:
    """Whether two words share all of the shorter one but for an ending."""
    shorter, longer = sorted((asked, fold(word)), key=len)
    return len(shorter) >= MIN_SHARED and longer.startswith(shorter) and len(longer) - len(shorter) <= MAX_ENDING
