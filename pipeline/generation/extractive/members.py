"""Items of a list as members: what each is called and the one value that it says."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.measures import find_measures
from pipeline.models.lexicon import singular
from pipeline.question.terms import split_words

if TYPE_CHECKING:
    from pipeline.generation.extractive.measures import Kind, Measure
    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.structure import EnumerationItem, Extent

MAX_NAME_CHARACTERS = 120
MAX_HEAD_CHARACTERS, MIN_NAME_WORDS = 60, 3
_MARKS = " :;,.=-\u2013\u2014"


class Member(NamedTuple):
    """A thing with its value, as printed, and the lines that say it."""

    name: str
    measure: Measure
    printed: str
    extents: tuple[Extent, ...]
    text: str = ""


def read_item(task: ReaderTask, item: EnumerationItem, kind: Kind) -> Member | None:
    """An item with its one value of a kind; None where it has none, or several that nothing tells apart."""
    text = " ".join(item.text.split())
    found = [entry for entry in find_measures(text, task.view.lexicon) if entry.kind == kind and _is_set(text, entry)]
    if len(found) > 1:
        found = [entry for entry in found if text[: entry.start].count("(") == text[: entry.start].count(")")]
    if len(found) > 1:
        asked = {singular(word.folded) for word in split_words(task.part.text, task.view.lexicon)}
        found = [entry for entry in found if entry.unit in asked]
    if len(found) != 1:
        return None
    measure = found[0]
    is_named = bool(item.head) and len(item.head) < len(text) and not any(map(str.isdigit, item.head))
    name = shorten(item.head if is_named else _name_item(text, measure))
    return Member(name, measure, measure.text, item.extents, text) if any(map(str.isalpha, name)) else None


def _is_set(text: str, measure: Measure) -> bool:
    """Whether a value is said of its item: a number without a unit only behind a mark or at the end."""
    is_bare = measure.kind == "quantity" and not measure.unit
    before = text[: measure.start].rstrip()
    return not is_bare or before.endswith((":", "=", "\u2013", "\u2014")) or not text[measure.end :].strip(" .;,)")


def _name_item(text: str, measure: Measure) -> str:
    """What an item is called: the words before its value, else those behind it."""
    before, after = (part.strip(_MARKS) for part in (text[: measure.start], text[measure.end :]))
    head, mark, _ = before.partition(":")
    before = head if mark and len(head) <= MAX_HEAD_CHARACTERS else before
    if not mark and len(before.split()) < MIN_NAME_WORDS and len(after.split()) >= MIN_NAME_WORDS:
        return shorten(text)
    return shorten(before if any(map(str.isalnum, before)) else after or text)


def shorten(text: str) -> str:
    """A name in one line, cut at a word where it is long."""
    plain = " ".join(text.split()).strip(_MARKS)
    return plain if len(plain) <= MAX_NAME_CHARACTERS else f"{plain[:MAX_NAME_CHARACTERS].rsplit(' ', 1)[0]} ..."
