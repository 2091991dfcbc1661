"""Text files of other programs: their encoding, their lines and their delimiter, found out rather than asked for."""

from __future__ import annotations

import codecs
import csv
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

DELIMITERS = (",", ";", "\t", "|")

# UTF-32 first: its mark begins with that of UTF-16
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WINDOW = 4096
_SPACES = "\t\n\v\f\r"
# a stray control character makes a bad row; of what was compressed every eighth character is one
_TEXT_SHARE = 20


class Record(NamedTuple):
    """The cells of one record of a table and the line that it begins on (1-based), or what is wrong with it.

    A heading parts the rows of a sheet and is no row of its own.
    """

    line: int
    cells: tuple[str, ...]
    fault: str = ""
    is_heading: bool = False


def decode_text(content: bytes) -> tuple[str, str]:
    """A text and the name of its encoding: by its mark, else UTF-8, UTF-16 or Windows-1252.

    Bytes that are wrong in an otherwise sound UTF-8 file become lone surrogates, so that their lines can be named.
    """
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            errors = "surrogateescape" if encoding == "utf-8-sig" else "replace"
            return content.decode(encoding, errors), encoding
    head = content[:_WINDOW]
    # Latin text in UTF-16 has a zero in every other byte; no other text has zeros
    for encoding, zeros in (("utf-16-le", head[1::2]), ("utf-16-be", head[::2])):
        if zeros and 2 * zeros.count(0) > len(zeros):
            return content.decode(encoding, "replace"), encoding
    text = content.decode("utf-8", "surrogateescape")
    wrong_count = sum("\udc80" <= character <= "\udcff" for character in text)
    sound_count = sum(character > "\x7f" for character in text) - wrong_count
    # one bad byte among many sound umlauts is a bad line, not another encoding
    if sound_count >= 2 * wrong_count:
        return text, "utf-8"
    try:
        return content.decode("cp1252"), "cp1252"
    except UnicodeDecodeError:
        return content.decode("latin-1"), "latin-1"


def is_binary(content: bytes) -> bool:
    """Whether bytes are those of a picture, an archive or the like: control characters abound in them."""
    text = decode_text(content[:_WINDOW])[0]
    wild_count = sum(character < " " and character not in _SPACES for character in text)
    return wild_count * _TEXT_SHARE > len(text)


def split_lines(text: str) -> list[str]:
    """The lines of a text without their ends; only CR, LF and both together end one."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return lines


def read_records(lines: list[str], delimiter: str) -> Iterator[Record]:
    """The records of a table; one that breaks the rules of quoting is given as a fault, and the next line goes on."""
    start = 0
    while start < len(lines):
        reader = csv.reader((f"{line}\n" for line in lines[start:]), delimiter=delimiter, strict=True)
        taken = 0
        try:
            for cells in reader:
                yield Record(start + taken + 1, tuple(cells))
                taken = reader.line_num
            return
        except csv.Error as error:
            # an open quote swallows all that follows, so only its first line is given up
            at = start + taken
            yield Record(at + 1, (), f"cannot be read as a record: {error}")
            start = at + 1
