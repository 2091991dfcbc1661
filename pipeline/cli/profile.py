"""`pdfdocket profile DOC`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli.options import document_options, json_option, read_settings

if TYPE_CHECKING:
    from pipeline.models.document import DocumentProfile

EPILOG = """\b
Examples:
  pdfdocket profile report.pdf
  pdfdocket profile report.pdf --json
"""


@click.command(epilog=EPILOG)
@click.argument("document", type=click.Path(path_type=Path))
@json_option
@document_options
def command(document: Path, as_json: bool, **flags: object) -> int:
    """Say what DOCUMENT is: pages and their states, outline, language, columns, damage."""
    from pipeline.cli.output import print_json, print_text
    from pipeline.cli.progress import watch_run
    from pipeline.run import profile

    settings = read_settings(flags)
    with watch_run(settings, document) as observe:
        found = profile(document, settings, observe)
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        print_text(render_profile(found))
    return 0


def render_profile(profile: DocumentProfile) -> str:
    """A profile as lines of name and value; what is not there is left out."""
    rows = [
        ("state", profile.state + (" (repaired when opened)" if profile.was_repaired else "")),
        ("kind", f"{profile.kind}, language {profile.language}"),
        ("pages", f"{profile.page_count} ({profile.ok_page_count} ok)"),
        ("failed", _list_pages(profile.failed_pages)),
        ("no text", _list_pages(profile.pages_without_text)),
        ("garbled", _list_pages(profile.garbled_pages)),
        ("scanned", _list_pages(profile.scanned_pages)),
        ("with tables", _list_pages(profile.table_pages)),
        ("lines", f"{profile.line_count}, {profile.column_count} column(s)"),
        ("outline", _describe_outline(profile)),
        ("print", _describe_print(profile)),
        ("hidden lines", str(profile.hidden_line_count) if profile.hidden_line_count else ""),
        ("encrypted", "yes" if profile.is_encrypted else ""),
        ("title", profile.title),
        ("producer", profile.producer),
        ("engine", f"{profile.engine}, parser revision {profile.parser_revision}"),
        ("sha256", profile.sha256),
    ]
    rows += [("noticed", words) for words in _list_diagnostics(profile)]
    return "\n".join(f"{name:<13}{value}" for name, value in rows if value)


def _list_diagnostics(profile: DocumentProfile) -> list[str]:
    """One line for each kind of thing that was noticed: the first of its kind, and how many more there are."""
    first: dict[str, str] = {}
    counts: dict[str, int] = {}
    for diagnostic in profile.diagnostics:
        where = f" (page {diagnostic.page})" if diagnostic.page is not None else ""
        first.setdefault(diagnostic.code, f"{diagnostic.message}{where}")
        counts[diagnostic.code] = counts.get(diagnostic.code, 0) + 1
    return [words + (f"; {counts[code] - 1} more" if counts[code] > 1 else "") for code, words in first.items()]


def _describe_outline(profile: DocumentProfile) -> str:
    usable = "usable" if profile.has_usable_outline else "not usable"
    native = f"{profile.outline_entry_count} entries, {usable}" if profile.outline_entry_count else "none in the file"
    return f"{native}; {profile.section_count} sections from {profile.section_source.replace('_', ' ')}"


def _describe_print(profile: DocumentProfile) -> str:
    if profile.printed_offset is None:
        return ""
    # the offset says how much a physical page is ahead of what is printed on it
    return f"printed page = physical page {-profile.printed_offset:+d}" if profile.printed_offset else "as physical"


def _list_pages(pages: tuple[int, ...]) -> str:
    shown = ", ".join(str(page) for page in pages[:20])
    return f"{len(pages)}: {shown}{' ...' if len(pages) > 20 else ''}" if pages else ""
