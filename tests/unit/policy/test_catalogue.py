"""The catalogue beside the rules says what the rules say."""

from __future__ import annotations

import runpy
import sys

from pipeline.policy.catalogue import render_catalogue
from pipeline.policy.facts import list_facts
from pipeline.policy.rulebook import find_default_folder, load_rulebook
from tests.unit.policy.builders import make_rule, write_rules


def test_the_page_is_current_when_generated_again():
    page = (find_default_folder() / "README.md").read_text(encoding="utf-8")
    assert page == render_catalogue(load_rulebook()), "python -m pipeline.policy.catalogue > rules/README.md"


def test_the_page_names_every_rule_and_fact_when_rendered():
    page = render_catalogue(load_rulebook())
    assert all(f"| {rule.id} |" in page for rule in load_rulebook().rules)
    assert all(f"| {name} |" in page for name in list_facts())


def test_parameters_and_alternatives_are_spelled_out_when_a_rule_has_them(tmp_path):
    when = 'any = [{ fact = "intent", op = "one_of", value = ["listing", "count"] }]'
    rule = make_rule("ABC12", 'pattern = "toc_retrieval"\nmax_sections = 2', when)
    page = render_catalogue(load_rulebook(write_rules(tmp_path / "r", rule)))
    assert "any: intent one of listing or count | toc_retrieval max_sections=2" in page


def test_the_page_goes_to_stdout_when_the_module_is_run(capsys, monkeypatch):
    monkeypatch.delitem(sys.modules, "pipeline.policy.catalogue")
    runpy.run_module("pipeline.policy.catalogue", run_name="__main__")
    assert capsys.readouterr().out == render_catalogue(load_rulebook())
