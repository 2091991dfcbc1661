"""Lists of identifiers under a thing that has a code: "the Subcategories of Asset Management" are those of ID.AM."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.generation.extractive.certificate import list_members
from pipeline.generation.extractive.families import find_family_shape, shape_of
from pipeline.question.terms import split_words
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.structure import Enumeration

MAX_NAME_WORDS, MAX_PAGES, MAX_JOINING = 7, 12, 3


def find_coded_list(task: ReaderTask) -> Enumeration | None:
    """All identifiers that begin with the code of what the question names, of the depth asked for, as one list.

    None where the question names nothing with a code, or no noun of identifiers, or where no lists hold all of them.
    """
    targets = [target for target in task.view.registry.targets if target.kind == "identifier"]
    # "and which are they" has what it points back at only among its anchors
    code = find_named_code(task, [task.part.text, *(anchor.text for anchor in task.part.anchors)])
    shape = find_family_shape(task) if code else ""
    if not shape:
        return None
    own = [t for t in targets if re.match(rf"{re.escape(code)}[.-]", t.label) and shape_of(t.label) == shape]
    pages = sorted({target.start[0] for target in own})[:MAX_PAGES]
    labels = {target.label for target in own}
    found: list[Enumeration] = []
    for page in pages:
        for each in task.view.enumerations_in((page, 1), (page + 1, 1)):
            markers = [member.marker for member in list_members(each)]
            if len(markers) > 1 and labels.issuperset(markers):
                found.append(each)
    return _join_lists(found, labels)


def _join_lists(found: list[Enumeration], labels: set[str]) -> Enumeration | None:
    """One list of all members: a list that has them all, or several that have them together; None where some lack."""
    ranked = sorted(found, key=lambda each: (-len(list_members(each)), each.start))
    chosen: list[Enumeration] = []
    missing = set(labels)
    for each in ranked:
        markers = {member.marker for member in list_members(each)}
        if markers & missing:
            chosen.append(each)
            missing -= markers
    if missing or not chosen:
        return None
    chosen.sort(key=lambda each: each.start)
    if len(chosen) == 1:
        return chosen[0]
    items = tuple(member.model_copy(update={"level": 0}) for each in chosen for member in list_members(each))
    gaps = tuple(gap for each in chosen for gap in each.gaps)
    return chosen[0].model_copy(
        update={"items": items, "end": chosen[-1].end, "lead": "", "lead_extents": (), "cue": None, "gaps": gaps}
    )


def find_named_code(task: ReaderTask, texts: Sequence[str]) -> str:
    """The code of what texts name: by the code, else by the longest name that the document gives one; "" for none."""
    targets = [target for target in task.view.registry.targets if target.kind == "identifier"]
    codes = {target.label[: mark.start()] for target in targets for mark in re.finditer(r"[.-]", target.label)}
    named = next((text for text in texts if text.isupper() and text in codes), "")
    if named:
        return named
    words = [" ".join(word.folded for word in split_words(text, task.view.lexicon)) for text in texts]
    asked = f" {' | '.join(words)} "
    best: dict[str, int] = {}
    for target in targets:
        line = task.view.document.line_at(*target.start)
        before = line.text.partition(f"({target.label})")[0] if line is not None else ""
        if line is None or before == line.text:
            continue
        name = _read_name(before)
        size = next((len(name) - at for at in range(len(name)) if f" {' '.join(name[at:])} " in asked), 0)
        # "risk management" is no name for "Supply Chain Risk Management"
        size = size if size * 2 > len(name) else 0
        best[target.label] = max(size, best.get(target.label, 0))
    most = max(best.values(), default=0)
    winners = [code for code, size in best.items() if size == most]
    # a word that two things share names neither
    return winners[0] if most and len(winners) == 1 else ""


def _read_name(before: str) -> list[str]:
    """The folded words of the name that stands right before a code: the last words in capitals, and what joins them."""
    words = before.split()[-MAX_NAME_WORDS:]
    start = len(words)
    for at in range(len(words) - 1, -1, -1):
        if words[at][:1].isupper():
            start = at
        elif len(words[at]) > MAX_JOINING:
            break
    return [word.strip(",;:") for word in fold(" ".join(words[start:])).split()]
