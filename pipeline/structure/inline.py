"""Lists inside sentences: "(i) ..., (ii) ... and (iii) ...", and "A, B, and C" after a cue."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pipeline.models.document import Line
from pipeline.models.lexicon import Lexicon
from pipeline.structure.cues import find_cue, read_cardinal
from pipeline.structure.markers import read_roman
from pipeline.structure.paragraphs import Joined
from pipeline.text.late import compile_late
from pipeline.text.tokens import split_sentences

_MARK = compile_late(r"(?<![\w)\]])\(?(?<![\w.])([ivx]{1,5}|[a-z]|\d{1,2})\)(?=\s)")
_JOINER = compile_late(r",?\s+(?:and/or|and|or|as well as|e|ou)\s+")
_STOP = compile_late(r"[;:.)\]—]|\s[–-]\s|$")
_OPENER = compile_late(
    r"(?:[:(—]|\s[–-]\s|\b(?:are|is|include|includes|including|included|namely|such as|like|following|e\.g\.,?|i\.e\.,?"
    r"|comprise|comprises|consists? of|são|inclui|incluem|como)\s)",
    re.IGNORECASE,
)
_PART_END = compile_late(r"[;:—]|\.(?=\s|$)|,\s(?=(?:and|or|which|who|that|e|ou)\b)")
_APPOSED = compile_late(r"\b[a-z]{3,}(?<![su])s(?P<comma>,)\s(?=[A-Z])")
_OF = compile_late(r"\b(?:of|for|in|by|to|the|de|para)\s", re.IGNORECASE)
_LEAD_WORD = re.compile(r"\S+")
_MAX_WORDS = 12
_MAX_NOUN_WORDS = 6
_MAX_PLAIN_WORDS = 8
_MIN_LEAD_WORDS = 3
_MAX_OPENERS = 5
_PAIR = 2


class InlineList(NamedTuple):
    """A list inside one paragraph.

    (marker, start, end) of its items and the span of its lead, offsets in the paragraph.
    """

    paragraph: Joined
    items: tuple[tuple[str, int, int], ...]
    lead: tuple[int, int]


def find_inline(paragraphs: Sequence[Sequence[Line]], lexicon: Lexicon) -> Iterator[InlineList]:
    """Inline lists of each paragraph: marked ones first, else a series that a cue announces."""
    for paragraph in paragraphs:
        hint = sum(line.text.count(")") + line.text.count(",") for line in paragraph)
        # most paragraphs have neither commas nor parentheses enough for a list; two or three members need their number
        is_short = hint < 2 and _says_number(paragraph, lexicon)
        if hint < 2 and not is_short:
            continue
        joined = Joined(paragraph)
        marked = list(_find_marked(joined))
        yield from marked
        if not marked and (is_short or "," in joined.text):
            yield from _find_series(joined, lexicon)


def _says_number(paragraph: Sequence[Line], lexicon: Lexicon) -> bool:
    words = (word.strip(",:;()") for line in paragraph for word in line.text.casefold().split())
    return any(read_cardinal(word, lexicon.language) in (_PAIR, _PAIR + 1) for word in words)


def _find_marked(joined: Joined) -> Iterator[InlineList]:
    text = joined.text
    runs: list[list[tuple[re.Match[str], int]]] = []
    for match in _MARK.finditer(text):
        for value in _list_values(match.group(1)):
            run = next((r for r in reversed(runs) if r[-1][1] == value - 1 and _is_alike(r[-1][0], match)), None)
            if run is not None:
                run.append((match, value))
                break
            if value == 1:
                runs.append([(match, value)])
                break
    for run in runs:
        if len(run) < 2:
            continue
        items: list[tuple[str, int, int]] = []
        for place, (match, _) in enumerate(run):
            stop = run[place + 1][0].start() if place + 1 < len(run) else _find_item_end(text, match.end())
            stop = _cut_before(text, match, stop, runs) if place + 1 == len(run) else stop
            start, end = _trim(text, match.end(), stop)
            items.append((match.group(), start, end))
        sentence = next((s for s in split_sentences(text) if s[0] <= run[0][0].start() < s[1]), (0, len(text)))
        yield InlineList(joined, tuple(items), (sentence[0], run[0][0].start()))


def _list_values(label: str) -> list[int]:
    if label.isdigit():
        return [int(label)]
    values = []
    if set(label) <= set("ivx"):
        values.append(read_roman(label))
    if len(label) == 1:
        values.append(ord(label) - 96)
    return values


def _is_alike(one: re.Match[str], other: re.Match[str]) -> bool:
    return one.group(1).isdigit() == other.group(1).isdigit() and one.group().startswith(
        "("
    ) == other.group().startswith("(")


def _is_same_kind(one: re.Match[str], other: re.Match[str]) -> bool:
    """Whether two marks are of one kind: "(i)" and "(iv)", but not "(i)" and "(a)"."""
    kinds = [set(each.group(1)) <= set("ivx") for each in (one, other)]
    return _is_alike(one, other) and (one.group(1).isdigit() or kinds[0] == kinds[1])


def _find_item_end(text: str, start: int) -> int:
    """The last item ends with its sentence, or at a semicolon before it."""
    end = next((e for s, e in split_sentences(text) if s <= start < e), len(text))
    semicolon = text.find(";", start, end)
    return semicolon if semicolon > 0 else end


def _cut_before(text: str, last: re.Match[str], end: int, runs: list[list[tuple[re.Match[str], int]]]) -> int:
    """Where a last item ends if its sentence goes on to another list: "(2) higher rents, partly offset by (1) ..."."""
    # marks of another kind are a list within the item
    firsts = (run[0][0] for run in runs if len(run) > 1 and _is_same_kind(run[0][0], last))
    first = min((each.start() for each in firsts if last.end() < each.start() < end), default=end)
    if first == end:
        return end
    comma = text.rfind(",", last.end(), first)
    return comma if comma > 0 else first


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """An item without the white space, commas and joiners around it."""
    while start < end and text[start].isspace():
        start += 1
    piece = text[start:end].rstrip()
    piece = re.sub(r"[,;]?\s*(?:\b(?:and|or|and/or|e|ou)\b)?\s*[,;]?$", "", piece)
    return start, start + len(piece.rstrip(" .;,"))


def _find_series(joined: Joined, lexicon: Lexicon) -> Iterator[InlineList]:
    text = joined.text
    for low, high in split_sentences(text):
        words = text[low:high].casefold().split()
        counts = {read_cardinal(word.strip(",:;()"), lexicon.language) for word in words}
        if "," not in text[low:high] and _PAIR not in counts:
            continue
        is_counted = counts != {None}
        taken = low
        for joiner in _JOINER.finditer(text, low, high):
            if joiner.start() < taken:
                continue
            found = _read_series(joined, (taken, high), joiner, lexicon if is_counted else None)
            if found is not None:
                yield found
                taken = found.items[-1][2]


def _read_series(
    joined: Joined, sentence: tuple[int, int], joiner: re.Match[str], lexicon: Lexicon | None
) -> InlineList | None:
    """A series around its last joiner; the lexicon is given where a number may count its members."""
    text, (low, high) = joined.text, sentence
    if text[low : joiner.start()].rstrip().endswith(";"):
        return _read_parted(joined, sentence, joiner)
    tail_end = _find_tail_end(text, joiner.end(), high)
    openers = list(_OPENER.finditer(text, low, joiner.start()))
    for last in openers[: -_MAX_OPENERS - 1 : -1]:
        parts = _split_parts(text, last.end(), joiner.start())
        parts.append(_trim(text, joiner.end(), tail_end))
        if not _reads_as_items(text, parts):
            continue
        lead = _find_lead(text, low, last)
        cue = find_cue(text[lead : last.end()], len(parts), lexicon) if lexicon is not None else None
        if cue == len(parts) or (len(parts) >= 3 and _is_listing(text, (low, high), last, parts)):
            items = tuple(("", start, end) for start, end in parts)
            return InlineList(joined, items, (lead, last.end()))
    counted = _read_counted(joined, sentence, joiner, (tail_end, lexicon)) if lexicon is not None else None
    return counted or _read_apposed(joined, sentence, joiner, tail_end)


def _read_parted(joined: Joined, sentence: tuple[int, int], joiner: re.Match[str]) -> InlineList | None:
    """A series whose members are parted by semicolons, since they have commas of their own."""
    text, (low, high) = joined.text, sentence
    for opener in list(_OPENER.finditer(text, low, joiner.start()))[: -_MAX_OPENERS - 1 : -1]:
        pieces = text[opener.end() : joiner.start()].rstrip(" ;").split(";")
        starts = [opener.end() + sum(len(piece) + 1 for piece in pieces[:at]) for at in range(len(pieces))]
        parts = [_trim(text, start, start + len(piece)) for start, piece in zip(starts, pieces, strict=True)]
        stop = _PART_END.search(text, joiner.end(), high)
        parts.append(_trim(text, joiner.end(), stop.start() if stop else high))
        # a clause behind each mark is no list of names
        if len(parts) > _PAIR and _reads_as_items(text, parts):
            return InlineList(joined, tuple(("", start, end) for start, end in parts), (low, opener.end()))
    return None


def _read_apposed(joined: Joined, sentence: tuple[int, int], joiner: re.Match[str], tail_end: int) -> InlineList | None:
    """Three or more names behind a plural and a comma: "our new depots, North Quay, South Quay, and Mill Lane"."""
    text, low = joined.text, sentence[0]
    for noun in reversed(list(_APPOSED.finditer(text, low, joiner.start()))):
        parts = _split_parts(text, noun.end(), joiner.start())
        parts.append(_trim(text, joiner.end(), tail_end))
        is_named = len(parts) > _PAIR and all(text[start : start + 1].isupper() for start, _ in parts)
        if is_named and _reads_as_items(text, parts):
            return InlineList(joined, tuple(("", start, end) for start, end in parts), (low, noun.start("comma")))
    return None


def _find_tail_end(text: str, start: int, high: int) -> int:
    """Where the last member ends: at a comma or a mark that stands in no parentheses of its own."""
    depth = 0
    for at in range(start, high):
        if text[at] in "([":
            depth += 1
        elif text[at] in ")]" and depth:
            depth -= 1
        elif not depth and (text[at] == "," or _STOP.match(text, at, high)):
            return at
    return high


def _find_lead(text: str, low: int, opener: re.Match[str]) -> int:
    """Where the lead of a series begins: with its sentence; in parentheses with the noun phrase before them.

    "three levels of impact after a breach (e.g. a loss, a leak or a theft)" lists breaches and not levels.
    """
    bracket = text.rfind("(", low, opener.end())
    if bracket < 0 or ")" in text[bracket : opener.start()]:
        return low
    words = list(_LEAD_WORD.finditer(text, low, bracket))
    return words[-min(_MAX_NOUN_WORDS, len(words))].start() if words else low


def _is_listing(text: str, sentence: tuple[int, int], opener: re.Match[str], parts: list[tuple[int, int]]) -> bool:
    """Whether a series that no number announces is a list.

    It ends where its sentence or clause does, after a real lead.
    """
    if not _STOP.match(text[parts[-1][1] : sentence[1]].lstrip()):
        return False
    # members of a list are names; long pieces between commas are clauses
    if any(len(text[start:end].split()) > _MAX_PLAIN_WORDS for start, end in parts):
        return False
    word = opener.group().strip().casefold()
    if word in ("is", "are", "são", "like", "como"):
        # "is established, communicated, and enforced" says what is done; names in capitals are members
        return all(text[start].isupper() for start, _ in parts)
    lead = [each for each in text[sentence[0] : opener.start()].split() if each[:1].isalpha() and len(each) > 1]
    return word == "(" or len(lead) >= _MIN_LEAD_WORDS or word not in (":", "—", "–", "-")


def _read_counted(
    joined: Joined, sentence: tuple[int, int], joiner: re.Match[str], rest: tuple[int, Lexicon]
) -> InlineList | None:
    """A series whose number the sentence says: "for each of the three objectives of a, b, and c"."""
    text, low = joined.text, sentence[0]
    tail_end, lexicon = rest
    for preposition in list(_OF.finditer(text, low, joiner.start()))[: -_MAX_OPENERS - 1 : -1]:
        parts = _split_parts(text, preposition.end(), joiner.start())
        parts.append(_trim(text, joiner.end(), tail_end))
        is_series = len(parts) >= 2 and _reads_as_items(text, parts)
        if is_series and find_cue(text[low : preposition.end()], len(parts), lexicon) == len(parts):
            return InlineList(joined, tuple(("", a, b) for a, b in parts), (low, preposition.end()))
    return None


def _split_parts(text: str, start: int, end: int) -> list[tuple[int, int]]:
    parts: list[tuple[int, int]] = []
    at = start
    depth = 0
    for index in range(start, end):
        if text[index] in "([":
            depth += 1
        elif text[index] in ")]":
            depth -= 1
        elif text[index] == "," and depth <= 0:
            parts.append(_trim(text, at, index))
            at = index + 1
    parts.append(_trim(text, at, end))
    return [part for part in parts if part[1] > part[0]]


def _reads_as_items(text: str, parts: list[tuple[int, int]]) -> bool:
    if len(parts) < 2:
        return False
    if _JOINER.match(f" {text[parts[0][0] : parts[0][0] + 12]}"):
        return False  # what begins with "and" goes on from before the cue
    for start, end in parts:
        piece = text[start:end]
        if not piece or len(piece.split()) > _MAX_WORDS or piece.count("(") != piece.count(")"):
            return False
    return True
