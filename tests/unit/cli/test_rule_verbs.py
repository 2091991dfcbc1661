"""`pdfdocket rules`: what the analyses print, and the exit code that a script decides by."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from fixtures.rawpdf import lease_pdf
from pipeline.audit.record import write_record
from pipeline.cli.group import run_command
from tests.unit.policy.builders import make_rule, write_rules
from tests.unit.rerun.records import make_record

LONG = 'all = [{ fact = "page_count", op = "at_least", value = 20 }]'
EXTENDS = 'name = "own"\nextends = "default"'
Call = Callable[..., tuple[int, str]]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Call:
    """Run a command line in a folder of its own; gives exit code and stdout with stderr behind it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PDFDOCKET_RULES", raising=False)

    def run(*arguments: str) -> tuple[int, str]:
        code = run_command(["rules", *arguments])
        captured = capfd.readouterr()
        return code, captured.out + captured.err

    return run


def _write(tmp_path: Path, *rules: str, book: str = EXTENDS) -> None:
    write_rules(tmp_path / "mine", *rules, book=book, has_default=False)


def test_check_ends_with_0_when_the_shipped_rules_have_nothing_to_mend(call: Call):
    code, out = call("check")
    assert code == 0
    assert "nothing to mend" in out
    assert "note     unread facts: " in out


def test_check_ends_with_1_and_a_witness_when_rules_conflict(call: Call, tmp_path: Path):
    rules = (make_rule(f"ABC0{n}", f'pattern = "reparse"\nmax_pages = {n}', LONG) for n in (1, 2))
    _write(tmp_path, *rules)
    code, out = call("check", "--rules", "mine")
    assert code == 1
    assert "error    conflict: ABC01 and ABC02 can fire together" in out
    assert "with facts = { page_count = 20" in out
    code, out = call("check", "--rules", "mine", "--json")
    printed = json.loads(out)
    assert (code, printed["is_clean"], printed["findings"][0]["kind"]) == (1, False, "conflict")


def test_check_ends_with_3_when_a_file_does_not_load(call: Call, tmp_path: Path):
    _write(tmp_path, make_rule("ABC01", 'pattern = "magic"'), make_rule("ABC02", 'pattern = "more magic"'))
    code, out = call("check", "--rules", "mine")
    assert code == 3
    assert out.count("does not load") == 2


def test_coverage_counts_and_names_gaps_when_a_side_is_missed(call: Call, tmp_path: Path):
    code, out = call("coverage")
    assert code == 0
    assert "0 gaps in" in out
    _write(tmp_path, make_rule("ABC01", 'pattern = "reparse"', LONG))
    code, out = call("coverage", "--rules", "mine")
    assert code == 1
    assert "gap: ABC01 never fires" in out
    assert "gap: ABC01, all: page_count at least 20: page_count 20 is not exercised" in out
    code, out = call("coverage", "--rules", "mine", "--json")
    assert json.loads(out)["gap_count"] > 0


def test_questions_and_records_exercise_rules_when_they_are_named(call: Call, tmp_path: Path):
    (tmp_path / "lease.pdf").write_bytes(lease_pdf())
    lines = [
        {"id": "a", "document": "lease.pdf", "question": "What is the deposit?"},
        {"document": "x", "question": "y"},
    ]
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    write_record(make_record(), tmp_path / "runs" / "one.json")
    code, out = call("coverage", "--questions", "q.jsonl", "--docs", ".", "--ledger", "runs")
    assert code == 0
    assert "1 questions, 1 runs" in out
    assert "left out: q.jsonl:2: " in out


@pytest.mark.parametrize("verb", ["check", "coverage", "mutate"])
def test_a_folder_of_cases_is_missed_when_it_is_not_there(call: Call, verb: str):
    code, out = call(verb, "--cases", "nowhere")
    assert (code, "nowhere: no such folder of cases" in out) == (2, True)


def test_usage_is_refused_when_questions_come_without_documents(call: Call):
    code, out = call("coverage", "--questions", "q.jsonl")
    assert code == 2
    assert "--questions and --docs go together" in out
    code, out = call("mutate", "--cases", "nowhere")
    assert code == 2
    assert "no such folder of cases" in out


def test_mutate_ends_with_0_when_every_mutant_of_the_shipped_rules_is_noticed(call: Call):
    code, out = call("mutate", "--all")
    assert code == 0
    assert " killed, 0 survived" in out
    assert "killed: TOC01: turn round in all: has_usable_outline is true (by case TOC01: " in out


def test_mutate_names_the_missing_question_when_a_mutant_survives(call: Call, tmp_path: Path):
    _write(tmp_path, make_rule("ABC01", 'pattern = "reparse"', LONG))
    code, out = call("mutate", "--rules", "mine")
    assert code == 1
    assert "survived: ABC01: move to 21 in all: page_count at least 20" in out
    assert "missing: a question with page_count 20: ABC01 fires although the mutant stays silent" in out
    assert "facts = { page_count = 20 }" in out
    assert "TOC01" not in out, "only rules of the folder itself"
    code, out = call("mutate", "--rules", "mine", "--json")
    mutants = [mutant["mutant"] for mutant in json.loads(out)["mutants"]]
    listed = "".join(f'[[survivor]]\nmutant = "{name}"\nbecause = "a test"\n' for name in [*mutants, "gone"])
    (tmp_path / "mine" / "SURVIVORS.toml").write_text(listed, encoding="utf-8")
    code, out = call("mutate", "--rules", "mine")
    assert code == 0
    assert "survived, as listed: ABC01: leave out reparse (because a test)" in out
    assert "listed, but does not survive: gone" in out


def test_mutate_says_which_are_equivalent_and_which_cases_fail_when_there_are_any(call: Call, tmp_path: Path):
    when = 'all = [{ fact = "page_count", op = "at_least", value = 1 }]'
    _write(tmp_path, make_rule("ABC01", 'pattern = "reparse"', when))
    case = '[[case]]\nname = "a"\nfacts = {}\nstate = "blocked"\nblocked_by = []\n'
    (tmp_path / "mine" / "cases").mkdir()
    (tmp_path / "mine" / "cases" / "ABC01.toml").write_text(case, encoding="utf-8")
    code, out = call("mutate", "--rules", "mine")
    assert code == 1
    assert "equivalent, no possible facts tell it apart: ABC01: delete all: page_count at least 1" in out
    assert "fails without any change: case ABC01: a" in out


def test_diff_shows_plans_that_change_when_a_rule_is_added(call: Call, tmp_path: Path):
    _write(tmp_path, make_rule("ABC01", 'pattern = "aggregation"', LONG))
    for count in range(15, 32):
        record = make_record(facts_given={"page_count": count})
        write_record(record, tmp_path / "runs" / f"{record.run_id}.json")
    (tmp_path / "runs" / "bad.json").write_text("{}", encoding="utf-8")
    code, out = call("diff", "default", "mine", "--ledger", "runs")
    assert code == 1
    assert "12 of 17 plans change" in out
    assert "  + aggregation" in out
    assert "and 2 more; --json has them all" in out
    assert "left out: " in out
    code, out = call("diff", "default", "mine", "--ledger", "runs", "--json")
    assert len(json.loads(out)["changes"]) == 12
    code, out = call("diff", "mine", "mine", "--ledger", "runs")
    assert code == 0
    assert "0 of 17 plans change" in out


def test_diff_says_why_when_there_is_no_plan_or_the_lexicons_differ(call: Call, tmp_path: Path):
    _write(tmp_path, *(make_rule(f"ABC0{n}", f'pattern = "reparse"\nmax_pages = {n}') for n in (1, 2)))
    (tmp_path / "mine" / "lexicons").mkdir()
    (tmp_path / "mine" / "lexicons" / "en.toml").write_text('language = "en"\n', encoding="utf-8")
    write_record(make_record(), tmp_path / "runs" / "one.json")
    code, out = call("diff", "default", "mine", "--ledger", "runs")
    assert code == 1
    assert "no plan: own: rules ABC01 and ABC02" in out
    assert "the lexicons differ too" in out


def test_diff_is_refused_when_there_is_no_ledger(call: Call):
    code, out = call("diff", "default", "default")
    assert code == 2
    assert "no ledger and no folder of records" in out


def test_new_writes_a_rule_that_checks_when_begun(call: Call, tmp_path: Path):
    given = (
        "--rules",
        "mine",
        "--all",
        "page_count at_least 50",
        "--then",
        "pattern=two_hop",
        "--because",
        "long ones",
    )
    code, out = call("new", "PAY01", *given)
    assert code == 0
    assert "wrote mine/PAY01.toml" in out
    assert 'because = "long ones"' in (tmp_path / "mine" / "PAY01.toml").read_text(encoding="utf-8")
    assert call("check", "--rules", "mine")[0] == 0
    assert call("mutate", "--rules", "mine")[0] == 0
    assert call("coverage", "--rules", "mine", "--json")[0] == 1, "other rules have no cases there"
    code, out = call("new", "PAY02", "--rules", "mine", "--name", "any-question", "--json")
    assert json.loads(out) == {"rule": "PAY02", "written": ["mine/PAY02.toml", "mine/cases/PAY02.toml"]}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("PAY01", "--rules", "mine", "--then", "two_hop"), "--then takes KEY=VALUE"),
        (("PAY01", "--rules", "mine", "--all", "long"), "is no condition"),
        (("TOC01",), "exists already"),
    ],
)
def test_new_is_refused_when_it_cannot_be_a_rule(call: Call, arguments: tuple[str, ...], words: str):
    code, out = call("new", *arguments)
    assert code == 2
    assert words in out


def test_new_is_refused_when_it_would_write_into_the_program(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("pipeline.policy.rulebook.find_default_folder", lambda: tmp_path / "rules_default")
    code, out = call("new", "PAY01")
    assert code == 2
    assert "part of the program" in out
    assert list(tmp_path.iterdir()) == []


def test_every_verb_has_examples_when_help_is_asked_for(call: Call):
    for verb in ("check", "coverage", "mutate", "diff", "new"):
        code, out = call(verb, "--help")
        assert code == 0
        assert f"pdfdocket rules {verb}" in out
        assert "--json" in out
