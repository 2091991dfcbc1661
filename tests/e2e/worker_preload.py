"""Loaded by the workers of the tests: says who they are, makes them slow, and lets one document kill them.

They may also have the driver of a store.
"""

import os
import signal
import threading
from pathlib import Path

from pipeline.batch import parcels, worker

_answer = worker.answer_order


def _answer_slowly(shelf, order, settings):
    threading.Event().wait(float(os.environ.get("CLUSTER_DELAY", "0")))
    if order.path.name == "poison.pdf":
        os.kill(os.getpid(), signal.SIGKILL)
    return _answer(shelf, order, settings)


def dask_setup(_worker):
    worker.answer_order = _answer_slowly
    if version := os.environ.get("CLUSTER_VERSION"):
        parcels.__version__ = version
    if root := os.environ.get("CLUSTER_STORE"):
        from tests.unit.batch.stores import open_store

        open_store(Path(root))
    path = Path(os.environ["CLUSTER_PID_FILE"])
    draft = path.with_suffix(".tmp")
    draft.write_text(str(os.getpid()), encoding="ascii")
    draft.replace(path)
