"""A batch on other machines: lanes over executors of concurrent.futures, one for each worker of a Dask scheduler.

A lane keeps to one worker, which keeps one document. An order whose worker dies goes to another one, alone and only so
often; whoever waited behind it is not charged. Only this process writes.
"""

from __future__ import annotations

import os
import pickle
import time
from collections import Counter, deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from contextlib import ExitStack
from typing import TYPE_CHECKING

from pipeline.batch.crew import Arrival
from pipeline.batch.parcels import (
    Parcel,
    Refusal,
    Versions,
    answer_parcel,
    describe_versions,
    forget_batch,
    name_differences,
    read_revision,
)
from pipeline.batch.seats import Post, Task
from pipeline.batch.worker import Order, Outcome
from pipeline.errors import UsageError
from pipeline.models.batch import BatchLimits
from pipeline.report.rows import describe_failure

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.batch.seats import Staff
    from pipeline.models.settings import Settings

_TICK_SECONDS = 0.5
_LOOK_SECONDS = 1.0
# importing the program for the first time, perhaps from a network drive
_CHECK_SECONDS = 30.0
# a nanny starts a worker again within seconds, a machine that joins takes longer
_ABSENCE_SECONDS = 60.0
_END_SECONDS = 5.0
# the second one is there when the first is done, so that nobody waits for the network
_MAX_AHEAD = 2
# the name of Dask for a worker that died too often under an order, known without importing it
_DEATHS = ("KilledWorker",)
_RESUME = "start workers, then go on with --resume"


class ClusterCrew:
    """Lanes over the workers of a staff; those that join later take the places of those that die.

    Raises:
        UsageError: there is no worker, none answers, or one would give other results; each is named.
    """

    def __init__(self, staff: Staff, settings: Settings, count: int) -> None:
        self._staff = staff
        self._settings = _ready_settings(settings)
        self._versions = describe_versions(self._settings.rules_folder, self._settings.rules_base)
        # a worker outlives the batch: what it keeps of this one must not answer for the next
        self._batch = os.urandom(8).hex()
        self._posts: dict[str, Post] = {}
        self._lanes: list[deque[Task]] = []
        self._homes: list[str] = []
        self._open: Counter[int] = Counter()
        self._arrived: list[Arrival] = []
        self._revisions: dict[Path, str] = {}
        self._looked_at = self._seen_at = 0.0
        with ExitStack() as stack:
            # nobody else has the crew yet, so whatever ends this, Ctrl-C too, has to close it here
            stack.callback(self.close)
            fit_count = self._meet()
            self._lanes = [deque() for _ in range(min(count, fit_count))]
            self._homes = [""] * len(self._lanes)
            self._assign()
            stack.pop_all()

    @property
    def lane_count(self) -> int:
        """How many workers were there at the beginning."""
        return len(self._lanes)

    def has_room(self, lane: int, order: Order) -> bool:
        """A lane takes two orders: one that is asked, and one that waits."""
        return self._open[lane] < _MAX_AHEAD

    def send(self, lane: int, order: Order) -> None:
        """Give an order to a lane."""
        self._lanes[lane].append(Task(lane, order))
        self._open[lane] += 1
        post = self._posts.get(self._homes[lane])
        if post is not None:
            self._hand_out(post)

    def collect(self) -> tuple[Arrival, ...]:
        """Outcomes that came within half a second.

        Raises:
            UsageError: the scheduler is gone, no worker was there for a minute, or one has other rules.
        """
        futures = [task.future for post in self._posts.values() for task in post.tasks]
        if futures:
            done = wait(futures, _TICK_SECONDS, FIRST_COMPLETED).done
        else:
            done = set()
            time.sleep(_TICK_SECONDS)
        # an order whose worker is gone waits for ever, so silence is no proof of life
        if not done or time.monotonic() - self._looked_at > _LOOK_SECONDS:
            self._look()
        for post in list(self._posts.values()):
            self._gather(post)
            self._hand_out(post)
        arrivals, self._arrived = tuple(self._arrived), []
        return arrivals

    def close(self) -> None:
        """Cancel what is not done and let the workers forget the batch."""
        told = []
        for post in self._posts.values():
            for task in post.tasks:
                task.future.cancel()
            post.check.cancel()
            # a parsed document, perhaps a decrypted one, should not stay in the memory of a machine of others
            if post.is_fit:
                told.append(post.seat.executor.submit(forget_batch, self._batch))
        wait(told, _END_SECONDS)
        self._posts.clear()

    def _meet(self) -> int:
        """Look for workers and wait for their versions; how many of them fit."""
        end = time.monotonic() + _CHECK_SECONDS
        while True:
            self._look()
            refused = [f"{post.name}: {post.refusal}" for post in self._posts.values() if post.refusal]
            if refused:
                words = f"{self._staff.place}: results would not be the same bytes: {'; '.join(refused)}"
                raise UsageError(words, "install the same versions there, or leave these workers out")
            fit_count = sum(post.is_fit for post in self._posts.values())
            # busy ones are waited for; when they do not answer in time, the others begin without them
            if fit_count and (fit_count == len(self._posts) or time.monotonic() > end):
                return fit_count
            if time.monotonic() > end:
                words = "none of its workers answers" if self._posts else "it has no workers"
                raise UsageError(f"{self._staff.place}: {words}", "start some, see docs/batch.md")
            wait([post.check for post in self._posts.values()], _TICK_SECONDS)
            if not self._posts:
                time.sleep(_TICK_SECONDS)

    def _look(self) -> None:
        """See who is there: new ones are asked for their versions, and orders of those that are gone come back."""
        seats = {seat.name: seat for seat in self._staff.list_seats()}
        self._looked_at = time.monotonic()
        for name, post in list(self._posts.items()):
            if name not in seats:
                # what it answered before it went counts
                self._gather(post)
                if name in self._posts:
                    self._dismiss(post, post.tasks[0] if post.tasks else None)
        for name, seat in seats.items():
            if name not in self._posts:
                self._posts[name] = Post(seat, self._settings)
        for post in self._posts.values():
            if not post.is_fit and not post.refusal and post.check.done():
                post.refusal = self._judge(post.check)
                post.is_fit = not post.refusal
        self._assign()
        if any(post.is_fit for post in self._posts.values()):
            self._seen_at = self._looked_at
        elif self._lanes and self._looked_at - self._seen_at > _ABSENCE_SECONDS:
            self._give_up()

    def _judge(self, check: Future[Versions]) -> str:
        """Why a worker does not fit; empty when it does."""
        if check.cancelled():
            return "it did not answer"
        error = check.exception()
        if error is not None:
            return f"pdfdocket cannot be called there: {type(error).__name__}: {error}"
        return name_differences(check.result(), self._versions)

    def _assign(self) -> None:
        """Give every lane a worker, each its own while there are enough."""
        fit = [name for name, post in self._posts.items() if post.is_fit]
        if not fit:
            return
        loads = Counter({name: self._homes.count(name) for name in fit})
        for lane, home in enumerate(self._homes):
            idlest = min(fit, key=lambda name: loads[name])
            if home not in loads or loads[home] > loads[idlest] + 1:
                self._homes[lane] = idlest
                loads.update({idlest: 1})
                if home in loads:
                    loads.subtract({home: 1})
        for name in fit:
            self._posts[name].lanes = [lane for lane, home in enumerate(self._homes) if home == name]

    def _hand_out(self, post: Post) -> None:
        """Give a worker what its lanes have waiting, the document that it has before others."""
        while post.is_fit and len(post.tasks) < _MAX_AHEAD:
            heads = [self._lanes[lane][0] for lane in post.lanes if self._lanes[lane]]
            if not heads:
                return
            task = next((head for head in heads if head.order.frame.document == post.document), heads[0])
            # alone, so that a second death says who caused it
            if post.tasks and (task.loss_count or post.tasks[0].loss_count):
                return
            try:
                task.future = post.seat.executor.submit(answer_parcel, pickle.dumps(self._pack(task.order)))
            except BrokenExecutor:
                self._dismiss(post, post.tasks[0] if post.tasks else None)
                return
            self._lanes[task.lane].popleft()
            post.document = task.order.frame.document
            post.tasks.append(task)

    def _gather(self, post: Post) -> None:
        """Take what a worker is done with; one that is broken is dismissed."""
        for task in [task for task in post.tasks if task.future.done()]:
            error = CancelledError() if task.future.cancelled() else task.future.exception()
            if error is None:
                post.tasks.remove(task)
                self._arrive(task, self._open_answer(post, task))
                continue
            # when the scheduler is gone nothing was lost by the worker; this says so
            self._staff.list_seats()
            if isinstance(error, (BrokenExecutor, CancelledError)) or type(error).__name__ in _DEATHS:
                self._dismiss(post, task)
                return
            post.tasks.remove(task)
            self._lanes[task.lane].appendleft(task)
            self._charge(task, f"its answer could not be brought back: {type(error).__name__}")

    def _open_answer(self, post: Post, task: Task) -> Outcome:
        answer: Outcome | Refusal = pickle.loads(task.future.result())  # noqa: S301 - what our own function packed
        if isinstance(answer, Refusal):
            raise UsageError(f"{post.name}: results would not be the same bytes: {answer.words}", _RESUME)
        rules, row = task.order.rules_folder, answer.row
        if rules is None or row is None:
            return answer
        # the reason names the folder as the user did
        reason = row.reason.replace(str(rules.absolute()), str(rules))
        return answer._replace(row=row.model_copy(update={"reason": reason}))

    def _dismiss(self, post: Post, culprit: Task | None) -> None:
        """Take back the orders of a worker that is gone; the one that it was asking is charged with it."""
        del self._posts[post.name]
        # whoever still holds it must not hand anything out to it
        post.is_fit = False
        while post.tasks:
            task = post.tasks.pop()
            task.future.cancel()
            self._lanes[task.lane].appendleft(task)
        if culprit is not None:
            self._charge(culprit, "a worker died each time that it was asked")

    def _charge(self, task: Task, words: str) -> None:
        task.loss_count += 1
        if task.loss_count >= BatchLimits().max_attempts:
            self._fail(task, words)

    def _fail(self, task: Task, words: str) -> None:
        self._lanes[task.lane].remove(task)
        row = describe_failure(task.order.frame, "fault", f"{words} ({task.loss_count} times)")
        self._arrive(task, Outcome(task.order.frame.number, row))

    def _arrive(self, task: Task, outcome: Outcome) -> None:
        self._open[task.lane] -= 1
        self._arrived.append(Arrival(task.lane, outcome))

    def _give_up(self) -> None:
        """Fail what more than one worker died of, so that the next call goes on without it, and else end the batch."""
        culprits = [task for waiting in self._lanes for task in waiting if task.loss_count > 1]
        if not culprits:
            told = "".join(f"; {post.name}: {post.refusal}" for post in self._posts.values() if post.refusal)
            raise UsageError(f"{self._staff.place}: no worker is left{told}", _RESUME)
        for task in culprits:
            self._fail(task, "a worker died each time that it was asked")

    def _pack(self, order: Order) -> Parcel:
        """An order as another process can take it: with whole paths, and what its rules are here."""
        rules, revision = order.rules_folder, ""
        if rules is not None:
            if rules not in self._revisions:
                self._revisions[rules] = read_revision(rules, self._settings.rules_base)
            rules, revision = rules.absolute(), self._revisions[rules]
        sent = order._replace(path=order.path.absolute(), rules_folder=rules)
        return Parcel(self._batch, self._versions, self._settings, sent, revision)


def _ready_settings(settings: Settings) -> Settings:
    """Settings for another machine: whole paths, its own cache, and no key that only the writer needs."""
    folders = {"rules_folder": settings.rules_folder, "rules_base": settings.rules_base}
    whole = {name: folder and folder.absolute() for name, folder in folders.items()}
    return settings.model_copy(update={**whole, "cache_folder": None, "ledger_key": None})
