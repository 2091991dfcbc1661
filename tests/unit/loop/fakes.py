"""Ports that say what a test tells them to, and remember what the loop asked."""

from __future__ import annotations

from typing import NamedTuple

from pipeline.critique import Critique
from pipeline.decide import build_plan
from pipeline.loop import ActionRequest, ActionResult, ModelUse
from pipeline.models.answer import Answer, Certificate, Feedback, Item
from pipeline.models.evidence import Candidate, Evidence, FoundBy, Span
from pipeline.models.plan import Limits, Plan
from pipeline.models.question import Anchor, GenerationBrief
from pipeline.models.run import Signal
from pipeline.policy.rulebook import load_rulebook
from tests.unit.policy.builders import make_facts

EVERYTHING = frozenset(
    {"toc_retrieval", "keyword", "two_hop", "aggregation", "reparse"}
    | {"expand_keywords", "resolve_references", "widen_section", "sweep", "regenerate"}
)
_BOOK = load_rulebook()


class Absent(NamedTuple):
    """A finding of absence."""

    kind: str = "no_match"
    reason: str = "no line has it"
    near_misses: tuple[str, ...] = ("something near",)
    is_certain: bool = True


class Turn(NamedTuple):
    """What the ports answer during one iteration and the decision after it."""

    answer: Answer
    signals: tuple[Signal, ...] = ()
    faults: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    results: dict[str, ActionResult] = {}  # noqa: RUF012 - read only
    absence: Absent | None = None
    use: ModelUse = ModelUse()


class ScriptedPorts:
    """Answers by a list of turns; the last one holds for the rest of the run."""

    def __init__(self, *turns: Turn) -> None:
        self.turns = list(turns)
        self.number = 0
        self.retrieved: list[tuple[str, object]] = []
        self.briefs: list[GenerationBrief] = []
        self.requests: list[ActionRequest] = []
        self.absence_count = 0

    @property
    def turn(self) -> Turn:
        return self.turns[min(max(self.number, 1), len(self.turns)) - 1]

    def retrieve(self, step, brief):
        self.retrieved.append((step.pattern, brief))
        coming = self.turns[min(self.number, len(self.turns) - 1)]
        return tuple(found for found in coming.candidates if found.sub_question == brief.sub_question)

    def fuse(self, rankings):
        return tuple(dict.fromkeys(found for ranking in rankings for found in ranking))

    def assemble(self, candidates):
        return tuple(Evidence(candidate=candidate, lines=()) for candidate in candidates)

    def find_absence(self):
        self.absence_count += 1
        coming = self.turns[min(self.number, len(self.turns) - 1)]
        if coming.absence is not None:
            self.number += 1
        return coming.absence

    def generate(self, brief, evidence):
        self.number += 1
        self.briefs.append(brief)
        return self.turn.answer

    def critique(self, answer, evidence, brief):
        return Critique(self.turn.signals, not self.turn.faults, self.turn.faults)

    def perform(self, request):
        self.requests.append(request)
        return self.turn.results.get(request.trigger.action, ActionResult())

    def count_model_use(self):
        return self.turn.use


def make_plan(monkeypatch=None, limits: Limits | None = None, **facts: object) -> Plan:
    """A plan by the shipped rules for a list question; with `monkeypatch`, as if this version ran everything."""
    if monkeypatch is not None:
        monkeypatch.setattr("pipeline.decide.AVAILABLE", EVERYTHING)
    plan = build_plan(make_facts(**{"is_listing": True, "has_model_engine": True, **facts}), _BOOK)
    return plan.model_copy(update={"limits": limits}) if limits else plan


def make_answer(**given: object) -> Answer:
    """An answer that was found but is not whole."""
    return Answer.model_validate({"found": True, "complete": False, "text": "so", "confidence": 500, **given})


WHOLE = make_answer(complete=True, closed=("q1",), confidence=900)
OPEN = make_answer()


def make_item(part: str, text: str) -> Item:
    return Item(sub_question=part, text=text, citations=(), extraction="verbatim")


def make_certificate(verdict: str, part: str = "q1", **given: object) -> Certificate:
    values = {
        "sub_question": part,
        "denominator": 6,
        "denominator_source": "stated",
        "denominator_quote": "six",
        "detectors": (),
        "item_count": 4,
        "is_end_seen": True,
        "gaps": (),
        "verdict": verdict,
        "why": "counted",
    }
    return Certificate.model_validate({**values, **given})


def make_feedback(**given: object) -> Feedback:
    return Feedback.model_validate(given)


def make_candidate(place: int, part: str = "q1", **given: object) -> Candidate:
    """A candidate on a page of its own."""
    values = {
        "ref": f"ref:{place}",
        "sub_question": part,
        "spans": (Span(page=place, line_start=1, line_end=2),),
        "score": 1000 - place,
        "found_by": (FoundBy(method="keyword", rank=1, score=1, why="a test"),),
        "matched": ("retention",),
    }
    return Candidate.model_validate({**values, **given})


def make_signal(kind: str, *targets: str) -> Signal:
    return Signal.model_validate({"kind": kind, "targets": targets})


def make_expansion(key: str, weight: int = 300) -> tuple[str, Anchor]:
    return ("q1", Anchor(text=key, key=key, source="word", forms=(key,), weight=weight))


VOCABULARY = make_signal("discovered_vocabulary", "term")
INCOMPLETE = make_signal("incomplete_answer", "q1")
EXPANDED = {"expand_keywords": ActionResult(expansions=(make_expansion("term"),))}
