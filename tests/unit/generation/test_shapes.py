"""Every shape has readers, and each of them can be loaded."""

from __future__ import annotations

from typing import get_args

import pytest

from pipeline.generation.extractive.shapes import readers_of
from pipeline.models.question import AnswerShape
from tests.unit.generation.pages import make_task, make_view


@pytest.mark.parametrize("shape", get_args(AnswerShape))
def test_readers_are_loaded_when_a_shape_is_asked(shape):
    part = make_task(make_view(["Words."]), "What is this?").part.model_copy(update={"shape": shape})
    readers = list(readers_of(part))
    assert readers[-1].__name__ == ("read_unlisted" if shape == "list" else "read_passage")
    assert all(reader.__doc__ for reader in readers)
