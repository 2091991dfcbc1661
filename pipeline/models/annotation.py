"""What became of annotated copies: which answers are marked where, and why others are not."""

from pipeline.models.base import Contract


class LeftOut(Contract):
    """An answer, or one place that it cites, without a mark in the copy; `page` is 0 where no place is meant."""

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
    """

    document: str
    document_sha256: str
    file: str = ""
    note_count: int = 0
    highlight_count: int = 0
    reason: str = ""
    warnings: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
