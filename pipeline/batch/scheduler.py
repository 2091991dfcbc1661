"""The workers of an existing Dask scheduler, each as an executor of its own. Sockets are opened here only."""

from __future__ import annotations

import logging
import warnings
from typing import TYPE_CHECKING, Any

from pipeline.batch.seats import Seat
from pipeline.errors import UsageError

if TYPE_CHECKING:
    from concurrent.futures import Executor

_CONNECT_SECONDS = 10
_CLOSE_SECONDS = 2
_KNOWN = ("tcp", "tls", "ws", "wss", "ucx")


class DaskStaff:
    """A connection to a scheduler, with the user's own configuration of Dask (TLS, timeouts).

    Raises:
        UsageError: the extra is not installed, the address is none, or nobody answers within ten seconds.
    """

    def __init__(self, address: str) -> None:
        self.place = f"the scheduler at {address}"
        scheme, has_scheme, _ = address.rpartition("://")
        # an empty address would start a cluster of its own
        if not address or (has_scheme and scheme not in _KNOWN):
            raise UsageError(f"{address or 'an empty address'}: no address of a scheduler", "as in tcp://host:8786")
        try:
            # half a second that only clusters cost
            import distributed
        except ImportError as error:
            words = f"--scheduler needs the extra `cluster`: {error}"
            raise UsageError(words, "pip install 'pdfdocket[cluster]'") from error
        _silence_logs()
        try:
            with warnings.catch_warnings():
                # another Python on a worker is no matter; what is one, is compared before anything is asked
                warnings.simplefilter("ignore")
                connect: Any = distributed.Client
                self._client: Any = connect(address, timeout=_CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TypeError, RuntimeError, ImportError) as error:
            words = f"{self.place} cannot be reached: {' '.join(str(error).split()) or type(error).__name__}"
            raise UsageError(words, "check the address, and for tls:// your Dask configuration") from error
        self._executors: dict[str, Executor] = {}

    def list_seats(self) -> tuple[Seat, ...]:
        """The workers by their addresses."""
        try:
            names = sorted(self._client.sync(self._client.scheduler.ncores, callback_timeout=_CONNECT_SECONDS))
        except (OSError, RuntimeError, ValueError) as error:
            raise UsageError(f"{self.place} is gone", "start it again, then go on with --resume") from error
        # one executor for each worker while it lives, for they remember their futures
        self._executors = {name: self._executors.get(name) or self._tie(name) for name in names}
        return tuple(Seat(name, executor) for name, executor in self._executors.items())

    def close(self) -> None:
        """End the connection; what was sent and is not done is cancelled by that."""
        self._client.close(timeout=_CLOSE_SECONDS)

    def _tie(self, name: str) -> Executor:
        # no other worker: whose document is where, and who takes over, is decided by the crew
        executor: Executor = self._client.get_executor(workers=[name], allow_other_workers=False, pure=False)
        return executor


def _silence_logs() -> None:
    """What goes wrong is said once, in our own words."""
    for name in ("tornado", "asyncio", "distributed", *logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("tornado", "asyncio", "distributed"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
