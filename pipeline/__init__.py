"""pdfdocket: question answering over PDFs by a deterministic dispatcher."""

__version__ = "0.1.0"
