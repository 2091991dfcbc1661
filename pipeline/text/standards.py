"""References to published standards and statutes, which always lead out of the document."""
from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

# Bodies and series whose numbers name a document; longer names first.
_BODIES = (
    r"(?:NIST\s+)?(?:SP|CSWP|FIPS(?:\s+PUBS?)?|NISTIR|IR)|NIST|ISO(?:/IEC)?(?:/TS|/TR)?|IEC|IEEE(?:\s+Std)?|RFC|EN|ETSI|"
    r"ITU-T|ANSI|ASTM|BS|DIN|GB/T|GB|IFRS|IAS|IFRIC|ASC|ASU|SFAS|FAS|SAB|FIN|PCI\s+DSS|ABNT\s+NBR|NBR"
)
_NUMBER = (
    r"(?:Topic\s+|No\.\s*|v)?(?:[A-Z]\.)?\d+(?:[-.]\d+)*[A-Z]?(?![a-z])(?:(?:r|\s*[Rr]ev(?:ision|\.)?\s*)\d+)?(?::\d{4})?"
)
_STATUTES = (
    r"\d+\s+U\.?\s?S\.?\s?C\.?(?:,?\s*(?:[Ss]ec(?:tion|\.)|§{1,2})?\s*\d+[a-z]*(?:-\d+)?(?:\([A-Za-z0-9]+\))*)?",
    r"\d+\s+C\.?\s?F\.?\s?R\.?(?:,?\s*(?:[Pp]art|[Ss]ec(?:tion|\.)|§{1,2})?\s*\d+(?:\.\d+)*(?:\([A-Za-z0-9]+\))*)?",
    r"(?:Pub(?:lic|\.)\s+L(?:aw|\.)|P\.L\.)\s*(?:No\.\s*)?\d+-\d+",
    r"(?:Executive\s+Order|E\.O\.)\s*(?:\([A-Z]+\)\s*)?\d+",
    r"(?:OMB\s+)?(?:Circular|Memorandum)\s+(?:No\.\s*)?[A-Z]-\d+(?:-\d+)?",
    r"(?:Regulation|Directive|Regulamento|Diretiva|Directiva)\s+(?:\((?:EU|EC|UE|CE|EEC)\)\s*)?(?:[Nn][o.º]+\s*)?\d+/\d+(?:/[A-Z]{2,3})?",
    r"(?:Lei|Decreto(?:-Lei)?)\s+(?:[Nn]\.?\s?[º°o]\.?\s*)?\d+(?:\.\d+)*(?:/\d+)?",
)


# A line without any of these holds no standard: one cheap look before the pattern.
_HINTS = (
    "SP", "FIPS", "CSWP", "IR ", "NIST", "ISO", "IEC", "IEEE", "RFC", "EN ", "ETSI", "ITU", "ANSI", "ASTM", "BS ", "DIN",
    "GB", "FRS", "IAS", "FRIC", "AS", "SAB", "FIN", "PCI", "NBR", "U.S", "USC", "U. S", "CFR", "C.F", "C. F", "Pub", "P.L",
    "Order", "E.O", "Circular", "Memorandum", "Regula", "Diret", "Direct", "Lei", "Decreto",
)


class StandardReference(NamedTuple):
    """A place that names a standard or statute; `key` is its matching form without separators and issuer."""

    start: int
    end: int
    text: str
    key: str


def find_standards(text: str) -> tuple[StandardReference, ...]:
    """Return the standards and statutes named in `text`, in order."""
    if not any(map(text.__contains__, _HINTS)) or not any(map(text.__contains__, "0123456789")):
        return ()
    return tuple(
        StandardReference(found.start(), found.end(), found[0], key_standard(found[0]))
        for found in _compile_standards().finditer(text)
    )


def key_standard(text: str) -> str:
    """Return one key for the spellings of a standard: "NIST SP 800-53 Rev. 5", "SP 800-53r5" -> "sp800-53r5"."""
    key = " ".join(text.casefold().replace("\u2013", "-").replace("\u2011", "-").split())
    key = re.sub(r"^nist (?=(?:sp|cswp|fips|nistir|ir)\b)", "", key)
    key = key.replace("fips pubs", "fips").replace("fips pub", "fips")
    key = re.sub(r"^iso/iec", "iso", key)
    key = re.sub(r",? ?\b(?:section|sec\.|§§?) ?", "s", key)
    key = re.sub(r"\s*rev(?:ision|\.)?\s*(?=\d)", "r", key)
    key = re.sub(r"\b(?:no\.|topic) ?", "", key)
    return re.sub(r"(?<=\d)\s+(?=\d)", "-", re.sub(r"(?<!\d)[\s.]+|[\s]+(?!\d)|\.(?!\d)", "", key))


@cache
def _compile_standards() -> re.Pattern[str]:
    statutes = "|".join(_STATUTES)
    return re.compile(rf"(?<![\w.-])(?:{statutes}|(?:{_BODIES})[\s-]?{_NUMBER})(?![\w])")
