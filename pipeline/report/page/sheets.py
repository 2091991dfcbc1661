"""Pages that are to be shown: each once, however many answers rest on it, up to the ceiling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.report.page.pictures import PageSet

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class SheetIndex:
    """Gives a number to every page that is shown; the first to be asked for get one while there are any left."""

    def __init__(self, max_sheets: int) -> None:
        self._max_sheets = max_sheets
        self._paths: dict[str, Path] = {}
        self._numbers: dict[str, dict[int, int]] = {}
        self.count = 0
        self._left_out: set[tuple[str, int]] = set()

    @property
    def left_out_count(self) -> int:
        """How many pages got no number."""
        return len(self._left_out)

    def place(self, sha256: str, path: Path, page: int) -> int | None:
        """The number of a page; none when there are too many already."""
        numbers = self._numbers.setdefault(sha256, {})
        if page not in numbers:
            # first come, first shown: the same pages whichever document is drawn first
            if self.count >= self._max_sheets:
                self._left_out.add((sha256, page))
                return None
            self._paths.setdefault(sha256, path)
            self.count += 1
            numbers[page] = self.count
        return numbers[page]

    def walk_documents(self) -> Iterator[tuple[PageSet, dict[int, int]]]:
        """Each document with its pages in their order, and the number of each page."""
        for sha256, path in self._paths.items():
            numbers = self._numbers[sha256]
            yield PageSet(path, sha256, tuple(sorted(numbers))), numbers
