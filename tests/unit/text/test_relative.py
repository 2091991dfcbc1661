"""References that name a kind and a direction instead of a label, in three languages."""

from __future__ import annotations

import pytest

from pipeline.text.relative import find_relative_mentions


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("the rule of the preceding paragraph holds", ["paragraph:-1"]),
        ("as described in the previous section", ["section:-1"]),
        ("The following table shows it", ["table:+1"]),
        ("see the figure below and the table above", ["figure:+1", "table:-1"]),
        ("conforme o artigo anterior", ["article:-1"]),
        ("o disposto no parágrafo seguinte", ["paragraph:+1"]),
        ("na tabela abaixo", ["table:+1"]),
        ("依照前款规定", ["paragraph:-1"]),
        ("按照上一条的规定", ["article:-1"]),
        ("如下表所示", ["table:+1"]),
    ],
)
def test_kind_and_direction_are_read_when_a_place_is_named_by_them(text, keys):
    assert [mention.key for mention in find_relative_mentions(text)] == keys


@pytest.mark.parametrize(
    "text", ["this section applies", "the following Section 3", "the following items", "in the above case", "前提", ""]
)
def test_nothing_is_read_when_no_kind_stands_beside_a_direction(text):
    assert find_relative_mentions(text) == ()


def test_offsets_give_the_words_when_a_reference_is_found():
    text = "It holds as the next clause says."
    mention = find_relative_mentions(text)[0]
    assert text[mention.start : mention.end] == mention.text == "the next clause"
