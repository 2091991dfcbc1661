"""The shelf: one document and every rulebook kept, errors remembered, and the same records as without it."""

from __future__ import annotations

import gc

import pytest

from fixtures.rawpdf import lease_pdf
from pipeline.errors import DocumentError
from pipeline.models.settings import Settings
from pipeline.policy.rulebook import find_default_folder
from pipeline.run import Shelf, ask, ask_shelved, plan, plan_shelved
from pipeline.run import shelf as shelf_module
from pipeline.structure.view import DocumentView

QUESTIONS = ("What is the deposit?", "Who repairs the roof?", "What is the deposit?")


@pytest.fixture
def paths(tmp_path):
    for name in ("a.pdf", "b.pdf"):
        (tmp_path / name).write_bytes(lease_pdf())
    (tmp_path / "broken.pdf").write_bytes(lease_pdf()[:300])
    return tmp_path


@pytest.fixture
def parsed(monkeypatch):
    """The names of the documents that were parsed, in order."""
    names = []
    original = shelf_module.parse_document

    def parse(path, *given):
        names.append(path.name)
        return original(path, *given)

    monkeypatch.setattr(shelf_module, "parse_document", parse)
    return names


def test_records_are_those_of_single_questions_when_documents_are_shared(paths, parsed):
    shelf, settings = Shelf(), Settings()
    shared = [ask_shelved(shelf, paths / "a.pdf", question, settings).body for question in QUESTIONS]
    assert parsed == ["a.pdf"]
    assert plan_shelved(shelf, paths / "a.pdf", QUESTIONS[0], settings) == plan(paths / "a.pdf", QUESTIONS[0])
    assert shared == [ask(paths / "a.pdf", question).body for question in QUESTIONS]


def test_one_document_is_kept_when_several_are_asked(paths, parsed):
    shelf, settings = Shelf(), Settings()
    for name in ("a.pdf", "a.pdf", "b.pdf", "b.pdf", "a.pdf"):
        shelf.read_document(paths / name, settings)
    assert parsed == ["a.pdf", "b.pdf", "a.pdf"]


def test_the_error_is_the_same_when_a_document_that_failed_is_asked_again(paths, parsed):
    shelf, settings = Shelf(), Settings()
    for _ in range(3):
        with pytest.raises(DocumentError) as caught:
            shelf.read_document(paths / "broken.pdf", settings)
        assert caught.value.state == "unreadable"
    assert parsed == ["broken.pdf"]


def test_a_document_is_parsed_again_when_nobody_foresaw_what_ended_the_first_attempt(paths, monkeypatch):
    shelf, settings = Shelf(), Settings()
    with monkeypatch.context() as patch:
        patch.setattr(shelf_module, "parse_document", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            shelf.read_document(paths / "a.pdf", settings)
    assert shelf.read_document(paths / "a.pdf", settings).profile.page_count == 6


def test_each_rulebook_is_read_once_when_questions_have_their_own(paths):
    shelf = Shelf()
    first = shelf.find_rulebook(Settings())
    assert shelf.find_rulebook(Settings()) is first
    own = shelf.find_rulebook(Settings(rules_folder=find_default_folder()))
    assert own is not first
    assert own.revision == first.revision


def test_nothing_of_a_run_is_kept_when_many_questions_are_asked(paths):
    shelf, settings = Shelf(), Settings()
    before = _count_views()
    for number in range(5):
        ask_shelved(shelf, paths / "a.pdf", f"What is the deposit for part {number}?", settings)
    assert _count_views() <= before


def _count_views() -> int:
    # other tests of the same process may keep views of their own
    gc.collect()
    return sum(isinstance(kept, DocumentView) for kept in gc.get_objects())
