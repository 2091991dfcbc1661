"""Signatures of checkpoints: HMAC-SHA256 (RFC 2104) with a key that only those have who may publish a head."""

from __future__ import annotations

import hmac

from pipeline.canonical import encode_json
from pipeline.models.ledger import Checkpoint


def sign_checkpoint(checkpoint: Checkpoint, key: bytes) -> Checkpoint:
    """The checkpoint with its signature."""
    return checkpoint.model_copy(update={"signature": _compute_signature(checkpoint, key)})


def has_valid_signature(checkpoint: Checkpoint, key: bytes) -> bool:
    """Whether a checkpoint was signed with this key and not changed since."""
    return hmac.compare_digest(checkpoint.signature, _compute_signature(checkpoint, key))


def _compute_signature(checkpoint: Checkpoint, key: bytes) -> str:
    signed = {"chain_hash": checkpoint.chain_hash, "count": checkpoint.count, "format": checkpoint.format}
    return hmac.digest(key, encode_json(signed), "sha256").hex()
