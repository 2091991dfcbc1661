"""The batch boundary: the one place where anything may be raised, and becomes an error that says so.

On its other side are the program itself while it asks one question, and drivers of stores, which raise what they like.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from pipeline.errors import DocketError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class ProgramFault(DocketError):
    """The program itself broke; the message names what was raised, and where."""


@contextmanager
def bound_faults(translate: Callable[[Exception], DocketError]) -> Iterator[None]:
    """Let errors with a remedy pass, and raise what `translate` makes of any other."""
    try:
        yield
    except DocketError:
        raise
    except Exception as error:
        raise translate(error) from error
