"""Canonical JSON and hashes: the same value gives the same bytes on every machine."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import BaseModel


def encode_json(value: object) -> bytes:
    """Canonical JSON of integers, strings, booleans, null, lists, string-keyed dicts and models of such values.

    A float raises TypeError. This is RFC 8785 for values without numbers beyond 2**53: keys are sorted by UTF-16 code
    units, no white space.
    """
    return json.dumps(_order(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode(
        "utf-8", "surrogatepass"
    )


def _order(value: object) -> object:
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, (list, tuple)):
        return [_order(item) for item in value]
    if isinstance(value, int):
        # JSON readers keep integers exact only up to 2**53 (RFC 8785, section 3.2.2.3).
        if abs(value) > 2**53:
            raise TypeError(f"integer beyond 2**53 in canonical JSON: {value}")
        return value
    if isinstance(value, dict):
        return {key: _order(value[key]) for key in sorted(value, key=_order_key)}
    # the fields of a model are read here, because building a serializer for each takes longer than a record
    kind: object = type(value)
    if (names := _sort_fields(kind)) is not None:
        return {name: _order(getattr(value, name)) for name in names}
    raise TypeError(f"{type(value).__name__} has no canonical JSON form")


@cache
def _sort_fields(kind: object) -> tuple[str, ...] | None:
    """Names of a model's fields, all ASCII, in their order; None for any other type."""
    fields = getattr(kind, "model_fields", None)
    return None if fields is None else tuple(sorted(fields))


def _order_key(key: str) -> bytes:
    return key.encode("utf-16-be", "surrogatepass")


def encode_model(model: BaseModel) -> bytes:
    """Canonical JSON of a model; every field is written, also those that hold their default."""
    return encode_json(model)


def hash_bytes(content: bytes) -> str:
    """SHA-256 in lower-case hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def hash_model(model: BaseModel) -> str:
    """SHA-256 of a model's canonical JSON."""
    return hash_bytes(encode_model(model))
