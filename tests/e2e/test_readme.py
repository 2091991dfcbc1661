"""The README says nothing that does not work: every command in it is run, or is a target of the Makefile."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from pipeline.config import load_settings

ROOT = Path(__file__).resolve().parents[2]
TOML_BLOCK = re.compile(r"^```toml\n(.*?)^```", re.MULTILINE | re.DOTALL)
PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:]+)\)")
SHELL_BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
MAKE_TARGET = re.compile(r"^([a-z]+):.*## ", re.MULTILINE)
EXIT_CODE = re.compile(r"# exit code (\d)")


def _list_commands() -> list[tuple[list[str], int]]:
    """Each command of each block with the exit code its line promises (0 unless it ends in `# exit code N`)."""
    commands = []
    for block in SHELL_BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8")):
        for line in block.replace("\\\n", " ").splitlines():
            if words := shlex.split(line, comments=True):
                promised = EXIT_CODE.search(line)
                commands.append((words, int(promised.group(1)) if promised else 0))
    return commands


def test_readme_names_real_targets_when_it_says_make():
    targets = set(MAKE_TARGET.findall((ROOT / "Makefile").read_text(encoding="utf-8")))
    named = {words[1] for words, _ in _list_commands() if words[0] == "make" and "=" not in words[1]}
    assert {"demo", "test"} <= named
    assert named <= targets


def test_readme_commands_end_as_promised_when_run_in_order(built_documents: Path, tmp_path: Path):
    folder = tmp_path / "fixtures" / "built"
    folder.parent.mkdir()
    folder.symlink_to(built_documents, target_is_directory=True)
    (tmp_path / "README.md").symlink_to(ROOT / "README.md")
    (tmp_path / "fixtures" / "questions.csv").symlink_to(ROOT / "fixtures" / "questions.csv")
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    for words, promised in _list_commands():
        if words[0] == "make":
            continue
        assert words[0] == "pdfdocket", f"no test can run {words}"
        command = [sys.executable, "-m", "pipeline", *words[1:]]
        done = subprocess.run(
            command,
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == promised, f"{shlex.join(words)}: {done.stderr or done.stdout}"
        assert "Traceback" not in done.stderr


def test_readme_library_code_prints_an_answer_when_run(built_documents: Path, tmp_path: Path):
    folder = tmp_path / "fixtures" / "built"
    folder.parent.mkdir()
    folder.symlink_to(built_documents, target_is_directory=True)
    [code] = PYTHON_BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.strip().splitlines()) > 3


def test_readme_settings_are_taken_when_loaded(tmp_path: Path):
    [text] = TOML_BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    (tmp_path / "pdfdocket.toml").write_text(text, encoding="utf-8")
    settings = load_settings({}, tmp_path)
    assert settings.records_folder == Path("runs")
    assert settings.parse.max_seconds == 60


def test_readme_links_lead_somewhere_when_followed():
    links = LINK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(links) > 3
    assert [link for link in links if not (ROOT / link).is_file()] == []
