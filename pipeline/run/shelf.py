"""What many runs share, so that nothing is read twice: rulebooks, and the document that was asked last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.errors import DocumentError
from pipeline.parsing import parse_document
from pipeline.policy.rulebook import load_rulebook

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pipeline.models.document import ParsedDocument
    from pipeline.models.settings import Settings
    from pipeline.policy.rulebook import Rulebook


class Shelf:
    """Keeps every rulebook, and one document: memory stays flat however many are asked one after the other.

    All calls give the same password and parse limits.
    """

    def __init__(self) -> None:
        self._rulebooks: dict[tuple[Path | None, Path | None], Rulebook] = {}
        self._path: Path | None = None
        self._document: ParsedDocument | None = None
        self._error: DocumentError | None = None

    def find_rulebook(self, settings: Settings) -> Rulebook:
        """The rulebook of these settings, read at its first use.

        Raises:
            RulebookError: the rules are invalid.
        """
        key = (settings.rules_folder, settings.rules_base)
        if key not in self._rulebooks:
            self._rulebooks[key] = load_rulebook(*key)
        return self._rulebooks[key]

    def read_document(
        self, path: Path, settings: Settings, watch: Callable[[int], None] | None = None
    ) -> ParsedDocument:
        """The parsed document at a path, kept until another one is asked for; `watch` as for `parse_document`.

        Raises:
            DocumentError: it cannot be read; a file that failed once is not tried again.
        """
        if path != self._path:
            # the old one is let go first, so that there are never two in memory
            self._path, self._document, self._error = path, None, None
            try:
                self._document = parse_document(path, settings, watch)
            except DocumentError as error:
                self._error = error
        if self._error is not None:
            raise self._error.with_traceback(None)
        if self._document is None:
            # the last attempt ended in something that nobody foresaw, or was interrupted
            self._document = parse_document(path, settings, watch)
        return self._document
