"""The reader of questions for the attachments of a report: which document an exhibit is, which exhibit a document is.

They are answered from the index of the report itself. A section of the same number inside an attached agreement, and
the exhibits of that agreement, are other things.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.citing import cite_extents, cite_lines
from pipeline.generation.extractive.reading import Reading
from pipeline.models.answer import Certificate, DetectorCount, Item
from pipeline.question.terms import cue_of, split_words
from pipeline.structure.attached import list_kinds
from pipeline.text.anchors import find_anchor
from pipeline.text.grammar import ATTACHMENT_KINDS, KIND_WORDS
from pipeline.text.matching import fold
from pipeline.text.mentions import find_mentions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.question import Anchor
    from pipeline.question.terms import Word
    from pipeline.structure.attachments import Attachment, AttachmentList

TOLD_SHAPES = frozenset({"text", "definition", "value", "list", "section", "count", "procedure"})
MIN_SHARE = 600
"""Thousandths of what the question says of an exhibit that its description has to say."""
DOUBTED = 600
CUT = "some entries of the index do not fit into the answer"


class _Asked(NamedTuple):
    """What a question asks of attachments: their kind, the number it names, and what else it says.

    `words` are neither about the report nor plain words of such questions. `is_plural`: it asks for several of them.
    """

    kind: str
    key: str
    label: str
    words: tuple[str, ...]
    is_plural: bool


def read_attached(task: ReaderTask) -> Reading | None:
    """Entries of the index of attachments; None where the question asks for more than the index says."""
    if task.part.shape not in TOLD_SHAPES:
        return None
    asked = _read_asked(task)
    if asked is None or not (lists := list_kinds(task.view, asked.kind)):
        return None
    if asked.key:
        return _tell_named(task, asked, lists)
    own, others = lists[0], lists[1:]
    anchors = _list_anchors(task, asked)
    entries, share = (own.members, 1000) if not anchors else _choose(task, own, anchors)
    if not entries or (not anchors and not (asked.is_plural or task.part.shape in ("list", "count"))):
        return None
    if task.part.shape == "count":
        return _count(task, own, entries)
    reading = _tell_entries(task, own, entries, is_whole=not anchors)
    if reading is None:
        return None
    notes = [f"another list of the kind stands on page {other.entries[0].start[0]}; it is not told" for other in others]
    if anchors and len(entries) > 1 and not asked.is_plural:
        notes.append(f"{len(entries)} entries of the index are described so")
    reading = _note(reading, tuple(notes))
    if share < 1000:
        return reading.doubt("no entry of the index says all that the question says", DOUBTED)
    return reading


def _note(reading: Reading, caveats: tuple[str, ...]) -> Reading:
    from dataclasses import replace

    return replace(reading, caveats=(*reading.caveats, *caveats))


def _read_asked(task: ReaderTask) -> _Asked | None:
    """What the part asks of attachments; None where it only mentions one, or speaks of other places as well."""
    text, lexicon = task.part.text, task.view.lexicon
    mentions = find_mentions(text)
    named = [mention for mention in mentions if mention.kind in ATTACHMENT_KINDS]
    if len(named) > 1 or any(mention.kind not in ATTACHMENT_KINDS for mention in mentions if not mention.is_external):
        return None
    words = [word for word in split_words(text, lexicon) if not _is_within(word, named)]
    nouns = [word for word in words if KIND_WORDS.get(word.folded) in ATTACHMENT_KINDS]
    if not named and (not nouns or not _asks_for(task, words, nouns[0])):
        return None
    kind = named[0].kind if named else KIND_WORDS[nouns[0].folded]
    plain = {word for cue in cue_of(lexicon.value_cues, "attachment words") for word in cue.split()}
    plain |= lexicon.stop_word_set | set(lexicon.question_words) | {noun.folded for noun in nouns}
    said = tuple(
        word.folded
        for word in words
        if word.folded not in plain and not word.folded.isdigit() and not _names_report(task, word)
    )
    is_plural = bool(nouns) and nouns[0].folded != kind
    if named:
        return _Asked(kind, named[0].key, named[0].label + named[0].sublabel, said, False)
    return _Asked(kind, "", "", said, is_plural)


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


def _list_anchors(task: ReaderTask, asked: _Asked) -> list[Anchor]:
    """The anchors of the part that say what an attachment is about."""
    said = set(asked.words)
    return [
        anchor
        for anchor in task.part.anchors
        if said & set(fold(anchor.text).replace("-", " ").split()) and not anchor.key.startswith(asked.kind)
    ]


def _choose(task: ReaderTask, own: AttachmentList, anchors: Sequence[Anchor]) -> tuple[tuple[Attachment, ...], int]:
    """The entries that carry most of the anchors, and how much of their weight that is, in thousandths."""
    whole = sum(anchor.weight for anchor in anchors)
    rated: list[tuple[int, Attachment]] = []
    for entry in own.members:
        text = entry.title
        rated.append((sum(anchor.weight for anchor in anchors if find_anchor(anchor, text)), entry))
    best = max(weight for weight, _ in rated)
    share = best * 1000 // max(1, whole)
    return (tuple(entry for weight, entry in rated if weight == best), share) if share >= MIN_SHARE else ((), 0)


def _tell_named(task: ReaderTask, asked: _Asked, lists: Sequence[AttachmentList]) -> Reading | None:
    """The entry with the number that the question names."""
    found = [(own, entry) for own in lists for entry in own.find(asked.key)]
    if not found or task.part.shape == "count":
        return None
    own, entry = found[0]
    title = fold(entry.title)
    # what the question says beside the number has to be said by the entry, or it asks for something inside
    if any(word not in title and word.rstrip("s") not in title for word in asked.words):
        return None
    items = tuple(item for each, one in found if (item := _make_item(task, each.kind, one)) is not None)
    if not items:
        return None
    attached = task.view.registry.find(asked.key) if len(items) == 1 else ()
    if len(attached) == 1 and (line := task.view.document.line_at(*attached[0].start)) is not None:
        # where the attachment itself begins, its number is printed again
        citations = (*items[0].citations, *cite_lines(task.view, (line,)))
        items = (items[0].model_copy(update={"citations": citations}),)
    caveats: list[str] = []
    if len(items) > 1:
        caveats.append(f"{asked.label} stands {len(items)} times in lists of attachments; each of them is told")
    elif own is not lists[0]:
        caveats.append(f"it is listed on page {entry.start[0]}, not in the index of the report itself")
    if task.view.registry.find(f"section:{asked.label.casefold()}"):
        caveats.append(f"a section {asked.label} stands in the document as well; the attachment is told")
    return Reading(
        text="\n".join(item.text for item in items),
        items=items,
        has_typed_fit=len(items) == 1,
        has_second_place=len(attached) == 1,
        caveats=tuple(caveats),
    )


def _make_item(task: ReaderTask, kind: str, entry: Attachment) -> Item | None:
    citations = cite_extents(task.view, entry.extents)
    if not citations:
        return None
    name = next(iter(cue_of(task.view.lexicon.value_cues, f"name of {kind}")), kind)
    label = f"{name[:1].upper()}{name[1:]} {entry.label}"
    return Item(sub_question=task.part.id, text=entry.title, label=label, citations=citations, extraction="verbatim")


def _tell_entries(
    task: ReaderTask, own: AttachmentList, entries: Sequence[Attachment], is_whole: bool
) -> Reading | None:
    """Entries of the index, number and description, while they fit; with a certificate where they are all of them."""
    items: list[Item] = []
    room = task.max_quote_characters
    for entry in entries:
        item = _make_item(task, own.kind, entry)
        if item is None:
            continue
        room -= sum(len(citation.quote) for citation in item.citations)
        if room < 0:
            break
        items.append(item)
    if not items:
        return None
    is_cut = len(items) < len(entries)
    told = [f"{item.label}: {item.text}" for item in items]
    certificate = _certify(task, own, len(items)) if is_whole else None
    is_complete = not is_cut and (certificate is None or certificate.verdict == "complete")
    caveats = (CUT,) if is_cut else ()
    if own.gaps and is_whole:
        caveats = (*caveats, f"numbering gaps: {', '.join(own.gaps)}")
    return Reading(
        text="\n".join(f"- {text}" for text in told) if len(told) > 1 else told[0],
        items=tuple(items),
        is_complete=is_complete,
        has_typed_fit=not is_cut,
        has_second_place=False,
        certificate=certificate,
        caveats=caveats,
    )


def _certify(task: ReaderTask, own: AttachmentList, count: int) -> Certificate:
    """Numbers of an index prove nothing, since they leave numbers out by design; labels that are counted do."""
    whole = len(own.members) if own.is_gapless else None
    if whole is None:
        verdict, why = "unverified", "an index numbers by kinds of documents: nothing says how many entries it has"
    elif count < whole:
        verdict, why = "incomplete", f"{count} of {whole} entries told"
    else:
        verdict, why = "complete", f"all {count} entries, numbered without a gap"
    return Certificate(
        sub_question=task.part.id,
        denominator=whole,
        denominator_source="none" if whole is None else "structural",
        denominator_quote="",
        detectors=(DetectorCount(detector="table_rows", item_count=len(own.members)),),
        item_count=count,
        is_end_seen=True,
        gaps=own.gaps,
        verdict=verdict,  # type: ignore[arg-type]
        why=why,
    )


def _count(task: ReaderTask, own: AttachmentList, entries: Sequence[Attachment]) -> Reading | None:
    """How many entries the index has."""
    citations = cite_extents(task.view, (*entries[0].extents[:1], *entries[-1].extents[-1:]))
    if not citations:
        return None
    labels = ", ".join(entry.label for entry in entries)
    item = Item(
        sub_question=task.part.id,
        text=f"{len(entries)} ({labels})",
        label=own.kind,
        value=str(len(entries)),
        citations=citations,
        extraction="computed",
    )
    caveats = (f"numbering gaps: {', '.join(own.gaps)}",) if own.gaps else ()
    return Reading(text=item.text, items=(item,), has_typed_fit=True, caveats=caveats)
