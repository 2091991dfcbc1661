"""What is known of a document beside its text: from its path, from its profile, and from a table of the user's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, get_args

from pipeline.batch.columns import find_column, split_names, squeeze_title, strip_cell
from pipeline.batch.decoding import DELIMITERS, Record, decode_text, read_records, split_lines
from pipeline.batch.documents import match_documents
from pipeline.canonical import hash_bytes
from pipeline.errors import UsageError
from pipeline.models.batch import BatchLimits
from pipeline.models.document import DocumentState
from pipeline.policy.facts import DOCUMENT_KINDS
from pipeline.text.surrogates import escape_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.batch.documents import SourceDocument
    from pipeline.models.document import DocumentProfile

Value = bool | int | str | None
TABLE_NAMES = ("metadata.csv", "metadata.jsonl")


class Key(NamedTuple):
    """Something that a filter may ask: its title, what kind of value it has, and its words where they are closed.

    `is_parsed` says that the document has to be read for it.
    """

    title: str
    kind: type[bool] | type[int] | type[str]
    words: tuple[str, ...] = ()
    is_parsed: bool = True


_LISTED = (
    Key("name", str, is_parsed=False),
    Key("folder", str, is_parsed=False),
    Key("document", str, is_parsed=False),
    Key("pages", int),
    Key("language", str),
    Key("kind", str, DOCUMENT_KINDS),
    Key("producer", str),
    Key("title", str),
    Key("author", str),
    Key("year", int),
    Key("has_outline", bool),
    Key("scanned", bool),
    Key("encrypted", bool),
    Key("state", str, get_args(DocumentState)),
)


KEYS = {squeeze_title(key.title): key for key in _LISTED}


def describe_path(document: SourceDocument) -> dict[str, Value]:
    """What is known of a document without reading it."""
    folder, _, name = document.name.rpartition("/")
    return {"name": name, "folder": folder or ".", "document": document.name}


def describe_profile(profile: DocumentProfile) -> dict[str, Value]:
    """What is known of a document that was read; it counts as scanned when at least half of its pages are images."""
    return {
        "pages": profile.page_count,
        "language": profile.language,
        "kind": profile.kind,
        "producer": profile.producer,
        "title": profile.title,
        "author": profile.author,
        "year": profile.creation_year,
        "hasoutline": profile.has_usable_outline,
        "scanned": 2 * len(profile.scanned_pages) >= profile.page_count,
        "encrypted": profile.is_encrypted,
        "state": profile.state,
    }


def describe_unread(state: str) -> dict[str, Value]:
    """What is known of a document that cannot be read: that, and little else."""
    known: dict[str, Value] = {"state": state}
    return {**known, "encrypted": True} if state == "needs_password" else known


class OwnTable(NamedTuple):
    """A table of the user's own: its name and hash, titles by squeezed name, and the values of each document."""

    name: str = ""
    sha256: str = ""
    titles: dict[str, str] = {}  # noqa: RUF012 - read only
    values: dict[int, dict[str, str]] = {}  # noqa: RUF012 - read only
    unmatched: tuple[str, ...] = ()


def find_table(given: Path | None, folder: Path) -> Path | None:
    """The table asked for, or the one that lies in the folder of the documents.

    Raises:
        UsageError: two of them lie there.
    """
    if given is not None:
        return given
    found = [folder / name for name in TABLE_NAMES if (folder / name).is_file()]
    if len(found) > 1:
        raise UsageError(f"{folder}: both {' and '.join(TABLE_NAMES)} lie there", "name one with --metadata")
    return found[0] if found else None


def read_table(path: Path, documents: tuple[SourceDocument, ...]) -> OwnTable:
    """Read a table: a column or key `document` with names or globs as in questions, and any others.

    Raises:
        UsageError: it cannot be read, a row is broken, or two rows contradict each other.
    """
    try:
        if path.stat().st_size > BatchLimits().max_file_bytes:
            raise UsageError(f"{path}: more than {BatchLimits().max_file_bytes} bytes", "split the table")
        if not path.is_file():
            raise UsageError(f"{path}: not a regular file", "give a table to --metadata")
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}", "give a table to --metadata") from error
    text, _ = decode_text(content)
    lines = split_lines(text)
    is_objects = path.suffix.casefold() in (".jsonl", ".ndjson", ".json")
    rows = list(_read_objects(lines, path) if is_objects else _read_cells(lines, path))
    titles: dict[str, str] = {}
    values: dict[int, dict[str, str]] = {}
    unmatched: list[str] = []
    for line, names, cells in rows:
        places, missing = match_documents(names, documents)
        if missing:
            unmatched.append(missing)
        for title, cell in cells:
            key = squeeze_title(title)
            titles.setdefault(key, strip_cell(title))
            for place in places if cell else ():
                told = values.setdefault(place, {}).setdefault(key, cell)
                if told != cell:
                    words = f"{path}:{line}: {documents[place].name} has another {title} in an earlier row: {told}"
                    raise UsageError(words, "leave one of them")
    return OwnTable(path.name, hash_bytes(content), titles, values, tuple(unmatched))


Row = tuple[int, tuple[str, ...], list[tuple[str, str]]]
"""Line, names of documents, and titles with their cells."""


def _read_cells(lines: list[str], path: Path) -> Iterator[Row]:
    first = next((line for line in lines if strip_cell(line)), "")
    heads = {sign: next(iter(read_records([first], sign)), Record(1, ())).cells for sign in DELIMITERS}
    delimiter = max(DELIMITERS, key=lambda sign: len(heads[sign]))
    place = _find_documents(heads[delimiter], path)
    for record in read_records(lines, delimiter):
        cells = tuple(map(strip_cell, record.cells))
        if record.fault:
            raise UsageError(f"{path}:{record.line}: {record.fault}", "mend the row")
        if not any(cells) or record.cells == heads[delimiter]:
            continue
        if len(cells) <= place or not cells[place]:
            raise UsageError(f"{path}:{record.line}: the row names no document", "name one, or remove the row")
        pairs = zip(heads[delimiter], cells, strict=False)
        named = [pair for at, pair in enumerate(pairs) if at != place and squeeze_title(pair[0])]
        yield record.line, split_names(cells[place]), named


def _find_documents(head: tuple[str, ...], path: Path) -> int:
    columns = [place for place, title in enumerate(head) if find_column(title) == "document"]
    if not columns:
        shown = escape_surrogates(", ".join(head)[:80])
        raise UsageError(f"{path}: the first line names no column document: {shown}", "name the columns there")
    return columns[0]


def _read_objects(lines: list[str], path: Path) -> Iterator[Row]:
    for number, line in enumerate(lines, 1):
        if not strip_cell(line):
            continue
        try:
            told = json.loads(strip_cell(line))
        except (ValueError, RecursionError) as error:
            words = " ".join(str(error).split())
            raise UsageError(f"{path}:{number}: not JSON: {words}", "write an object into each line") from error
        named = next((key for key in told if find_column(key) == "document"), None) if isinstance(told, dict) else None
        if named is None:
            raise UsageError(f"{path}:{number}: no object with a document", "write an object into each line")
        cells = [(key, _spell(value)) for key, value in told.items() if key != named and squeeze_title(key)]
        yield number, split_names(_spell(told[named])), cells


def _spell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "; ".join(map(_spell, value))
    return "" if value is None else strip_cell(str(value))
