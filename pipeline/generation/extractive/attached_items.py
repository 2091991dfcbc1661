"""Attachments of a report as items of an answer: number and description, all of them with a certificate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_extents
from pipeline.generation.extractive.reading import Reading
from pipeline.models.answer import Certificate, DetectorCount, Item
from pipeline.question.terms import cue_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.structure.attachments import Attachment, AttachmentList

CUT = "some entries of the index do not fit into the answer"


def make_item(task: ReaderTask, kind: str, entry: Attachment) -> Item | None:
    """An entry as an item under its name ("Exhibit 10.2"); None where nothing of it is visible."""
    citations = cite_extents(task.view, entry.extents)
    if not citations:
        return None
    name = next(iter(cue_of(task.view.lexicon.value_cues, f"name of {kind}")), kind)
    label = f"{name[:1].upper()}{name[1:]} {entry.label}"
    return Item(sub_question=task.part.id, text=entry.title, label=label, citations=citations, extraction="verbatim")


def tell_entries(
    task: ReaderTask, own: AttachmentList, entries: Sequence[Attachment], is_whole: bool
) -> Reading | None:
    """Entries of the index, number and description, while they fit; with a certificate where they are all of them."""
    items: list[Item] = []
    room = task.max_quote_characters
    for entry in entries:
        item = make_item(task, own.kind, entry)
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


def count_entries(task: ReaderTask, own: AttachmentList, entries: Sequence[Attachment]) -> Reading | None:
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
