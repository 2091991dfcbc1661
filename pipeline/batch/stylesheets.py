"""Styles of a workbook with wrapped text: copies of those that are there, added behind them, so that none moves."""

from __future__ import annotations

import re

_STYLES = re.compile(rb"<((?:\w+:)?)cellXfs\b[^>]*>(.*?)</\1cellXfs\s*>", re.DOTALL)
_COUNT = re.compile(rb"(\bcount\s*=\s*[\"'])[0-9]+")
_TAG = re.compile(rb"<[\w:]+((?:[^>\"'/]|\"[^\"]*\"|'[^']*')*?)\s*/?>")
_WRAPPED = re.compile(rb"\swrapText\s*=\s*(?:\"[^\"]*\"|'[^']*')")
_APPLIED = re.compile(rb"\sapplyAlignment\s*=\s*(?:\"[^\"]*\"|'[^']*')")


class Stylesheet:
    """The styles of cells in `xl/styles.xml`; what it does not understand it leaves alone."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._added: dict[str, tuple[int, bytes]] = {}
        self._match = _STYLES.search(content)
        body = self._match[2] if self._match else b""
        name = (self._match[1] if self._match else b"") + b"xf"
        one = rb"<%b\b(?:[^>\"']|\"[^\"]*\"|'[^']*')*?(?:/>|>.*?</%b\s*>)" % (name, name)
        self._styles: list[bytes] = re.findall(one, body, re.DOTALL)
        self._name = name

    def wrap(self, style: str) -> str:
        """The number of a style like another one but with wrapped text, at the top of its cell."""
        at = int(style or 0)
        if at >= len(self._styles):
            return style
        found = self._styles[at]
        if re.search(rb"\bwrapText\s*=\s*[\"'](?:1|true)", found):
            return style
        if style not in self._added:
            self._added[style] = (len(self._styles) + len(self._added), self._make(found))
        return str(self._added[style][0])

    def write(self) -> bytes:
        """The part with the styles that were added."""
        if self._match is None or not self._added:
            return self._content
        start, end = self._match.span(2)
        head, tail = self._content[:start], self._content[end:]
        at = self._match.start()
        count = len(self._styles) + len(self._added)
        head = head[:at] + _COUNT.sub(rb"\g<1>%d" % count, head[at:], count=1)
        return head + self._match[2] + b"".join(made for _, made in self._added.values()) + tail

    def _make(self, style: bytes) -> bytes:
        name, prefix = self._name, self._name[:-2]
        told = _TAG.match(style)
        attributes = _APPLIED.sub(b"", told[1] if told else b"")
        body = b"" if told is None or told[0].endswith(b"/>") else style[told.end() : style.rindex(b"</")]
        alignment = re.search(rb"<%balignment\b([^>]*?)\s*(?:/>|>\s*</%balignment\s*>)" % (prefix, prefix), body)
        kept = _WRAPPED.sub(b"", alignment[1]) if alignment else b""
        vertical = b"" if b"vertical=" in kept else b' vertical="top"'
        if alignment:
            body = body[: alignment.start()] + body[alignment.end() :]
        made = b'<%balignment%b%b wrapText="1"/>' % (prefix, kept, vertical)
        return b'<%b%b applyAlignment="1">%b%b</%b>' % (name, attributes, made, body, name)
