"""Columns of a table of questions: what each is called by those who write such tables."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_NAMES = {
    "id": "id nr no num number key ref reference questionid questionno questionnumber qid",
    "question": "question questions query queries questiontext prompt text q",
    "document": "document documents doc docs file files filename filenames documentname pdf pdfs path source",
    "expected": "expected expectedanswer expectedvalue expect expectation gold",
    "rulebook": "rulebook rulebooks rules ruleset",
    "tags": "tags tag label labels topic topics category categories",
    "where": "where filter filters condition conditions restriction restrictions documentswhere onlywhere",
}
_REPLIES = {
    "answer": "answer answers response responses reply replies youranswer yourresponse vendoranswer vendorresponse "
    "supplieranswer supplierresponse answertext responsetext result results",
    "evidence": "evidence supportingevidence evidencereference proof citation citations quote quotes",
    "comments": "comment comments remark remarks note notes explanation explanations answercomments vendorcomments",
    "confidence": "confidence confidencelevel certainty",
}
_REPLY_COLUMNS = {name: column for column, names in _REPLIES.items() for name in names.split()}
# titles such as "Control question" or "Security requirement", but not "Question no." or "Question type"
_QUESTION_WORDS = frozenset(("question", "questions", "requirement", "requirements"))
_OTHER_WORDS = frozenset("id no nr num number type category group section ref reference".split())
_MAX_TITLE = 40
_COLUMNS = {name: column for column, names in _NAMES.items() for name in names.split()}
# what surrounds a cell and is not seen: zero-width signs and byte order marks in the middle of a file
_INVISIBLE = "\ufeff\u200b\u200c\u200d\u2060"


def strip_cell(text: str) -> str:
    """A cell without white space and invisible signs around it."""
    return text.strip().strip(_INVISIBLE).strip()


def find_columns(header: Iterable[str]) -> dict[str, int]:
    """Which column stands where, by its name whatever its case, spaces and signs; the first of two wins."""
    found: dict[str, int] = {}
    for place, title in enumerate(header):
        column = _COLUMNS.get(squeeze_title(title))
        if column is not None:
            found.setdefault(column, place)
    return found


def find_sheet_columns(header: Iterable[str]) -> dict[str, int]:
    """The same in a sheet, whose titles are wordier: any short one that speaks of a question will do."""
    titles = tuple(header)
    found = find_columns(titles)
    if "question" not in found:
        place = next((place for place, title in enumerate(titles) if _is_question_title(title)), None)
        return found if place is None else {**found, "question": place}
    return found


def _is_question_title(title: str) -> bool:
    words = set(re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", title).casefold()))
    is_title = len(title) <= _MAX_TITLE and "?" not in title and "#" not in title
    return is_title and bool(words & _QUESTION_WORDS) and not words & _OTHER_WORDS


def find_reply_columns(header: Iterable[str]) -> dict[str, int]:
    """Which column takes answers, evidence, comments and confidence, by its title; the first of two wins."""
    found: dict[str, int] = {}
    for place, title in enumerate(header):
        column = _REPLY_COLUMNS.get(squeeze_title(title))
        if column is not None:
            found.setdefault(column, place)
    return found


def find_column(title: str) -> str:
    """The column that a title means; empty for one that means nothing here."""
    return _COLUMNS.get(squeeze_title(title), "")


def squeeze_title(title: str) -> str:
    """A title without case, spaces and signs."""
    if strip_cell(title) == "#":
        return "id"
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", title).casefold()))


def split_names(text: str) -> tuple[str, ...]:
    """Names in one cell, a line each or with semicolons between them; a comma may be part of a file's name."""
    parts = (strip_cell(part) for line in text.splitlines() for part in line.split(";"))
    return tuple(part for part in parts if part)


def split_filters(text: str) -> tuple[str, ...]:
    """Filters in one cell, with semicolons or line ends between them; inside double quotes both are text."""
    parts, is_quoted = [""], False
    for character in text:
        is_quoted ^= character == '"'
        if character in ";\r\n" and not is_quoted:
            parts.append("")
        else:
            parts[-1] += character
    return tuple(part for part in map(strip_cell, parts) if part)


def split_tags(text: str) -> tuple[str, ...]:
    """Tags in one cell, with commas, semicolons or line ends between them."""
    return tuple(tag for part in split_names(text) for tag in map(strip_cell, part.split(",")) if tag)
