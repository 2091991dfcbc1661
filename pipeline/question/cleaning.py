"""What is no part of the question itself: instructions to the answerer, units to answer in, exclusions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pipeline.models.lexicon import Lexicon
from pipeline.question.terms import Word, cue_of, cut_spans, find_first, find_label, find_phrase, split_words
from pipeline.text.tokens import split_sentences

_MAX_WORDS_BEFORE_EXCLUSION = 3  # "if we exclude ..." opens with two stop words that go with it


class Cleaned(NamedTuple):
    """`core` is the question with everything else blanked, so that offsets stay; the rest is verbatim."""

    core: str
    instructions: tuple[str, ...]
    definitions: tuple[str, ...]
    exclusions: tuple[str, ...]
    unit: str


def clean_question(text: str, lexicon: Lexicon) -> Cleaned:
    """Take instructions, units and exclusions out of a question; a text of instructions alone is the question."""
    spans = list(_find_instructions(text, lexicon))
    core = cut_spans(text, spans)
    if not split_words(core, lexicon):
        spans, core = [], text
    instructions = tuple(text[start:end].strip(" ,:;") for start, end in spans)
    definitions = tuple(
        part for part in instructions if find_first(lexicon.definition_leads, split_words(part, lexicon)) is not None
    )
    exclusions = tuple(_find_exclusions(core, lexicon))
    phrases = [*exclusions, *_find_phrases(core, lexicon)]
    emptied = cut_spans(core, phrases)
    if any(word.folded not in lexicon.stop_word_set for word in split_words(emptied, lexicon)):
        core = emptied
    else:
        exclusions = ()
    return Cleaned(
        core=core,
        instructions=instructions,
        definitions=definitions,
        exclusions=tuple(text[start:end].strip(" ,:;?.()") for start, end in exclusions),
        unit=find_label(lexicon.unit_cues, split_words(text, lexicon)) or "",
    )


def opens_question(words: Sequence[Word], lexicon: Lexicon) -> bool:
    """Whether these words begin as a question does: a question word or an auxiliary, also after a preposition."""
    if not words:
        return False
    if any(word.folded in lexicon.question_words for word in words[:2]):
        return True
    return find_first(cue_of(lexicon.intent_cues, "yes_no"), words[:2]) is not None


def _find_instructions(text: str, lexicon: Lexicon) -> Iterator[tuple[int, int]]:
    """Sentences and clauses that instruct; a sentence that is the only one left stays."""
    clauses = [span for sentence in split_sentences(text) for span in _split_clauses(text, *sentence)]
    asks = any(opens_question(split_words(text[start:end], lexicon), lexicon) for start, end in clauses)
    verdicts = [_is_instruction(text[start:end], lexicon, asks) for start, end in clauses]
    for (start, end), is_instruction in zip(clauses, verdicts, strict=True):
        if is_instruction and not all(verdicts):
            yield start, end
            continue
        lead = _find_lead(text[start:end], lexicon)
        if lead:
            yield start, start + lead


def _split_clauses(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for match in re.finditer(r"[;；]\s*", text[start:end]):
        stop = start + match.end()
        yield start, stop
        start = stop
    yield start, end


def _is_instruction(clause: str, lexicon: Lexicon, asks: bool) -> bool:
    """Whether a clause only instructs, as a definition does beside a question (`asks`); leads are judged elsewhere."""
    words = split_words(clause, lexicon)
    if _find_lead(clause, lexicon):
        return False
    is_told = find_first(lexicon.instruction_cues, words) is not None
    return is_told or (asks and find_first(lexicon.definition_leads, words) is not None)


def _find_lead(clause: str, lexicon: Lexicon) -> int:
    """Length of a lead that instructs: "<instruction>: <question>" or "according to <document>, <question>"."""
    for match in re.finditer(r"[:：]\s+", clause):
        lead, rest = split_words(clause[: match.start()], lexicon), split_words(clause[match.end() :], lexicon)
        if opens_question(rest, lexicon) and _instructs(lead, lexicon):
            return match.end()
    for match in reversed(list(re.finditer(r"[,，]\s*", clause))):
        lead, rest = split_words(clause[: match.start()], lexicon), split_words(clause[match.end() :], lexicon)
        # what asks for itself names no source: "in which ways can one report it, and which of them ..."
        if opens_question(rest, lexicon) and not opens_question(lead, lexicon) and _names_source(lead, lexicon):
            return match.end()
    return 0


def _instructs(lead: Sequence[Word], lexicon: Lexicon) -> bool:
    """Whether the lead holds the beginning of an instruction or ends in a generic word ("here is my question:")."""
    is_told = any(find_first(lexicon.instruction_cues, lead[first:]) is not None for first in range(len(lead)))
    return is_told or _names_source(lead, lexicon) or (bool(lead) and lead[-1].folded in lexicon.generic_nouns)


def _names_source(lead: Sequence[Word], lexicon: Lexicon) -> bool:
    """Whether the lead begins like "according to" and names a document, a statement or its details."""
    if not any(place.first == 0 for cue in lexicon.instruction_leads if (place := find_phrase(cue, lead)) is not None):
        return False
    if find_label(lexicon.layout_cues, lead) is not None:
        return True
    return any(word.folded in lexicon.document_nouns for word in lead)


def _find_phrases(core: str, lexicon: Lexicon) -> Iterator[tuple[int, int]]:
    """Phrases dropped wherever they stand, and units ("in USD millions") unless a question word opens them."""
    words = split_words(core, lexicon)
    units = (phrase for cue in lexicon.unit_cues for phrase in cue.phrases)
    openers = frozenset(lexicon.question_words)
    phrases = (*lexicon.instruction_phrases, *(unit for unit in units if unit.split()[0] not in openers))
    for phrase in phrases:
        place = find_phrase(phrase, words)
        if place is not None and _is_unbroken(core, words[place.first : place.stop]):
            yield words[place.first].start, words[place.stop - 1].end


def _is_unbroken(core: str, words: Sequence[Word]) -> bool:
    return "|" not in core[words[0].start : words[-1].end]


def _find_exclusions(core: str, lexicon: Lexicon) -> Iterator[tuple[int, int]]:
    """Each exclusion with its cue, up to the next mark, question word or the end of the sentence."""
    for start, end in split_sentences(core):
        sentence = core[start:end]
        words = split_words(sentence, lexicon)
        if find_first(lexicon.not_exclusions, words) is not None:
            continue
        for first, last in _split_at_marks(sentence):
            inside = tuple(word for word in words if first <= word.start and word.end <= last)
            place = find_first(lexicon.exclusion_cues, inside)
            if place is None or place.stop >= len(inside):
                continue
            before = inside[: place.first]
            is_led_in = len(before) < _MAX_WORDS_BEFORE_EXCLUSION and all(
                word.folded in lexicon.stop_word_set for word in before
            )
            opening = inside[0] if is_led_in else inside[place.first]
            ending = next((word for word in inside[place.stop :] if word.folded in lexicon.question_words), None)
            stop = ending.start if ending is not None else inside[-1].end
            yield start + opening.start, start + _extend_list(words, inside[-1], stop, lexicon)


def _extend_list(words: Sequence[Word], last: Word, stop: int, lexicon: Lexicon) -> int:
    """End of an exclusion that is a list ("A, B and C"): the end of its sentence, where no question follows."""
    rest = [word for word in words if word.start > last.start]
    is_list = any(word.folded in lexicon.conjunction_set for word in rest[:-1])
    asks = any(opens_question(rest[at:], lexicon) for at in range(len(rest)))
    return rest[-1].end if is_list and not asks else stop


def _split_at_marks(sentence: str) -> Iterator[tuple[int, int]]:
    """Stretches between commas, brackets and end marks; a comma inside a list ("A, B and C") parts them too."""
    start = 0
    for match in re.finditer(r"[,;:?!()，；：？！（）|]+|\.(?=\s|$)", sentence):
        yield start, match.start()
        start = match.end()
    yield start, len(sentence)
