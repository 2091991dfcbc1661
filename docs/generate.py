"""Write the generated pages: `python -m docs.generate [OUTDIR]` (default: docs/ of the checkout)."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from pipeline.models.run import RunRecord


def write_pages(folder: Path) -> tuple[Path, ...]:
    """Write every generated page into a folder; give their paths in order."""
    folder.mkdir(parents=True, exist_ok=True)
    schema = RunRecord.model_json_schema()
    path = folder / "run-record.schema.json"
    path.write_text(json.dumps(schema, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
    return (path,)


if __name__ == "__main__":
    for page in write_pages(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent):
        print(page)
