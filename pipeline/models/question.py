"""What a question is after parsing: anchors, focus, hints, shape and its split into briefs."""

from typing import Literal

from pipeline.models.base import Contract

Intent = Literal[
    "lookup", "definition", "listing", "count", "yes_no", "where", "section", "procedure", "comparison", "calculation",
    "reason", "summary",
]  # fmt: skip
AnswerShape = Literal[
    "value", "text", "list", "count", "boolean", "place", "definition", "section", "procedure", "comparison",
]  # fmt: skip
ValueType = Literal[
    "any", "number", "money", "percent", "date", "duration", "person", "organisation", "name", "identifier",
]  # fmt: skip
AnchorSource = Literal["word", "quoted", "identifier", "compound", "concept", "number", "period"]
HintKind = Literal["section", "physical_page", "printed_page", "table", "figure", "appendix", "layout", "statement"]
Decomposition = Literal["single", "independent", "sequential", "unified", "conditional", "list_then_pick"]


class Anchor(Contract):
    """An original keyword, frozen when the question is parsed.

    `text` as asked; `key` its matching key (folded stem, identifier key or folded phrase); `forms` every folded surface
    form that counts as a match (synonyms of a concept, variants of an identifier), `text`'s own form first; `weight` in
    thousandths, higher for rarer words; `zipf` is the background frequency in hundredths of a Zipf point (0: unknown).
    `is_required` marks a member of the focus that is judged alone: where none of its forms occurs, nothing answers.
    """

    text: str
    key: str
    source: AnchorSource
    forms: tuple[str, ...]
    weight: int
    zipf: int = 0
    is_required: bool = False


class Hint(Contract):
    """A place the question names: `value` as asked ("5.4", "cash flow statement"), `key` its normal form."""

    kind: HintKind
    value: str
    key: str


class Pick(Contract):
    """The condition of "... and which one ...": `text` as asked, and the anchors that decide which item is picked."""

    text: str
    anchors: tuple[Anchor, ...]


class SubQuestion(Contract):
    """One part of a question; `depends_on` names parts that must be closed first. Anchors are frozen per part."""

    id: str
    text: str
    intent: Intent
    shape: AnswerShape
    value_type: ValueType
    anchors: tuple[Anchor, ...]
    focus: tuple[Anchor, ...]
    depends_on: tuple[str, ...] = ()
    pick: Pick | None = None
    expected_count: int | None = None
    is_optional: bool = False


class Question(Contract):
    """A parsed question; it always has at least one sub-question. `periods` are the years asked for ("2018")."""

    text: str
    language: str
    intent: Intent
    shape: AnswerShape
    value_type: ValueType
    decomposition: Decomposition
    anchors: tuple[Anchor, ...]
    focus: tuple[Anchor, ...]
    hints: tuple[Hint, ...]
    sub_questions: tuple[SubQuestion, ...]
    exclusions: tuple[str, ...] = ()
    periods: tuple[str, ...] = ()
    unit: str = ""
    instructions: tuple[str, ...] = ()
    clarification: str | None = None
    asks_for_references: bool = False


class RetrievalBrief(Contract):
    """What retrieval may see of one sub-question: anchors, expansions, scope; never the exclusions or the wording."""

    sub_question: str
    anchors: tuple[Anchor, ...]
    focus: tuple[Anchor, ...]
    expansions: tuple[Anchor, ...]
    hints: tuple[Hint, ...]
    periods: tuple[str, ...]
    shape: AnswerShape
    value_type: ValueType
    language: str
    widened_sections: tuple[int, ...] = ()


class GenerationBrief(Contract):
    """What generation sees: the original wording, exclusions, the asked format, and the faults of a refused answer."""

    question: Question
    open_sub_questions: tuple[str, ...]
    max_quote_characters: int
    faults: tuple[str, ...] = ()
