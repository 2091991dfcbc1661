"""Figures of one sentence and the words that only one of them is said of: its part, period or role in a change.

"815 shops: 564 in Norland, 105 in Sudland" states three figures. The words between two of them belong to one; words
before all of them, and those behind a list with "respectively", are said of each.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.aligned import align, find_run, has_mark
from pipeline.generation.extractive.moved import find_role
from pipeline.generation.extractive.typed import Typed
from pipeline.models.lexicon import singular
from pipeline.question.terms import cue_of
from pipeline.text.grammar import SCALE_WORDS
from pipeline.text.late import compile_late
from pipeline.text.matching import contains_folded, fold
from pipeline.text.numbers import find_quantities, find_years
from pipeline.text.tokens import PLAIN_WORD

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pipeline.generation.extractive.aligned import Member, Span
    from pipeline.models.lexicon import Lexicon
    from pipeline.text.numbers import Quantity

_BREAK = compile_late(r"[;:(\u2014]|,(?=\s)")
_NUMBER = compile_late(r"\D{0,4}\d[\d.,' \u00a0\u202f]*\d|\D{0,4}\d")
_SCALE = compile_late(r"\s?([^\W\d_]+)")
_OPENING = compile_late(r"\s(?=[(\[\u2014])")
MAX_LEAD_WORDS = 2
MAX_NOUN_WORDS = 5


class Share(NamedTuple):
    """A figure with the words said of it alone (`own`), those said of all of its kind (`common`), and what it counts.

    `spare` are words of the other members of its list that may be said of it too ("footwear and apparel revenues").
    `printed` is the figure without its noun; `kind` is money, percent, duration or number; `years` are those of its own
    words; `label` is what it is of, in short; `role` is "change", "to" or "from" in a movement. `is_open` where a list
    says that the order tells what it is of, and nothing does.
    """

    typed: Typed
    printed: str
    kind: str
    own: str
    common: str
    spare: str
    years: frozenset[int]
    label: str
    nouns: tuple[str, ...]
    role: str
    is_aligned: bool
    is_open: bool


def list_shares(text: str, lexicon: Lexicon) -> tuple[Share, ...]:
    """All figures of a sentence, in order."""
    kinds: dict[str, list[Quantity]] = {}
    for item in find_quantities(text):
        # "401(k)" is a name
        is_name = text[item.end : item.end + 1] == "("
        if not item.is_year and not item.is_negative_by_parens and not is_name:
            kinds.setdefault(_tell_kind(item, lexicon), []).append(item)
    found = [share for kind in sorted(kinds) for share in _list_kind(text, kinds, kind, lexicon)]
    return tuple(sorted(found, key=lambda share: share.typed.start))


def _tell_kind(item: Quantity, lexicon: Lexicon) -> str:
    if item.currency:
        return "money"
    if item.is_percent:
        return "percent"
    units = cue_of(lexicon.value_cues, "duration")
    return "duration" if singular(item.unit.casefold()) in units and item.unit else "number"


def _list_kind(text: str, kinds: Mapping[str, Sequence[Quantity]], kind: str, lexicon: Lexicon) -> Iterator[Share]:
    items = kinds[kind]
    spans = [(item.start, item.start + len(_print_number(item))) for item in items]
    whole = [(item.start, item.end) for item in items]
    # "$1.9 billion or 3.2% and $0.5 billion or 0.9%" are two lists in one, each read without the other
    masked = _mask(text, [item for name in sorted(kinds) if name != kind for item in kinds[name]])
    runs = list(_list_runs(masked, whole, lexicon))
    cuts = [_cut(text, spans[run.stop - 1], spans[run.stop], lexicon) for run in runs[:-1]]
    edges = [at for at, _ in cuts]
    nouns = _list_nouns(text, spans, lexicon)
    common = text[: spans[0][0]]
    flow = ""
    for number, (run, start, end) in enumerate(zip(runs, [spans[0][0], *edges], [*edges, len(text)], strict=True)):
        role = find_role(text, whole[run.first : run.stop], lexicon)
        shared = f"{text[start : spans[run.first][0]]} {text[spans[run.stop - 1][1] : end]}" if run.members else ""
        around = f"{common} {flow} {shared}"
        for label in (member.label for entry in runs[: number + 1] for member in entry.members):
            around = around.replace(label, " ")
        for place in range(run.first, run.stop):
            member = run.members[place - run.first] if run.members else None
            tail = text[spans[place][1] : end]
            own = member.label if member else f"{text[start : spans[place][0]]} {tail}"
            yield Share(
                typed=_read(items[place], items[run.stop - 1]),
                printed=text[slice(*spans[place])].strip(),
                kind=kind,
                own=f"{own} {' '.join(nouns[place])}",
                common=around,
                spare=_list_spare(run.members, place - run.first),
                years=member.years if member else _find_own_years(tail, lexicon),
                label=member.label if member else "" if role else _tell_label(tail, nouns[place]),
                nouns=nouns[place],
                role=role,
                is_aligned=member is not None,
                is_open=run.is_open,
            )
        # what heads a list, and what a figure stands inside of, is said of the figures behind it too
        is_head = number < len(cuts) and cuts[number][1]
        flow = f"{flow} {text[spans[run.stop - 1][1] : end]}" if is_head else flow


def _mask(text: str, items: Sequence[Quantity]) -> str:
    """The text with spaces in place of some figures."""
    for item in items:
        text = f"{text[: item.start]}{' ' * (item.end - item.start)}{text[item.end :]}"
    return text


def _list_spare(members: Sequence[Member], index: int) -> str:
    """The words of a list's first name before its last word, and those of its last name behind its first word."""
    if not members or members[index].years:
        return ""
    first, last = members[0].label.split()[:-1], members[-1].label.split()[1:]
    return " ".join((*first, *last))


class _Run(NamedTuple):
    """Figures [first, stop) that are read together, with what each is of; a single figure has no members."""

    first: int
    stop: int
    members: tuple[Member, ...]
    is_open: bool


def _list_runs(text: str, spans: Sequence[Span], lexicon: Lexicon) -> Iterator[_Run]:
    """The aligned runs of figures, and all others one by one."""
    first = 0
    while first < len(spans):
        stop = find_run(text, spans, first, lexicon)
        run = spans[first:stop]
        limits = (spans[first - 1][1] if first else 0, spans[stop][0] if stop < len(spans) else len(text))
        members = align(text, run, limits, lexicon) if len(run) > 1 else ()
        if members:
            yield _Run(first, stop, members, False)
        else:
            is_open = len(run) > 1 and has_mark(text[: limits[1]], run, lexicon)
            yield from (_Run(place, place + 1, (), is_open) for place in range(first, stop))
        first = stop


def _print_number(item: Quantity) -> str:
    """A figure as printed without the noun behind it: "815" of "815 shops", all of "$3 million" and "10%"."""
    text = item.text.rstrip()
    if item.is_percent or item.currency:
        return text
    number = _NUMBER.match(text)
    if number is None:
        return text.removesuffix(item.unit).rstrip()
    scale = _SCALE.match(text, number.end())
    return text[: scale.end()] if scale is not None and fold(scale[1]) in SCALE_WORDS else number[0]


def _cut(text: str, one: Span, other: Span, lexicon: Lexicon) -> tuple[int, bool]:
    """Where the words of one figure end and those of the next begin, and whether the former head the latter.

    That is the last mark between them, else the conjunction or small words that lead the second. A colon heads a list,
    and so does a figure inside whose phrase the next one stands ("124 plants in 15 towns").
    """
    between = text[one[1] : other[0]]
    marks = [hit.start() for hit in _BREAK.finditer(between)]
    for mark in marks:
        # "60 days, unless it is extended, in which case 120 days"
        if fold(between[mark + 1 :]).strip().startswith(cue_of(lexicon.value_cues, "unless")):
            return one[1] + mark, False
    if marks:
        heads = cue_of(lexicon.value_cues, "heads")
        is_list = between[marks[-1]] == ":" or any(contains_folded(cue, fold(between[marks[-1] :])) for cue in heads)
        return one[1] + marks[-1], is_list
    words = list(PLAIN_WORD.finditer(between))
    small = lexicon.stop_word_set | frozenset(cue_of(lexicon.value_cues, "roughly"))
    lead = len(words)
    while lead and words[lead - 1][0].casefold() in small:
        lead -= 1
    joined = [index for index, word in enumerate(words) if word[0].casefold() in lexicon.conjunction_set]
    near = [index for index in joined if index >= len(words) - MAX_LEAD_WORDS - 1]
    # "256, and a smoothing of 0.1": what is joined to a figure by "of" or "is" is its name
    if joined and any(word[0].casefold() in cue_of(lexicon.value_cues, "join") for word in words[lead:]):
        near.append(joined[-1])
    lead = min([lead, *near])
    cut = one[1] + words[lead].start() if lead < len(words) else other[0]
    return cut, not any(index >= lead for index in joined)


def _list_nouns(text: str, spans: Sequence[Span], lexicon: Lexicon) -> list[tuple[str, ...]]:
    """The words right behind each figure that name what it counts; a figure without any counts what its list does."""
    # "37,000 employed in" counts what its list does
    found = [_read_noun(text, span[1], lexicon) for span in spans]
    own = [() if _is_verb(noun, lexicon) else noun for noun in found]
    for index in range(len(own) - 2, -1, -1):
        # "1,200 large and 400 small shops" and "815, 795 and 782 shops"
        gap = text[spans[index][1] : spans[index + 1][0]]
        is_whole = bool(own[index]) and singular(own[index][-1]) != own[index][-1]
        if not is_whole and _is_near(gap, lexicon) and len(own[index]) < MAX_LEAD_WORDS:
            own[index] = (*own[index], *own[index + 1][-1:]) if own[index] else own[index + 1]
    heads = [noun if not _is_led(text[: span[0]], lexicon) else () for span, noun in zip(spans, own, strict=True)]
    for index in range(1, len(own)):
        # "815 shops: 564 in 46 towns, 105 in": the towns are no head of the list
        own[index] = own[index] or next((noun for noun in reversed(heads[:index]) if noun), ())
    return own


def _is_led(before: str, lexicon: Lexicon) -> bool:
    """Whether a small word that is no conjunction stands right before a figure."""
    words = PLAIN_WORD.findall(before[-30:].casefold())
    small = lexicon.stop_word_set - lexicon.conjunction_set - frozenset(cue_of(lexicon.value_cues, "roughly"))
    return bool(words) and words[-1] in small and before.rstrip().endswith(before.rstrip()[-1:].strip(",;:("))


def _is_near(gap: str, lexicon: Lexicon) -> bool:
    words = [word.casefold() for word in PLAIN_WORD.findall(gap)]
    small = lexicon.stop_word_set - lexicon.conjunction_set - frozenset(cue_of(lexicon.value_cues, "roughly"))
    return len(words) <= MAX_LEAD_WORDS + 1 and not re.search(r"[;:.(]", gap) and not any(w in small for w in words)


def _is_verb(words: Sequence[str], lexicon: Lexicon) -> bool:
    places = cue_of(lexicon.value_cues, "border words")
    rest = [word for word in words if not word.endswith(lexicon.adverb_endings) and word not in places]
    return bool(words) and (not rest or (list(words[:1]) == rest and rest[0].endswith(lexicon.verb_endings)))


def _read_noun(text: str, start: int, lexicon: Lexicon) -> tuple[str, ...]:
    """The words from a place on up to a mark, a small word or another number, at most five."""
    whole = cue_of(lexicon.value_cues, "whole")
    words: list[str] = []
    last = start
    for word in PLAIN_WORD.finditer(text, start):
        folded = fold(word[0])
        gap = text[last : word.start()]
        if gap.startswith("-") and folded in lexicon.conjunction_set:
            last = word.end()  # "full- and part-time employees"
            continue
        is_end = bool(re.search(r"[^\s\u00ae\u2122]", gap)) or len(words) == MAX_NOUN_WORDS
        if is_end or folded in lexicon.stop_word_set or folded[0].isdigit():
            break
        if folded not in SCALE_WORDS and folded not in whole:
            words.append(folded)
        last = word.end()
    return tuple(words)


def _tell_label(tail: str, nouns: tuple[str, ...]) -> str:
    """What a figure is of in a few words: those behind it up to a mark, without what it counts."""
    piece = re.split(r"[,;:.](?=\s|$)", " ".join(tail.split()), maxsplit=1)[0]
    words = [word for word in piece.split() if fold(word.strip("()")) not in nouns]
    label = " ".join(words[: MAX_NOUN_WORDS + 1]).strip(" ,;:")
    if any(map(str.isdigit, label)) and not find_years(label):
        return ""
    if label.startswith("(") and label.endswith(")"):
        return label[1:-1]
    return label if not label.count("(") - label.count(")") else _OPENING.split(label)[0].strip()


def _find_own_years(tail: str, lexicon: Lexicon) -> frozenset[int]:
    """The first year behind a figure with those joined to it, but none of what it is compared with."""
    for cue in cue_of(lexicon.value_cues, "moved from"):
        tail = re.split(rf"(?i)\b{re.escape(cue)}\b", tail, maxsplit=1)[0]
    years: list[int] = []
    last = 0
    for start, end, year in find_years(tail):
        words = [word.casefold() for word in PLAIN_WORD.findall(tail[last:start])]
        if years and any(word not in lexicon.conjunction_set for word in words[-1:]) and "," not in tail[last:start]:
            break
        years.append(year)
        last = end
    return frozenset(years)


def _read(item: Quantity, last: Quantity) -> Typed:
    """A quantity as a value; in a run the scale of the last is that of all ("$3 and $11 million")."""
    amount, text, unit = item.amount, item.text.strip(), item.currency or item.unit
    is_led = last.scale and not item.scale and last.currency == item.currency and abs(item.value) < 1000
    if is_led and last is not item:
        amount = item.value.scaleb(last.scale)
        text = f"{text} {re.sub(r'^[^a-zA-Z]*', '', last.text.strip())}"
    return Typed(item.start, item.end, text, format(amount, "f"), unit, amount)
