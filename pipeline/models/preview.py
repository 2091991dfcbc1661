"""What `plan` returns: everything that is known before a run."""

from pipeline.models.base import Contract
from pipeline.models.document import DocumentProfile
from pipeline.models.plan import FactReading, Plan
from pipeline.models.question import Question


class Preview(Contract):
    """Profile, question, facts and plan; nothing was run for it."""

    profile: DocumentProfile
    question: Question
    facts: tuple[FactReading, ...]
    plan: Plan
