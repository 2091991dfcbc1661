"""How many rows or columns a table has that the question names: counted where its head tells them apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_extents, merge_extents
from pipeline.generation.extractive.reading import Reading
from pipeline.models.answer import Item
from pipeline.question.terms import cue_of, split_words
from pipeline.structure.selectors import find_table
from pipeline.text.grammar import KIND_WORDS

if TYPE_CHECKING:
    from pipeline.generation.extractive.reading import ReaderTask

PARTS = ("row", "column")
SHOWN_CHARACTERS = 40


def read_row_names(task: ReaderTask) -> Reading | None:
    """What the rows or the columns of the one table that is named are called; None for other questions."""
    lexicon = task.view.lexicon
    words = {word.folded for word in split_words(task.part.text, lexicon)}
    parts = [part for part in PARTS if words.intersection(cue_of(lexicon.value_cues, f"table {part}s"))]
    hints = [hint for hint in task.question.hints if hint.kind == "table"]
    targets = task.view.registry.find(hints[0].key) if len(hints) == 1 and len(parts) == 1 else ()
    table = find_table(task.view, targets[0]) if len(targets) == 1 else None
    # a question with more in it asks for some of the rows or for their values
    if table is None or not table.cells or _asks_more(task, words):
        return None
    firsts = {cell.row: cell for cell in sorted(table.cells, key=lambda cell: (-cell.row, -cell.column))}
    rows = [(firsts[row].text, firsts[row].extents) for row in sorted(firsts)]
    heads = [(head, rows[0][1]) for head in table.header if head.strip()]
    items = []
    for name, extents in rows if parts[0] == "row" else heads:
        citations = cite_extents(task.view, merge_extents(extents))
        if citations and name.strip():
            text = " ".join(name.split())
            items.append(Item(sub_question=task.part.id, text=text, citations=citations, extraction="verbatim"))
    told = "\n".join(f"- {item.text}" for item in items)
    return Reading(text=told, items=tuple(items), has_typed_fit=True) if len(items) > 1 else None


def _asks_more(task: ReaderTask, words: set[str]) -> bool:
    lexicon = task.view.lexicon
    nouns = {noun for part in PARTS for cue in cue_of(lexicon.value_cues, f"table {part}s") for noun in cue.split()}
    plain = nouns | {"table", "list", "name", "names"} | lexicon.stop_word_set | set(lexicon.question_words)
    return any(word not in plain and not word[:1].isdigit() for word in words)


def read_row_count(task: ReaderTask) -> Reading | None:
    """Count the rows (without the head) or the columns of the one table that is named.

    None for other questions, and where the table could not be read as cells under a head.
    """
    hints = [hint for hint in task.question.hints if hint.kind == "table"]
    words = [KIND_WORDS.get(word.folded, "") for word in split_words(task.part.text, task.view.lexicon)]
    part = next((word for word in words if word), "")
    targets = task.view.registry.find(hints[0].key) if len(hints) == 1 and part in PARTS else ()
    table = find_table(task.view, targets[0]) if len(targets) == 1 else None
    if table is None or not table.cells or not any(table.header):
        return None
    firsts = {cell.row: cell for cell in sorted(table.cells, key=lambda cell: (-cell.row, -cell.column))}
    names = [firsts[row].text for row in sorted(firsts)] if part == "row" else list(table.header)
    extents = merge_extents(tuple(extent for row in sorted(firsts) for extent in firsts[row].extents))
    citations = cite_extents(task.view, extents)
    if not citations:
        return None
    told = "; ".join(" ".join(name.split())[:SHOWN_CHARACTERS] or "(without a name)" for name in names)
    item = Item(
        sub_question=task.part.id,
        text=f"{len(names)} {part}s ({told})",
        value=str(len(names)),
        label=hints[0].value,
        citations=citations,
        extraction="computed",
    )
    return Reading(text=item.text, items=(item,), has_typed_fit=True)
