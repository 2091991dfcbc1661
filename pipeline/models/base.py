"""The base of every contract: frozen, closed, strict pydantic models without floats."""

from pydantic import BaseModel, ConfigDict

Box = tuple[int, int, int, int]
"""x0, y0, x1, y1 in hundredths of a point, top-down, page rotation applied."""

Position = tuple[int, int]
"""(physical page, 1-based; line number on that page, 1-based, furniture counted)."""


class Contract(BaseModel):
    """Base class of all models that cross a module boundary."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, defer_build=True)
