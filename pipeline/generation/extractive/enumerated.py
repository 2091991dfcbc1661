"""One list read whole: its members as items with their lines, its certificate and what speaks against it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.certificate import certify_list, list_members, tell_doubts, tell_mismatch
from pipeline.generation.extractive.citing import cite_extents, cite_heading
from pipeline.generation.extractive.pick import pick_items
from pipeline.generation.extractive.reading import Reading
from pipeline.models.answer import Citation, Item
from pipeline.models.lexicon import singular
from pipeline.question.terms import cue_of, split_words
from pipeline.text.identifiers import find_identifiers, identifier_key
from pipeline.text.matching import contains_folded, fold, squeeze

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.structure import Enumeration, EnumerationItem

# A member longer than this is named by its head; its text stands in the quote.
NAMED_CHARACTERS = 200


def read_enumeration(task: ReaderTask, enumeration: Enumeration) -> Reading | None:
    """List the members of one list that is known to answer the part."""
    return read_members(task, enumeration, [])


def read_members(task: ReaderTask, own: Enumeration, others: list[Enumeration]) -> Reading | None:
    """List the members of a list, certified against its own marks and the other lists of the same members."""
    items = _build_items(task, own)
    items, left_out = _leave_out(task, items)
    if not items:
        return None
    top = min(item.level for item in items)
    count = sum(1 for item in items if item.level == top)
    # what is left out was found all the same
    certificate = certify_list(task.part.id, own, others, count + len(left_out))
    items, pick_caveat = pick_items(task.part, items)
    expected = task.part.expected_count
    is_expected = expected in (None, count)
    caveats = [*tell_doubts(certificate), *(f"left out as asked: {item.text}" for item in left_out)]
    if not is_expected and certificate.denominator != expected:
        caveats.append(f"the question expects {expected} members, the list has {count}")
    caveats += [pick_caveat] if pick_caveat else []
    return Reading(
        text="\n".join(filter(None, (tell_members(items), tell_mismatch(certificate)))),
        items=items,
        is_complete=certificate.verdict != "incomplete",
        has_typed_fit=is_expected,
        has_second_place=sum(1 for entry in certificate.detectors if entry.item_count == count) > 1
        or certificate.denominator == count,
        certificate=certificate,
        caveats=tuple(caveats),
    )


def _leave_out(task: ReaderTask, items: tuple[Item, ...]) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """The members that are asked for, and those that the question excludes by name ("other than the first one")."""
    # "residential customers" are the residential ones of a list of customers
    asked = {singular(fold(anchor.text)) for anchor in task.part.anchors if anchor.source == "word"}
    named = [_name_words(task, text) for text in task.question.exclusions]
    names = [kept or words for words in named if words for kept in [[w for w in words if singular(w) not in asked]]]
    is_left = [any(_name_words(task, item.text)[: len(words)] == words for words in names) for item in items]
    if all(is_left):
        return items, ()
    pairs = tuple(zip(items, is_left, strict=True))
    return tuple(item for item, left in pairs if not left), tuple(item for item, left in pairs if left)


def _name_words(task: ReaderTask, text: str) -> list[str]:
    """The words of a name without function words and the words that exclude."""
    lexicon = task.view.lexicon
    cues = {word for cue in lexicon.exclusion_cues for word in cue.split()}
    folded = (word.folded for word in split_words(text, lexicon))
    return [word for word in folded if word not in lexicon.stop_word_set and word not in cues]


def _list_unique(members: Sequence[EnumerationItem]) -> tuple[EnumerationItem, ...]:
    """Each member of a list once: a table prints a row again on the next page, a summary an identifier."""
    kept: dict[tuple[str, str], EnumerationItem] = {}
    parent = ""
    for member in members:
        key = key_member(member.marker, member.text)
        # two members may each have an item of the same words below them
        parent = key if member.level == 0 else parent
        kept.setdefault(("" if member.level == 0 else parent, key), member)
    return tuple(kept.values())


def key_member(marker: str, text: str) -> str:
    """What tells one member from another: its identifier, else its marker and words."""
    return identifier_key(marker) if is_identifier(marker) else squeeze(f"{marker} {text}")


def _build_items(task: ReaderTask, own: Enumeration) -> tuple[Item, ...]:
    # What is nested below a member belongs to it, unless the question asks for all levels.
    is_deep = _asks_all_levels(task)
    members = _list_unique(own.items if is_deep else list_members(own))
    share = task.max_quote_characters // max(1, len(members))
    items: list[Item] = []
    heading = cite_heading(task.view, task.part.anchors, own.start)
    for member in members:
        citations = _cite_member(task, member, share)
        if citations and not items:
            # What links the list to the question may be the heading alone; it is evidence for the list as a whole.
            citations = (*heading, *citations)
        if citations:
            items.append(
                Item(
                    sub_question=task.part.id,
                    text=_name(member),
                    label=member.marker,
                    level=member.level if is_deep else 0,
                    citations=citations,
                    extraction="verbatim",
                )
            )
    return tuple(items)


def _asks_all_levels(task: ReaderTask) -> bool:
    folded = fold(task.part.text)
    return any(contains_folded(fold(cue), folded) for cue in cue_of(task.view.lexicon.superlatives, "levels"))


def _cite_member(task: ReaderTask, member: EnumerationItem, share: int) -> tuple[Citation, ...]:
    """The member's own lines; only its first line where all of them would not leave room for the others."""
    citations = cite_extents(task.view, member.extents)
    if sum(len(citation.quote) for citation in citations) <= share:
        return citations
    first = member.extents[0]
    short = first.model_copy(update={"line_end": first.line_start, "end_offset": None})
    return cite_extents(task.view, (short,))


def is_identifier(marker: str) -> bool:
    """Whether the marker of a member is a name of its own ("GV.SC-01") and not its place in the list ("(iii)")."""
    return len(marker) > 3 and any(map(str.isalpha, marker)) and bool(find_identifiers(marker))


def _name(member: EnumerationItem) -> str:
    """What stands for a member in the answer: its name, else its text; an identifier goes before it.

    The first clause of a sentence is no name: what is said of the member would be lost.
    """
    has_identifier = is_identifier(member.marker)
    rest = member.text.removeprefix(member.head).lstrip() if member.text.startswith(member.head) else ":"
    is_clause = rest[:1] in (",", ";") or rest[:1].islower()
    is_named = bool(member.head) and (has_identifier or (len(member.text) > NAMED_CHARACTERS and not is_clause))
    name = member.head if is_named else member.text
    return f"{member.marker} {name}" if has_identifier and member.marker not in name else name


def tell_members(items: tuple[Item, ...]) -> str:
    """The members as lines, set in by their level."""
    lines = [f"{'  ' * item.level}- {item.text}{' (the one asked for)' if item.picked else ''}" for item in items]
    return "\n".join(lines)
