"""Yes or no, where the text says it: a sentence whose predicate is the one asked, affirmed or denied.

A verdict needs the thing asked about and the predicate in one sentence (or the thing in a list, and the predicate in
the line that introduces it). Anything less is no verdict, and the sentence is only the nearest.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from pipeline.generation.extractive.qualifiers import names_sibling
from pipeline.question.anchors import make_word_anchor
from pipeline.question.terms import cue_of, split_words
from pipeline.text.anchors import find_anchor
from pipeline.text.late import compile_late
from pipeline.text.matching import contains_folded, fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.lexicon import Lexicon
    from pipeline.models.question import Anchor

Verdict = Literal["yes", "no", ""]

PREDICATES = "predicate "
DENIALS = "denies "
MAX_BEFORE, MAX_AFTER = 10, 30
"""Words from the predicate to what it is said of: before it ("X is covered"), or behind it, in a list too."""
MAX_SUBJECTLESS = 14
MAX_NEGATION_GAP = 6
"""Words between a negation and what it denies."""
COMMON_SHARE = 3
"""A name on more than one page in this many is what the document is about, and sentences say "we" or "it" for it."""
_WORD = compile_late(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_BULLET = compile_late(r"\s*(?:[\u2022\u25aa\u25e6\u25cf\u25cb\u25a0\uf0b7\u2013-]|\([a-z0-9]{1,3}\))\s")
_HEDGE = compile_late(r"^(?:if|whether|when|unless|se|caso)\b")


class Asked(NamedTuple):
    """What a yes/no question asks: words that affirm it, words that deny it, and the anchors that must be there.

    `subjects` are names that sentences may leave out, since the document is about them.
    """

    affirming: tuple[str, ...]
    denying: tuple[str, ...]
    wanted: tuple[Anchor, ...]
    subjects: tuple[Anchor, ...]


def read_asked(task: ReaderTask) -> Asked:
    """The predicate of a yes/no question with its synonyms; none where the lexicon knows no family of it."""
    lexicon = task.view.lexicon
    words = [word.folded for word in split_words(task.part.text, lexicon)]
    affirming: tuple[str, ...] = ()
    denying: tuple[str, ...] = ()
    for cue in lexicon.value_cues:
        if not cue.label.startswith(PREDICATES):
            continue
        denials = cue_of(lexicon.value_cues, DENIALS + cue.label.removeprefix(PREDICATES))
        if any(word in cue.phrases for word in words):
            affirming, denying = cue.phrases, denials
        elif any(word in denials for word in words):
            # "is it voluntary" is affirmed by what denies that it is required
            affirming, denying = denials, cue.phrases
        if affirming and words[0] not in affirming:
            break
    if any(contains_folded(phrase, fold(task.part.text)) for phrase in cue_of(lexicon.value_cues, "asks covers")):
        # what pays for something covers it
        own = cue_of(lexicon.value_cues, "words of covers")
        affirming = (*affirming, *cue_of(lexicon.value_cues, f"{PREDICATES}covers"), *own)
        denying = (*denying, *cue_of(lexicon.value_cues, f"{DENIALS}covers"))
    known = frozenset((*affirming, *denying))
    free = [anchor for anchor in task.part.anchors if not known & set(anchor.forms)]
    subjects = tuple(anchor for anchor in free if is_subject(task, anchor))
    wanted = [anchor for anchor in free if anchor not in subjects and anchor.source != "compound"]
    # "under the program": a text says "we" or nothing at all for what it is about
    idle = frozenset((*cue_of(lexicon.value_cues, "itself"), *lexicon.document_nouns))
    telling = [anchor for anchor in wanted if not set(fold(anchor.text).split()) <= idle]
    wanted = telling or wanted
    if affirming and words[0] in affirming:
        # "can I see a dentist" is not affirmed by what else a dentist can do
        wanted += _list_deeds(task)
    return Asked(affirming, denying, tuple(wanted), subjects)


def _list_deeds(task: ReaderTask) -> list[Anchor]:
    """The verbs behind "can" or "may" that are too plain to be anchors."""
    lexicon = task.view.lexicon
    words = split_words(task.part.text, lexicon)[1:]
    plain = [word for word in words if word.folded in lexicon.light_verb_set]
    return [
        make_word_anchor(word, lexicon)
        for word in plain
        if not any(find_anchor(anchor, word.text) for anchor in task.part.anchors)
    ]


def judge(task: ReaderTask, asked: Asked, text: str, heading: str = "", lead: str = "") -> Verdict:
    """What a sentence says to a yes/no question.

    `heading` may lend what the sentence leaves out; `lead` introduces a list that the sentence is a member of ("The
    plan does not cover:").
    """
    folded = fold(text)
    if not asked.affirming or text.rstrip().endswith("?") or _HEDGE.match(folded):
        return ""
    # what stands in a list holds or does not as the line before the list says
    if not lead and _BULLET.match(text):
        return ""
    # a name of several words has namesakes, and "this plan" may be any of them
    missing = [
        each for each in asked.subjects if " " in each.text and not find_anchor(each, f"{text} {heading} {lead}")
    ]
    # what stands in a list is of whatever the document is about
    if (missing and not lead) or names_sibling(task.part.anchors, text) or not _is_prose(text):
        return ""
    lexicon = task.view.lexicon
    if lead:
        return _judge_segment(lexicon, asked, fold(lead), [])
    if not _speaks_of(task, asked, folded):
        return ""
    for segment in _split_segments(lexicon, folded):
        # a name that stands in the sentence says which part of it speaks of what was asked
        named = [anchor for anchor in asked.subjects if find_anchor(anchor, folded)]
        held = [anchor for anchor in asked.wanted if find_anchor(anchor, segment)]
        lent = [anchor for anchor in asked.wanted if anchor not in held and find_anchor(anchor, heading)]
        is_whole = len(held) + len(lent) == len(asked.wanted) and bool(held or not asked.wanted)
        if is_whole and all(find_anchor(anchor, segment) for anchor in named):
            verdict = _judge_segment(lexicon, asked, segment, held)
            if verdict:
                return verdict
    return ""


def has_condition(task: ReaderTask, text: str) -> bool:
    """Whether a sentence says that what it says holds only under a condition."""
    return any(contains_folded(cue, fold(text)) for cue in cue_of(task.view.lexicon.value_cues, "conditions"))


def is_subject(task: ReaderTask, anchor: Anchor) -> bool:
    """Whether an anchor is a name that the document is about: on many of its pages, or on its first one."""
    words = anchor.text.split()
    if not all(word[:1].isupper() for word in words):
        return False
    pages = {page for page, _ in task.view.positions_of(anchor)}
    return 1 in pages or len(pages) * COMMON_SHARE > len(task.view.document.pages)


def _speaks_of(task: ReaderTask, asked: Asked, folded: str) -> bool:
    """Whether a sentence speaks of the subject asked about: by name, or as the text speaks of itself ("we", "it")."""
    if asked.wanted and not asked.subjects:
        return True
    if any(find_anchor(anchor, folded) for anchor in asked.subjects):
        return True
    if asked.wanted:
        lexicon = task.view.lexicon
        own = frozenset((*cue_of(lexicon.value_cues, "itself"), *lexicon.anaphora, *lexicon.document_nouns))
        words = _WORD.findall(folded)
        # a sentence without any subject of its own goes on about the same
        return any(word in own for word in words) or words[:1] == ["no"] or len(words) <= MAX_SUBJECTLESS
    # nothing but the predicate is asked of a name: that name has to be there
    known = frozenset((*asked.affirming, *asked.denying))
    names = [word for anchor in task.part.anchors for word in fold(anchor.text).split() if word not in known]
    return bool(names) and all(contains_folded(name, folded) for name in names)


def _is_prose(text: str) -> bool:
    """Whether a text is words, not a row of figures."""
    words = text.split()
    return sum(any(map(str.isalpha, word)) for word in words) * 3 >= 2 * len(words)


def _judge_segment(lexicon: Lexicon, asked: Asked, segment: str, held: Sequence[Anchor]) -> Verdict:
    plain = segment
    for phrase in cue_of(lexicon.value_cues, "no negation"):
        plain = plain.replace(phrase, " ")
    words = [(found.start(), found[0]) for found in _WORD.finditer(plain)]
    objects = [sum(start < span[0] for start, _ in words) for anchor in held for span in find_anchor(anchor, plain)[:1]]
    hedges = cue_of(lexicon.value_cues, "hedges")
    exclusions = cue_of(lexicon.value_cues, "excepts")
    said: set[Verdict] = set()
    for at, (start, word) in enumerate(words):
        is_affirming = word in asked.affirming
        if not is_affirming and word not in asked.denying:
            continue
        if objects and not any(-MAX_BEFORE <= place - at <= MAX_AFTER for place in objects):
            continue
        near = [other for _, other in words[max(0, at - MAX_NEGATION_GAP) : at]]
        behind = [other for _, other in words[at + 1 : at + 2]]
        if any(other in hedges for other in near) or any(contains_folded(cue, plain[start:]) for cue in exclusions):
            return ""
        # "may not" denies behind its own word
        is_negated = "no" in said or any(_is_negation(lexicon, other) for other in (*near, *behind))
        said.add("yes" if is_affirming != is_negated else "no")
    # "that it covers what it does not cover" says neither
    return said.pop() if len(said) == 1 else ""


def _is_negation(lexicon: Lexicon, word: str) -> bool:
    return word in cue_of(lexicon.value_cues, "negations") or word.endswith(("n't", "n\u2019t"))


def _split_segments(lexicon: Lexicon, folded: str) -> Iterable[str]:
    """The whole sentence cut where what follows says another thing: "..., while the other plan does not"."""
    turns = cue_of(lexicon.value_cues, "turns")
    if not any(contains_folded(turn, folded) for turn in turns) and ";" not in folded:
        return (folded,)
    return re.split(rf";|\b(?:{'|'.join(map(re.escape, turns))})\b", folded)
