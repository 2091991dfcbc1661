"""Lexicons: word lists kept as data in rules/lexicons, one model per file kind."""

from functools import cached_property
from typing import Self

from pipeline.models.base import Contract
from pipeline.models.thresholds import Thresholds


class Cue(Contract):
    """Phrases (matched folded, on word boundaries; `*` stands for up to four words) that speak for one label."""

    label: str
    phrases: tuple[str, ...]


class Concept(Contract):
    """An expert concept: its name, the forms it appears as, and the domain it is of.

    `places` are section or statement titles where it usually stands; `value_type` the type of its value where it has
    one; `inputs` names the concepts from which its value is computed: a document that has these may answer a question
    about it although its own forms never occur.
    """

    name: str
    forms: tuple[str, ...]
    domain: str = "general"
    places: tuple[str, ...] = ()
    value_type: str = "any"
    inputs: tuple[str, ...] = ()


def singular(word: str) -> str:
    """A crude singular, the same for questions and lexicons: one final "s" goes from words of four letters or more."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


class Lexicon(Contract):
    """Everything the question parser and the readers know about one language."""

    language: str
    stop_words: tuple[str, ...]
    question_words: tuple[str, ...]
    intent_cues: tuple[Cue, ...]
    type_cues: tuple[Cue, ...]
    layout_cues: tuple[Cue, ...]
    instruction_cues: tuple[str, ...]
    exclusion_cues: tuple[str, ...]
    generic_nouns: tuple[str, ...]
    polarity: tuple[Cue, ...]
    superlatives: tuple[Cue, ...] = ()
    difference_cues: tuple[str, ...]
    qualifier_groups: tuple[Cue, ...]
    cardinals: tuple[str, ...]
    not_cardinal_before: tuple[str, ...]
    concepts: tuple[Concept, ...]
    frequency_bands: tuple[tuple[int, str], ...]
    light_verbs: tuple[str, ...] = ()
    document_nouns: tuple[str, ...] = ()
    mention_cues: tuple[str, ...] = ()
    unit_cues: tuple[Cue, ...] = ()
    join_cues: tuple[Cue, ...] = ()
    hint_cues: tuple[Cue, ...] = ()
    instruction_leads: tuple[str, ...] = ()
    instruction_phrases: tuple[str, ...] = ()
    definition_leads: tuple[str, ...] = ()
    reference_cues: tuple[str, ...] = ()
    deferral_cues: tuple[str, ...] = ()
    deferral_openers: tuple[str, ...] = ()
    deferral_followers: tuple[str, ...] = ()
    pointer_cues: tuple[str, ...] = ()
    condition_cues: tuple[str, ...] = ()
    not_exclusions: tuple[str, ...] = ()
    anaphora: tuple[str, ...] = ()
    list_openers: tuple[str, ...] = ()
    verb_endings: tuple[str, ...] = ()
    degree_words: tuple[str, ...] = ()
    verb_followers: tuple[str, ...] = ()
    derivations: tuple[str, ...] = ()
    adverb_endings: tuple[str, ...] = ()
    singular_copulas: tuple[str, ...] = ()
    quantity_nouns: tuple[str, ...] = ()
    copulas: tuple[str, ...] = ()
    office_words: tuple[str, ...] = ()
    conjunctions: tuple[str, ...] = ()
    statement_titles: tuple[Cue, ...] = ()
    statement_rows: tuple[Cue, ...] = ()
    formulas: tuple[Cue, ...] = ()
    row_labels: tuple[Cue, ...] = ()
    calculation_cues: tuple[Cue, ...] = ()
    operator_words: tuple[Cue, ...] = ()
    value_cues: tuple[Cue, ...] = ()
    max_focus_zipf: int = 430
    thresholds: Thresholds = Thresholds()

    @cached_property
    def zipf(self) -> dict[str, int]:
        """Background frequency in hundredths of a Zipf point for the words that the lexicon knows."""
        return {word: band for band, words in reversed(self.frequency_bands) for word in words.split()}

    @cached_property
    def known_words(self) -> frozenset[str]:
        """Words that a text without spaces is cut by, for membership tests only."""
        concepts = (form for concept in self.concepts for form in concept.forms)
        lists = (self.stop_words, self.question_words, self.generic_nouns, self.light_verbs, self.document_nouns)
        return frozenset((*self.zipf, *concepts, *(word for words in lists for word in words)))

    def zipf_of(self, word: str) -> int:
        """Hundredths of a Zipf point of a folded word, 0 if unknown.

        A hyphenated word is unknown when one part is, else as common as its rarest part.
        """
        parts = [part for part in word.split("-") if not part.isdigit()]
        return min((self.zipf.get(part) or self.zipf.get(singular(part), 0) for part in parts), default=0)

    @cached_property
    def operator_set(self) -> frozenset[str]:
        """Words that only say what is to be computed ("longest", "total"), for membership tests only."""
        return frozenset(self._list_operators("operators") + self._list_operators("comparatives"))

    @cached_property
    def comparative_set(self) -> frozenset[str]:
        """Operators that stand before a noun and are no part of its name ("longest notice"), for membership tests."""
        return frozenset(self._list_operators("comparatives"))

    def _list_operators(self, label: str) -> tuple[str, ...]:
        lines = (cue.phrases for cue in self.superlatives if cue.label == label)
        return tuple(word for phrases in lines for phrase in phrases for word in phrase.split())

    @cached_property
    def light_verb_set(self) -> frozenset[str]:
        """The light verbs as a set, for membership tests only."""
        return frozenset(self.light_verbs)

    @cached_property
    def list_opener_set(self) -> frozenset[str]:
        """Question words that ask for a list before a plural, for membership tests only."""
        return frozenset(self.list_openers)

    @cached_property
    def copula_set(self) -> frozenset[str]:
        """Forms of "to be" and articles after a question word, for membership tests only."""
        return frozenset(self.copulas)

    @cached_property
    def conjunction_set(self) -> frozenset[str]:
        """Words that join parts, for membership tests only."""
        return frozenset(self.conjunctions)

    @cached_property
    def document_noun_set(self) -> frozenset[str]:
        """The nouns for the document itself as a set, for membership tests only."""
        return frozenset(self.document_nouns)

    @cached_property
    def generic_set(self) -> frozenset[str]:
        """The generic nouns as a set, for membership tests only."""
        return frozenset(self.generic_nouns)

    @cached_property
    def office_word_set(self) -> frozenset[str]:
        """Words of offices, firms and forms, none of which is part of a person's name, for membership tests only."""
        return frozenset(self.office_words)

    @cached_property
    def stop_word_set(self) -> frozenset[str]:
        """The stop words as a set, for membership tests only."""
        return frozenset(self.stop_words)


class Lexicons(Contract):
    """All lexicons of a rulebook by language; `en` always exists."""

    languages: tuple[Lexicon, ...]

    def set_thresholds(self, thresholds: Thresholds) -> Self:
        """The same lexicons, each with these thresholds: readers reach them where they reach the words."""
        changed = (entry.model_copy(update={"thresholds": thresholds}) for entry in self.languages)
        return self.model_copy(update={"languages": tuple(changed)})

    def of(self, language: str) -> Lexicon:
        """The lexicon of a language, English where it is unknown."""
        for lexicon in self.languages:
            if lexicon.language == language:
                return lexicon
        return next(lexicon for lexicon in self.languages if lexicon.language == "en")
