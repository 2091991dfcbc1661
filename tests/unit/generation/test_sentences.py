"""Lines that readers see: each once, also where it is drawn twice."""

from __future__ import annotations

import pytest

from pipeline.generation.extractive.sentences import MAX_SHIFT, evidence_lines
from tests.unit.generation.pages import make_task, make_view


@pytest.mark.parametrize(("shift", "count"), [(0, 1), (MAX_SHIFT, 1), (MAX_SHIFT + 1, 2)])
def test_line_is_read_once_when_it_is_drawn_twice_in_one_place(shift, count):
    view = make_view(["The rent is 40 euros.", "The rent is 40 euros."])
    first, second = view.document.lines
    moved = second.model_copy(update={"box": tuple(edge + shift for edge in first.box)})
    document = view.document.model_copy(update={"lines": (first, moved)})
    task = make_task(type(view)(document, view.lexicon), "How much is the rent?")
    assert len(evidence_lines(task.view, task.evidence[0])) == count
