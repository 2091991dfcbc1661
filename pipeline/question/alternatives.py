"""The two things that a question puts against each other: "the Fern or the Moss plan", "is X longer than Y"."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.question.terms import cue_of, split_words
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.models.lexicon import Lexicon
    from pipeline.question.terms import Word


class Alternative(NamedTuple):
    """What tells one of the two from the other: its words folded, and the phrase as asked.

    `is_claimed`: the question claims something of the first one ("is X longer than Y") and leaves no choice.
    """

    words: tuple[str, ...]
    text: str
    is_claimed: bool = False


def find_alternatives(text: str, lexicon: Lexicon) -> tuple[Alternative, Alternative] | None:
    """The two that are put against each other, in the order of the question; None where there are not just two."""
    words = split_words(text, lexicon)
    for label in ("joint than", "joint or", "joint and"):
        joints = cue_of(lexicon.superlatives, label)
        openers = cue_of(lexicon.superlatives, "joint opener")
        for at in range(len(words) - 1, 0, -1):
            is_opened = label != "joint and" or any(word.folded in openers for word in words[:at])
            if words[at].folded in joints and is_opened:
                found = _read_sides(text, words, at, lexicon)
                if found is not None:
                    first, second = found
                    return first._replace(is_claimed=label == "joint than"), second
    return None


def _read_sides(text: str, words: Sequence[Word], at: int, lexicon: Lexicon) -> tuple[Alternative, Alternative] | None:
    """The words on both sides of a joint that the other side lacks, nearest to it, names against names."""
    before = [word for word in words[:at] if _may_tell(word, lexicon)]
    after = [word for word in words[at + 1 :] if _may_tell(word, lexicon)]
    left_words, right_words = {word.folded for word in before}, {word.folded for word in after}
    right = [word for word in after if word.folded not in left_words]
    left = [word for word in reversed(before) if word.folded not in right_words]
    right = [word for word in right if word.folded not in lexicon.document_noun_set] or right
    if right:
        # "the Standard plan's deductible ... than the Plus plan's": a name stands against a name, a year against a year
        like = [word for word in left if _kind_of(word) == _kind_of(right[0])]
        # "in the U.S. or internationally": a name right before "or" is a side, whatever stands behind it
        is_beside = bool(left) and left[0].is_name and text[left[0].end : words[at].start] in (" ", ". ")
        left = left if is_beside else like or left
    left = [word for word in left if word.folded not in lexicon.document_noun_set] or left
    if not left or not right:
        return None
    return _build(text, _take_run(text, left, lexicon)[::-1], words, lexicon), _build(
        text, _take_run(text, right, lexicon), words, lexicon
    )


def _kind_of(word: Word) -> str:
    return "number" if word.is_number else "name" if word.is_name else "word"


def _may_tell(word: Word, lexicon: Lexicon) -> bool:
    small = (lexicon.stop_word_set, lexicon.light_verb_set, lexicon.operator_set, lexicon.question_words)
    return not any(word.folded in group for group in small)


def _take_run(text: str, telling: Sequence[Word], lexicon: Lexicon) -> list[Word]:
    """The first of the telling words and those beside it: "single day", "Pumps and Valves", "in-network visit"."""
    run = list(telling[:1])
    for word in telling[1:]:
        low, high = sorted((run[-1], word), key=lambda entry: entry.start)
        between = text[low.end : high.start]
        is_name = low.is_name and high.is_name and not low.is_number and not high.is_number
        is_joined = is_name and fold(between).strip() in ("&", *cue_of(lexicon.superlatives, "name joints"))
        if between != " " and not is_joined:
            break
        run.append(word)
    return run


def _build(text: str, run: Sequence[Word], words: Sequence[Word], lexicon: Lexicon) -> Alternative:
    """The words that tell it, and its name with the words that both share ("Fern Plan")."""
    end = run[-1]
    for word in words:
        is_beside = text[end.bare_end : word.start] == " " and word.start > end.start
        if is_beside and _may_tell(word, lexicon) and _kind_of(word) == _kind_of(end):
            end = word
    return Alternative(tuple(word.folded for word in run), text[run[0].start : end.bare_end])
