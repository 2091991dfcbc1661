"""Records of scripted runs, for the tests of what is read again from records."""

from __future__ import annotations

from pipeline.audit.record import SCHEMA_VERSION, build_record
from pipeline.decide import build_plan
from pipeline.loop import run_loop
from pipeline.models.plan import Limits
from pipeline.models.question import Question
from pipeline.models.run import RunBody, RunRecord, Versions, Volatile
from pipeline.models.settings import RunSettings
from pipeline.policy.facts import read_facts
from pipeline.policy.rulebook import Rulebook, load_rulebook
from tests.unit.loop.fakes import WHOLE, ScriptedPorts, Turn, make_candidate
from tests.unit.policy.builders import make_facts, make_profile, make_question

PLAIN = Turn(WHOLE, candidates=(make_candidate(1),))


def make_record(
    *turns: Turn, rulebook: Rulebook | None = None, question: Question | None = None, **given: object
) -> RunRecord:
    """The record of a run that went as the turns say; `given` are fields of the body, or `facts_given`."""
    facts = make_facts(**given.pop("facts_given", {}))
    question = question or make_question()
    asked = given.get("settings", RunSettings())
    limits = Limits(max_iterations=asked.max_iterations) if asked.max_iterations else Limits()
    plan = build_plan(facts, rulebook or load_rulebook(), limits)
    outcome = run_loop(question, plan, ScriptedPorts(*(turns or (PLAIN,))))
    values = {
        "versions": Versions(pdfdocket="0", schema_version=SCHEMA_VERSION, parser_revision=1, engine="none"),
        "document_sha256": "0" * 64,
        "question_sha256": "1" * 64,
        "settings": asked,
        "question": question,
        "profile": make_profile(),
        "facts": read_facts(facts),
        "plan": plan,
        **outcome._asdict(),
    }
    return build_record(RunBody.model_validate({**values, **given}), Volatile())
