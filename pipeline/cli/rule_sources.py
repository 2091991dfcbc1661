"""What the verbs that exercise rules share: the options that name cases, questions and runs, and reading them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import click

from pipeline.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pipeline.models.plan import FactReading
    from pipeline.models.rule_reports import Sources
    from pipeline.policy.rulebook import Rulebook
    from pipeline.rerun.mutation import Exercises

Function = TypeVar("Function", bound="Callable[..., object]")

rules_option = click.option(
    "--rules", "folder", type=click.Path(path_type=Path), help="Folder with a rulebook; default: the shipped one."
)
cases_option = click.option(
    "--cases", type=click.Path(path_type=Path), help="Folder with <ID>.toml cases; default: cases/ of the rulebook."
)


class Subject(NamedTuple):
    """A rulebook, the rules that lie in its own folder, and what they are exercised with."""

    folder: Path
    rulebook: Rulebook
    own: tuple[str, ...]
    exercises: Exercises


def source_options(function: Function) -> Function:
    """--rules, --cases, --questions, --docs and --ledger."""
    for option in (
        click.option("--ledger", type=click.Path(path_type=Path), help="Ledger, or folder of records, of runs."),
        click.option("--docs", type=click.Path(path_type=Path), help="Folder of the documents that --questions names."),
        click.option("--questions", type=click.Path(path_type=Path), help="Questions as .jsonl, or a folder of them."),
        cases_option,
        rules_option,
    ):
        function = option(function)
    return function


def read_rules_folder(folder: Path | None) -> Path:
    """The folder of rules that the flag, the environment or the settings file names, or the shipped one."""
    from pipeline.config import load_settings
    from pipeline.policy.rulebook import find_default_folder

    return load_settings({"rules": folder}).rules_folder or find_default_folder()


def require_cases(cases: Path | None) -> None:
    """Refuse a folder of cases that is not there; a rulebook without cases of its own is another matter.

    Raises:
        UsageError: there is no such folder.
    """
    if cases is not None and not cases.is_dir():
        raise UsageError(f"{cases}: no such folder of cases", "name a folder with a file <ID>.toml for each rule")


def read_subject(
    folder: Path | None, cases: Path | None, questions: Path | None, docs: Path | None, ledger: Path | None
) -> Subject:
    """The rulebook and everything that is to exercise it.

    Raises:
        UsageError: --questions without --docs, or a path that leads nowhere.
        RulebookError: the rules or the cases do not load.
    """
    from pipeline.config import load_settings
    from pipeline.policy.cases import find_cases_folder, read_cases
    from pipeline.policy.folder_checks import list_own_rules
    from pipeline.policy.rulebook import load_rulebook
    from pipeline.rerun.mutation import Exercises
    from pipeline.rerun.samples import sample_questions, sample_runs

    if (questions is None) != (docs is None):
        raise UsageError("--questions and --docs go together", "name the questions and the folder of their documents")
    require_cases(cases)
    rules = read_rules_folder(folder)
    # rules of the rulebook that this one extends have their cases with it, and are its business
    own = list_own_rules(rules)
    parts = [sample_questions(questions, docs, load_settings({"rules": folder}))] if questions and docs else []
    parts += [sample_runs(ledger)] if ledger else []
    exercises = Exercises(
        cases=read_cases(cases or find_cases_folder(rules), own),
        samples=tuple(sample for part in parts for sample in part.samples),
        left_out=tuple(words for part in parts for words in part.left_out),
    )
    return Subject(rules, load_rulebook(rules), own, exercises)


def describe_sources(sources: Sources) -> list[str]:
    """One line that counts, and one for each thing that was left out."""
    counted = f"{sources.case_count} cases, {sources.question_count} questions, {sources.run_count} runs"
    return [f"exercised with {counted}", *(f"  left out: {words}" for words in sources.left_out)]


def describe_facts(facts: Iterable[FactReading]) -> str:
    """Facts as a case file writes them."""
    import json

    given = ", ".join(f"{fact.name} = {json.dumps(fact.value, ensure_ascii=False)}" for fact in facts)
    return f"facts = {{ {given} }}"


def draw_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Lines of a table with columns as wide as their widest cell."""
    lines = [tuple(heads), *(tuple(row) for row in rows)]
    widths = [max(len(line[index]) for line in lines) for index in range(len(heads))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
