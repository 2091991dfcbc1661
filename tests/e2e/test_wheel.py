"""The wheel: carries the rulebook, and works away from the checkout."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if importlib.util.find_spec("hatchling") is None:
        pytest.skip("hatchling is not installed; `make test` installs it")
    folder = tmp_path_factory.mktemp("wheel")
    # without isolation nothing is fetched, so this works without a network
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*command, "--wheel-dir", str(folder), str(ROOT)], check=True, timeout=120)
    [path] = folder.glob("pdfdocket-*.whl")
    return path


def test_wheel_carries_every_file_of_the_rulebook_when_built(wheel: Path):
    rules = {path.relative_to(ROOT / "rules").as_posix() for path in (ROOT / "rules").rglob("*") if path.is_file()}
    prefix = "pipeline/rules_default/"
    with zipfile.ZipFile(wheel) as archive:
        carried = {name.removeprefix(prefix) for name in archive.namelist() if name.startswith(prefix)}
        tops = {name.split("/")[0] for name in archive.namelist() if ".dist-info" not in name}
        metadata = archive.read(next(name for name in archive.namelist() if name.endswith("METADATA"))).decode()
    cases = {f"cases/{path.name}" for path in (ROOT / "fixtures" / "rules").glob("*.toml")}
    assert rules
    assert cases
    assert carried == rules | cases
    assert tops == {"pipeline"}
    assert "License-Expression: AGPL-3.0-or-later" in metadata


def test_wheel_carries_style_and_script_of_the_report_when_built(wheel: Path):
    with zipfile.ZipFile(wheel) as archive:
        for name in ("page.css", "page.js"):
            carried = archive.read(f"pipeline/report/page/{name}")
            assert carried == (ROOT / "pipeline" / "report" / "page" / name).read_bytes()


@pytest.mark.parametrize("verb", ["list", "check", "mutate"])
def test_rules_are_the_same_when_read_from_the_wheel_and_from_the_checkout(wheel: Path, tmp_path: Path, verb: str):
    unpacked = tmp_path / "unpacked"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(unpacked)
    listings = []
    for place in (ROOT, unpacked):
        environment = os.environ | {"PYTHONPATH": str(place)}
        command = [sys.executable, "-m", "pipeline", "rules", verb, "--json"]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        listings.append(done.stdout)
    assert listings[0] == listings[1]
    assert listings[0]
