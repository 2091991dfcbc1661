"""Lists of the attachments of a report: the numbers and descriptions of its exhibits, schedules and annexes.

An exhibit index is no gapless numbering: its numbers are those of a regulation ("3.1", "10.2*", "101.INS", "(10)(a)"),
it runs over pages, and its descriptions wrap. What tells it apart from the sections of an attached agreement is the
line over it that speaks of exhibits, and that its numbers stand leftmost and never fall.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

from pipeline.structure.attachment_rows import PageLines, Row, find_code_rows
from pipeline.structure.attachment_text import Described, describe_rows, list_extents
from pipeline.text.grammar import ATTACHMENT_NOUNS
from pipeline.text.late import compile_late
from pipeline.text.mentions import label_key

if TYPE_CHECKING:
    from pipeline.models.base import Position
    from pipeline.models.document import Line, ParsedDocument
    from pipeline.models.structure import Extent, TargetKind

_ROOTS = ("exhibit", "annex", "schedule", "attachment", "appendi", "anexo", "apêndice", "附件", "附录", "附表")
_NAMES = "|".join(sorted(ATTACHMENT_NOUNS, key=len, reverse=True)) + "|附件|附录|附表"
_OPENING = r"\W*(?:(?:item|part)\s*\w{1,3}\W+|\d{1,2}(?=\())?(?:\(\w{1,3}\)\W*)*(?:\d{1,2}[.)]\W*)?"
# "Exhibit No.", "Index to Exhibits", "(b) Exhibits:", "Item 15. Exhibits and ..."; never "Exhibit 10.1 hereto"
_LEAD = compile_late(
    rf"{_OPENING}(?:(?:index|list|lista|índice|relação)\s+(?:to|of|de|dos|das)\s+(?:the\s+)?"
    rf"|financial statements\s+and\s+|reg\. s-k\s+)?(?P<word>{_NAMES})(?![\w-])"
    r"(?!\s+\(?(?:\d|[a-z]\b|[ivx]+\b))(?P<rest>.*)"
)
_STRICT = compile_late(
    r"\s*(?:$|no\b|nos\b|number|n\.?º|index|description|listing|table|item|[:.]?$|编号|清单|目录)|.*\bdescription\b"
)
_HEAD = compile_late(r"\s*(?:no\b|nos\b|number|n\.?º|编号)|.*\bdescription\b")
_NUMBERED = compile_late(
    rf"\W{{0,3}}(?P<word>{_NAMES})\s*(?:no\.?\s*|n\.?º\s*)?"
    r"[(\u201c\"]?(?P<label>\d{1,2}(?![\d.]\d)|[a-z](?:-?\d{1,2})?(?![\w'])|[ivx]{1,5}(?!\w)|[一二三四五六七八九十]{1,3})[)\u201d\"]?"
    r"(?P<rest>[\s.:;\u2013\u2014\uff1a-].*|$)"
)
_LEAD_LINES = 40
_MIN_ENTRIES = 2
_MAX_BETWEEN = 5
_MAX_LEAD = 240
_TAIL = compile_late(r"[\s.\u2026\u00b7_]{3,}\d{1,4}\s*$")
_ROMANS = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
_HANZI = "一二三四五六七八九十"


class Attachment(NamedTuple):
    """An entry of an index: `label` as it is pointed at ("10.2", "10(a)"), `title` in one line, where it stands.

    `cells` is what stands in its other columns ("herewith"). `is_group`: it only stands over entries with numbers of
    its own ("10 Material contracts" over "10.1").
    """

    label: str
    title: str
    extents: tuple[Extent, ...]
    is_group: bool = False
    cells: str = ""

    @property
    def start(self) -> Position:
        """The first line of the entry."""
        return min((extent.page, extent.line_start) for extent in self.extents)


class AttachmentList(NamedTuple):
    """An index of attachments of one kind. `gaps` are numbers that it leaves out between two of one family.

    `is_gapless`: its labels count from the first one on, so that another one cannot exist.
    """

    kind: TargetKind
    entries: tuple[Attachment, ...]
    gaps: tuple[str, ...]
    is_gapless: bool

    @property
    def members(self) -> tuple[Attachment, ...]:
        """The entries that are attachments themselves."""
        return tuple(entry for entry in self.entries if not entry.is_group)

    def find(self, key: str) -> tuple[Attachment, ...]:
        """The entries with a normal form ("exhibit:10.2"); more than one where the index prints a number twice."""
        return tuple(entry for entry in self.entries if label_key(self.kind, entry.label) == key)


class _Lead(NamedTuple):
    at: int
    kind: TargetKind
    is_strict: bool
    is_head: bool


def find_attachments(document: ParsedDocument, contents: frozenset[int]) -> tuple[AttachmentList, ...]:
    """Every index of attachments, the one with the most entries first. `contents` are lines of contents pages."""
    leads = list(_find_leads(document))
    pages = PageLines(document, contents)
    found: list[AttachmentList] = []
    for lead in leads:
        if any(_covers(document, entry, lead.at) for entry in found):
            continue
        own = _read_coded(document, leads, lead, pages) or _read_worded(document, lead)
        if own is not None and not any(_is_same(own, other) for other in found):
            found.append(own)
    return tuple(sorted(found, key=lambda own: (-len(own.members), own.entries[0].start)))


def _find_leads(document: ParsedDocument) -> Iterator[_Lead]:
    """Lines that may stand over an index: headings, heads of its columns, sentences that begin with its name."""
    for index in _find_rooted(document.folded):
        folded = document.folded[index]
        match = _LEAD.match(folded) if len(folded) <= _MAX_LEAD else None
        if match is not None and document.lines[index].is_evidence:
            kind = ATTACHMENT_NOUNS.get(match["word"]) or _HAN_KINDS[match["word"]]
            is_strict = _STRICT.match(match["rest"]) is not None
            yield _Lead(index, kind, is_strict, _HEAD.match(match["rest"]) is not None)  # type: ignore[arg-type]


def _find_rooted(folded: Sequence[str]) -> list[int]:
    """The lines that name a kind of attachment. One search in the whole text, for most lines name none."""
    whole = "\n".join(folded)
    ends = list(accumulate(len(text) + 1 for text in folded))
    found: set[int] = set()
    for root in _ROOTS:
        at = whole.find(root)
        while at >= 0:
            found.add(bisect_right(ends, at))
            at = whole.find(root, at + 1)
    return sorted(found)


_HAN_KINDS = {"附件": "annex", "附录": "appendix", "附表": "schedule"}


def _covers(document: ParsedDocument, own: AttachmentList, index: int) -> bool:
    place = document.lines[index].position
    return own.entries[0].start <= place <= own.entries[-1].start


def _is_same(own: AttachmentList, other: AttachmentList) -> bool:
    starts = {entry.start for entry in other.entries}
    return any(entry.start in starts for entry in own.entries)


def _read_coded(
    document: ParsedDocument, leads: Sequence[_Lead], lead: _Lead, pages: PageLines
) -> AttachmentList | None:
    """The rows of numbers below a lead, page after page while they never fall; None where there is no such list."""
    # the sections of an attached plan have numbers as well, and only exhibits are numbered by a regulation
    if lead.kind != "exhibit" and not lead.is_strict:
        return None
    heads = [document.lines[entry.at].position for entry in leads]
    first = document.lines[lead.at].position
    rows: list[Row] = []
    for page in range(first[0], len(document.pages) + 1):
        lines = pages.list_lines(page)
        start = sum(1 for line in lines if line.position <= first) if page == first[0] else 0
        own = find_code_rows(lines[start:], rows[-1] if rows else None, heads)
        if not rows and own and own[0].at > (_LEAD_LINES if lead.is_strict else _LEAD_LINES // 4):
            own = []
        # the head of an index may stand on the page before it
        if not own and (rows or page > first[0] or not lead.is_strict):
            break
        rows += own
    rows = _drop_before(rows, heads)
    is_plain = all(row.is_plain for row in rows)
    if not rows or (is_plain and not lead.is_strict) or (len(rows) < _MIN_ENTRIES and not lead.is_head):
        return None
    above = [entry for entry in leads if document.lines[entry.at].position < rows[0].line.position]
    near = [entry.kind for entry in reversed(above) if document.lines[entry.at].page >= rows[0].line.page - 1]
    return _build("exhibit" if "exhibit" in near else near[0], describe_rows(pages, rows)) if near else None


def _drop_before(rows: list[Row], heads: Sequence[Position]) -> list[Row]:
    """The rows without whole numbers that count something else before the head of the index ("1. Statements")."""
    first = next((at for at, row in enumerate(rows) if not row.is_plain), 0)
    if not first:
        return rows
    head = max((place for place in heads if place < rows[first].line.position), default=(0, 0))
    return [row for at, row in enumerate(rows) if at >= first or row.line.position > head]


def _build(kind: TargetKind, entries: Sequence[Described]) -> AttachmentList | None:
    # a number without a word beside it is no entry that anybody could be told
    told = [entry for entry in entries if entry.title]
    if not told:
        return None
    following = [entry.label for entry in told[1:]] + [""]
    members = tuple(
        Attachment(entry.label, entry.title, entry.extents, _heads(entry.label, after), entry.cells)
        for entry, after in zip(told, following, strict=True)
    )
    labels = [entry.label for entry in members if not entry.is_group]
    is_gapless = len(labels) > 1 and [_count_label(label) for label in labels] == list(range(1, len(labels) + 1))
    return AttachmentList(kind, members, _find_gaps(labels), is_gapless)


def _heads(label: str, after: str) -> bool:
    """Whether a whole number stands over numbers of its own: "10" over "10.1"."""
    return label.isdigit() and re.match(rf"{label}[.(]\d", after) is not None


def _count_label(label: str) -> int:
    """The place of a plain label in its alphabet; 0 for every other label."""
    low = label.casefold()
    if low.isdecimal():
        return int(low)
    if len(low) == 1 and low in _HANZI:
        return _HANZI.index(low) + 1
    return ord(low) - 96 if len(low) == 1 and "a" <= low <= "z" else 0


def _find_gaps(labels: Sequence[str]) -> tuple[str, ...]:
    """Numbers that are left out between two of one family: "10.3" between "10.2" and "10.4"."""
    gaps: list[str] = []
    for before, after in pairwise(labels):
        head, dot, low = before.rpartition(".")
        other, _, high = after.rpartition(".")
        if dot and head == other and low.isdigit() and high.isdigit() and 1 < int(high) - int(low) <= _MAX_BETWEEN:
            gaps += [f"{head}.{number}" for number in range(int(low) + 1, int(high))]
    return tuple(gaps)


def _read_worded(document: ParsedDocument, lead: _Lead) -> AttachmentList | None:
    """Entries that begin with the word themselves ("Schedule 1 Fees", "Annex B: Terms"), counted without a gap."""
    found: list[tuple[str, str, list[Line]]] = []
    last = lead.at
    for index in range(lead.at + 1, len(document.lines)):
        line, folded = document.lines[index], document.folded[index]
        if not line.is_evidence:
            continue
        if index - last > _MAX_BETWEEN or line.page > document.lines[lead.at].page + 1:
            break
        match = _NUMBERED.match(folded) if any(root in folded[:16] for root in _ROOTS) else None
        kind = match and (ATTACHMENT_NOUNS.get(match["word"]) or _HAN_KINDS.get(match["word"]))
        if match is not None and kind == lead.kind:
            if not _follows(found[-1][0] if found else "", match["label"]):
                break
            # what is folded keeps its length nearly always; the title is read from the verbatim line
            found.append((match["label"], line.text.strip(), [line]))
            last = index
        elif found and _goes_on(found[-1][2][-1], line):
            found[-1][2].append(line)
    titled = [(label, _read_title(lines), lines) for label, _, lines in found]
    if len(titled) < _MIN_ENTRIES or not all(title for _, title, _ in titled):
        return None
    own = _build(
        lead.kind, [Described(_spell(label), title, "", list_extents(lines)) for label, title, lines in titled]
    )
    return None if own is None else own._replace(is_gapless=True)


def _goes_on(before: Line, line: Line) -> bool:
    """Whether a line follows another one on its page without white between them."""
    return line.page == before.page and line.box[1] - before.box[3] < line.box[3] - line.box[1]


def _follows(before: str, label: str) -> bool:
    """Whether a label is the next one of its alphabet, or the first one; "K-2" and "L" both follow "K-1"."""
    (before, _, low), (label, _, high) = before.partition("-"), label.partition("-")
    if high and (low if before == label else "") and int(high) == int(low) + 1:
        return True
    if high and high != "1":
        return False
    if not before:
        return label in ("1", "a", "i", "一")
    if before in _ROMANS and label in _ROMANS and not (before.isdigit() or label.isdigit()):
        place = _ROMANS.index(label)
        if place and _ROMANS[place - 1] == before:
            return True
    return _count_label(label) == _count_label(before) + 1 > 1


def _spell(label: str) -> str:
    return label.upper() if label.isascii() else label


def _read_title(lines: Sequence[Line]) -> str:
    """The words of an entry behind its number, without the leader and the page at the end of a line of contents."""
    text = " ".join(" ".join(line.text.split()) for line in lines)
    match = re.match(rf"\W{{0,3}}(?:{_NAMES})\s*\S+?[\s.:;\u2013\u2014\uff1a-]+(?P<rest>.*)", text, re.IGNORECASE)
    return _TAIL.sub("", match["rest"]).strip(" .:;\u2013\u2014-") if match else ""
