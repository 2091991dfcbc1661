"""Events of a run as log lines on stderr (structlog); nothing secret, and no document text below debug."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.models.settings import Settings

    Observer = Callable[[str, tuple[tuple[str, str], ...]], None]

LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}


def make_observer(settings: Settings) -> Observer | None:
    """A function that logs the events of a run, or None where the level keeps them out."""
    if LEVELS[settings.log_level] > LEVELS["info"]:
        return None
    import structlog

    # no clock: two logs of one question can be compared line by line
    structlog.configure(
        processors=[structlog.processors.add_log_level, structlog.processors.JSONRenderer(sort_keys=True)],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[settings.log_level]),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    logger = structlog.get_logger()

    def observe(event: str, fields: tuple[tuple[str, str], ...]) -> None:
        logger.info(event, **dict(fields))

    return observe
