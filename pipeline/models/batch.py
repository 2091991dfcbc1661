"""A batch: questions as they were read from a file, and one row of results for each question of each document."""

from typing import Literal

from pipeline.models.answer import Absence, Conflict, Item
from pipeline.models.base import Contract
from pipeline.models.run import StopReason

RowStatus = Literal["answered", "not_found", "asked_back", "failed"]
QuestionFormat = Literal["csv", "xlsx", "jsonl", "text"]


class BatchLimits(Contract):
    """Ceilings of a batch: bytes of the questions (packed and unpacked), questions, characters of one, rows of results.

    A sheet of a workbook has no more rows than that. `max_attempts` is how many workers of a cluster may
    die of an order.
    """

    max_file_bytes: int = 100_000_000
    max_unpacked_bytes: int = 1_000_000_000
    max_questions: int = 200_000
    max_cell_characters: int = 20_000
    max_rows: int = 1_048_575
    max_attempts: int = 3


class BatchQuestion(Contract):
    """A question with what stood beside it; `documents` are names or globs, none means all.

    `where` are filters that a document must meet, as they were written. `fault` says why the row cannot be asked; such
    a row is kept and fails.
    """

    line: int
    id: str
    question: str
    documents: tuple[str, ...] = ()
    expected: str = ""
    rulebook: str = ""
    tags: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    fault: str = ""


class QuestionList(Contract):
    """A file of questions as it was understood; `ignored_columns` are those that mean nothing here.

    Of a workbook, `heading_lines` are rows that only part the others, `unread_sheets` have questions too.
    """

    name: str
    sha256: str
    format: QuestionFormat
    questions: tuple[BatchQuestion, ...]
    encoding: str = ""
    delimiter: str = ""
    sheet: str = ""
    ignored_columns: tuple[str, ...] = ()
    heading_lines: tuple[int, ...] = ()
    unread_sheets: tuple[str, ...] = ()


class Spending(Contract):
    """What a run took, or what its plan may take at worst."""

    iterations: int = 0
    reparsed_pages: int = 0
    model_calls: int = 0
    model_tokens: int = 0


class Ceilings(Contract):
    """The most that all rows of a batch together may take by their plans; None is no ceiling."""

    max_iterations: int | None = None
    max_reparsed_pages: int | None = None
    max_model_calls: int | None = None
    max_model_tokens: int | None = None


class LeftOut(Contract):
    """A document that a filter keeps from being asked, why, and how many rows that are.

    `is_unknown` says that nothing is told of it, rather than something else than asked for.
    """

    filter: str
    document: str
    reason: str
    row_count: int
    is_unknown: bool = False


class ResultRow(Contract):
    """What became of one question of one document, free of clocks; `reason` is why a row failed, in one line.

    `number` counts rows of the whole batch from 1 in the order of the input; `line` is where the question stands.
    `state` names the kind of failure as in docs/json.md. `confidence` is in thousandths. `link` leads from the folder
    of the results to the page of the first citation. `is_expected_seen` is None where nothing was expected.
    `worst_case` is that of the plan, None where nothing was planned.
    """

    number: int
    line: int
    id: str
    question: str
    document: str
    document_sha256: str
    status: RowStatus
    state: str = ""
    reason: str = ""
    answer: str = ""
    complete: bool = False
    confidence: int = 0
    items: tuple[Item, ...] = ()
    pages: tuple[int, ...] = ()
    absence: Absence | None = None
    absence_reason: str = ""
    near_misses: tuple[str, ...] = ()
    conflict: Conflict | None = None
    clarification: str | None = None
    caveats: tuple[str, ...] = ()
    stop_reason: StopReason | None = None
    iteration_count: int = 0
    patterns: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    rulebook_revision: str = ""
    run_id: str = ""
    body_hash: str = ""
    link: str = ""
    expected: str = ""
    is_expected_seen: bool | None = None
    tags: tuple[str, ...] = ()
    spent: Spending = Spending()
    worst_case: Spending | None = None


class BatchSummary(Contract):
    """What a batch came to; `asked_count` rows were asked by this call, `kept_count` were there from an earlier one.

    `left_out` are the documents that filters kept from being asked, `unmatched_names` what the user's table names and
    is not there. `worst_case` is that of the plans that were run. `copy_count` documents have an annotated copy;
    `unmarked_count` places that are cited have no mark in one. The report page shows `picture_count` pages;
    `report_notes` say what it leaves out. `filled_file` is the filled questionnaire. Of a workbook, `heading_lines` are
    rows that only part the others, and `unread_sheets` have questions too that were not asked.
    """

    row_count: int
    answered_count: int
    not_found_count: int
    asked_back_count: int
    failed_count: int
    asked_count: int
    kept_count: int
    document_count: int
    question_count: int
    torn_bytes: int = 0
    copy_count: int = 0
    copy_refused_count: int = 0
    unmarked_count: int = 0
    filled_file: str = ""
    filled_count: int = 0
    heading_lines: tuple[int, ...] = ()
    unread_sheets: tuple[str, ...] = ()
    has_report: bool = False
    picture_count: int = 0
    report_notes: tuple[str, ...] = ()
    left_out_count: int = 0
    left_out: tuple[LeftOut, ...] = ()
    unmatched_names: tuple[str, ...] = ()
    ignored_columns: tuple[str, ...] = ()
    ceiling_count: int = 0
    spent: Spending = Spending()
    worst_case: Spending = Spending()
    ceilings: Ceilings = Ceilings()


class NamedCount(Contract):
    """How many rows have something in their plans."""

    name: str
    count: int


class BatchForecast(Contract):
    """What a batch would do: rows by pattern, standby action and rule, and the worst that all of it can cost."""

    row_count: int
    planned_count: int
    failed: tuple[ResultRow, ...]
    patterns: tuple[NamedCount, ...]
    actions: tuple[NamedCount, ...]
    rules: tuple[NamedCount, ...]
    max_iterations: int
    max_reparsed_pages: int
    max_model_calls: int
    max_model_tokens: int
    left_out_count: int = 0
    left_out: tuple[LeftOut, ...] = ()
    unmatched_names: tuple[str, ...] = ()
    ignored_columns: tuple[str, ...] = ()
    ceiling_count: int = 0
