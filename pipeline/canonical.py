"""Canonical JSON and hashes: the same value gives the same bytes on every machine."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import BaseModel

JsonValue = None | bool | int | str | list["JsonValue"] | dict[str, "JsonValue"]


def encode_json(value: object) -> bytes:
    """Canonical JSON of integers, strings, booleans, null, lists and string-keyed dicts; a float raises TypeError.

    This is RFC 8785 for values without numbers beyond 2**53: keys are sorted by UTF-16 code units, no white space.
    """
    return json.dumps(_order(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode(
        "utf-8", "surrogatepass"
    )


def _order(value: object) -> object:
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        # JSON readers keep integers exact only up to 2**53 (RFC 8785, section 3.2.2.3).
        if abs(value) > 2**53:
            raise TypeError(f"integer beyond 2**53 in canonical JSON: {value}")
        return value
    if isinstance(value, (list, tuple)):
        return [_order(item) for item in value]
    if isinstance(value, dict):
        return {key: _order(value[key]) for key in sorted(value, key=_order_key)}
    raise TypeError(f"{type(value).__name__} has no canonical JSON form")


def _order_key(key: str) -> bytes:
    return key.encode("utf-16-be", "surrogatepass")


def encode_model(model: BaseModel) -> bytes:
    """Canonical JSON of a model; every field is written, also those that hold their default."""
    return encode_json(model.model_dump(mode="json"))


def hash_bytes(content: bytes) -> str:
    """SHA-256 in lower-case hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def hash_model(model: BaseModel) -> str:
    """SHA-256 of a model's canonical JSON."""
    return hash_bytes(encode_model(model))
