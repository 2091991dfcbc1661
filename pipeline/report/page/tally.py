"""What all answers come to: counted while they pass, by status, document, tag and stop reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.models.batch import ResultRow
    from pipeline.report.entries import Entry

STATUSES = ("answered", "not_found", "asked_back", "failed")


class DocumentTally:
    """What was asked of one document; `note` says why it is not there, if it is not."""

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self.number = number
        self.sha256 = ""
        self.link = ""
        self.note = ""
        self.pages = ""
        self.counts = dict.fromkeys(STATUSES, 0)


class Tally:
    """Counts of everything; grows with documents, tags and stop reasons, not with answers."""

    def __init__(self) -> None:
        self.row_count = 0
        self.left_out_count = 0
        self.counts = dict.fromkeys(STATUSES, 0)
        self.stops: dict[str, int] = {}
        self.documents: dict[str, DocumentTally] = {}
        self.tags: dict[str, int] = {}
        self.expected_count = self.seen_count = 0
        self.conflict_count = self.incomplete_count = 0
        self.revisions: dict[str, int] = {}
        self.programs: dict[str, int] = {}

    def take(self, entry: Entry, link: str) -> None:
        """Count one answer."""
        row = entry.row
        self.row_count += 1
        self.counts[row.status] += 1
        if row.stop_reason:
            self.stops[row.stop_reason] = self.stops.get(row.stop_reason, 0) + 1
        if row.is_expected_seen is not None:
            self.expected_count += 1
            self.seen_count += row.is_expected_seen
        self.conflict_count += row.conflict is not None
        self.incomplete_count += row.status == "answered" and not row.complete
        if row.rulebook_revision:
            self.revisions[row.rulebook_revision] = self.revisions.get(row.rulebook_revision, 0) + 1
        self._take_document(entry, link)

    def find_document(self, row: ResultRow) -> int:
        """The number of a document, in the order in which they come up; those without a name share one."""
        if row.document not in self.documents:
            self.documents[row.document] = DocumentTally(row.document, len(self.documents) + 1)
        return self.documents[row.document].number

    def find_tag(self, tag: str) -> int:
        """The number of a tag, in the order in which they come up."""
        return self.tags.setdefault(tag, len(self.tags) + 1)

    def _take_document(self, entry: Entry, link: str) -> None:
        row = entry.row
        self.find_document(row)
        found = self.documents[row.document]
        found.counts[row.status] += 1
        # a failed row may know less of its document than the next one
        found.sha256 = found.sha256 or row.document_sha256
        found.link = found.link or link
        found.note = found.note or entry.document_note
        if entry.record is not None:
            versions = entry.record.body.versions
            name = f"pdfdocket {versions.pdfdocket}, {versions.engine}, parser revision {versions.parser_revision}"
            self.programs[name] = self.programs.get(name, 0) + 1
            profile = entry.record.body.profile
            found.pages = found.pages or f"{profile.ok_page_count} of {profile.page_count}"
