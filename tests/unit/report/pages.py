"""A report page taken apart as a browser would, for the tests of it."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

from pipeline.models.report import ReportLimits, ReportSummary
from pipeline.report.entries import Entry
from pipeline.report.page import PageOptions, write_report

Attributes = dict[str, str]


class Element(NamedTuple):
    """An element with its attributes and the text right behind its start."""

    tag: str
    attributes: Attributes


class Parts(HTMLParser):
    """The elements of some HTML, its text, and what stands in its scripts."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self.text = ""
        self.comments: list[str] = []
        self.scripts: list[tuple[Attributes, str]] = []
        self._script: Attributes | None = None
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.elements.append(Element(tag, attributes))
        if tag in ("script", "style"):
            self._script = attributes
            self.scripts.append((attributes, ""))

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self._script = None

    def handle_data(self, data: str) -> None:
        if self._script is None:
            self.text += data
        else:
            attributes, before = self.scripts[-1]
            self.scripts[-1] = (attributes, before + data)

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def find(self, tag: str, kind: str = "") -> list[Attributes]:
        """Attributes of the elements with a tag and, if given, a class."""
        found = [element.attributes for element in self.elements if element.tag == tag]
        return [each for each in found if not kind or kind in each.get("class", "").split()]


class Page(NamedTuple):
    """A page that was written: what it came to, its HTML, its parts, and the parts of the details by answer."""

    summary: ReportSummary
    html: str
    parts: Parts
    details: dict[str, Parts]

    @property
    def pictures(self) -> dict[str, bytes]:
        """The pictures by their numbers."""
        return {
            attributes["id"][1:]: base64.b64decode(text)
            for attributes, text in self.parts.scripts
            if attributes.get("id", "").startswith("p") and text
        }


def write_page(entries: Iterable[Entry], folder: Path, **limits: object) -> Page:
    """Write a page and take it apart."""
    out = folder / "report.html"
    summary = write_report(entries, out, PageOptions(ReportLimits(**limits)))
    html = out.read_bytes().decode("utf-8")
    parts = Parts(html)
    details = {
        attributes["id"][1:]: Parts(text) for attributes, text in parts.scripts if attributes.get("type") == "text/html"
    }
    return Page(summary, html, parts, details)
