"""The bricks of one run, wired to one document: what the loop calls when it asks for candidates, text or an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from pipeline.critique import critique_answer
from pipeline.generation.extractive import ExtractiveGenerator
from pipeline.loop import ModelUse
from pipeline.patterns import aggregation, keyword, toc_retrieval
from pipeline.retrieval.absence import establish_absence, explain_unseen
from pipeline.retrieval.assembly import assemble_evidence
from pipeline.retrieval.fusion import fuse
from pipeline.retrieval.reading import forget_readings
from pipeline.run.actions import perform_action
from pipeline.structure.view import DocumentView

if TYPE_CHECKING:
    from pipeline.critique import Critique
    from pipeline.generation.contract import Generator
    from pipeline.loop import ActionRequest, ActionResult
    from pipeline.models.answer import Answer
    from pipeline.models.document import ParsedDocument
    from pipeline.models.evidence import Candidate, Evidence
    from pipeline.models.lexicon import Lexicons
    from pipeline.models.plan import Limits, Step
    from pipeline.models.question import GenerationBrief, Question, RetrievalBrief
    from pipeline.retrieval.absence import AbsenceFinding
    from pipeline.run.rereading import Rereader

    class PatternFunction(Protocol):
        """What every pattern is: a ranking of candidates for one sub-question."""

        def __call__(
            self, view: DocumentView, brief: RetrievalBrief, step: Step, limits: Limits
        ) -> tuple[Candidate, ...]:
            """Candidates, best first."""
            ...


def _follow_references(view: DocumentView, brief: RetrievalBrief, step: Step, limits: Limits) -> tuple[Candidate, ...]:
    # few plans have this step, and what resolves references takes its time to import
    from pipeline.patterns import two_hop

    return two_hop.retrieve(view, brief, step, limits)


def _read_tables(view: DocumentView, brief: RetrievalBrief, step: Step, limits: Limits) -> tuple[Candidate, ...]:
    from pipeline.patterns import reparse

    return reparse.retrieve(view, brief, step, limits)


_PATTERNS: dict[str, PatternFunction] = {
    "toc_retrieval": toc_retrieval.retrieve,
    "keyword": keyword.retrieve,
    "two_hop": _follow_references,
    "aggregation": aggregation.retrieve,
    "reparse": _read_tables,
}


class RunPorts:
    """The ports of one run; the view may grow (a reparse adds lines), nothing else of it changes."""

    def __init__(
        self,
        document: ParsedDocument,
        lexicons: Lexicons,
        question: Question,
        limits: Limits,
        rereader: Rereader | None = None,
    ) -> None:
        self.view = DocumentView(document, lexicons.of(document.profile.language))
        # a question may be asked in another language than the document is written in
        self.lexicon = lexicons.of(question.language)
        self.question = question
        self.limits = limits
        self.rereader = rereader
        self.generator: Generator = ExtractiveGenerator()

    def retrieve(self, step: Step, brief: RetrievalBrief) -> tuple[Candidate, ...]:
        """Candidates of one step for one sub-question, best first."""
        return _PATTERNS[step.pattern](self.view, brief, step, self.limits)

    def fuse(self, rankings: tuple[tuple[Candidate, ...], ...]) -> tuple[Candidate, ...]:
        """One ranking from those of all steps."""
        return fuse(rankings)

    def assemble(self, candidates: tuple[Candidate, ...]) -> tuple[Evidence, ...]:
        """The text of the best candidates."""
        return assemble_evidence(self.view, candidates, self.limits)

    def find_absence(self) -> AbsenceFinding | None:
        """Proof that the document cannot answer, or None; pages that may still be read keep it from being final."""
        finding = establish_absence(self.view, self.question)
        is_open = finding is not None and finding.kind == "not_seen" and self.rereader is not None
        if is_open and self.rereader is not None and self.rereader.list_unread(self.view):
            return None
        return finding

    def conclude_absence(self) -> AbsenceFinding:
        """What the document lacks as far as it was read, when the run is over; at least that nothing was seen."""
        return establish_absence(self.view, self.question) or explain_unseen(self.view, self.question)

    def generate(self, brief: GenerationBrief, evidence: tuple[Evidence, ...]) -> Answer:
        """An answer to the open sub-questions."""
        return self.generator.generate(brief, evidence, self.view)

    def critique(self, answer: Answer, evidence: tuple[Evidence, ...], brief: GenerationBrief) -> Critique:
        """Signals and faults of an answer."""
        tried = self.rereader.tried if self.rereader is not None else ()
        return critique_answer(answer, evidence, brief, self.view, frozenset(tried))

    def perform(self, request: ActionRequest) -> ActionResult:
        """Carry out an action between two iterations."""
        if request.trigger.action == "reparse" and self.rereader is not None:
            asked = {parameter.name: int(parameter.value) for parameter in request.parameters}
            ceiling = min(self.limits.max_reparse_pages, asked.get("max_pages", self.limits.max_reparse_pages))
            result, self.view = self.rereader.read_pages(self.view, request, ceiling)
            return result
        return perform_action(self.view, self.lexicon, self.question, request, self.limits)

    def close(self) -> None:
        """Let go of what was read for this run, or a process that asks a thousand questions keeps a thousand views."""
        forget_readings()

    def count_model_use(self) -> ModelUse:
        """No model is used by the embedded generator."""
        return ModelUse()
