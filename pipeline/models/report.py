"""The report page: its ceilings, and what was written."""

from pydantic import Field

from pipeline.models.base import Contract


class ReportLimits(Contract):
    """Ceilings of one page; whatever they leave out is counted on it.

    Pictures are counted by page of a document; widths are pixels, of which there are fewer when there are many
    pictures. `max_picture_bytes`, `max_detail_bytes` are those of all pictures and of all details together.
    """

    max_rows: int = Field(default=10_000, ge=1)
    max_detail_bytes: int = Field(default=60_000_000, ge=0)
    max_pictures: int = Field(default=1_000, ge=0)
    max_pictures_of_answer: int = Field(default=12, ge=0)
    max_picture_bytes: int = Field(default=48_000_000, ge=0)
    max_page_seconds: int = Field(default=20, ge=1)
    widths: tuple[tuple[int, int], ...] = ((120, 1200), (400, 1000), (1_000, 800))
    max_pixels: int = Field(default=6_000_000, ge=1)


class ReportSummary(Contract):
    """What was written; `notes` say what a ceiling, a missing document or a broken page left out."""

    path: str
    row_count: int
    answered_count: int
    not_found_count: int
    asked_back_count: int
    failed_count: int
    document_count: int
    picture_count: int
    picture_bytes: int
    byte_count: int
    notes: tuple[str, ...] = ()
