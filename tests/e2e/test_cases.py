"""Questions with expectations: how many are answered right, and whether docs/status.md names those that are not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.e2e.asking import Outcome, ask_cases, describe_faults, read_cases

ROOT = Path(__file__).resolve().parents[2]
# what needs an OCR engine is asked in test_reparse.py, which says so where there is none
CASE_FILES = sorted(path for path in (ROOT / "fixtures" / "cases").glob("*.jsonl") if path.stem != "reparse")
STATUS = (ROOT / "docs" / "status.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `([\w.-]+)` \| (\S.*\S) \|$", re.MULTILINE)
PUBLIC = "## Public cases that fail"
OWN = "## Own cases that fail"

MIN_PUBLIC_PASSED = 22
# in thousandths of all own cases
MIN_OWN_SHARE = 900


def _read_named(heading: str) -> dict[str, str]:
    """The cases that a part of the page names, with the mechanism that each of them lacks."""
    _, _, rest = STATUS.partition(heading)
    assert rest, f"docs/status.md has no part {heading}"
    return dict(ROW.findall(rest.partition("\n## ")[0]))


def _check_page(outcomes: list[Outcome], heading: str, prefixes: set[str]) -> None:
    """The failing cases are those that the page names, no more and no fewer."""
    failing = {outcome.case["id"] for outcome in outcomes if outcome.faults}
    named = {case_id for case_id in _read_named(heading) if not prefixes or case_id.split("-")[0] in prefixes}
    report = describe_faults(outcomes)
    assert failing - named == set(), f"not in docs/status.md under {heading!r}:\n{report}"
    assert named - failing == set(), f"docs/status.md still names these under {heading!r}, and they pass"


def _report(outcomes: list[Outcome], name: str) -> int:
    passed = sum(not outcome.faults for outcome in outcomes)
    print(f"\n{name}: {passed} of {len(outcomes)} pass\n{describe_faults(outcomes)}")
    return passed


def test_enough_public_cases_pass_and_the_page_names_the_others_when_all_are_asked(cases: Path, corpus: Path):
    outcomes = ask_cases(read_cases(cases / "public-three.jsonl"), corpus)
    passed = _report(outcomes, "public-three")
    assert passed >= MIN_PUBLIC_PASSED, describe_faults(outcomes)
    _check_page(outcomes, PUBLIC, set())


@pytest.fixture(scope="module")
def own_outcomes(built_documents: Path) -> dict[str, list[Outcome]]:
    return {path.stem: ask_cases(read_cases(path), built_documents) for path in CASE_FILES}


@pytest.mark.parametrize("name", [path.stem for path in CASE_FILES])
def test_page_names_the_own_cases_that_fail_when_a_document_is_asked(name: str, own_outcomes: dict[str, list[Outcome]]):
    outcomes = own_outcomes[name]
    _report(outcomes, name)
    _check_page(outcomes, OWN, {outcome.case["id"].split("-")[0] for outcome in outcomes})


def test_enough_own_cases_pass_when_all_are_asked(own_outcomes: dict[str, list[Outcome]]):
    outcomes = [outcome for group in own_outcomes.values() for outcome in group]
    passed = _report(outcomes, "own cases")
    assert passed * 1000 >= MIN_OWN_SHARE * len(outcomes), describe_faults(outcomes)


def test_every_absence_and_clarification_is_right_when_own_cases_are_asked(own_outcomes: dict[str, list[Outcome]]):
    outcomes = [outcome for group in own_outcomes.values() for outcome in group]
    unanswerable = [outcome for outcome in outcomes if outcome.case["not_found"] or outcome.case["clarify"]]
    assert len(unanswerable) > 5
    named = _read_named(OWN)
    wrong = [outcome for outcome in unanswerable if outcome.faults and outcome.case["id"] not in named]
    assert not wrong, describe_faults(wrong)


def test_page_gives_numbers_that_are_right_when_read(own_outcomes: dict[str, list[Outcome]]):
    outcomes = [outcome for group in own_outcomes.values() for outcome in group]
    stated = re.search(r"(\d+) of (\d+) own cases pass", STATUS)
    assert stated
    assert (int(stated[1]), int(stated[2])) == (sum(not outcome.faults for outcome in outcomes), len(outcomes))
