"""The report page: one HTML file with everything in it, made of strings that are escaped where they are put in."""

from pipeline.report.page.composing import PageOptions, protect_file, write_report

__all__ = ["PageOptions", "protect_file", "write_report"]
