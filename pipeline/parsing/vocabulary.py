"""The parser's own word lists, read from vocabulary.toml beside this file."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple


class Vocabulary(NamedTuple):
    """Frequent letter pairs, frequent words by language, and telling terms by document kind, each in file order."""

    pairs: tuple[str, ...]
    languages: tuple[tuple[str, frozenset[str]], ...]
    kinds: tuple[tuple[str, tuple[str, ...]], ...]


@lru_cache(maxsize=1)
def load_vocabulary() -> Vocabulary:
    """The word lists; read once in a process."""
    with Path(__file__).with_name("vocabulary.toml").open("rb") as stream:
        content = tomllib.load(stream)
    return Vocabulary(
        tuple(content["pairs"].split()),
        tuple((language, frozenset(words.split())) for language, words in content["languages"].items()),
        tuple((kind, tuple(terms)) for kind, terms in content["kinds"].items()),
    )
