"""`pdfdocket checkpoint LEDGER FILE`."""

from __future__ import annotations

from pathlib import Path

import click

from pipeline.cli.options import json_option, read_settings

EPILOG = """\b
Examples:
  pdfdocket checkpoint .pdfdocket/ledger.jsonl /media/usb/head.json
  PDFDOCKET_LEDGER_KEY=... pdfdocket checkpoint .pdfdocket/ledger.jsonl head.json
"""


@click.command(epilog=EPILOG)
@click.argument("ledger", type=click.Path(path_type=Path))
@click.argument("file", type=click.Path(path_type=Path))
@json_option
def command(ledger: Path, file: Path, as_json: bool) -> int:
    """Verify LEDGER and write its head to FILE, to be kept where the ledger's writers cannot reach it.

    An older head in FILE must hold before it is replaced. With PDFDOCKET_LEDGER_KEY the head is signed (HMAC-SHA256).
    """
    from pipeline.audit.checkpoint import print_head, write_checkpoint
    from pipeline.cli.output import print_json, print_text

    key = read_settings({}).ledger_key
    written = write_checkpoint(ledger, file, key.encode() if key else None)
    if as_json:
        print_json({"checkpoint": str(file), **written.model_dump(mode="json")})
    else:
        print_text(f"{file}: head {print_head(written)}{', signed' if written.signature else ''}")
    return 0
