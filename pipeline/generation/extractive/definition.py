"""The reader of meanings: entries of identifiers and glossaries, defining sentences, abbreviations and symbols."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_extents, cite_lines, limit_quotes
from pipeline.generation.extractive.defining import DEFERRED, LOOSE, NAMED, find_objects, read_defining
from pipeline.generation.extractive.hits import weigh
from pipeline.generation.extractive.prose import find_heads
from pipeline.generation.extractive.reading import Reading
from pipeline.generation.extractive.sentences import Sentence, evidence_lines, split_evidence
from pipeline.generation.extractive.symbol import read_symbol
from pipeline.generation.extractive.termrows import read_term_row
from pipeline.models.answer import Item
from pipeline.question.anchors import is_content
from pipeline.question.terms import Word, cue_of, split_words
from pipeline.text.anchors import find_anchor
from pipeline.text.greek import is_greek
from pipeline.text.matching import fold, is_cjk, join_lines
from pipeline.text.tokens import stem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.document import Line
    from pipeline.models.question import Anchor
    from pipeline.models.structure import Target

Subjects = tuple[tuple[str, ...], ...]
MAX_LEAD_WORDS = 3
"""Words before the term of a defining sentence: "A", "The term", "For purposes of this policy," is too long."""
STRONG_PLACES = 6
"""The first cues of the lexicon only define; the later ones ("is a") also describe."""
_BULLET = re.compile(r"^\s*(?:[•▪◦●○■\u2022\u2013-]|o(?=\s))\s*")
_MARKED = re.compile(r"^\s*(?:\(?[a-z0-9]{1,3}[).]|[•▪◦●○■\u2013-])\s")
_AFTER_TERM = re.compile(r"^[\"'\u00bb\u201d\u2019]?\s*(?:\([^)]{1,40}\)\s*)?(?::|[\u2013\u2014](?=\s)|-(?=\s))\s*\S")
_INITIALS_GAP = re.compile(r"[\s-]+")


def read_definition(task: ReaderTask) -> Reading | None:
    """What an identifier, term, abbreviation or symbol means; None where nothing says it outright."""
    for anchor in task.part.anchors:
        if anchor.source == "identifier" and ":" not in anchor.key and _is_subject(task, anchor):
            entry = _read_entry(task, anchor)
            return entry if entry is not None else read_symbol(task, anchor)
    for anchor in task.part.anchors:
        if any(map(is_greek, anchor.forms)) and _is_subject(task, anchor):
            return read_symbol(task, anchor)
    # Other questions about a word want more than its meaning.
    if task.part.shape != "definition":
        return _read_named(task)
    terms = list_terms(task)
    return (
        _read_glossary(task)
        or read_defining(task, terms, LOOSE)
        or _read_listed(task)
        or read_term_row(task, terms)
        or _read_abbreviation(task)
        or _read_sentence(task)
        or read_defining(task, terms, DEFERRED)
    )


def _drop_initials(task: ReaderTask, label: str) -> tuple[str, ...]:
    first, _, rest = label.partition(" ")
    return _stem_words(task, rest) if first.isupper() and len(first) > 1 else ()


def list_terms(task: ReaderTask) -> tuple[Anchor, ...]:
    """The terms whose meaning a question asks for, whole."""
    return _keep_whole(task, _find_terms(task))


def _read_named(task: ReaderTask) -> Reading | None:
    """What a name in quotation marks is the name of, where a question asks for nothing else ("what is the "Plan"")."""
    words = [word.folded for word in split_words(task.part.text, task.view.lexicon)]
    is_plain = (
        len(words) > 1 and words[0] in task.view.lexicon.list_opener_set and words[1] in task.view.lexicon.copula_set
    )
    quoted = [anchor for anchor in task.part.anchors if anchor.source == "quoted"]
    nouns = cue_of(task.view.lexicon.value_cues, "term nouns")
    if quoted and task.part.shape == "text" and any(word in nouns for word in words):
        return read_defining(task, quoted, NAMED)
    if not is_plain or len(quoted) != 1 or len(task.part.anchors) > 1:
        return None
    return read_defining(task, quoted, NAMED)


def _is_subject(task: ReaderTask, anchor: Anchor) -> bool:
    """Whether a question is about the identifier itself, not about something of it ("what error on HARBOR-24")."""
    if task.view.names_document(anchor):
        return False
    if task.part.shape == "definition":
        return not any(other.source == "quoted" for other in task.part.anchors)
    return weigh(task.view, task.part.anchors, frozenset((anchor.key,))) >= task.view.lexicon.thresholds.subject


def _read_entry(task: ReaderTask, anchor: Anchor) -> Reading | None:
    """The whole text of the entry that an identifier introduces."""
    targets = [target for target in task.view.registry.find(anchor.key) if target.kind == "identifier"]
    if not targets:
        return None
    best = max(targets, key=lambda target: (len(_read_target(task, target)), (-target.start[0], -target.start[1])))
    return _tell_target(task, best, has_second_place=len(targets) > 1)


def _read_glossary(task: ReaderTask) -> Reading | None:
    """The entry of the term that the question names whole: "information security" is not the entry "information"."""
    subjects = _find_subjects(task)
    entries = [target for target in task.view.registry.targets if target.kind == "definition"]
    named = [target for target in entries if _stem_words(task, target.label) in subjects]
    # an entry may call the term by its owner's initials as well: "CSF Current Profile"
    named = named or [target for target in entries if _drop_initials(task, target.label) in subjects]
    if not named:
        keys = {f"definition:{form}" for head in list_terms(task) for form in head.forms}
        named = [target for target in entries if target.key in keys]
    return _tell_target(task, named[0], has_second_place=len(named) > 1) if named else None


def _find_terms(task: ReaderTask) -> tuple[Anchor, ...]:
    """The heads that are the whole of what is asked; all heads where none is, as when the question says more."""
    heads, subjects = find_objects(task) or find_heads(task), _find_subjects(task)
    return tuple(head for head in heads if _stem_words(task, head.text) in subjects) or heads


def _keep_whole(task: ReaderTask, terms: tuple[Anchor, ...]) -> tuple[Anchor, ...]:
    """The terms without those that are only words of a longer one that the document has."""
    found = [(fold(term.text), term) for term in terms if task.view.positions_of(term)]
    whole = [term for text, term in found if not any(text != other and text in other for other, _ in found)]
    return tuple(whole) or terms


def _find_subjects(task: ReaderTask) -> Subjects:
    """What a question asks the meaning of, as stems: the whole of it, else its noun phrases from the first on."""
    lexicon = task.view.lexicon
    asking = frozenset(cue_of(lexicon.value_cues, "meaning"))
    phrases: list[list[Word]] = [[]]
    for word in split_words(task.part.text, lexicon):
        if word.folded in asking or not (is_content(word, lexicon) or word.folded in lexicon.document_noun_set):
            phrases.append([])
        else:
            phrases[-1].append(word)
    stems = [tuple(stem(word.folded, lexicon.language) for word in phrase) for phrase in phrases if phrase]
    return tuple(dict.fromkeys((tuple(part for phrase in stems for part in phrase), *stems[:1])))


def _stem_words(task: ReaderTask, term: str) -> tuple[str, ...]:
    """The words of a term as stems, without what stands in parentheses and without function words."""
    words = split_words(re.sub(r"\([^)]*\)", " ", term), task.view.lexicon)
    small = task.view.lexicon.stop_word_set
    return tuple(stem(word.folded, task.view.lexicon.language) for word in words if word.folded not in small)


def _lines_of(task: ReaderTask, target: Target) -> tuple[Line, ...]:
    lines = task.view.document.lines_between(target.start, target.end)
    return tuple(line for line in lines if line.is_evidence and line.text.strip())


def _read_target(task: ReaderTask, target: Target) -> str:
    return _BULLET.sub("", join_lines([line.text for line in _lines_of(task, target)]).display).strip()


def _tell_target(task: ReaderTask, target: Target, *, has_second_place: bool) -> Reading | None:
    citations, is_cut = limit_quotes(cite_lines(task.view, _lines_of(task, target)), task.max_quote_characters)
    if not citations:
        return None
    item = Item(
        sub_question=task.part.id,
        text=_read_target(task, target),
        label=target.label,
        citations=citations,
        extraction="verbatim",
    )
    caveats = (f"the entry of {target.label} goes on",) if is_cut else ()
    return Reading(
        text=item.text, items=(item,), has_typed_fit=True, has_second_place=has_second_place, caveats=caveats
    )


def _read_listed(task: ReaderTask) -> Reading | None:
    """An entry of a list of terms: a line that begins with the term and a colon or dash, up to the next entry."""
    terms = _find_terms(task)
    for piece in task.evidence:
        lines = evidence_lines(task.view, piece)
        for index, line in enumerate(lines):
            if not any(_opens_entry(head, line.text) for head in terms):
                continue
            stop = index + 1
            while stop < len(lines) and lines[stop].block == line.block and not _MARKED.match(lines[stop].text):
                stop += 1
            entry = lines[index:stop]
            citations = cite_lines(task.view, entry)
            if citations:
                text = _BULLET.sub("", join_lines([member.text for member in entry]).display).strip(" ;")
                item = Item(sub_question=task.part.id, text=text, citations=citations, extraction="verbatim")
                return Reading(text=text, items=(item,), has_typed_fit=True)
    return None


def _opens_entry(head: Anchor, text: str) -> bool:
    """Whether a line begins with a term, after at most a marker and a quotation mark, and then a colon or dash."""
    for start, end in find_anchor(head, text):
        if re.fullmatch(r"\W*(?:\(?\w{1,3}[).]\s*)?\W*", text[:start]) and _AFTER_TERM.match(text[end:]):
            return True
    return False


def _list_sentences(task: ReaderTask) -> Iterator[Sentence]:
    for piece in task.evidence:
        yield from split_evidence(evidence_lines(task.view, piece))


def _read_sentence(task: ReaderTask) -> Reading | None:
    """The sentence that begins with the term and says what it means; the firmest cue wins, then the best evidence."""
    cues = cue_of(task.view.lexicon.value_cues, "defines")
    terms = _find_terms(task)
    ranked: list[tuple[int, int, Sentence]] = []
    for order, sentence in enumerate(_list_sentences(task)):
        place = min((_rate_sentence(sentence.text, head, cues) for head in terms), default=len(cues))
        if place < len(cues):
            ranked.append((place, order, sentence))
    if not ranked:
        return None
    place, _, sentence = min(ranked, key=lambda entry: entry[:2])
    citations = cite_extents(task.view, sentence.extents)
    if not citations:
        return None
    item = Item(sub_question=task.part.id, text=sentence.text, citations=citations, extraction="verbatim")
    return Reading(text=sentence.text, items=(item,), has_typed_fit=True, has_second_place=place < STRONG_PLACES)


def _rate_sentence(text: str, head: Anchor, cues: tuple[str, ...]) -> int:
    """The place of the cue that follows the term, or the number of cues where none does."""
    for start, end in find_anchor(head, text):
        if len(re.findall(r"\w+", text[:start])) > MAX_LEAD_WORDS:
            continue
        rest = fold(re.sub(r"^[\"\u201d'\u2019\s]*(?:\([^)]{1,60}\))?[\s,]*", "", text[end:]))
        for place, cue in enumerate(cues):
            if rest.startswith(cue) and (is_cjk(cue[0]) or not rest[len(cue) : len(cue) + 1].isalnum()):
                return place
    return len(cues)


def _read_abbreviation(task: ReaderTask) -> Reading | None:
    """What an abbreviation stands for: "Multi-Factor Authentication (MFA)"."""
    for head in _find_terms(task):
        letters = head.text.strip()
        if not letters.isupper() or not 2 <= len(letters) <= 8:
            continue
        for sentence in _list_sentences(task):
            expansion = expand_abbreviation(letters, sentence.text)
            citations = cite_extents(task.view, sentence.extents) if expansion else ()
            if expansion and citations:
                item = Item(
                    sub_question=task.part.id,
                    text=f"{letters}: {expansion}",
                    label=letters,
                    value=expansion,
                    citations=citations,
                    extraction="verbatim",
                )
                return Reading(text=item.text, items=(item,), has_typed_fit=True)
    return None


def expand_abbreviation(letters: str, text: str) -> str:
    """The words before "(ABC)" whose initials it is made of, or after "ABC (" ; "" where the text does not say."""
    at = text.find(f"({letters})")
    if at < 0:
        return ""
    words = text[:at].split()
    for count in range(1, min(len(words), 2 * len(letters)) + 1):
        chosen = words[-count:]
        initials = [part[0] for word in chosen for part in _INITIALS_GAP.split(word) if part[:1].isalnum()]
        capitals = "".join(letter for letter in initials if letter.isupper()) or "".join(initials).upper()
        if capitals == letters or "".join(initials).upper() == letters:
            return " ".join(chosen)
    return ""
