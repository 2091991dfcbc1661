"""What became of annotated copies: which answers are marked where, and why others are not."""

from pipeline.models.base import Contract


class Unmarked(Contract):
    """One place that an answer cites, or (with `page` 0) a whole row, without a mark in the copy, and why."""

    id: str
    question: str
    run_id: str
    reason: str
    page: int = 0
    line_start: int = 0
    line_end: int = 0


class CopyReport(Contract):
    """The annotated copy of one document: `file` is its name below the folder of copies, empty where there is none.

    `reason` says why there is no copy, `warnings` what a reader of the copy must know (a signature, say).
    `answer_count` are the answers from this document, `unmarked` also names rows without an answer.
    """

    document: str
    document_sha256: str
    file: str = ""
    answer_count: int = 0
    note_count: int = 0
    highlight_count: int = 0
    reason: str = ""
    warnings: tuple[str, ...] = ()
    unmarked: tuple[Unmarked, ...] = ()

    @property
    def is_refused(self) -> bool:
        """Whether there are answers and no copy."""
        return bool(self.answer_count and self.reason)

    @property
    def unmarked_place_count(self) -> int:
        """How many places that are cited have no highlight."""
        return sum(bool(one.page) for one in self.unmarked)
