"""Rulebooks load whole or not at all, and an error names file and rule."""

from __future__ import annotations

import pytest

from pipeline.errors import RulebookError
from pipeline.models.plan import Limits
from pipeline.policy import rulebook as room
from pipeline.policy.rulebook import LimitCap, find_default_folder, load_rulebook
from pipeline.policy.vocabulary import ACTIONS, AVAILABLE, PARAMETERS, PATTERNS, PHASES, TRIGGER_ORDER
from tests.unit.policy.builders import make_rule, write_rules

TOC = 'pattern = "toc_retrieval"'
EXPAND = 'signal = "incomplete_answer"\naction = "expand_keywords"'


def test_the_shipped_rulebook_loads_when_no_folder_is_given():
    book = load_rulebook()
    assert book.name == "default"
    assert len(book.revision) == 64
    assert [rule.id for rule in book.rules] == sorted(rule.id for rule in book.rules)
    assert book.find("KEY01").is_default
    assert book.find("XXX99") is None
    assert book.lexicons.of("en").language == "en"
    assert load_rulebook() == book


def test_the_words_of_rules_fit_the_contracts_when_compared():
    assert sorted(PHASES) == sorted(PATTERNS)
    assert set(PARAMETERS) == {*PATTERNS, *ACTIONS}
    assert set(PATTERNS) | set(ACTIONS) >= AVAILABLE
    assert {action for _, _, action in TRIGGER_ORDER} == set(ACTIONS)
    assert all(limit in Limits.model_fields for limits in PARAMETERS.values() for limit in limits.values())


def test_a_rule_is_read_whole_when_it_has_every_key(tmp_path):
    text = make_rule(
        "ABC12",
        TOC + "\nmax_sections = 2",
        'all = [{ fact = "page_count", op = "above", value = 3 }]',
        extra='overrides = ["KEY01"]',
    )
    rule = load_rulebook(write_rules(tmp_path / "r", text)).find("ABC12")
    assert rule.is_step
    assert not rule.is_default
    assert rule.overrides == ("KEY01",)
    assert [(p.name, p.value) for p in rule.parameters] == [("max_sections", 2)]
    assert [(c.group, c.fact, c.op, c.value) for c in rule.conditions] == [("all", "page_count", "above", 3)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (make_rule("ABC12", 'pattern = "guess"'), "unknown pattern 'guess'"),
        (make_rule("ABC12", 'signal = "guess"\naction = "sweep"'), "unknown signal 'guess'"),
        (make_rule("ABC12", 'signal = "short_list"\naction = "guess"'), "unknown action 'guess'"),
        (make_rule("ABC12", 'signal = "short_list"'), "unknown action None"),
        (make_rule("ABC12", 'signal = "short_list"\naction = "regenerate"'), "regenerate is no answer to the signal"),
        (make_rule("ABC12", TOC + '\nsignal = "short_list"\naction = "sweep"'), "takes a pattern, or a signal"),
        (make_rule("ABC12", ""), "takes a pattern, or a signal"),
        (make_rule("ABC12", TOC + "\nmax_pages = 2"), "toc_retrieval has no parameter 'max_pages'"),
        (make_rule("ABC12", 'signal = "failed_validation"\naction = "regenerate"\ntimes = 2'), "no parameters"),
        (make_rule("ABC12", TOC + "\nmax_sections = 0"), "max_sections is 0"),
        (make_rule("ABC12", TOC + "\nmax_sections = 99"), "max_sections is 99"),
        (make_rule("ABC12", TOC + "\nmax_sections = true"), "max_sections is True"),
        (make_rule("ABC12", TOC, status="draft"), "status is 'draft'"),
        (make_rule("ABC12", TOC, extra='priority = "9"'), "unknown key priority"),
        (make_rule("ABC12", TOC, extra='overrides = "KEY01"'), "overrides is not a list"),
        (make_rule("ABC12", TOC, extra="overrides = [1]"), "overrides is not a list"),
        (make_rule("ABC12", TOC, extra='overrides = ["ABC12"]'), "cannot override itself"),
        (make_rule("ABC12", TOC, extra='overrides = ["ZZZ99"]'), "overrides ZZZ99, which does not exist"),
        (make_rule("ABC12", EXPAND, extra='overrides = ["KEY01"]'), "puts no step and cannot override KEY01"),
        (make_rule("ABC12", TOC, "all = []"), "'all' is not a list of conditions"),
        (make_rule("ABC12", TOC, 'all = "page_count"'), "'all' is not a list of conditions"),
        (make_rule("ABC12", TOC, "some = []"), "takes the groups all, any, none only"),
        (make_rule("ABC12", TOC, extra='when = "always"'), "takes the groups all, any, none only"),
        (make_rule("ABC12", TOC, 'all = [{ fact = "pages", op = "is", value = 1 }]'), "unknown fact 'pages'"),
        (make_rule("ABC12", TOC).replace("[then]", "[[then]]"), "'then' is not a table"),
        (make_rule("ABC12", TOC).replace('since = "0.1.0"\n', ""), "missing since"),
        (make_rule("ABC12", TOC).replace('"a test"', '" "'), "because is ' '"),
        (make_rule("ABC12", TOC).replace('"made-up"', '"Made up"'), "name is 'Made up'"),
        (make_rule("ABC12", TOC).replace('"made-up"', "5"), "name is 5"),
    ],
)
def test_a_rulebook_does_not_load_when_a_rule_makes_no_sense(tmp_path, text, words):
    with pytest.raises(RulebookError, match=r"ABC12") as caught:
        load_rulebook(write_rules(tmp_path / "r", text))
    assert words in str(caught.value)
    assert str(tmp_path / "r") in str(caught.value)
    assert caught.value.exit_code == 3


def test_a_rulebook_does_not_load_when_file_and_rule_have_different_names(tmp_path):
    folder = write_rules(tmp_path / "r")
    (folder / "ABC12.toml").write_text(make_rule("ABC13", TOC))
    with pytest.raises(RulebookError, match="rule ABC13 stands in a file of another name"):
        load_rulebook(folder)


def test_a_rulebook_does_not_load_when_an_id_has_another_form(tmp_path):
    folder = write_rules(tmp_path / "r")
    (folder / "ABC12.toml").write_text(make_rule("abc", TOC))
    with pytest.raises(RulebookError, match="id is 'abc'"):
        load_rulebook(folder)


def test_a_rulebook_does_not_load_when_no_rule_always_puts_a_step(tmp_path):
    conditional = make_rule("ABC12", TOC, 'all = [{ fact = "page_count", op = "above", value = 3 }]')
    preview = make_rule("ABC13", TOC, status="preview")
    standby = make_rule("ABC14", EXPAND)
    with pytest.raises(RulebookError, match="no default rule"):
        load_rulebook(write_rules(tmp_path / "r", conditional, preview, standby, has_default=False))


def test_a_rulebook_does_not_load_when_overrides_run_in_a_circle(tmp_path):
    first = make_rule("ABC12", TOC, extra='overrides = ["ABC13"]')
    second = make_rule("ABC13", TOC, extra='overrides = ["ABC12"]')
    with pytest.raises(RulebookError, match="in a circle: ABC12, ABC13"):
        load_rulebook(write_rules(tmp_path / "r", first, second))


@pytest.mark.parametrize(
    ("book", "words"),
    [
        ("", "has no name"),
        ('name = ""', "has no name"),
        ("name = 7", "has no name"),
        ('name = "x"\ncolour = "red"', "unknown key colour"),
        ('name = "x"\nextends = "other"', "extends is 'other'"),
        ('name = "x"\nlimits = 4', "limits is not a table"),
        ('name = "x"\n[limits]\nmax_seconds = 4', "unknown limit 'max_seconds'"),
        ('name = "x"\n[limits]\nmax_iterations = 5', "may lower a limit, never raise it: from 1 to 4"),
        ('name = "x"\n[limits]\nmax_iterations = 0', "limit max_iterations is 0"),
        ('name = "x"\n[limits]\nmax_iterations = true', "limit max_iterations is True"),
        ('name = "x"\n[limits]\nmax_sections = "2"', "limit max_sections is '2'"),
        ("name =", "not TOML"),
    ],
)
def test_a_rulebook_does_not_load_when_its_head_makes_no_sense(tmp_path, book, words):
    with pytest.raises(RulebookError, match=r"rulebook\.toml") as caught:
        load_rulebook(write_rules(tmp_path / "r", book=book))
    assert words in str(caught.value)


def test_a_rulebook_does_not_load_when_files_are_missing_or_no_text(tmp_path):
    with pytest.raises(RulebookError, match="no such folder"):
        load_rulebook(tmp_path / "nowhere")
    folder = write_rules(tmp_path / "r")
    (folder / "ABC12.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(RulebookError, match=r"ABC12\.toml: not TOML"):
        load_rulebook(folder)
    (folder / "rulebook.toml").unlink()
    with pytest.raises(RulebookError, match=r"rulebook\.toml: cannot be read"):
        load_rulebook(folder)


def test_an_own_rulebook_adds_to_the_shipped_one_when_it_extends_it(tmp_path):
    book = 'name = "own"\nextends = "default"\n[limits]\nmax_iterations = 2\nmax_sections = 0'
    own = load_rulebook(write_rules(tmp_path / "r", make_rule("ABC12", TOC), book=book, has_default=False))
    shipped = load_rulebook()
    assert {rule.id for rule in own.rules} == {rule.id for rule in shipped.rules} | {"ABC12"}
    assert own.caps == (LimitCap(name="max_iterations", value=2), LimitCap(name="max_sections", value=0))
    assert own.lexicons == shipped.lexicons
    assert own.revision != shipped.revision


def test_own_lexicons_are_read_when_an_extending_rulebook_has_some(tmp_path):
    folder = write_rules(tmp_path / "r", book='name = "own"\nextends = "default"', has_default=False)
    (folder / "lexicons").symlink_to(find_default_folder() / "lexicons")
    own = load_rulebook(folder)
    assert own.lexicons == load_rulebook().lexicons


def test_a_retired_id_does_not_come_back_when_an_own_rule_takes_it(tmp_path, monkeypatch):
    base = write_rules(tmp_path / "base", make_rule("ABC12", TOC, status="retired"))
    monkeypatch.setattr(room, "find_default_folder", lambda: base)
    own = write_rules(
        tmp_path / "own", make_rule("ABC12", TOC), book='name = "own"\nextends = "default"', has_default=False
    )
    with pytest.raises(RulebookError, match="rule ABC12: this id is retired"):
        load_rulebook(own)


def test_a_limit_stays_lowered_when_an_extending_rulebook_asks_for_more(tmp_path, monkeypatch):
    base = write_rules(tmp_path / "base", book='name = "base"\n[limits]\nmax_iterations = 2\nmax_keywords = 9')
    monkeypatch.setattr(room, "find_default_folder", lambda: base)
    book = 'name = "own"\nextends = "default"\n[limits]\nmax_iterations = 3\nmax_keywords = 7'
    own = load_rulebook(write_rules(tmp_path / "own", book=book, has_default=False))
    assert {cap.name: cap.value for cap in own.caps} == {"max_iterations": 2, "max_keywords": 7}


def test_the_revision_follows_the_content_when_a_rule_changes_and_not_its_line_ends(tmp_path):
    text = make_rule("ABC12", TOC)
    first = load_rulebook(write_rules(tmp_path / "a", text)).revision
    elsewhere = write_rules(tmp_path / "b", text)
    assert load_rulebook(elsewhere).revision == first
    (elsewhere / "ABC12.toml").write_bytes(text.replace("\n", "\r\n").encode())
    assert load_rulebook(elsewhere).revision == first
    (elsewhere / "ABC12.toml").write_text(text.replace("a test", "a tesT"))
    assert load_rulebook(elsewhere).revision != first


def test_a_missing_rulebook_is_named_when_neither_wheel_nor_checkout_has_one(tmp_path, monkeypatch):
    monkeypatch.setattr(room, "_PACKAGE", tmp_path / "pipeline")
    with pytest.raises(RulebookError, match="the shipped rulebook is missing"):
        find_default_folder()
    wheel = tmp_path / "pipeline" / "rules_default"
    wheel.mkdir(parents=True)
    (wheel / "rulebook.toml").write_text('name = "default"\n')
    assert find_default_folder() == wheel


def test_an_own_rule_takes_the_place_of_the_shipped_one_when_it_has_its_id(tmp_path):
    text = make_rule("TOC01", TOC, status="retired")
    own = load_rulebook(write_rules(tmp_path / "r", text, book='name = "own"\nextends = "default"', has_default=False))
    assert own.find("TOC01").status == "retired"
    assert own.find("TOC02") == load_rulebook().find("TOC02")
