"""Facts, profiles and folders of rules for the tests of policy and decide."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

from pipeline.models.document import DocumentProfile
from pipeline.models.facts import Facts
from pipeline.models.question import Anchor, Hint, Question, SubQuestion
from pipeline.policy.facts import FactKind, list_facts
from pipeline.policy.rulebook import find_default_folder

NEUTRAL = {
    "section_source": "none",
    "document_kind": "unknown",
    "document_language": "en",
    "intent": "lookup",
    "answer_shape": "value",
    "value_type": "any",
    "question_language": "en",
    "decomposition": "single",
}


def make_facts(**given: object) -> Facts:
    """Facts of an uneventful document and question, with what is given put in their place."""
    values: dict[str, object] = {name: kind.type() for name, kind in list_facts().items()}
    return Facts.model_validate({**values, **NEUTRAL, **given})


def _draw_fact(kind: FactKind) -> st.SearchStrategy[object]:
    if kind.type is bool:
        return st.booleans()
    if kind.type is int:
        return st.integers(min_value=0, max_value=30)
    return st.sampled_from(kind.words) if kind.words else st.sampled_from(["en", "pt", "zh", ""])


any_facts = st.fixed_dictionaries({name: _draw_fact(kind) for name, kind in list_facts().items()}).map(
    Facts.model_validate
)


def make_profile(**given: object) -> DocumentProfile:
    """A profile of three good pages."""
    values = {
        "sha256": "0" * 64,
        "engine": "none",
        "engine_flags": 0,
        "parser_revision": 1,
        "state": "ok",
        "page_count": 3,
        "ok_page_count": 3,
    }
    return DocumentProfile.model_validate({**values, **given})


def make_anchor(key: str, weight: int = 500, source: str = "word", forms: tuple[str, ...] = ()) -> Anchor:
    """An anchor whose text is its key."""
    return Anchor.model_validate(
        {"text": key, "key": key, "source": source, "forms": forms or (key,), "weight": weight}
    )


def make_part(part_id: str = "q1", **given: object) -> SubQuestion:
    """One part of a question."""
    anchors = (make_anchor("retention", 800), make_anchor("period", 200))
    values = {
        "id": part_id,
        "text": part_id,
        "intent": "lookup",
        "shape": "value",
        "value_type": "any",
        "anchors": anchors,
        "focus": anchors[:1],
    }
    return SubQuestion.model_validate({**values, **given})


def make_question(*parts: SubQuestion, **given: object) -> Question:
    """A question made of parts; without any, of one."""
    parts = parts or (make_part(),)
    values = {
        "text": "What is the retention period?",
        "language": "en",
        "intent": parts[0].intent,
        "shape": parts[0].shape,
        "value_type": "any",
        "decomposition": "single" if len(parts) == 1 else "independent",
        "anchors": parts[0].anchors,
        "focus": parts[0].focus,
        "hints": (),
        "sub_questions": parts,
    }
    return Question.model_validate({**values, **given})


def make_hint(kind: str) -> Hint:
    """A hint of a kind."""
    return Hint.model_validate({"kind": kind, "value": "1", "key": f"{kind}:1"})


DEFAULT_RULE = """
id = "KEY01"
name = "always"
status = "stable"
since = "0.1.0"
because = "a default"
[then]
pattern = "keyword"
"""


def write_rules(folder: Path, *rules: str, book: str = 'name = "own"', has_default: bool = True) -> Path:
    """A folder with a rulebook, the default rule, the given rules and a link to the shipped lexicons."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "rulebook.toml").write_text(book + "\n", encoding="utf-8")
    for text in (DEFAULT_RULE,) * has_default + rules:
        name = text.split('id = "', 1)[1].split('"', 1)[0]
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    if "extends" not in book:
        (folder / "lexicons").symlink_to(find_default_folder() / "lexicons")
    return folder


def make_rule(rule_id: str, then: str, when: str = "", status: str = "stable", extra: str = "") -> str:
    """The text of a rule file."""
    return (
        f'id = "{rule_id}"\nname = "made-up"\nstatus = "{status}"\nsince = "0.1.0"\nbecause = "a test"\n'
        f"{extra}\n{'[when]' if when else ''}\n{when}\n[then]\n{then}\n"
    )
