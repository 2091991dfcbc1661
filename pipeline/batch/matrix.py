"""Which question is asked of which document: one row for each pair, in the order of the input."""

from __future__ import annotations

import json
from bisect import bisect_left
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pipeline import __version__
from pipeline.batch.documents import SourceDocument, list_documents, match_documents
from pipeline.batch.questions import read_questions
from pipeline.batch.screening import Screen, read_screen
from pipeline.canonical import encode_json, encode_model, hash_bytes
from pipeline.errors import RulebookError, UsageError
from pipeline.models.batch import BatchLimits
from pipeline.parsing import describe_engine
from pipeline.policy.rulebook import load_rulebook
from pipeline.report.rows import Frame, link_document

if TYPE_CHECKING:
    from pipeline.models.batch import BatchQuestion, LeftOut, QuestionList
    from pipeline.models.settings import Settings

_OWN_RULES = ("", "default")
_SHOWN_TAGS = 8


class PlannedRow(NamedTuple):
    """A pair of places, in the questions and in the documents (-1 for none), or why it cannot be asked."""

    number: int
    question: int
    document: int
    fault: str = ""


class Inputs(NamedTuple):
    """Where a batch comes from and goes to; with tags only questions that carry one of them are asked.

    `where` are filters that every document must meet, `metadata` a table with more to be asked of them. Documents lie
    in a folder or, as text, below a URL.
    """

    questions: Path
    documents: Path | str
    out: Path
    settings: Settings
    only: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    metadata: Path | None = None


class Matrix(NamedTuple):
    """Everything that is known before the first question is asked; numbers of rows that filters left out are free."""

    inputs: Inputs
    listed: QuestionList
    documents: tuple[SourceDocument, ...]
    rows: tuple[PlannedRow, ...]
    screen: Screen = Screen()
    left_out: tuple[LeftOut, ...] = ()

    def find_row(self, number: int) -> PlannedRow:
        """A row by its number."""
        return self.rows[bisect_left(self.rows, number, key=lambda row: row.number)]

    def find_question(self, row: PlannedRow) -> BatchQuestion:
        """The question of a row."""
        return self.listed.questions[row.question]

    def find_document(self, row: PlannedRow) -> SourceDocument | None:
        """The document of a row, None where the row names none that there is."""
        return self.documents[row.document] if row.document >= 0 else None

    def frame(self, row: PlannedRow) -> Frame:
        """What is known of a row before it is asked."""
        asked, document = self.find_question(row), self.find_document(row)
        named = document.name if document else ", ".join(asked.documents)
        sha256 = document.sha256 if document else ""
        link = link_place(document, self.inputs.out) if document else ""
        return Frame(row.number, asked, named, sha256, link)

    def find_settings(self, asked: BatchQuestion) -> Settings:
        """The settings for one question: its own rulebook, if it names one, beside the file of questions."""
        if asked.rulebook.casefold() in _OWN_RULES:
            return self.inputs.settings
        folder = self.inputs.questions.parent / asked.rulebook
        return self.inputs.settings.model_copy(update={"rules_folder": folder})


def build_matrix(inputs: Inputs) -> Matrix:
    """Read the questions, list the documents and pair them.

    Raises:
        UsageError: questions or documents cannot be read, or no question carries a tag asked for.
    """
    listed = read_questions(inputs.questions)
    documents = _list_documents(inputs)
    screen = read_screen(inputs, listed, documents)
    only = _find_tags(inputs, listed)
    rows: list[PlannedRow] = []
    for place, asked in enumerate(listed.questions):
        if only and only.isdisjoint(tag.casefold() for tag in asked.tags):
            continue
        if fault := asked.fault or screen.faults.get(place, ""):
            rows.append(PlannedRow(len(rows) + 1, place, -1, f"{listed.name}:{asked.line}: {fault}"))
            continue
        places, missing = match_documents(asked.documents, documents)
        if missing:
            words = f"{listed.name}:{asked.line}: no document is called {missing}"
            rows.append(PlannedRow(len(rows) + 1, place, -1, words))
        rows += [PlannedRow(len(rows) + at, place, document) for at, document in enumerate(places, 1)]
    if len(rows) > BatchLimits().max_rows:
        raise UsageError(f"{inputs.questions}: {len(rows)} rows of results do not fit into a sheet", "split the file")
    return Matrix(inputs, listed, documents, tuple(rows), screen)


def link_place(document: SourceDocument, out: Path) -> str:
    """A link to a document from the folder of the results; one in a store is named as it is."""
    if not document.url:
        return link_document(document.path, out)
    from pipeline.batch.remote import link_url

    return link_url(document.url)


def _list_documents(inputs: Inputs) -> tuple[SourceDocument, ...]:
    if isinstance(inputs.documents, Path):
        return list_documents(inputs.documents, inputs.out)
    from pipeline.batch.remote import list_remote_documents

    return list_remote_documents(inputs.documents)


def _find_tags(inputs: Inputs, listed: QuestionList) -> set[str]:
    """The tags asked for, folded. A tag that no question carries is a slip, also beside one that some carry."""
    known = {tag.casefold(): tag for asked in listed.questions for tag in asked.tags}
    for tag in inputs.only:
        if tag.casefold() not in known:
            near = get_close_matches(tag.casefold(), sorted(known), 3, 0.6)
            meant = f"did you mean {' or '.join(known[each] for each in near)}" if near else "see --only"
            if not near and known:
                meant = f"there are {', '.join(islice(known.values(), _SHOWN_TAGS))}"
            raise UsageError(f"{inputs.questions}: no question carries the tag {tag}", meant)
    return {tag.casefold() for tag in inputs.only}


def describe_batch(matrix: Matrix) -> dict[str, str]:
    """What makes two batches the same, as hashes by the words that name a difference.

    The bytes of the documents are left to the rows: a file that failed may be mended and asked again.
    """
    settings = matrix.inputs.settings
    # links of results lead to a store, so it is another batch when that is another one
    names = [document.url or document.name for document in matrix.documents]
    told = [encode_model(settings.run).decode(), encode_model(settings.parse).decode(), *matrix.inputs.only]
    filters = {} if matrix.screen.is_empty else {"filters or metadata": matrix.screen.describe()}
    return {
        **filters,
        "questions": matrix.listed.sha256,
        "names of the documents": hash_bytes(encode_json(names)),
        "rules": hash_bytes(encode_json(_list_revisions(matrix))),
        "settings or tags": hash_bytes(encode_json(told)),
        "version of pdfdocket or its engine": json.dumps([__version__, *describe_engine()]),
    }


def _list_revisions(matrix: Matrix) -> list[str]:
    """The revision of every rulebook in use; one of a single question may be wrong, and then its rows fail."""
    settings = matrix.inputs.settings
    revisions = [load_rulebook(settings.rules_folder, settings.rules_base).revision]
    own = {asked.rulebook: asked for asked in matrix.listed.questions if not asked.fault}
    for name in sorted(own):
        try:
            folder = matrix.find_settings(own[name]).rules_folder
            revisions.append(load_rulebook(folder, settings.rules_base).revision)
        except (RulebookError, OSError, ValueError) as error:
            revisions.append(f"{name}: {error}")
    return revisions
