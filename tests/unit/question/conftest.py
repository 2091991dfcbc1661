"""The lexicons of the repository, loaded once."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.policy.lexicon import load_lexicons

FOLDER = Path(__file__).resolve().parents[3] / "rules" / "lexicons"


@pytest.fixture(scope="session")
def lexicons():
    return load_lexicons(FOLDER)


@pytest.fixture(scope="session")
def parse(lexicons):
    from pipeline.question.parse import parse_question

    return lambda text: parse_question(text, lexicons)
