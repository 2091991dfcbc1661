"""Lists of values beside lists of what they are of: "815 and 795 shops at A and B, respectively" is two statements."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pipeline.question.terms import cue_of
from pipeline.text.numbers import find_dates, find_years
from pipeline.text.tokens import PLAIN_WORD

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.models.lexicon import Lexicon

MAX_UNIT_WORDS = 2
MAX_LABEL_WORDS = 6

Span = tuple[int, int]


class Member(NamedTuple):
    """What one value of an aligned list is of: its words, the years among them, and the list's other labels."""

    label: str
    years: frozenset[int]


def find_run(text: str, spans: Sequence[Span], first: int, lexicon: Lexicon) -> int:
    """Where the run of values that begins at `first` ends: the index behind its last one.

    Values of a run stand side by side, joined by commas and "and", with nothing between but a unit or "about".
    """
    stop = first + 1
    while stop < len(spans) and _is_joint(text[spans[stop - 1][1] : spans[stop][0]], lexicon):
        stop += 1
    return stop


def _is_joint(between: str, lexicon: Lexicon) -> bool:
    """Whether only a unit, a comma or conjunction, and a word such as "about" stand between two values."""
    if re.search(r"[;:.(]", between) or len(between) > 40:
        return False
    rough = frozenset(cue_of(lexicon.value_cues, "roughly"))
    unit, mark, lead = between.partition(",") if "," in between else ("", "", between)
    words = [word.casefold() for word in PLAIN_WORD.findall(lead)]
    if not mark and not any(word in lexicon.conjunction_set for word in words):
        return False
    if not mark:
        at = next(index for index, word in enumerate(words) if word in lexicon.conjunction_set)
        unit, words = " ".join(words[:at]), words[at:]
    units = [word.casefold() for word in PLAIN_WORD.findall(unit)]
    is_led = all(word in rough or word in lexicon.conjunction_set for word in words)
    return is_led and len(units) <= MAX_UNIT_WORDS and not any(word in lexicon.stop_word_set for word in units)


def align(text: str, run: Sequence[Span], limits: Span, lexicon: Lexicon) -> tuple[Member, ...]:
    """What the values of a run are of, in their order; empty where no list of as many stands beside it.

    `limits` are the end of the values before the run and the begin of those behind it: no label is beyond them, but
    periods at the begin of a sentence ("In 2021 and 2020, ...") are said of all runs in it.
    """
    count = len(run)
    start, end = run[0][0], run[-1][1]
    mark = _find_mark(text, end, lexicon)
    stop = mark if mark is not None else limits[1]
    behind = (end, min(stop, max(limits[1], end)))
    # "in 2021 and 2020" behind the values needs no "respectively"
    periods = _list_periods(text, behind)
    if len(periods) == count:
        return tuple(periods)
    if mark is None:
        return ()
    has_words = len(PLAIN_WORD.findall(text[end:mark])) > MAX_UNIT_WORDS + 1
    named = _split_labels(text[end:mark], count, lexicon) if has_words else ()
    if named:
        return named
    periods = _list_periods(text, (0, start))
    if len(periods) == count:
        return tuple(periods)
    return _split_labels(text[limits[0] : start], count, lexicon)


def has_mark(text: str, run: Sequence[Span], lexicon: Lexicon) -> bool:
    """Whether "respectively" stands behind a run: its values then are each of something else."""
    return _find_mark(text, run[-1][1], lexicon) is not None


def _find_mark(text: str, start: int, lexicon: Lexicon) -> int | None:
    folded = text.casefold()
    places = [folded.find(cue, start) for cue in cue_of(lexicon.value_cues, "aligned")]
    return min((place for place in places if place >= 0), default=None)


def _list_periods(text: str, span: Span) -> list[Member]:
    """The dates and years of a stretch of text, each with the words that lead it ("fiscal 2021")."""
    piece = text[span[0] : span[1]]
    dates = [(item.start, item.end, item.year) for item in find_dates(piece)]
    years = [entry for entry in find_years(piece) if not any(a < entry[1] and entry[0] < b for a, b, _ in dates)]
    return [Member(piece[start:end].strip(), frozenset((year,))) for start, end, year in sorted((*dates, *years))]


def _split_labels(piece: str, count: int, lexicon: Lexicon) -> tuple[Member, ...]:
    """The members of the last enumeration of `count` in a stretch of words; empty where there is none.

    A member begins behind the last small word before it: of "a discount rate and a yield" they are the rate and the
    yield, not what is said of both. What has digits is no name of a value.
    """
    joints = list(_find_joints(piece, lexicon))
    for stop in range(len(joints), count - 2, -1):
        used = joints[stop - count + 1 : stop]
        # the last joint of an enumeration holds the conjunction
        if not used or not _has_conjunction(piece[slice(*used[-1])], lexicon):
            continue
        edges = [0, *(joint[1] for joint in used)]
        ends = [*(joint[0] for joint in used), len(piece)]
        parts = [piece[start:end] for start, end in zip(edges, ends, strict=True)]
        tail = re.split(r"[,;:(]|(?<!\w)[^\w\s]?\d", parts[-1], maxsplit=1)[0]
        labels = [_cut_lead(parts[0], lexicon), *(part.strip(" ,") for part in parts[1:-1]), tail.strip()]
        if all(_is_name(label, lexicon) for label in labels):
            return tuple(Member(label, frozenset()) for label in labels)
    return ()


def _find_joints(piece: str, lexicon: Lexicon) -> Iterator[Span]:
    """Commas and conjunctions that may part the members of an enumeration, a comma with its "and" as one."""
    conjunctions = "|".join(re.escape(word) for word in lexicon.conjunctions[:2])
    pattern = rf"\s*,\s*(?:(?:{conjunctions})\s+)?|\s+(?:{conjunctions})\s+"
    yield from (hit.span() for hit in re.finditer(pattern, piece))


def _has_conjunction(joint: str, lexicon: Lexicon) -> bool:
    return any(word in lexicon.conjunction_set for word in PLAIN_WORD.findall(joint.casefold()))


def _is_name(label: str, lexicon: Lexicon) -> bool:
    """Whether words may name what a value is of: short, without digits, and more than small words."""
    words = [word.casefold() for word in PLAIN_WORD.findall(label)]
    own = [word for word in words if word not in lexicon.stop_word_set]
    is_mark = any(word in cue_of(lexicon.value_cues, "aligned") for word in words)
    return bool(own) and not is_mark and not any(map(str.isdigit, label)) and len(words) <= MAX_LABEL_WORDS * 2


def _cut_lead(part: str, lexicon: Lexicon) -> str:
    """The words of the first member: back to the last small word or mark, at least one word, at most six."""
    words = list(PLAIN_WORD.finditer(part))
    kept = 0
    for word in reversed(words):
        is_small = word[0].casefold() in lexicon.stop_word_set
        if kept and (is_small or kept == MAX_LABEL_WORDS or re.search(r"[,;:(]", part[word.end() :][:2])):
            break
        if not is_small:
            kept += 1
            first = word
    return part[first.start() :].strip(" ,") if kept else ""
