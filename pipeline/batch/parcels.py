"""What travels between a batch and a process on another machine, and what that process does with it.

Everything here is called by its name from afar: both sides need the same version, and say so when they do not have it.
"""

from __future__ import annotations

import pickle
import threading
from typing import TYPE_CHECKING, NamedTuple

from pipeline import __version__
from pipeline.batch.worker import Desk, Order, Outcome
from pipeline.errors import RulebookError
from pipeline.parsing import describe_engine
from pipeline.policy.rulebook import load_rulebook
from pipeline.run import Shelf

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.models.settings import Settings

Versions = tuple[tuple[str, str], ...]
"""What results depend on beside question and document, by the words that name it."""

# a desk holds a parsed document; two, because two batches may share a worker
_MAX_DESKS = 2
_desks: dict[str, Desk] = {}
# one order at a time, however many threads a worker has: a desk holds one document, and threads share one core
_turn = threading.Lock()


class Parcel(NamedTuple):
    """An order, with the batch that it belongs to and what the process that takes it has to have.

    `revision` is that of the order's own rulebook, empty where it has none or where it does not load.
    """

    batch: str
    versions: Versions
    settings: Settings
    order: Order
    revision: str = ""


class Refusal(NamedTuple):
    """Why an order is not asked here: what differs from the process that sent it."""

    words: str


def describe_versions(folder: Path | None, base: Path | None) -> Versions:
    """The versions in this process, with the revision of a rulebook or why it does not load."""
    engine, parser = describe_engine()
    return (
        ("pdfdocket", __version__),
        ("PyMuPDF", engine),
        ("the parser", f"revision {parser}"),
        ("the rules", read_revision(folder, base) or "none that load"),
    )


def read_revision(folder: Path | None, base: Path | None) -> str:
    """The revision of a rulebook; empty for one that does not load."""
    try:
        return load_rulebook(folder, base).revision
    except (RulebookError, OSError):
        return ""


def name_differences(theirs: Versions, ours: Versions) -> str:
    """In words what a process has and what it should have; empty when results are the same bytes."""
    wanted = dict(ours)
    told = [f"{name} {found}, here {wanted.get(name)}" for name, found in theirs if found != wanted.get(name)]
    return "; ".join(told)


def answer_parcel(packed: bytes) -> bytes:
    """Ask what is in a parcel; an Outcome or a Refusal, packed.

    Raises:
        Exception: the parcel was packed by another version and cannot be opened.
    """
    parcel: Parcel = pickle.loads(packed)  # noqa: S301 - from the batch that the user started on this scheduler
    with _turn:
        return pickle.dumps(_answer(parcel))


def forget_batch(batch: str) -> None:
    """Let go of what was kept for a batch: a parsed document, and the copy of a remote one."""
    with _turn:
        desk = _desks.pop(batch, None)
        if desk is not None:
            desk.close()


def _answer(parcel: Parcel) -> Outcome | Refusal:
    settings, order = parcel.settings, parcel.order
    if parcel.batch not in _desks:
        # also where a worker was started again under the same address with something else
        here = describe_versions(settings.rules_folder, settings.rules_base)
        differences = name_differences(here, parcel.versions)
        if differences:
            return Refusal(differences)
        while len(_desks) >= _MAX_DESKS:
            _desks.pop(next(iter(_desks))).close()
        _desks[parcel.batch] = Desk()
    desk = _desks[parcel.batch]
    if order.rules_folder is not None:
        revision = _find_revision(desk.shelf, settings.model_copy(update={"rules_folder": order.rules_folder}))
        if revision != parcel.revision:
            found, wanted = (name or "none that load" for name in (revision, parcel.revision))
            return Refusal(f"the rules in {order.rules_folder} {found}, here {wanted}")
    return desk.answer(order, settings)


def _find_revision(shelf: Shelf, settings: Settings) -> str:
    try:
        return shelf.find_rulebook(settings).revision
    except (RulebookError, OSError):
        return ""
