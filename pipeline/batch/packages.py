"""A workbook as what it is, a ZIP of parts (ECMA-376, part 2): which part is which sheet, and what is merged there."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, NamedTuple
from xml.parsers import expat

if TYPE_CHECKING:
    from zipfile import ZipFile

_MERGED = re.compile(rb"<(?:\w+:)?mergeCell\s[^>]*?ref\s*=\s*[\"']([A-Z]{1,3}[0-9]+(?::[A-Z]{1,3}[0-9]+)?)[\"']")
_REFERENCE = re.compile(r"\$?([A-Z]{1,3})\$?([0-9]{1,7})")


class Area(NamedTuple):
    """A range of cells, rows and columns from 1, all four included."""

    top: int
    left: int
    bottom: int
    right: int

    def has_cell(self, row: int, column: int) -> bool:
        """Whether a cell is in it."""
        return self.top <= row <= self.bottom and self.left <= column <= self.right


class Element(NamedTuple):
    """The start of an element: its name without a prefix, and its attributes by theirs."""

    name: str
    attributes: dict[str, str]


def read_merged(packed: ZipFile, title: str) -> tuple[Area, ...]:
    """The merged cells of a sheet."""
    content = packed.read(find_sheet_part(packed, title))
    return tuple(read_area(match[1].decode()) for match in _MERGED.finditer(content))


def find_sheet_part(packed: ZipFile, title: str) -> str:
    """The name of the part that holds a sheet.

    Raises:
        KeyError: there is no such sheet or part.
    """
    book = find_related(packed, "", "/officeDocument")[0]
    parts = dict(_read_relations(packed, book))
    for element in read_elements(packed.read(book)):
        if element.name == "sheet" and element.attributes.get("name") == title:
            return parts[element.attributes["id"]][1]
    raise KeyError(f"there is no sheet {title}")


def find_related(packed: ZipFile, part: str, kind: str) -> list[str]:
    """Parts that a part (or, with "", the whole package) relates to; `kind` is how the type of the relation ends."""
    return [target for _, (found, target) in _read_relations(packed, part) if found.endswith(kind)]


def _read_relations(packed: ZipFile, part: str) -> list[tuple[str, tuple[str, str]]]:
    """Id, type and target of every relation of a part to another one."""
    folder, _, name = part.rpartition("/")
    place = posixpath.join(folder, "_rels", f"{name}.rels")
    if place not in packed.namelist():
        return []
    found = []
    for element in read_elements(packed.read(place)):
        told = element.attributes
        if element.name != "Relationship" or told.get("TargetMode") == "External":
            continue
        target = posixpath.normpath(posixpath.join("/", folder, told["Target"])).lstrip("/")
        found.append((told["Id"], (told["Type"], target)))
    return found


def read_elements(content: bytes) -> list[Element]:
    """The starts of all elements of a small part, in their order.

    Raises:
        ValueError: it is no XML, or declares what a part of a workbook must not.
    """
    found: list[Element] = []

    def take(name: str, attributes: dict[str, str]) -> None:
        found.append(Element(_strip_prefix(name), {_strip_prefix(key): value for key, value in attributes.items()}))

    parser = make_parser()
    parser.StartElementHandler = take
    parse_part(parser, content)
    return found


def make_parser() -> expat.XMLParserType:
    """A parser that takes no declarations of entities."""
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = _refuse_declaration
    return parser


def parse_part(parser: expat.XMLParserType, content: bytes) -> None:
    """Parse a whole part.

    Raises:
        ValueError: it is no XML, or declares what a part of a workbook must not.
    """
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise ValueError(f"a part of it is no XML: {error}") from error


def _refuse_declaration(*_: object) -> None:
    raise ValueError("a part of it declares a document type")


def _strip_prefix(name: str) -> str:
    return name.rpartition(":")[2]


def read_area(reference: str) -> Area:
    """A range such as B2:D4, or one cell.

    Raises:
        ValueError: it is neither.
    """
    first, _, last = reference.partition(":")
    (top, left), (bottom, right) = read_reference(first), read_reference(last or first)
    return Area(top, left, bottom, right)


def read_reference(reference: str) -> tuple[int, int]:
    """Row and column of a cell, from 1.

    Raises:
        ValueError: it is no reference to a cell.
    """
    match = _REFERENCE.fullmatch(reference)
    if match is None:
        raise ValueError(f"{reference} is no cell")
    column = 0
    for letter in match[1]:
        column = 26 * column + ord(letter) - 64
    return int(match[2]), column


def write_reference(row: int, column: int) -> str:
    """A cell by its name."""
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return f"{letters}{row}"
