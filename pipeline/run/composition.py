"""The whole product as functions: `ask`, and the parts of it that run nothing, `plan` and `profile`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pipeline import __version__
from pipeline.audit.record import SCHEMA_VERSION, build_record
from pipeline.canonical import hash_bytes
from pipeline.decide import build_plan
from pipeline.effects import Effects
from pipeline.errors import QuestionError
from pipeline.loop import walk_loop
from pipeline.models.plan import Limits, Plan
from pipeline.models.preview import Preview
from pipeline.models.run import RunBody, Versions, Volatile
from pipeline.models.settings import Settings
from pipeline.parsing import parse_document
from pipeline.parsing.source import PageSource
from pipeline.policy.facts import compute_facts, read_facts
from pipeline.policy.rulebook import Rulebook
from pipeline.question.parse import parse_question
from pipeline.run.ports import RunPorts
from pipeline.run.references import build_ledger
from pipeline.run.rereading import Rereader, complete_rows
from pipeline.run.shelf import Shelf
from pipeline.run.volatile import read_clock, read_host

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.loop import LoopOutcome
    from pipeline.models.document import DocumentProfile, ParsedDocument
    from pipeline.models.facts import Facts
    from pipeline.models.question import Question
    from pipeline.models.run import Iteration, RunRecord

    Observer = Callable[[str, tuple[tuple[str, str], ...]], None]

__all__ = ["Preview", "ask", "ask_shelved", "plan", "plan_shelved", "profile"]


class _Decided(NamedTuple):
    """Everything that is known before the loop."""

    document: ParsedDocument
    rulebook: Rulebook
    question: Question
    facts: Facts
    plan: Plan


def profile(path: Path | str, settings: Settings | None = None, observe: Observer | None = None) -> DocumentProfile:
    """What a document is; `observe` as for `ask`.

    Raises:
        DocumentError: the file cannot be read as a PDF; its state and remedy say why.
    """
    return _describe_document(parse_document(Path(path), settings or Settings(), _watch(observe)))


def plan(path: Path | str, question: str, settings: Settings | None = None, observe: Observer | None = None) -> Preview:
    """What would be done for a question, and why; nothing is run. `observe` as for `ask`.

    Raises:
        DocumentError: the file cannot be read as a PDF.
        QuestionError: the question is empty, too long or no text.
        RulebookError: the rules are invalid.
    """
    return _preview(_decide(Shelf(), Path(path), question, settings or Settings(), observe))


def plan_shelved(shelf: Shelf, path: Path | str, question: str, settings: Settings) -> Preview:
    """As `plan`, for one of many questions: documents and rulebooks come from the shelf and stay there."""
    return _preview(_decide(shelf, Path(path), question, settings, None))


def _preview(decided: _Decided) -> Preview:
    return Preview(
        profile=_describe_document(decided.document),
        question=decided.question,
        facts=read_facts(decided.facts),
        plan=decided.plan,
    )


def ask(
    path: Path | str,
    question: str,
    settings: Settings | None = None,
    observe: Observer | None = None,
    effects: Effects | None = None,
) -> RunRecord:
    """Ask a document a question; the record holds the answer and everything that led to it. Nothing is written.

    Args:
        path: a PDF.
        question: in words; a statement is a question too.
        settings: limits, rules and where the parse cache is.
        observe: called with the name and fields of every event, for logs and signs of life; it cannot change the run.
        effects: recorded impure calls for a replay; live ones by default.

    Raises:
        DocumentError: the file cannot be read as a PDF.
        QuestionError: the question is empty, too long or no text.
        RulebookError: the rules are invalid.
    """
    return _ask(Shelf(), (path, question), settings or Settings(), observe, effects)


def ask_shelved(shelf: Shelf, path: Path | str, question: str, settings: Settings) -> RunRecord:
    """As `ask`, for one of many questions: documents and rulebooks come from the shelf and stay there."""
    return _ask(shelf, (path, question), settings, None, None)


def _ask(
    shelf: Shelf,
    asked: tuple[Path | str, str],
    settings: Settings,
    observe: Observer | None,
    effects: Effects | None,
) -> RunRecord:
    path, question = asked
    # the clock is read here and at the end, and reaches the volatile part of the record only
    start = read_clock()
    decided = _decide(shelf, Path(path), question, settings, observe)
    effects = effects or Effects("live")
    rereader = _make_rereader(decided, Path(path), settings, effects)
    ports = RunPorts(decided.document, decided.rulebook.lexicons, decided.question, decided.plan.limits, rereader)
    # absence is judged with all that was read in the end
    try:
        outcome = _settle(_run(decided, ports, observe), ports)
    finally:
        ports.close()
    body = _build_body(decided, outcome, question, settings).model_copy(update={"effects": effects.records()})
    if observe is not None:
        observe("stopped", (("reason", outcome.stop_reason), ("iterations", str(len(outcome.iterations)))))
    end = read_clock()
    volatile = Volatile(
        started_at=start.text,
        duration_ms=end.elapsed_ms - start.elapsed_ms,
        host=read_host(),
        document_path=_spell_path(path),
    )
    return build_record(body, volatile)


def _make_rereader(decided: _Decided, path: Path, settings: Settings, effects: Effects) -> Rereader | None:
    """What reads pages again, where the plan has that action."""
    if not any(step.action == "reparse" and step.is_available for step in decided.plan.standby):
        return None
    told = decided.document.profile
    source = PageSource(path, told.sha256, told.is_encrypted, settings)
    # a document without text has no language yet; whoever asks mostly asks in it
    return Rereader(source, effects, told.language if told.line_count else decided.question.language)


def _decide(shelf: Shelf, path: Path, text: str, settings: Settings, observe: Observer | None) -> _Decided:
    # what costs least is refused first: rules and question before the document is parsed
    rulebook = shelf.find_rulebook(settings)
    _check_text(text)
    question = parse_question(text, rulebook.lexicons)
    document = shelf.read_document(path, settings, _watch(observe))
    facts = compute_facts(document.profile, question)
    asked = settings.run.max_iterations
    limits = Limits() if asked is None else Limits(max_iterations=asked)
    decided = _Decided(document, rulebook, question, facts, build_plan(facts, rulebook, limits))
    if observe is not None:
        observe("decided", _describe_decision(decided))
    return decided


def _check_text(text: str) -> None:
    """A lone surrogate is a byte that the terminal's encoding could not read; nothing can be matched with it."""
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise QuestionError("the question is not text in the encoding of the terminal", "ask it in UTF-8")


def _describe_document(document: ParsedDocument) -> DocumentProfile:
    """The profile with what the parser noticed, so that nothing is lost in silence."""
    return document.profile.model_copy(update={"diagnostics": document.diagnostics})


def _spell_path(path: Path | str) -> str:
    """A path as text; bytes of a name that are no text are written as escapes."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _watch(observe: Observer | None) -> Callable[[int], None] | None:
    if observe is None:
        return None
    return lambda elapsed_ms: observe("waiting", (("elapsed_ms", str(elapsed_ms)),))


def _describe_decision(decided: _Decided) -> tuple[tuple[str, str], ...]:
    profiled = decided.document.profile
    return (
        ("document", profiled.sha256[:12]),
        ("state", profiled.state),
        ("pages", str(profiled.page_count)),
        ("steps", ", ".join(step.pattern for step in decided.plan.steps)),
        ("standby", ", ".join(step.action for step in decided.plan.standby)),
    )


def _run(decided: _Decided, ports: RunPorts, observe: Observer | None) -> LoopOutcome:
    # the loop yields and writes nothing, so a watcher sees each iteration when it is over
    steps = walk_loop(decided.question, decided.plan, ports)
    while True:
        try:
            iteration = next(steps)
        except StopIteration as end:
            outcome: LoopOutcome = end.value
            return outcome
        if observe is not None:
            observe("iteration", _describe_event(iteration))


def _describe_event(iteration: Iteration) -> tuple[tuple[str, str], ...]:
    return (
        ("number", str(iteration.number)),
        ("candidates", str(iteration.candidate_count)),
        ("evidence", str(len(iteration.evidence))),
        ("signals", ", ".join(signal.kind for signal in iteration.signals)),
        ("trigger", iteration.trigger.action if iteration.trigger else ""),
        ("budget_after", str(iteration.budget_after)),
    )


def _build_body(decided: _Decided, outcome: LoopOutcome, text: str, settings: Settings) -> RunBody:
    profiled = _describe_document(decided.document)
    return RunBody(
        versions=Versions(
            pdfdocket=__version__,
            schema_version=SCHEMA_VERSION,
            parser_revision=profiled.parser_revision,
            engine=profiled.engine,
        ),
        document_sha256=profiled.sha256,
        question_sha256=hash_bytes(text.encode("utf-8", "surrogatepass")),
        settings=settings.run,
        question=decided.question,
        profile=profiled,
        facts=read_facts(decided.facts),
        plan=decided.plan,
        iterations=outcome.iterations,
        stop_reason=outcome.stop_reason,
        stop_detail=outcome.stop_detail,
        pending_trigger=outcome.pending_trigger,
        best_iteration=outcome.best_iteration,
        answer=outcome.answer,
        ledger=complete_rows(build_ledger(outcome), outcome),
    )


def _settle(outcome: LoopOutcome, ports: RunPorts) -> LoopOutcome:
    """An answer that was not found says at least that it was not seen; more than that must be established."""
    answer = outcome.answer
    if answer.found or answer.absence or answer.clarification:
        return outcome
    finding = ports.conclude_absence()
    near = finding.near_misses or answer.near_misses
    settled = {"absence": finding.kind, "absence_reason": finding.reason, "near_misses": near}
    return outcome._replace(answer=answer.model_copy(update=settled))
