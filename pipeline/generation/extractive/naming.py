"""Which rows and columns of a table a question says by their labels, whole or by what tells them from the others."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from pipeline.question.terms import cue_of, split_words
from pipeline.text.late import compile_late
from pipeline.text.tokens import stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pipeline.models.lexicon import Lexicon
    from pipeline.models.structure import Table, TableCell
    from pipeline.structure.view import DocumentView

Stems = frozenset[str]
MAX_LABEL_CHARACTERS = 160
MIN_PART_PERCENT = 50
_PARTS = compile_late(r"\s*[:;,()\[\]\u2022]\s*|\s[-\u2013\u2014]\s|[\u2013\u2014]")


class Naming(NamedTuple):
    """The labels that a question says: their places, the stems that say them, and whether no word is missing."""

    places: tuple[int, ...]
    stems: Stems
    is_whole: bool


NOTHING = Naming((), frozenset(), False)


class Asked(NamedTuple):
    """The words of a question that are no function words, as stems in their order."""

    words: tuple[str, ...]

    def says(self, label: tuple[str, ...]) -> bool:
        """Whether all words of a label are said; side by side where a number is one of them ("Tier 2")."""
        if not label or not set(label) <= set(self.words):
            return False
        if not any(word[:1].isdigit() for word in label):
            return True
        return self.holds(label)

    def holds(self, label: tuple[str, ...]) -> bool:
        """Whether the words of a label stand side by side."""
        return any(self.words[at : at + len(label)] == label for at in range(len(self.words)))

    def without(self, stems: Stems) -> Asked:
        """The words that are not among those."""
        return Asked(tuple(word for word in self.words if word not in stems))


def list_words(text: str, lexicon: Lexicon) -> tuple[str, ...]:
    """The words of a text that are no function words, as stems in their order."""
    small = lexicon.stop_word_set
    words = split_words(text, lexicon)
    return tuple(stem(word.folded, lexicon.language) for word in words if word.folded not in small)


def spell_numbers(text: str, lexicon: Lexicon) -> str:
    """A text in which each number of a row of them has the noun before it: "Tier 1, Tier 2 and Tier 3"."""
    joints = (*cue_of(lexicon.superlatives, "name joints"), *cue_of(lexicon.superlatives, "joint or"))
    words = split_words(text, lexicon)
    spelled, noun, at = "", "", 0
    for before, word in pairwise(words):
        if (before.text.isdigit() and word.is_number) or (noun and before.folded in joints and word.is_number):
            spelled += f"{text[at : word.start]}{noun} "
            at = word.start
        elif word.is_number and not before.is_number:
            noun = before.text[: before.bare_end - before.start]
        elif not (word.folded in joints and before.is_number):
            noun = ""
    return spelled + text[at:]


def read_head(view: DocumentView, cell: TableCell) -> tuple[str, int]:
    """The name in the first cell of a row, without the prose below it, and how many lines it has; 0 for the whole cell.

    A name in bold type above text of its own ("Integrity" over its definition) is told from that text by the type.
    """
    count, parts = 0, []
    for extent in cell.extents[:1]:
        for number in range(extent.line_start, extent.line_end + 1):
            line = view.document.line_at(extent.page, number)
            if line is None or not line.bold:
                break
            parts.append(line.text.strip())
            count += 1
    total = sum(extent.line_end - extent.line_start + 1 for extent in cell.extents)
    if 0 < count < total:
        return " ".join(parts), count
    return cell.text, 0


def find_named(labels: Mapping[int, str], asked: Asked, lexicon: Lexicon, may_part: bool = False) -> Naming:
    """The labels that the question says whole, or in one of their parts ("Tier 2" of "Tier 2: Risk Informed").

    A label whose words another one has too gives way to that one. With `may_part`, a label of which only some words are
    said counts where no other label has any of them. Labels that are said alike name nothing.
    """
    said: dict[int, tuple[Stems, bool]] = {}
    for place, label in labels.items():
        entry = _say_whole(label, asked, lexicon)
        if entry is not None:
            said[place] = entry
    kept = {at: one for at, one in said.items() if not any(one[0] < other for other, _ in said.values())}
    if not kept:
        return _say_part(labels, asked, lexicon) if may_part else NOTHING
    groups: dict[Stems, list[int]] = defaultdict(list)
    for place, (stems, _) in kept.items():
        groups[stems].append(place)
    places: list[int] = []
    for members in groups.values():
        whole = [place for place in members if kept[place][1]] or members
        # one label that stands beside several rows is one label
        if len({labels[place] for place in whole}) > 1:
            return NOTHING
        places += whole
    return Naming(tuple(sorted(places)), _join(groups), True)


def _say_whole(label: str, asked: Asked, lexicon: Lexicon) -> tuple[Stems, bool] | None:
    """The stems of a label, or of its longest part, that are all said; and whether that is the whole label."""
    own = list_words(label, lexicon)
    if asked.says(own):
        return frozenset(own), True
    parts: list[tuple[str, ...]] = [list_words(part, lexicon) for part in _PARTS.split(label)]
    # a word beside a slash may say less than the label ("businesses" of "divisions/businesses"), a phrase does not
    parts += [part for text in label.split("/") if len(part := list_words(text, lexicon)) > 1]
    whole = sorted((len(part), part) for part in parts if asked.says(part))
    return (frozenset(whole[-1][1]), False) if whole else None


def _say_part(labels: Mapping[int, str], asked: Asked, lexicon: Lexicon) -> Naming:
    stems = {place: frozenset(list_words(label, lexicon)) for place, label in labels.items()}
    said: dict[int, Stems] = {}
    for place, own in stems.items():
        others = _join(other for at, other in stems.items() if labels[at] != labels[place])
        # a number alone tells nothing: "1" of "Tier 1" may count something else
        if found := frozenset(word for word in (own & set(asked.words)) - others if not word[:1].isdigit()):
            said[place] = found
    if len({labels[place] for place in said}) != 1:
        return NOTHING
    places = tuple(sorted(said))
    first = stems[places[0]]
    if len(first & set(asked.words)) * 100 < len(first) * MIN_PART_PERCENT:
        return NOTHING
    return Naming(places, first & set(asked.words), False)


def _join(groups: Iterable[Stems]) -> Stems:
    return frozenset(word for group in groups for word in group)


def read_columns(table: Table) -> tuple[dict[int, str], int]:
    """The heads of the columns and the first row below them; the first row heads a table of words without a head."""
    width = max((cell.column for cell in table.cells), default=-1) + 1
    if any(text.strip() for text in table.header[1:]):
        heads = {at: text for at, text in enumerate(table.header) if text.strip()}
        if width == 2 and table.title and len(table.title) <= MAX_LABEL_CHARACTERS:
            # the head of the one column of values is often read as the title over the table
            heads[1] = f"{table.title}; {heads.get(1, '')}"
        return heads, 0
    first = min((cell.row for cell in table.cells), default=0)
    row = {cell.column: cell.text for cell in table.cells if cell.row == first}
    is_head = len(row) == width > 1 and all(len(text) <= MAX_LABEL_CHARACTERS for text in row.values())
    # figures and signatures ("/s/ Ada Moss") are no heads
    is_entry = any(text.startswith("/") or any(map(str.isdigit, text)) for text in row.values())
    if is_head and not is_entry:
        return row, first + 1
    return {}, first
