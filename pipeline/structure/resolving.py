"""Resolving references: by registry, then by the outline, else failed with a reason. Never by a guess.

A reference that could mean two places is ambiguous, one that has no place is dangling, and one that the text ties to
another document is external: each of them fails, and says why.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from pipeline.models.structure import Target
from pipeline.structure.around import place_of, read_after, read_before
from pipeline.structure.attached import find_indexed
from pipeline.structure.defined_terms import find_defined
from pipeline.structure.external import find_exit
from pipeline.structure.lettered import find_signed_notes
from pipeline.structure.list_items import find_mentioned
from pipeline.structure.marks import Mark, find_note
from pipeline.structure.relatives import is_relative, resolve_relative
from pipeline.structure.selectors import find_table, select_cells
from pipeline.text.late import compile_late
from pipeline.text.matching import contains_folded, fold, is_cjk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.models.base import Position
    from pipeline.models.structure import MentionAt, TableCell
    from pipeline.structure.view import DocumentView

State = Literal["resolved", "external", "dangling", "ambiguous"]

# a number is one numbering, whether the text calls its places sections, clauses or paragraphs
_ALIASES: dict[str, tuple[str, ...]] = {
    "section": ("section", "clause"),
    "clause": ("clause", "section"),
    "paragraph": ("section", "clause"),
    "note": ("note", "footnote"),
    "footnote": ("footnote", "note"),
}
_SUBLABEL = compile_late(r"\(([0-9a-z]{1,4})\)$")
_ITEM_MARK = r"(?:[).]|\s[-\u2013\u2014](?=\s))"
_LETTERED = compile_late(r"(\d+)([a-z])")
_PLAIN = compile_late(r"\d+(?:\.\d+)*|[a-z]|[ivxlc]+")
_SCOPE = compile_late(r"\s*,?\s*(?:of|to|in|do|da)\s+(?:the\s+|o\s+|a\s+)?", re.IGNORECASE)
_TERM_WINDOW = 120
_UNTITLED = frozenset({"table", "figure", "equation", "footnote", "page"})
_SCOPES = frozenset({"schedule", "appendix", "annex", "part", "chapter", "exhibit", "article", "section"})


class Resolution(NamedTuple):
    """What a reference means: its target, or none and why. `cells` are there where it points into a table."""

    mention: MentionAt
    state: State
    target: Target | None
    why: str
    cells: tuple[TableCell, ...] = ()


def resolve_mention(view: DocumentView, mention: MentionAt) -> Resolution:
    """Find the one place that a reference means."""
    # first of all: a label that is found here proves nothing when the text means another document
    exit_reason = find_exit(view, mention) if mention.kind != "definition" else ""
    if exit_reason:
        return Resolution(mention, "external", None, f"{mention.text}: {exit_reason}")
    if mention.kind == "definition":
        return _settle(mention, find_defined(view, mention.key), view)
    if is_relative(mention):
        target = resolve_relative(view, mention)
        if target is None:
            return Resolution(mention, "ambiguous", None, f"which place {mention.text} means is not plain")
        return _found(mention, target)
    if mention.kind in ("row", "column"):
        return _resolve_cells(view, mention)
    if mention.kind == "page":
        return _settle(mention, _find_pages(view, mention), view)
    found = find_keyed(view, mention)
    if not found and mention.kind in ("note", "footnote"):
        found = find_signed_notes(view, mention)
    # "paragraph 3 of Schedule 2": the same label may stand in every schedule
    scope = _find_scope(view, mention)
    if scope is not None:
        places = find_keyed(view, scope)
        if len(places) != 1:
            state: State = "ambiguous" if places else "dangling"
            why = f"{mention.text} is part of {scope.text}, which stands {len(places)} times"
            return Resolution(mention, state, None, why)
        found = tuple(target for target in found if places[0].start <= target.start < places[0].end)
    elif mention.kind == "paragraph" and "." not in mention.key and found:
        # a bare number counts paragraphs of the place around it, and nothing says of which
        return Resolution(mention, "ambiguous", None, f"which place {mention.text} is part of is not said")
    return _settle(mention, _narrow_to_entry(view, mention, found), view)


def _narrow_to_entry(view: DocumentView, mention: MentionAt, found: tuple[Target, ...]) -> tuple[Target, ...]:
    """The entry of a glossary for the term before "as defined in the Glossary", instead of the whole of it."""
    if len(found) != 1 or mention.kind != "section" or any(map(str.isdigit, mention.key)):
        return found
    place = found[0]
    before = fold(read_before(view, mention)[-_TERM_WINDOW:])
    entries = [
        target
        for target in view.registry.targets
        if target.kind == "definition" and place.start <= target.start < place.end
    ]
    named = [target for target in entries if contains_folded(fold(target.label), before)]
    # the term that stands nearest before the reference, the longer of two that end together
    ordered = sorted(
        named, key=lambda target: (before.rfind(fold(target.label)) + len(target.label), len(target.label))
    )
    return (ordered[-1],) if ordered else found


def resolve_mark(view: DocumentView, mark: Mark) -> Resolution:
    """Find the note that a footnote mark leads to."""
    target = find_note(view, mark)
    if target is None:
        return Resolution(mark.mention, "dangling", None, f"no single note {mark.sign} stands below it on the page")
    return _found(mark.mention, target)


def find_keyed(view: DocumentView, mention: MentionAt) -> tuple[Target, ...]:
    """Every place that a label may mean: registered under it, a part of such a place, or a heading so called."""
    kind, _, label = mention.key.partition(":")
    found = _find_registered(view, mention, kind, label)
    # "12(a)" is rarely a target of its own: it is item (a) inside 12
    if not found and (sub := _SUBLABEL.search(label)):
        bases = find_keyed(view, mention.model_copy(update={"key": mention.key[: sub.start() - len(label)]}))
        parts = [part for base in bases for part in _find_parts(view, base, sub.group(1))]
        return tuple(parts)
    if not found and kind == "note" and (lettered := _LETTERED.fullmatch(label)):
        # notes of statements have headings of their own: "Note 5B" is "B. Debt" under note 5
        bases = find_keyed(view, mention.model_copy(update={"key": f"note:{lettered.group(1)}"}))
        return tuple(
            part for base in bases for part in _find_parts(view, base, lettered.group(2)) if _is_bold(view, part)
        )
    return found or _find_headings(view, mention) or find_mentioned(view, mention)


def find_by_key(view: DocumentView, key: str) -> tuple[Target, ...]:
    """What is registered under a key; else the item that a key like "clause:12.1(b)" names inside its clause."""
    found = view.registry.find(key) or find_indexed(view, key)
    kind, _, label = key.partition(":")
    sub = _SUBLABEL.search(label)
    if found or sub is None:
        return found
    bases = view.registry.find(f"{kind}:{label[: sub.start()]}")
    return tuple(part for base in bases for part in _find_parts(view, base, sub.group(1)))


def find_cover(view: DocumentView, target: Target) -> tuple[Position, Position]:
    """From where to where a target is to be read: with the table where it is a caption."""
    if target.kind == "table" and (table := find_table(view, target)) is not None:
        return min(target.start, table.start), max(target.end, table.end)
    return target.start, target.end


def _find_registered(view: DocumentView, mention: MentionAt, kind: str, label: str) -> tuple[Target, ...]:
    for alias in _ALIASES.get(kind, (kind,)):
        found = view.registry.find(f"{alias}:{label}")
        if alias == "footnote":
            # every page counts its footnotes anew
            found = tuple(target for target in found if target.start[0] == mention.extent.page) or found
        if found:
            return _drop_twins(found)
    return find_indexed(view, mention.key)


def _drop_twins(found: Sequence[Target]) -> tuple[Target, ...]:
    unique = {target.start: target for target in reversed(found)}
    return tuple(unique[start] for start in sorted(unique))


def _find_parts(view: DocumentView, base: Target, label: str) -> list[Target]:
    """Items "(a)" of a numbered place: each from its line to the next item, and no deeper ones of the same letter."""
    opening = re.compile(rf"\s*\(?{re.escape(label)}{_ITEM_MARK}\s*\S")
    inline = re.compile(rf"(?:^|\s)\({re.escape(label)}\)\s")
    # the letters below a number are parts of it
    kinds = "[0-9]{1,2}" if label.isdigit() else "[0-9]{1,2}|[a-z]{1,4}"
    any_item = re.compile(rf"\s*\(?(?:{kinds}){_ITEM_MARK}\s*\S")
    lines = view.lines_in(base.start, base.end)
    found: list[Target] = []
    for at, line in enumerate(lines):
        if not opening.match(line.text.casefold()) and not (at == 0 and inline.search(line.text)):
            continue
        stop = at + 1
        while stop < len(lines) and not any_item.match(lines[stop].text.casefold()):
            # text flush left of the item goes on with the sentence around the list
            if lines[stop].box[0] < line.box[0] - 300:
                break
            stop += 1
        end = lines[stop].position if stop < len(lines) else base.end
        found.append(
            base.model_copy(
                update={
                    "label": f"{base.label}({label})",
                    "title": "",
                    "start": line.position,
                    "end": end,
                    "key": f"{base.key}({label})",
                }
            )
        )
    return found


def _is_bold(view: DocumentView, part: Target) -> bool:
    line = view.document.line_at(*part.start)
    return line is not None and (line.bold or line.bold_prefix > 2)


def _find_headings(view: DocumentView, mention: MentionAt) -> tuple[Target, ...]:
    """Sections of the outline whose title begins with the words of the mention: "Appendix B" for "Appendix B. Core"."""
    words = fold(mention.text).strip(" .,")
    if len(words) < (2 if not words.isascii() else 4) or mention.kind in _UNTITLED:
        return ()
    # folding closes the gaps of Chinese, so that only a longer number is another label there
    end = r"(?![\w.(]*\d|\w)" if words.isascii() or not is_cjk(words[-1]) else r"(?![\d一二三四五六七八九十百])"
    opening = re.compile(re.escape(words) + end)
    return tuple(
        Target(
            kind=mention.kind,
            key=mention.key,
            label=mention.key.partition(":")[2],
            title=section.title,
            start=section.start,
            end=section.end,
        )
        for section in view.document.sections
        if opening.match(fold(section.title))
    )


def _find_pages(view: DocumentView, mention: MentionAt) -> tuple[Target, ...]:
    """The page with this number in print; the physical page only where no number is printed anywhere."""
    label = mention.key.partition(":")[2]
    pages = [page for page in view.document.pages if fold(page.printed) == label]
    if not pages and not any(page.printed for page in view.document.pages):
        pages = [page for page in view.document.pages if str(page.number) == label]
    return tuple(
        Target(kind="page", key=mention.key, label=label, title="", start=(page.number, 1), end=(page.number + 1, 0))
        for page in pages
    )


def _find_scope(view: DocumentView, mention: MentionAt) -> MentionAt | None:
    """The place named right behind a reference, which it is a part of: "paragraph 3 of Schedule 2"."""
    after = read_after(view, mention)
    joint = _SCOPE.match(after)
    if joint is None:
        return None
    place = place_of(mention)
    for other in view.mentions_in(place, (place[0], mention.extent.line_end + 2)):
        is_behind = (place_of(other), other.extent.start_offset) > (place, mention.extent.start_offset)
        if is_behind and other.kind in _SCOPES and after[joint.end() :].startswith(other.text):
            return other
    return None


def _resolve_cells(view: DocumentView, mention: MentionAt) -> Resolution:
    selection = select_cells(view, mention)
    if selection.table is None or not selection.cells:
        state: State = "ambiguous" if selection.is_ambiguous else "dangling"
        return Resolution(mention, state, None, selection.why)
    table = selection.table
    target = Target(
        kind=mention.kind, key=mention.key, label=mention.key.partition(":")[2], title=f"of table {table.label}",
        start=table.start, end=table.end,
    )  # fmt: skip
    return Resolution(mention, "resolved", target, selection.why, selection.cells)


def _settle(mention: MentionAt, found: Sequence[Target], view: DocumentView) -> Resolution:
    if len(found) == 1:
        return _found(mention, found[0])
    if found:
        pages = ", ".join(dict.fromkeys(str(target.start[0]) for target in found[:6]))
        return Resolution(mention, "ambiguous", None, f"{mention.text} may be {len(found)} places: page {pages}")
    is_proven = _is_closed(view, mention)
    reason = f"the numbering of this document has no {mention.text}" if is_proven else f"no {mention.text} was found"
    return Resolution(mention, "dangling", None, reason)


def _is_closed(view: DocumentView, mention: MentionAt) -> bool:
    """Whether the numbering proves that there is no such place; of parts of a member only where parts are known."""
    label = mention.key.partition(":")[2]
    if mention.kind not in view.registry.closed_kinds or _PLAIN.fullmatch(label) is None:
        return False
    parent = label.rpartition(".")[0]
    return not parent or any(target.label.startswith(f"{parent}.") for target in view.registry.targets)


def _found(mention: MentionAt, target: Target) -> Resolution:
    name = f"{target.kind} {target.label} {target.title}".strip()
    return Resolution(
        mention, "resolved", target, f"{mention.text} is {' '.join(name.split())} on page {target.start[0]}"
    )
