"""What was done to things is not how many there are: "we hired 10,000 employees" is none of the people who work there.

A number that a sentence states of something done ("opened 22 warehouses", "17,000 are represented by unions") answers
only questions that ask for that; where they do, a number that is not said of it does not answer.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from pipeline.generation.extractive.opposites import prints
from pipeline.generation.extractive.shares import list_shares
from pipeline.question.terms import cue_of
from pipeline.text.matching import contains_folded, fold
from pipeline.text.tokens import PLAIN_WORD

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.generation.extractive.reading import ReaderTask, Reading
    from pipeline.generation.extractive.shares import Share
    from pipeline.models.lexicon import Cue, Lexicon

PREFIX, NOT = "done ", "done not"
PART = "represent"
"""The doing that tells a part of all: it may stand anywhere behind its number."""
MAX_BEHIND_WORDS, MAX_JOINT_WORDS, MAX_VERB_WORDS = 4, 3, 3

Doings = frozenset[str]


def read_doings(text: str, lexicon: Lexicon) -> Doings:
    """The things done that a text names; "are open" and "the close of the year" name none."""
    folded = _drop_names(fold(text), lexicon)
    words, phrases = _list_words(lexicon.value_cues)
    found = {words[word] for word in PLAIN_WORD.findall(folded) if word in words}
    return frozenset(found | {done for phrase, done in phrases if contains_folded(phrase, folded)})


def ask_doings(task: ReaderTask) -> Doings | None:
    """The things done that a part asks the number of; None where it asks for no number of things."""
    is_count = task.part.shape == "count" or (task.part.shape == "value" and task.part.value_type == "number")
    return read_doings(task.part.text, task.view.lexicon) if is_count else None


def list_placeless(lexicon: Lexicon) -> frozenset[str]:
    """Words of a question that a sentence may say in others, because figures are judged by them elsewhere.

    Those of what is done, of all places together, and of the sides of a border that name no country.
    """
    words, _ = _list_words(lexicon.value_cues)
    places = (*cue_of(lexicon.value_cues, "world"), *cue_of(lexicon.value_cues, "border words"))
    places = (*places, *cue_of(lexicon.value_cues, "there words"))
    return frozenset((*words, *places))


def keep_done(task: ReaderTask, text: str, shares: Sequence[Share]) -> list[Share]:
    """The figures of a sentence without the numbers of what was done, or of what was not done if that is asked."""
    if not any(share.kind == "number" for share in shares):
        return list(shares)
    wanted = ask_doings(task)
    if wanted is None or not (wanted or read_doings(text, task.view.lexicon)):
        return list(shares)
    done = _tell_doings(text, [share for share in shares if share.kind == "number"], task.view.lexicon)
    return [share for share in shares if share.kind != "number" or _is_wanted(wanted, done[share.typed.start])]


def judge_doings(task: ReaderTask, reading: Reading) -> Reading | None:
    """The reading; None where its number is of something else done than is asked, or of nothing done."""
    wanted = ask_doings(task)
    if wanted is None:
        return reading
    counted = [item for item in reading.items if item.value is not None]
    is_told = all(_tells(task, replace(reading, items=(item,)), wanted) for item in counted)
    return reading if is_told else None


def _tells(task: ReaderTask, reading: Reading, wanted: Doings) -> bool:
    """Whether a reading of one item is of what is asked: by its sentence, else by its row, column or heading."""
    item, lexicon = reading.items[0], task.view.lexicon
    for quote in (" ".join(citation.quote.split()) for citation in item.citations):
        shares = list_shares(quote, lexicon) if _is_sentence(quote, lexicon) else ()
        told = [share for share in shares if share.kind == "number" and prints(item.text, share.printed)]
        if told:
            kept = keep_done(task, quote, shares)
            return any(share in kept for share in told)
    if not wanted:
        return True
    from pipeline.generation.extractive.unsaid import list_said

    return bool(wanted & read_doings(" | ".join(list_said(task, reading)), lexicon))


def _is_sentence(quote: str, lexicon: Lexicon) -> bool:
    """Whether a quote has the words of a sentence, not only those of a row."""
    return any(word in lexicon.stop_word_set for word in PLAIN_WORD.findall(quote.casefold()))


def _is_wanted(wanted: Doings, done: Doings) -> bool:
    return bool(wanted & done) if wanted else not done


def _tell_doings(text: str, numbers: Sequence[Share], lexicon: Lexicon) -> dict[int, Doings]:
    """By where a number begins, what is said to be done to the things that it counts."""
    found: dict[int, Doings] = {}
    end, former = 0, frozenset[str]()
    ordered = sorted(numbers, key=lambda share: share.typed.start)
    for place, share in enumerate(ordered):
        start = share.typed.start
        before, is_open = _read_before(text[end:start], lexicon)
        # "granted 420 patents here and 1,600 abroad": what nothing else is said of goes on with what was said
        before = before or (former if is_open and place else frozenset())
        end = start + len(share.printed)
        stop = ordered[place + 1].typed.start if place + 1 < len(ordered) else len(text)
        found[start] = before | _read_behind(text[end:stop], stop < len(text), lexicon)
        former = found[start]
    return found


def _read_before(text: str, lexicon: Lexicon) -> tuple[Doings, bool]:
    """What the last verb before a number says was done; and whether there is none between it and the one before."""
    rough = frozenset(cue_of(lexicon.value_cues, "roughly"))
    stands = frozenset(cue_of(lexicon.value_cues, "stands"))
    text = re.split(r"[.;:]\s", text)[-1]
    pieces = re.split(r"[,()\u2014]", _drop_names(fold(text), lexicon))
    for piece in reversed(pieces):
        words = [word for word in PLAIN_WORD.findall(piece) if word not in rough]
        for at in range(len(words) - 1, -1, -1):
            if words[at] in stands:
                return frozenset(), False
            # phrases of two words are read at their last one
            done = read_doings(" ".join(words[max(0, at - 1) : at + 1]), lexicon)
            if done:
                return done, False
            # "opened 31, painted 20": what was painted was not opened; "an estimated 20" says nothing done
            is_led = at > 0 and words[at - 1] in lexicon.stop_word_set
            if words[at].endswith(lexicon.verb_endings) and not is_led:
                return frozenset(), False
        if len(words) > MAX_JOINT_WORDS and len(pieces) > 1:
            return frozenset(), True
    return frozenset(), True


def _read_behind(text: str, is_followed: bool, lexicon: Lexicon) -> Doings:
    """What is said to be done right behind a number and its noun, or by a passive verb further on."""
    openers = "|".join(map(re.escape, cue_of(lexicon.value_cues, "aside openers")))
    text = re.sub(rf",\s(?:{openers})\b[^,]*,", " ", text) if openers else text
    text = re.split(r"\d|[.;:]\s", text, maxsplit=1)[0]
    if is_followed:
        # the words before the next number are said of it
        cut = max((hit.start() for hit in _find_joints(text, lexicon)), default=len(text))
        text = text[:cut]
    text = _drop_names(fold(text), lexicon)
    first = re.split(r"[,()\u2014]", text, maxsplit=1)[0]
    near = " ".join(PLAIN_WORD.findall(first)[:MAX_BEHIND_WORDS])
    found = read_doings(near, lexicon) | (read_doings(text, lexicon) & {PART})
    words = PLAIN_WORD.findall(text)
    for at, word in enumerate(words):
        if word in lexicon.copula_set:
            found |= read_doings(" ".join(words[at + 1 : at + 1 + MAX_VERB_WORDS]), lexicon)
    return found


def _find_joints(text: str, lexicon: Lexicon) -> Iterator[re.Match[str]]:
    joints = "|".join(re.escape(word) for word in lexicon.conjunctions[:2])
    return re.finditer(rf",\s|\b(?:{joints})\b", text)


def _drop_names(folded: str, lexicon: Lexicon) -> str:
    """A folded text without phrases that have words of doings and name none."""
    for phrase in cue_of(lexicon.value_cues, NOT):
        if phrase in folded:
            folded = re.sub(rf"\b{re.escape(phrase)}\b", " ", folded)
    return folded


@lru_cache(maxsize=8)
def _list_words(cues: tuple[Cue, ...]) -> tuple[dict[str, str], tuple[tuple[str, str], ...]]:
    """What is done by its single words, and the phrases of several words with what they say."""
    pairs = [(phrase, cue.label) for cue in cues if cue.label.startswith(PREFIX) for phrase in cue.phrases]
    done = [(phrase, label.removeprefix(PREFIX)) for phrase, label in pairs if label != NOT]
    return {word: label for word, label in done if " " not in word}, tuple(pair for pair in done if " " in pair[0])
