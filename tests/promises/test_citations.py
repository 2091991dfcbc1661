"""P11: every citation is true, and a citation that is a little wrong is found out."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from pathlib import Path

import pymupdf
import pytest

from pipeline.generation.validate import find_answer_faults
from pipeline.models.answer import Answer, Citation
from pipeline.models.document import ParsedDocument
from pipeline.models.lexicon import Lexicon
from pipeline.models.settings import Settings
from pipeline.parsing import parse_document
from pipeline.policy.rulebook import load_rulebook
from pipeline.structure.view import DocumentView
from tests.e2e.asking import ask_cases, read_cases

ROOT = Path(__file__).resolve().parents[2]
CASE_FILES = sorted((ROOT / "fixtures" / "cases").glob("*.jsonl"))
MAX_QUOTED = 1_000_000


@lru_cache(maxsize=2)
def _read_page_texts(path: Path) -> tuple[str, ...]:
    """The letters and digits of every page as the engine gives them, by a way that the product does not take."""
    with pymupdf.open(path) as document:
        return tuple(_squeeze(page.get_text(flags=pymupdf.TEXTFLAGS_TEXT)) for page in document)


def _squeeze(text: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text)).casefold()


def _find_untrue(citation: Citation, document: ParsedDocument, texts: tuple[str, ...]) -> str:
    if f"@native.{document.profile.parser_revision}" not in citation.ref:
        # read again: what the page holds then is judged by its own tests, the letters of a reflow by the engine's
        parts = citation.quote.split("\n") if "@ocr" not in citation.ref else ()
        strange = [part for part in parts if _squeeze(part) not in texts[citation.page - 1]]
        return f"{strange} is not in the text of page {citation.page}" if strange else ""
    lines = [
        line for line in document.lines_on(citation.page) if citation.line_start <= line.number <= citation.line_end
    ]
    if not lines or not citation.quote.strip():
        return "nothing is cited"
    for part in citation.quote.split("\n"):
        if not any(part in line.text for line in lines):
            return f"{part!r} is on none of the cited lines"
        if _squeeze(part) not in texts[citation.page - 1]:
            return f"{part!r} is not in the text of page {citation.page}"
    if any(line.hidden for line in lines):
        return "a hidden line is cited"
    if document.pages[citation.page - 1].state != "ok":
        return f"page {citation.page} is {document.pages[citation.page - 1].state}"
    if not citation.ref.startswith(f"{document.profile.sha256[:12]}:p{citation.page}:l{citation.line_start}"):
        return f"reference {citation.ref} is not of this place"
    return ""


def _check_citations(case_file: Path, folder: Path) -> int:
    checked = 0
    wrong = []
    for outcome in ask_cases(read_cases(case_file), folder):
        path = folder / outcome.case["document"]
        document = parse_document(path, Settings())
        answer = outcome.record.body.answer
        conflict = answer.conflict.citations if answer.conflict else ()
        for citation in [*(citation for item in answer.items for citation in item.citations), *conflict]:
            checked += 1
            if fault := _find_untrue(citation, document, _read_page_texts(path)):
                wrong.append(f"{outcome.case['id']}: page {citation.page}, line {citation.line_start}: {fault}")
    assert not wrong, "\n".join(wrong)
    return checked


@pytest.mark.parametrize("case_file", CASE_FILES, ids=lambda path: path.stem)
def test_every_citation_is_true_when_own_cases_are_asked(case_file: Path, built_documents: Path):
    assert _check_citations(case_file, built_documents) > 0


def test_every_citation_is_true_when_cases_of_real_documents_are_asked(corpus: Path, cases: Path):
    assert _check_citations(cases / "public-three.jsonl", corpus) > 40


# ---------------------------------------------------------------- mutants


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return load_rulebook().lexicons.of("en")


def _mutate(citation: Citation, page_count: int) -> dict[str, Citation]:
    quote = citation.quote
    mutants = {
        "next page": citation.model_copy(update={"page": citation.page % page_count + 1}),
        "beyond the end": citation.model_copy(update={"page": page_count + 1}),
        "page zero": citation.model_copy(update={"page": 0}),
        "lines that do not exist": citation.model_copy(update={"line_start": 5000, "line_end": 5001}),
        "lines the wrong way round": citation.model_copy(update={"line_start": 9, "line_end": 8}),
        "nothing": citation.model_copy(update={"quote": ""}),
        "paraphrase": citation.model_copy(update={"quote": "In other words, " + quote.lower()}),
        "two words swapped": citation.model_copy(update={"quote": " ".join(_swap(quote.split(" ")))}),
        "one letter more": citation.model_copy(update={"quote": quote + "s"}),
        "lines in another order": citation.model_copy(update={"quote": "\n".join([*quote.split("\n"), quote])}),
    }
    if digit := re.search(r"\d", quote):
        other = str((int(digit.group()) + 1) % 10)
        changed = quote[: digit.start()] + other + quote[digit.end() :]
        mutants["another digit"] = citation.model_copy(update={"quote": changed})
    if " not " in quote:
        mutants["not left out"] = citation.model_copy(update={"quote": quote.replace(" not ", " ", 1)})
    return {name: mutant for name, mutant in mutants.items() if mutant != citation}


def _swap(words: list[str]) -> list[str]:
    return [*words[1:2], *words[:1], *words[2:]]


def _replace_citation(answer: Answer, number: int, citation: Citation) -> Answer:
    item = answer.items[number]
    changed = item.model_copy(update={"citations": (citation, *item.citations[1:])})
    return answer.model_copy(update={"items": (*answer.items[:number], changed, *answer.items[number + 1 :])})


@pytest.mark.parametrize("name", ["contract", "annual", "standard"])
def test_every_mutant_of_a_citation_is_rejected_when_validated(name: str, built_documents: Path, lexicon: Lexicon):
    outcomes = ask_cases(read_cases(ROOT / "fixtures" / "cases" / f"{name}.jsonl"), built_documents)
    view = DocumentView(parse_document(built_documents / f"{name}.pdf", Settings()), lexicon)
    survivors = []
    mutant_count = true_count = 0
    for outcome in outcomes:
        answer = outcome.record.body.answer
        if not answer.found:
            continue
        assert find_answer_faults(answer, view, MAX_QUOTED) == (), outcome.case["id"]
        for number, item in enumerate(answer.items):
            for kind, mutant in _mutate(item.citations[0], len(view.document.pages)).items():
                if _stands_there_too(mutant, view.document):
                    true_count += 1
                    continue
                mutant_count += 1
                if not find_answer_faults(_replace_citation(answer, number, mutant), view, MAX_QUOTED):
                    survivors.append(f"{outcome.case['id']}: {kind}: {mutant.quote!r}")
    assert mutant_count > 50
    assert true_count < mutant_count // 10
    assert survivors == []


def _stands_there_too(mutant: Citation, document: ParsedDocument) -> bool:
    """Whether a change made another true quote: the same words on the next page, or a shorter part that is there."""
    numbers = range(mutant.line_start, mutant.line_end + 1)
    texts = iter([line.text for line in document.lines_on(mutant.page) if line.number in numbers])
    return bool(mutant.quote.strip()) and all(any(part in text for text in texts) for part in mutant.quote.split("\n"))
