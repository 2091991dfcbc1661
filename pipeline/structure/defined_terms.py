"""Terms that a document defines: where a term is defined, and which of them a text uses.

A term is found as an entry of a glossary, as a row of a list of terms, or in quotation marks in the sentence that
defines it. One that is defined in two ways is two places, and what uses it is ambiguous.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pipeline.models.structure import Extent, MentionAt, Target
from pipeline.question.terms import cue_of
from pipeline.structure.paragraphs import Joined
from pipeline.structure.term_rows import list_row_terms, read_row_meaning
from pipeline.text.late import compile_late
from pipeline.text.matching import fold
from pipeline.text.tokens import split_sentences, stem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.models.document import Line
    from pipeline.structure.view import DocumentView

PREFIX = "definition:"
LINES_BEFORE, LINES_BEHIND, MAX_TERM_WORDS, MAX_PHRASES = 6, 14, 7, 12
MIN_SHOUTED = 7
"""Letters of a word in capitals that is set so for show; a shorter one is an abbreviation, written so each time."""
_WORD = compile_late(r"[^\W_]+(?:['’&-][^\W_]+)*")
_PHRASE = compile_late(
    r"[“\"]([^”\"]{2,60})[”\"]|((?<![\w.])[A-Z][\w&'’-]+(?:\s+(?:(?:of|in|and|for)\s+)?[A-Z][\w&'’-]+){0,4})"
)
_SIGNS = " *:.,;\"'“”‘’•†‡"
_BEHIND = compile_late(r"\s*(?:\([^)]*\)\s*)?,?\s*")
_NAMED = compile_late(r"\([^()]{0,40}$")
_NEVER = compile_late(r"(?!)")


class _Label(NamedTuple):
    """A term as its stems are found in a text: its key, and whether small letters may mean it."""

    key: str
    is_small: bool


def key_term(term: str) -> str:
    """The key of a defined term, as the registry has it."""
    return f"{PREFIX}{' '.join(term.strip(_SIGNS).casefold().split())}"


def find_defined(view: DocumentView, key: str) -> tuple[Target, ...]:
    """The places where a term is defined; the same words twice are one place."""
    term = key.removeprefix(PREFIX)
    found = [target for target in view.registry.targets if target.kind == "definition" and target.key == key]
    found = found or list(_find_rows(view, term)) or list(_find_sentences(view, term))
    unique: dict[str, Target] = {}
    for target in found:
        text = fold(" ".join(line.text for line in view.lines_in(target.start, target.end)))
        unique.setdefault(text, target)
    return tuple(unique.values())


def find_used_terms(view: DocumentView, lines: Sequence[Line]) -> tuple[MentionAt, ...]:
    """The terms defined in the document that some lines use, each once, in the order of the text.

    Of terms within one another the longer one is used: "federal information system" uses no "information system".
    """
    if not lines:
        return ()
    joined = Joined(lines)
    found = _find_spans(view, joined.text, lines)
    inside = {line.position for line in lines}
    mentions: dict[str, MentionAt] = {}
    for (start, end), key in sorted(found.items()):
        # the term that these lines define is no term that they use
        is_own = any(target.start in inside for target in find_defined(view, key))
        if not is_own and not _is_sent_on(view, joined.text[end:]):
            mentions.setdefault(key, _mention(joined, start, end, key))
    return tuple(mentions.values())


def find_named_terms(view: DocumentView, lines: Sequence[Line], text: str) -> tuple[str, ...]:
    """Keys of the defined terms that a text names, where `lines` are of the definition that it asks about."""
    found = _find_spans(view, text, lines, is_strict=False)
    return tuple(dict.fromkeys(found[span] for span in sorted(found)))


def _find_spans(
    view: DocumentView, text: str, lines: Sequence[Line], *, is_strict: bool = True
) -> dict[tuple[int, int], str]:
    """Where a text uses defined terms: those that are listed, then phrases that a sentence defines."""
    found = dict(_scan(view, text, _index_labels(view, lines), is_strict=is_strict))
    for start, end, term in _list_phrases(text):
        is_free = not any(low < end and start < high for low, high in found)
        if is_free and any(True for _ in _find_sentences(view, fold(term), is_named=" " in term)):
            found[(start, end)] = key_term(term)
    return found


def mention_at(line: Line, key: str) -> MentionAt:
    """A mention of a term on a line."""
    extent = Extent(page=line.page, line_start=line.number, line_end=line.number)
    return MentionAt(kind="definition", key=key, text=key.removeprefix(PREFIX), extent=extent)


def find_line_start(lines: Sequence[Line], place: int) -> int:
    """The offset of a line in the text of joined lines."""
    return sum(len(line.text.rstrip()) + 1 for line in lines[:place])


def _mention(joined: Joined, start: int, end: int, key: str) -> MentionAt:
    index, offset = joined.locate(start)
    line = joined.lines[index]
    extent = Extent(page=line.page, line_start=line.number, line_end=line.number, start_offset=offset)
    return MentionAt(kind="definition", key=key, text=joined.text[start:end], extent=extent)


def _index_labels(view: DocumentView, lines: Sequence[Line]) -> dict[tuple[str, ...], _Label]:
    """All terms that the document lists, by their stems; entries also without the initials of their owner."""
    names = [target.label for target in view.registry.targets if target.kind == "definition"]
    first = lines[0] if lines else None
    if first is not None and read_row_meaning(view, first):
        names += [line.text for line in list_row_terms(view, first)]
    index: dict[tuple[str, ...], _Label] = {}
    short: dict[tuple[str, ...], _Label] = {}
    for name in names:
        words = _split(view, re.sub(r"\([^)]*\)", " ", name))
        letters = "".join(filter(str.isalpha, name))
        is_small = " " in name.strip(_SIGNS) or letters.islower() or (letters.isupper() and len(letters) >= MIN_SHOUTED)
        if 0 < len(words) <= MAX_TERM_WORDS:
            index.setdefault(words, _Label(key_term(name), is_small))
        initials = name.strip(_SIGNS).partition(" ")[0]
        if len(words) > 1 and initials.isupper() and 1 < len(initials) < MIN_SHOUTED:
            short.setdefault(words[1:], _Label(key_term(name), is_small=False))
    return {**short, **index}


def _split(view: DocumentView, text: str) -> tuple[str, ...]:
    return tuple(stem(fold(word), view.lexicon.language) for word in _WORD.findall(text))


def _scan(
    view: DocumentView, text: str, labels: dict[tuple[str, ...], _Label], *, is_strict: bool = True
) -> Iterator[tuple[tuple[int, int], str]]:
    """Terms in a text from left to right, the longest at each place."""
    words = list(_WORD.finditer(text))
    stems = [stem(fold(word.group()), view.lexicon.language) for word in words]
    at = 0
    while at < len(words):
        for size in range(min(MAX_TERM_WORDS, len(words) - at), 0, -1):
            label = labels.get(tuple(stems[at : at + size]))
            is_capital = words[at].group()[0].isupper()
            if label is not None and (label.is_small or is_capital or not is_strict):
                yield (words[at].start(), words[at + size - 1].end()), label.key
                at += size - 1
                break
        at += 1


def _list_phrases(text: str) -> list[tuple[int, int, str]]:
    """Phrases in quotation marks or capitals, which a definition may be made of; the first of many."""
    found = [(match.start(), match.end(), match.group(1) or match.group(2)) for match in _PHRASE.finditer(text)]
    return found[:MAX_PHRASES]


def _is_sent_on(view: DocumentView, behind: str) -> bool:
    """Whether the text says right behind a term where it is defined; that place is then what is referred to."""
    rest = fold(behind).lstrip(" ,(\"'")
    return rest.startswith(cue_of(view.lexicon.value_cues, "defines elsewhere"))


def _find_rows(view: DocumentView, term: str) -> Iterator[Target]:
    for index, text in enumerate(view.document.folded):
        if term not in text or text.strip(_SIGNS) != term:
            continue
        line = view.document.lines[index]
        cell = read_row_meaning(view, line) if line.is_evidence else ()
        if cell:
            last = max((line, *cell), key=lambda each: each.position)
            yield _target(term, line, last)


def _target(term: str, first: Line, last: Line) -> Target:
    label = first.text.strip(_SIGNS) if fold(first.text).strip(_SIGNS) == fold(term) else term
    end = (last.page, last.number + 1)
    return Target(kind="definition", key=key_term(term), label=label, title=label, start=first.position, end=end)


def _find_sentences(view: DocumentView, term: str, *, is_named: bool = True) -> Iterator[Target]:
    """Sentences with a term in quotation marks that say what it means; else those that make it a name of something."""
    document = view.document
    cues = "|".join(map(re.escape, cue_of(view.lexicon.value_cues, "defines firmly")))
    # a sentence that opens with the term defines it without quotation marks as well
    opening = re.compile(rf"(?:an?\s|the\s)?{re.escape(term)}\s(?:{cues})\b") if cues and " " in term else _NEVER
    firm: list[Target] = []
    named: list[Target] = []
    for index, text in enumerate(document.folded):
        is_quoted = f'"{term}' in text
        if not (is_quoted or opening.match(text)) or not document.lines[index].is_evidence:
            continue
        lines = [
            line
            for line in document.lines[max(0, index - LINES_BEFORE) : index + LINES_BEHIND]
            if line.is_evidence and line.text.strip() and abs(line.page - document.lines[index].page) <= 1
        ]
        kind = _rate(view, Joined(lines), document.lines[index], term)
        if kind is not None:
            (firm if kind[0] else named).append(kind[1])
    yield from firm or (named if is_named else ())


def _rate(view: DocumentView, joined: Joined, line: Line, term: str) -> tuple[bool, Target] | None:
    """The sentence around a term on a line, and whether it says outright what the term means."""
    place = next(at for at, other in enumerate(joined.lines) if other is line)
    low = find_line_start(joined.lines, place)
    pattern = re.compile(rf"(?:^|(?<=\s)|[“\"]){re.escape(term)}(?:[,.]?[”\"]|(?=\s))", re.IGNORECASE)
    match = pattern.search(joined.text, low)
    if match is None or joined.locate(match.start())[0] != place:
        return None
    rest = fold(joined.text[match.end() :])
    gap = _BEHIND.match(rest)
    rest = rest[gap.end() :] if gap is not None else rest
    cues = view.lexicon.value_cues
    is_firm = rest.startswith(cue_of(cues, "defines firmly"))
    before = joined.text[: match.start()]
    name = match.group().strip(_SIGNS)
    if not is_firm and (not _NAMED.search(before) or rest.startswith(cue_of(cues, "defines elsewhere"))):
        return None
    start, end = next(
        (each for each in split_sentences(joined.text) if each[0] <= match.start() < each[1]),
        (match.start(), match.end()),
    )
    # what stands over a sentence that opens with the term is no part of it
    first = joined.locate(start)[0] if match.group()[0] in '“"' else place
    last, _ = joined.locate(max(start, end - 1))
    return is_firm, _target(name, joined.lines[first], joined.lines[last])
