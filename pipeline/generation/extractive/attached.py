"""The reader of questions for the attachments of a report: which document an exhibit is, which exhibit a document is.

They are answered from the index of the report itself. A section of the same number inside an attached agreement, and
the exhibits of that agreement, are other things.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.attached_items import count_entries, make_item, tell_entries
from pipeline.generation.extractive.citing import cite_lines
from pipeline.generation.extractive.reading import Reading
from pipeline.question.terms import cue_of, split_words
from pipeline.structure.attached import find_indexed, list_kinds
from pipeline.text.anchors import find_anchor
from pipeline.text.grammar import ATTACHMENT_KINDS, ATTACHMENT_NOUNS
from pipeline.text.matching import contains_folded, fold
from pipeline.text.mentions import find_mentions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.answer import Item
    from pipeline.question.terms import Word
    from pipeline.structure.attachments import Attachment, AttachmentList

TOLD_SHAPES = frozenset({"text", "definition", "value", "list", "section", "count", "procedure"})
MIN_SHARE = 600
"""Thousandths of what the question says of an exhibit that its description has to say."""
DOUBTED = 600


class _Asked(NamedTuple):
    """What a question asks of attachments: their kind, the numbers it names with their keys, and what else it says.

    `words` are neither about the report nor plain words of such questions. `is_plural`: it asks for several of them.
    """

    kind: str
    named: tuple[tuple[str, str], ...]
    words: tuple[str, ...]
    is_plural: bool


def read_attached(task: ReaderTask) -> Reading | None:
    """Entries of the index of attachments; None where the question asks for more than the index says."""
    if task.part.shape not in TOLD_SHAPES:
        return None
    asked = _read_asked(task)
    if asked is None or not (lists := list_kinds(task.view, asked.kind)):
        return None
    if asked.named:
        return _tell_named(task, asked, lists)
    own = _choose_list(task, asked, lists)
    words = [word for word in asked.words if not _says_place(task, own, word)]
    entries, share = _choose(task, own, words) if words else (own.members, 1000)
    if words and len(entries) > 1 and not asked.is_plural:
        entries = _keep_closest(task, entries)
    if not entries or (not words and not (asked.is_plural or task.part.shape in ("list", "count"))):
        return None
    if task.part.shape == "count":
        return count_entries(task, own, entries)
    reading = tell_entries(task, own, entries, is_whole=not words)
    if reading is None:
        return None
    notes = [
        f"another list of the kind stands on page {other.entries[0].start[0]}; it is not told"
        for other in lists
        if other is not own
    ]
    if words and len(entries) > 1 and not asked.is_plural:
        notes.append(f"{len(entries)} entries of the index are described so")
    reading = replace(reading, caveats=(*reading.caveats, *notes))
    if share < 1000:
        return reading.doubt("no entry of the index says all that the question says", DOUBTED)
    return reading


def _choose_list(task: ReaderTask, asked: _Asked, lists: Sequence[AttachmentList]) -> AttachmentList:
    """The index of the report, unless the question names the document that another list belongs to."""
    said = [sum(1 for word in asked.words if _says_place(task, own, word)) for own in lists]
    return lists[said.index(max(said))]


def _says_place(task: ReaderTask, own: AttachmentList, word: str) -> bool:
    """Whether a word names the section or the attachment that a list stands in ("of the service contract")."""
    return word in _name_place(task, own)


def _name_place(task: ReaderTask, own: AttachmentList) -> str:
    """What the headings around a list say; of an attached document also what the index of the report calls it."""
    view = task.view
    start = own.entries[0].start
    section = view.document.section_at(start)
    names = [section.title, *section.breadcrumb] if section is not None else []
    for target in view.registry.targets:
        if target.kind in ATTACHMENT_KINDS and target.start < start < target.end:
            names += [target.title, *(indexed.title for indexed in find_indexed(view, target.key))]
    return fold(" ".join(names))


def _read_asked(task: ReaderTask) -> _Asked | None:
    """What the part asks of attachments; None where it only mentions one, or speaks of other places as well."""
    text, lexicon = task.part.text, task.view.lexicon
    mentions = find_mentions(text)
    named = [mention for mention in mentions if mention.kind in ATTACHMENT_KINDS]
    if any(mention.kind not in ATTACHMENT_KINDS for mention in mentions if not mention.is_external):
        return None
    words = [word for word in split_words(text, lexicon) if not _is_within(word, named)]
    nouns = [word for word in words if word.folded in ATTACHMENT_NOUNS]
    if not named and (not nouns or not _asks_for(task, words, nouns[0])):
        return None
    # "list the exhibits and say who ..." asks for something else as well
    behind = words[words.index(nouns[0]) + 1 :] if nouns else []
    if any(word.folded in lexicon.question_words for word in behind):
        return None
    kind = named[0].kind if named else ATTACHMENT_NOUNS[nouns[0].folded]
    plain = {word for cue in cue_of(lexicon.value_cues, "attachment words") for word in cue.split()}
    plain |= lexicon.stop_word_set | set(lexicon.question_words) | {noun.folded for noun in nouns}
    said = tuple(
        word.folded
        for word in words
        if word.folded not in plain and not word.folded.isdigit() and not _names_report(task, word)
    )
    is_plural = bool(nouns) and nouns[0].folded != kind
    numbers = tuple(dict.fromkeys((mention.key, mention.label + mention.sublabel) for mention in named))
    return _Asked(kind, numbers, said, is_plural)


def _is_within(word: Word, mentions: Sequence[object]) -> bool:
    return any(mention.start <= word.start < mention.end for mention in mentions)  # type: ignore[attr-defined]


def _asks_for(task: ReaderTask, words: Sequence[Word], noun: Word) -> bool:
    """Whether a question asks for the attachment itself: "which exhibit", "list the exhibits", "the exhibit number"."""
    lexicon = task.view.lexicon
    at = words.index(noun)
    before = {word.folded for word in words[max(0, at - 2) : at]}
    after = words[at + 1].folded if at + 1 < len(words) else ""
    if after in cue_of(lexicon.value_cues, "attachment numbers"):
        return True
    openers = set(lexicon.question_words) | lexicon.list_opener_set
    return task.part.shape in ("list", "count") or bool(before & openers)


def _names_report(task: ReaderTask, word: Word) -> bool:
    """Whether a word is a name, a month or a year that the first page says: it tells the report, not its attachment."""
    folded = word.folded
    is_name = word.text[:1].isupper() or word.text[:1].isdigit()
    return is_name and any(folded in line for line in _first_page(task))


def _first_page(task: ReaderTask) -> list[str]:
    document = task.view.document
    return list(document.folded[: document.index_of((2, 0))])


def _choose(task: ReaderTask, own: AttachmentList, words: Sequence[str]) -> tuple[tuple[Attachment, ...], int]:
    """The entries that say most of the words, and which share of them that is, in thousandths."""
    rated = [(sum(_says(task, entry, word) for word in words), entry) for entry in own.members]
    best = max(count for count, _ in rated)
    share = best * 1000 // len(words)
    return (tuple(entry for count, entry in rated if count == best), share) if share >= MIN_SHARE else ((), 0)


def _keep_closest(task: ReaderTask, entries: tuple[Attachment, ...]) -> tuple[Attachment, ...]:
    """Of several entries those that say the longest run of the question's words in one piece."""
    words = [word.folded for word in split_words(task.part.text, task.view.lexicon)]
    stops = task.view.lexicon.stop_word_set
    titles = [fold(entry.title) for entry in entries]
    for size in range(len(words), 1, -1):
        for at in range(len(words) - size + 1):
            run = words[at : at + size]
            if run[0] in stops or run[-1] in stops:
                continue
            phrase = " ".join(run)
            closest = tuple(
                entry for entry, title in zip(entries, titles, strict=True) if contains_folded(phrase, title)
            )
            if closest:
                return closest
    return entries


def _says(task: ReaderTask, entry: Attachment, word: str) -> bool:
    """Whether an entry says a word of the question, in any of the forms that the question gives it."""
    text = f"{entry.title} {entry.cells}"
    if contains_folded(word, fold(text)):
        return True
    anchors = (anchor for anchor in task.part.anchors if fold(anchor.text) == word)
    return any(find_anchor(anchor, text) for anchor in anchors)


def _tell_named(task: ReaderTask, asked: _Asked, lists: Sequence[AttachmentList]) -> Reading | None:
    """The entries with the numbers that the question names; None where one of them is not listed."""
    if task.part.shape == "count":
        return None
    items: list[Item] = []
    caveats: list[str] = []
    agreeing = 0
    for key, label in asked.named:
        found = [(own, entry) for own in lists for entry in own.find(key)]
        # what the question says beside the number has to be said by the entry, or it asks for something inside
        if not found or not all(_says_stem(found[0][1], word) for word in asked.words):
            return None
        made = [item for own, entry in found if (item := make_item(task, own.kind, entry)) is not None]
        caveats += _tell_doubts(task, label, found, lists)
        attached = [target for target in task.view.registry.find(key) if target.start != found[0][1].start]
        line = task.view.document.line_at(*attached[0].start) if len(attached) == 1 else None
        if len(made) == 1 and line is not None:
            # where the attachment itself begins, its number is printed again
            citations = (*made[0].citations, *cite_lines(task.view, (line,)))
            made = [made[0].model_copy(update={"citations": citations})]
            agreeing += 1
        items += made
    is_one_each = len(items) == len(asked.named)
    told = [item.text if len(asked.named) == 1 else f"- {item.label}: {item.text}" for item in items]
    return Reading(
        text="\n".join(told),
        items=tuple(items),
        has_typed_fit=is_one_each,
        has_second_place=is_one_each and agreeing == len(items),
        caveats=tuple(caveats),
    )


def _says_stem(entry: Attachment, word: str) -> bool:
    title = fold(entry.title)
    return word in title or word.rstrip("s") in title


def _tell_doubts(
    task: ReaderTask,
    label: str,
    found: Sequence[tuple[AttachmentList, Attachment]],
    lists: Sequence[AttachmentList],
) -> Iterator[str]:
    """Whether the number stands more than once, in another list, or over a section of an attached document."""
    own, entry = found[0]
    if len(found) > 1:
        yield f"{label} stands {len(found)} times in lists of attachments; each of them is told"
    elif own is not lists[0]:
        yield f"it is listed on page {entry.start[0]}, not in the index of the report itself"
    if task.view.registry.find(f"section:{label.casefold()}"):
        yield f"a section {label} stands in the document as well; the attachment is told"
