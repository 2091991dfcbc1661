"""What the lines of a document depend on beside its bytes."""

from __future__ import annotations

from pipeline.parsing.constants import PARSER_REVISION
from pipeline.parsing.early import read_engine


def describe_engine() -> tuple[str, int]:
    """Name and version of the installed engine, and the revision of the parser; neither loads the engine."""
    return read_engine(), PARSER_REVISION
