"""What a run has reached: open parts, expansions, widened sections, derived candidates, iterations and the budget."""

from __future__ import annotations

from dataclasses import dataclass, field

from pipeline.loop.expansions import join_expansions
from pipeline.loop.ports import ActionResult
from pipeline.loop.triggers import TriggerKey
from pipeline.models.answer import Answer
from pipeline.models.evidence import Candidate
from pipeline.models.plan import Plan
from pipeline.models.question import Anchor, Question, RetrievalBrief, SubQuestion
from pipeline.models.run import ActionTaken, Iteration, LedgerEntry, Trigger

# these read the whole evidence again, so that every part is answered anew
_WHOLE_ACTIONS = frozenset({"reparse", "resolve_references", "regenerate"})


@dataclass(slots=True)
class LoopState:
    """The mutable middle of a run; only the loop writes it, nothing of it leaves the loop."""

    question: Question
    plan: Plan
    iterations: list[Iteration] = field(default_factory=list)
    answer: Answer | None = None
    faults: tuple[str, ...] = ()
    opened_by: ActionTaken | None = None
    refused: tuple[str, ...] = ()
    used: set[TriggerKey] = field(default_factory=set)
    # keys tried since the last iteration that changed nothing
    idle: set[TriggerKey] = field(default_factory=set)
    served: set[str] = field(default_factory=set)
    seen: dict[str, frozenset[str]] = field(default_factory=dict)
    expansions: dict[str, tuple[Anchor, ...]] = field(default_factory=dict)
    widened: dict[str, tuple[int, ...]] = field(default_factory=dict)
    derived: dict[str, tuple[Candidate, ...]] = field(default_factory=dict)
    # rows of the actions since the last iteration, and of the whole run
    ledger: tuple[LedgerEntry, ...] = ()
    whole_ledger: tuple[LedgerEntry, ...] = ()

    @property
    def budget(self) -> int:
        """Iterations left of the one budget that every part of the run shares."""
        return self.plan.limits.max_iterations - len(self.iterations)

    @property
    def closed(self) -> frozenset[str]:
        """Parts that are answered."""
        return frozenset(self.answer.closed if self.answer else ())

    def list_ready_parts(self) -> tuple[SubQuestion, ...]:
        """Parts that wait for no other part."""
        return tuple(part for part in self.question.sub_questions if self.closed >= frozenset(part.depends_on))

    def list_due_parts(self) -> tuple[SubQuestion, ...]:
        """Ready parts that no iteration has served yet."""
        return tuple(part for part in self.list_ready_parts() if part.id not in self.served)

    def list_waiting_parts(self) -> tuple[str, ...]:
        """Ids of required parts that no iteration has served, ready or not."""
        parts = self.question.sub_questions
        return tuple(part.id for part in parts if part.id not in self.served and not part.is_optional)

    def list_parts_to_serve(self) -> tuple[SubQuestion, ...]:
        """The parts of the next iteration: open ones, and closed ones that the opening action is about."""
        ready = self.list_ready_parts()
        opening = self.opened_by
        if opening is None:
            # a part that just became ready goes first; at the start that is every part without a predecessor
            return self.list_due_parts() or ready
        if opening.action in _WHOLE_ACTIONS:
            return ready
        chosen = tuple(part for part in ready if part.id not in self.closed or part.id in opening.targets)
        return chosen or ready

    def build_brief(self, part: SubQuestion) -> RetrievalBrief:
        """The query of one part: all of its anchors, always, and its expansions beside them."""
        return RetrievalBrief(
            sub_question=part.id,
            anchors=part.anchors,
            focus=part.focus,
            expansions=self.expansions.get(part.id, ()),
            hints=self.question.hints,
            periods=self.question.periods,
            shape=part.shape,
            value_type=part.value_type,
            language=self.question.language,
            widened_sections=self.widened.get(part.id, ()),
        )

    def apply_result(self, trigger: Trigger, result: ActionResult, max_keywords: int) -> ActionTaken:
        """Take over what an action offers, within bounds; `changed` of the outcome is empty if that changed nothing."""
        # the loop, not the action, says what has changed: an offer that bounds refuse changes nothing
        changed, refused = list(result.changed), list(result.refused)
        for part in self.question.sub_questions:
            changed += self._add_expansions(part, result, max_keywords, refused)
            changed += self._add_sections(part, result, refused)
            present = self.derived.get(part.id, ())
            added = tuple(new for new in result.derived if new.sub_question == part.id and new not in present)
            if added:
                self.derived[part.id] = present + added
                changed += [f"{part.id}: {new.ref}" for new in added]
        self.ledger += result.ledger
        self.whole_ledger += result.ledger
        return ActionTaken(
            action=trigger.action, targets=trigger.targets, changed=tuple(changed), refused=tuple(refused)
        )

    def _add_expansions(
        self, part: SubQuestion, result: ActionResult, max_keywords: int, refused: list[str]
    ) -> list[str]:
        offered = tuple(anchor for owner, anchor in result.expansions if owner == part.id)
        before = self.expansions.get(part.id, ())
        after = join_expansions(part.anchors, before, offered, max_keywords)
        refused += [
            f"{part.id}: {anchor.text} adds no form, or no room is left" for anchor in offered if anchor not in after
        ]
        if after == before:
            return []
        self.expansions[part.id] = after
        return [f"{part.id}: {anchor.text}" for anchor in after if anchor not in before]

    def _add_sections(self, part: SubQuestion, result: ActionResult, refused: list[str]) -> list[str]:
        before = self.widened.get(part.id, ())
        offered = [index for owner, index in result.widened if owner == part.id and index not in before]
        room = self.plan.limits.max_sections
        added = tuple(dict.fromkeys(offered))
        refused += [f"{part.id}: section {index} is beyond {room} sections an action" for index in added[room:]]
        if not added[:room]:
            return []
        self.widened[part.id] = tuple(sorted(before + added[:room]))
        return [f"{part.id}: section {index}" for index in added[:room]]
