"""Absence, established or only not seen: never guessed from a low score."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from pipeline.models.question import Anchor
from pipeline.question.terms import cue_of
from pipeline.retrieval.hints import resolve_page, resolve_target
from pipeline.structure.attached import list_kinds
from pipeline.text.grammar import ATTACHMENT_KINDS, KIND_WORDS
from pipeline.text.identifiers import find_identifiers, identifier_family
from pipeline.text.matching import contains_folded, fold
from pipeline.text.periods import find_years
from pipeline.text.tokens import stem

if TYPE_CHECKING:
    from pipeline.models.answer import Absence
    from pipeline.models.question import Hint, Question, SubQuestion
    from pipeline.structure.attachments import Attachment, AttachmentList
    from pipeline.structure.view import DocumentView

MAX_NEAR_MISSES = 6
MAX_NEAR_YEARS = 3
MIN_SYNONYMS = 3
"""Forms that make a concept one whose other wordings are known."""
# so many entries make a family that is written out, so that a name without an entry is no oversight of the reader
MIN_FAMILY = 3
# one entry makes no list that could lack another
MIN_LISTED = 2
MAX_LABEL_LETTERS = 4
"""A longer label without a digit is a title ("Regularization"), and titles are no closed numbering."""
_NUMBERED_KINDS = ("section", "table", "figure", "appendix")


class AbsenceFinding(NamedTuple):
    """Why nothing can answer: the kind of absence, the reason in words, and what does occur and where."""

    kind: Absence
    reason: str
    near_misses: tuple[str, ...]
    is_certain: bool = True
    """False where only words are missing that a document may have other words for."""


class _Missing(NamedTuple):
    is_target: bool
    reason: str
    near_misses: tuple[str, ...]
    is_certain: bool = True


def establish_absence(view: DocumentView, question: Question) -> AbsenceFinding | None:
    """What proves that no part of a question can be answered, or None where something may answer.

    `no_match`: no form of the focus occurs on any line. `no_such_target`: a closed numbering has no such entry. Both
    only where every page could be read; else `not_seen`, which says how much was not read.
    """
    parts = [part for part in question.sub_questions if not part.is_optional] or list(question.sub_questions)
    found = [find_missing(view, question, part) for part in parts]
    missing = [entry for entry in found if entry is not None]
    if not missing or len(missing) < len(found):
        return None
    reason = "; ".join(dict.fromkeys(entry.reason for entry in missing))
    near = tuple(dict.fromkeys(note for entry in missing for note in entry.near_misses))[:MAX_NEAR_MISSES]
    unread = count_unread_pages(view)
    if unread:
        return AbsenceFinding("not_seen", f"{reason}; but {unread} of the pages could not be read", near)
    is_certain = any(entry.is_certain for entry in missing)
    return AbsenceFinding("no_such_target" if missing[0].is_target else "no_match", reason, near, is_certain)


def explain_unseen(view: DocumentView, question: Question) -> AbsenceFinding:
    """What to say where nothing proves an absence and yet nothing answers: the years that the document speaks of."""
    asked = sorted({period for period in question.periods if period.isdigit()})
    if not asked:
        return AbsenceFinding("not_seen", "what was asked for occurs in the document, but no passage answers it", ())
    counts = Counter(str(year) for line in view.document.folded for _, _, year in find_years(line))
    told = ", ".join(asked)
    if any(counts[year] for year in asked):
        reason = f"what was asked for and {told} occur in the document, but no passage or cell answers for {told}"
    else:
        reason = f"{told} stands on no line of the document"
    often = sorted((year for year in counts if year not in asked), key=lambda year: (-counts[year], year))
    near = ", ".join(sorted(often[:MAX_NEAR_YEARS]))
    return AbsenceFinding("not_seen", reason, (f"years named most often: {near}",) if near else ())


def count_unread_pages(view: DocumentView) -> int:
    """Pages that failed, lack text or are garbled: while there is one, nothing is proven absent.

    A blank page failed no check: there is nothing on it to read.
    """
    return sum(
        page.state in ("failed", "garbled") or (page.state == "without_text" and bool(page.failed_checks))
        for page in view.document.pages
    )


def find_missing(view: DocumentView, question: Question, part: SubQuestion) -> _Missing | None:
    """What one part of a question asks for and the document lacks, or None."""
    named_places = [_miss_page(view, question.hints), *(_miss_target(view, hint) for hint in question.hints)]
    for missing in named_places:
        if missing is not None:
            return missing
    # a named place is judged as a place: "printed page 15" need not be written anywhere
    places = {hint.key for hint in question.hints}
    focus = [anchor for anchor in part.focus if anchor.key not in places and not _names_answer(view, anchor)]
    for anchor in focus:
        missing = _miss_entry(view, anchor)
        if missing is not None:
            return missing
    # a document may print its own number on its title page and margins only
    absent = [anchor for anchor in focus if not _occurs(view, anchor) and not view.names_document(anchor)]
    decisive = [anchor for anchor in absent if anchor.is_required]
    if not decisive and (not absent or len(absent) < len(focus)):
        return None
    for anchor in decisive or absent:
        missing = _miss_identifier(view, anchor)
        if missing is not None:
            return missing
    named = ", ".join(f'"{anchor.text}"' for anchor in decisive or absent)
    near = _name_near_misses(view, decisive or absent)
    is_certain = _is_certain(view, part, decisive or absent)
    return _Missing(False, f"no form of {named} occurs on any line", near, is_certain)


def _names_answer(view: DocumentView, anchor: Anchor) -> bool:
    """Whether a word says what an answer is and need not be written: "the month", "the equation" of numbered ones."""
    folded = fold(anchor.text)
    if folded in cue_of(view.lexicon.value_cues, "answer nouns"):
        return True
    kind = KIND_WORDS.get(folded)
    return kind is not None and any(caption.kind == kind for caption in view.captions)


def _is_certain(view: DocumentView, part: SubQuestion, absent: list[Anchor]) -> bool:
    """Whether what is missing leaves no room for other words: a code, a quoted phrase, a concept with its synonyms.

    Of a plain word no synonym is known, and when the document speaks of all the rest it may well have one.
    """
    if any(anchor.source in ("identifier", "quoted") or len(anchor.forms) >= MIN_SYNONYMS for anchor in absent):
        return True
    # a compound is missing with any of its words, and says nothing of the others
    lone = [anchor for anchor in absent if not any(_is_within(other, anchor) for other in absent)]
    rest = [anchor for anchor in part.anchors if anchor not in absent and not _shares_word(anchor, lone)]
    return sum(bool(view.positions_of(anchor)) for anchor in rest) * 2 < max(1, len(rest))


def _shares_word(anchor: Anchor, absent: list[Anchor]) -> bool:
    words = set(fold(anchor.text).split())
    return any(words & set(fold(other.text).split()) for other in absent)


def _is_within(word: Anchor, compound: Anchor) -> bool:
    """Whether a compound is longer than a word and has it among its words."""
    return set(fold(word.text).split()) < set(fold(compound.text).split())


def _occurs(view: DocumentView, anchor: Anchor) -> bool:
    """Whether an anchor occurs; a concept of several words may be worded otherwise while its rarest word is there."""
    if view.positions_of(anchor):
        return True
    words = fold(anchor.text).split()
    if anchor.source != "concept" or len(words) < 2:
        return False
    # a hyphenated word was made for the concept: nobody who writes of it does without that word
    rarest = min(words, key=lambda word: ("-" not in word, view.lexicon.zipf_of(word), word))
    key = stem(rarest, view.lexicon.language)
    return bool(view.positions_of(Anchor(text=rarest, key=key, source="word", forms=(rarest,), weight=anchor.weight)))


def _miss_entry(view: DocumentView, anchor: Anchor) -> _Missing | None:
    """An identifier that the text names, perhaps to say that there is none, but that has no entry among its family."""
    family = fold(identifier_family(anchor.text)) if anchor.source == "identifier" and anchor.is_required else ""
    places = view.positions_of(anchor) if family else ()
    if not places or view.registry.find(anchor.key):
        return None
    entries = [target for target in view.registry.targets if target.kind == "identifier"]
    members = [target.label for target in entries if fold(identifier_family(target.label)) == family]
    if len(members) < MIN_FAMILY:
        return None
    reason = f"{family.upper()} has {len(members)} entries in this document, {anchor.text} is not one"
    return _Missing(True, reason, (f"{anchor.text} is named on page {places[0][0]}", *members[: MAX_NEAR_MISSES - 1]))


def _miss_page(view: DocumentView, hints: tuple[Hint, ...]) -> _Missing | None:
    """A page that is neither printed nor physical here; a plain "page 15" comes as both hints and either will do."""
    pages = [hint for hint in hints if hint.kind in ("physical_page", "printed_page")]
    found = {hint.value for hint in pages if resolve_page(view, hint)}
    for hint in pages:
        if hint.value not in found:
            word = "page" if hint.kind == "physical_page" else "printed page"
            reason = f"there is no {word} {hint.value}; the file has {len(view.document.pages)} pages"
            return _Missing(True, reason, ())
    return None


def _miss_target(view: DocumentView, hint: Hint) -> _Missing | None:
    kind, _, label = hint.key.partition(":")
    is_numbered = any(char.isdigit() for char in label) or len(label) <= MAX_LABEL_LETTERS
    if hint.kind not in _NUMBERED_KINDS or not is_numbered or resolve_target(view, hint):
        return None
    if kind in ATTACHMENT_KINDS and (unlisted := _miss_attachment(view, kind, hint.value)) is not None:
        return unlisted
    members = [target for target in view.registry.targets if target.kind == kind]
    if kind not in view.registry.closed_kinds or not members:
        return None
    first, last = members[0].label, members[-1].label
    near = f"{kind} {first} to {last} exist" if len(members) > 1 else f"{kind} {first} exists"
    return _Missing(True, f"the numbering of this document has no {kind} {hint.value}", (near,))


def _miss_attachment(view: DocumentView, kind: str, label: str) -> _Missing | None:
    """An exhibit that the index of the report does not list; a section of that number elsewhere is another thing."""
    lists = list_kinds(view, kind)
    if not lists or len(lists[0].members) < MIN_LISTED:
        return None
    own = lists[0]
    # letters and numbers are two numberings, and one may be that of an attached agreement
    if own.is_gapless or not label[:1].isdigit() or _stands_listed(view, own, label):
        return None
    head = label.partition(".")[0].partition("(")[0]
    labels = [entry.label for entry in own.members]
    near = [each for each in labels if each.startswith(head)] or labels
    page = own.entries[0].start[0]
    notes = (f"{kind}s listed there: {', '.join(near[:MAX_NEAR_MISSES])}",)
    is_certain = not any(f"{kind} {label.casefold()}" in text for text in view.document.folded)
    return _Missing(True, f"the list of {kind}s on page {page} has no {kind} {label}", notes, is_certain)


def _stands_listed(view: DocumentView, own: AttachmentList, label: str) -> bool:
    """Whether some line on the pages of a list begins with a label: then an entry may have been overlooked."""
    document = view.document
    first, last = own.entries[0].start[0], own.entries[-1].extents[-1].page
    wanted = label.casefold()
    left = max(_find_edge(view, entry) for entry in own.entries)
    for index in range(document.index_of((first, 0)), document.index_of((last + 1, 0))):
        text = document.folded[index].lstrip(" *(\u2020\u2021+#")
        is_left = document.lines[index].box[0] <= left
        if is_left and text.startswith(wanted) and not text[len(wanted) : len(wanted) + 1].isalnum():
            return True
    return False


def _find_edge(view: DocumentView, entry: Attachment) -> int:
    """The left edge of an entry, in hundredths of a point."""
    runs = [((extent.page, extent.line_start), (extent.page, extent.line_end + 1)) for extent in entry.extents]
    return min((line.box[0] for run in runs for line in view.lines_in(*run)), default=0)


def _miss_identifier(view: DocumentView, anchor: Anchor) -> _Missing | None:
    """An identifier that its family lacks: the family is numbered here, and this number is not among it."""
    family = identifier_family(anchor.text) if anchor.source == "identifier" else ""
    if not family:
        return None
    wanted = fold(family)
    members: dict[str, int] = {}
    for line, folded in zip(view.document.lines, view.document.folded, strict=True):
        if wanted in folded and not line.hidden:
            for found in find_identifiers(line.text):
                if found.number and fold(found.family) == wanted:
                    members.setdefault(found.text, line.page)
    if len(members) < 2:
        return None
    near = tuple(f"{text} on page {page}" for text, page in list(members.items())[:MAX_NEAR_MISSES])
    return _Missing(True, f"{family} has {len(members)} members in this document, {anchor.text} is not one", near)


def _name_near_misses(view: DocumentView, absent: list[Anchor]) -> tuple[str, ...]:
    """Which words of the missing anchors do occur, and where first."""
    notes: list[str] = []
    for anchor in absent:
        words = [word for word in fold(anchor.text).replace("-", " ").split() if word not in view.lexicon.stop_word_set]
        for word in words if len(words) > 1 else ():
            pages = _find_pages(view, word)
            if pages:
                notes.append(f'"{word}" occurs on page{"s" * (len(pages) > 1)} {", ".join(map(str, pages[:4]))}')
    return tuple(dict.fromkeys(notes))


def _find_pages(view: DocumentView, word: str) -> list[int]:
    document = view.document
    lines = zip(document.lines, document.folded, strict=True)
    # what a reader cannot see is no near miss either
    carrying = (line for line, folded in lines if word in folded and contains_folded(word, folded))
    return sorted({line.page for line in carrying if not line.hidden})
