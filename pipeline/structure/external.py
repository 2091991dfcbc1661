"""References that leave the document: "Section 22 of WSJ", "the Clubs Act, section 12", an entry of a bibliography."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.structure.around import place_of, read_after, read_before
from pipeline.text.grammar import EXTERNAL_WORDS, KIND_WORDS
from pipeline.text.late import compile_late
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from pipeline.models.structure import MentionAt
    from pipeline.structure.view import DocumentView

_BIBLIOGRAPHY = compile_late(
    r"(?:\d+\.?\s+)?(?:references|bibliography|works cited|literature|referências|bibliografia|参考文献)$"
)
# an entry begins with a name; a sentence that goes on behind "[37]" does not
_ENTRY = compile_late(r"\s*\[\d{1,3}\]\s+[A-ZÀ-Ý]")
_ENTRY_LINES = 4
_OF = r"\s*,?\s*(?:of|from|to|do|da|dos|das|de)\s+"
_ARTICLE = r"(?:the\s+|an?\s+|o\s+|os\s+|as?\s+)?"
# a demonstrative points at a document that was just named; "this" and "these" at the one that is being read
_OTHER = compile_late(
    rf"(?:{_OF}|\s*,?\s*(?:in|under)\s+)(?:that|those|such|its|their|aquel[ea]s?|dess[ea]s?)\s+(\w+)", re.IGNORECASE
)
_CITED = compile_late(rf"(?:{_OF}|\s*,?\s*in\s+)(?:\w+\s+(?:et al\.?|and \w+)\s*)?\[\d")
_NAMED = compile_late(
    rf"{_OF}{_ARTICLE}((?:[A-ZÀ-Ý][\w&.'’-]*|\d{{4}})(?:\s+(?:of|and|for|on|&|the|de|da|do|e)\b|\s+[A-ZÀ-Ý][\w&.'’-]*)*)"
)
_OWN_REPORT = compile_late(
    rf"(?:{_OF}|\s+in\s+)(?:our|its|the)\s+[^.;]{{0,40}}?(?:Proxy Statement|Annual Report|Quarterly Report|Form 10)"
)
_BEFORE = compile_late(
    r"(?:[A-ZÀ-Ý][\w&.'’-]*\s+)(?:(?:of|and|the|on)\s+)*([A-ZÀ-Ý][\w’'-]*)(?:\s+(?:of\s+)?\d{4})?\s*,?\s*\(?$"
)
# Chinese sets the titles of statutes in these marks, right before the article
_BOOK = compile_late(r"《([^》]{2,40})》\s*$")
_PARTS = frozenset(
    "work paper book article report act law code regulation statute treaty standard publication study document".split()
)


def find_exit(view: DocumentView, mention: MentionAt) -> str:
    """Why a mention points outside of the document, in words; "" where nothing says so."""
    if mention.kind == "standard":
        return "it is a document of its own"
    if mention.is_external:
        return "the text names the other document that it is part of"
    # "pages 44-52" of an entry are pages of a journal
    if _is_bibliography(view, mention):
        return "it stands in a list of publications"
    quoted = _BOOK.search(read_before(view, mention)[-90:])
    if quoted is not None and not _is_own(view, quoted.group(1)):
        return f'it is part of another document: "{quoted.group(1)}"'
    after = read_after(view, mention)[:160]
    if found := _CITED.match(after):
        return "it is part of a cited publication"
    other = _OTHER.match(after)
    if other is not None and other.group(1).casefold().rstrip("s") in _PARTS:
        return f'it is part of another document: "{other.group().strip()}"'
    if (report := _OWN_REPORT.match(after)) and "this" not in report.group():
        return f'it is part of another document: "{report.group().strip()}"'
    # a name behind "of" is another document, unless this one or a part of it bears the name
    found = _NAMED.match(after)
    if found is not None and not _is_own(view, found.group(1)):
        return f'it is part of another document: "{found.group(1).strip()}"'
    # only what is plainly a law or a code: "the Clubs Act, section 12", but not "in Norway, section 12"
    before = _BEFORE.search(read_before(view, mention)[-90:])
    if before is not None and before.group(1).casefold() in EXTERNAL_WORDS:
        return f'it is part of another document: "{before.group().strip(" ,(")}"'
    return ""


def _is_bibliography(view: DocumentView, mention: MentionAt) -> bool:
    section = view.document.section_at(place_of(mention))
    if section is not None and _BIBLIOGRAPHY.match(fold(section.title)):
        return True
    index = view.document.index_of(place_of(mention))
    own = view.document.lines[index]
    near = view.document.lines[max(0, index - _ENTRY_LINES) : index + 1]
    return any(_ENTRY.match(line.text) for line in near if line.block == own.block or line is own)


def _is_own(view: DocumentView, phrase: str) -> bool:
    """Whether a capitalised phrase names this document or a part of it: its title, a heading, "Schedule 2"."""
    words = [word for word in re.findall(r"[^\W_]+", fold(phrase)) if word not in view.lexicon.stop_word_set]
    if not words or words[0] in KIND_WORDS or f"{words[0]}s" in KIND_WORDS:
        return True
    own = set(re.findall(r"[^\W_]+", fold(view.document.profile.title)))
    if set(words) <= own:
        return True
    titles = (fold(section.title) for section in view.document.sections)
    return any(fold(phrase) in title for title in titles if len(phrase) > 3)
