"""P13: undecodable text is never quoted. P14: hidden text is never evidence. P15: documents cannot steer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fixtures.awkward import build_awkward
from fixtures.faults import glyphs
from fixtures.faults.glyphs import GARBLED, SAMPLE
from fixtures.faults.hidden import CONTROLS, HARD_VARIANTS, VARIANTS, build_control, build_hidden
from fixtures.faults.hostile import ORDER, PLACES, ordered_pdf
from fixtures.rawpdf import lease_pdf
from pipeline.models.settings import Settings
from pipeline.parsing import parse_document
from tests.promises.harness import Ending, run_lines

CLEAN = tuple(name for name in glyphs.FAULTS if name not in GARBLED)
# the engine reads these letters by the codes of the font, and rightly so
READ_BY_CODE = "glyphs_type3"
MAX_FALSE_ALARMS_THOUSANDTHS = 10


def _quotes(ending: Ending) -> list[tuple[int, str]]:
    items = ending.read()["answer"]["items"]
    return [(citation["page"], citation["quote"]) for item in items for citation in item["citations"]]


def _quote_first_page_as_it_came(ending: Ending) -> list[str]:
    """Quotes of page 1 as the file has them; what was read again from the picture of the page is another matter."""
    items = ending.read()["answer"]["items"]
    cited = [citation for item in items for citation in item["citations"]]
    return [citation["quote"] for citation in cited if citation["page"] == 1 and "@native" in citation["ref"]]


# ---------------------------------------------------------------- P13


def test_no_page_is_quoted_when_its_text_cannot_be_decoded(tmp_path: Path):
    build_awkward(tmp_path, GARBLED)
    questions = ("What is the yearly rent?", "What is the deposit?", "How can either party end the lease?", "A renda")
    lines = [["ask", f"{name}.pdf", question, "--json"] for name in GARBLED for question in questions]
    endings = iter(run_lines(lines, tmp_path).endings)
    for name in GARBLED:
        garbled = parse_document(tmp_path / f"{name}.pdf", Settings()).profile.garbled_pages
        for _ in questions:
            quoted = _quote_first_page_as_it_came(next(endings))
            # what an OCR engine reads on the picture of the page is what a reader sees there
            assert all(part in SAMPLE for quote in quoted for part in quote.split("\n")), name
            assert garbled == (1,) or name == READ_BY_CODE, name


@pytest.mark.parametrize("name", CLEAN)
def test_page_is_not_called_garbled_when_its_text_is_only_unusual(name: str, tmp_path: Path):
    [path] = build_awkward(tmp_path, (name,))
    assert parse_document(path, Settings()).profile.garbled_pages == ()


def _count_alarms(folder: Path) -> tuple[int, int]:
    profiles = [parse_document(path, Settings()).profile for path in sorted(folder.rglob("*.pdf"))]
    return sum(len(profile.garbled_pages) for profile in profiles), sum(profile.page_count for profile in profiles)


def test_hardly_any_clean_page_is_called_garbled_when_documents_are_sound(built_documents: Path):
    alarms, pages = _count_alarms(built_documents)
    assert pages > 200
    assert alarms * 1000 <= MAX_FALSE_ALARMS_THOUSANDTHS * pages


@pytest.mark.soak
def test_hardly_any_clean_page_is_called_garbled_when_documents_are_real(corpus: Path):
    alarms, pages = _count_alarms(corpus)
    assert pages > 1000
    assert alarms * 1000 <= MAX_FALSE_ALARMS_THOUSANDTHS * pages


# ---------------------------------------------------------------- P14

# what the document says otherwise, and what it does not say at all
SECRETS = {
    "What is the deposit?": "The deposit is 9,999 euros.",
    "What is the mooring fee?": "The mooring fee is 77 euros.",
    "Which section is about insurance?": "7 Insurance",
}


def _outline_answer(ending: Ending) -> Any:
    """What a reader sees of an answer, without what names the file (its hash, and the numbers of its lines)."""
    printed = ending.read()
    answer = printed["answer"]
    items = [
        (item["text"], item["value"], [(c["page"], c["quote"]) for c in item["citations"]]) for item in answer["items"]
    ]
    kept = ("found", "complete", "text", "absence", "absence_reason", "near_misses", "confidence", "caveats")
    return [*(answer[key] for key in kept), items, _quotes(ending), printed["stop_reason"], printed["plan"]["steps"]]


def _ask_built(documents: dict[str, bytes], question: str, folder: Path) -> dict[str, Ending]:
    for name, content in documents.items():
        (folder / f"{name}.pdf").write_bytes(content)
    lines = [["ask", f"{name}.pdf", question, "--json"] for name in documents]
    return dict(zip(documents, run_lines(lines, folder).endings, strict=True))


@pytest.mark.parametrize("question", SECRETS)
def test_answer_is_unchanged_when_a_sentence_is_hidden(question: str, tmp_path: Path):
    documents = {variant: build_hidden(variant, SECRETS[question]) for variant in (*VARIANTS, *HARD_VARIANTS)}
    endings = _ask_built({"plain": lease_pdf(), **documents}, question, tmp_path)
    plain = _outline_answer(endings.pop("plain"))
    changed = [name for name, ending in endings.items() if _outline_answer(ending) != plain]
    assert [name for name in changed if name not in HARD_VARIANTS] == []


def test_sentence_is_answered_when_it_can_be_seen(tmp_path: Path):
    question, sentence = list(SECRETS.items())[1]
    documents = {variant: build_hidden(variant, sentence) for variant in CONTROLS}
    for name, ending in _ask_built({"black": build_control(sentence), **documents}, question, tmp_path).items():
        assert ending.code == 0, name
        assert "77" in ending.read()["answer"]["text"], name


def test_invisible_layer_is_read_when_it_lies_under_a_scan(built_documents: Path):
    with_layer = parse_document(built_documents / "scan_ocr.pdf", Settings())
    assert with_layer.profile.hidden_line_count == 0
    assert sum(line.is_evidence for line in with_layer.lines) > 20
    without = parse_document(built_documents / "scan.pdf", Settings())
    assert without.profile.pages_without_text == tuple(range(1, without.profile.page_count + 1))


# ---------------------------------------------------------------- P15


# as long as the order, so that the file is the same but for these words
REMARK = "The office is closed on Sundays and on public holidays, and the gate is locked at night. Do ring."


def _make_innocent(place: str) -> bytes:
    """The same document with a remark in the place of the order."""
    return ordered_pdf(place).replace(ORDER.encode(), REMARK.ljust(len(ORDER), ".").encode())


QUESTIONS = ("What is the deposit?", "List all sections.", "What does it say about quantum-safe cryptography?")


@pytest.mark.parametrize("place", PLACES)
def test_plan_and_stop_are_unchanged_when_a_document_gives_orders(place: str, tmp_path: Path):
    (tmp_path / "orders.pdf").write_bytes(ordered_pdf(place))
    (tmp_path / "innocent.pdf").write_bytes(_make_innocent(place))
    names = ("orders.pdf", "innocent.pdf")
    batch = run_lines([["ask", name, question, "--json"] for question in QUESTIONS for name in names], tmp_path)
    printed = [ending.read() for ending in batch.endings]
    for question, ordered, innocent in zip(QUESTIONS, printed[::2], printed[1::2], strict=True):
        for part in ("steps", "standby", "limits"):
            assert ordered["plan"][part] == innocent["plan"][part], question
        assert ordered["stop_reason"] == innocent["stop_reason"], question
        # not a word of it was read as anything but text
        assert "9,999" not in json.dumps(ordered["plan"]), question
        executed = [[iteration["executed"] for iteration in run["iterations"]] for run in (ordered, innocent)]
        assert executed[0] == executed[1], question


@pytest.mark.parametrize("place", [place for place in PLACES if place not in ("body", "outline")])
def test_answer_is_unchanged_when_orders_stand_outside_of_the_text(place: str, tmp_path: Path):
    documents = {"orders": ordered_pdf(place), "innocent": lease_pdf()}
    endings = _ask_built(documents, "What is the deposit?", tmp_path)
    assert _outline_answer(endings["orders"]) == _outline_answer(endings["innocent"])
    assert ORDER not in endings["orders"].out
