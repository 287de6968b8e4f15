"""The receipt of a record: its constants and its form (docs/spec, 4.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pybadge.ed25519 import ALGORITHM

__all__ = ["FIXED", "KIND", "VERSION", "Receipt", "read_receipt", "receipt_document"]

KIND = "pith_receipt"
VERSION = "0.3"
FIXED = {
    "kind": KIND,
    "signed_message": "canonical_sha256_bytes",
    "signature_status": "signed_v1",
}
"""Fields that have the same value in every receipt whose rules are known."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """A receipt as served; None for a field that is absent or no string. Only the signature proves
    anything.

    Attributes:
        kind, signed_message, signature_status: see `FIXED`.
        key_id, public_key_fingerprint: which key it says it was made with.
        algorithm: ``ed25519``, or one that this package doesn't know.
        signature_b64: standard base64 of the signature.
        canonical_sha256: the hash it says it signs, 64 hex digits.
        receipt_version: `VERSION`, or one that this package doesn't know.
        signed_at: when it says it was made, ``YYYY-MM-DDTHH:MM:SS…Z``.
    """

    kind: str | None
    key_id: str | None
    algorithm: str | None
    signature_b64: str | None
    signed_message: str | None
    canonical_sha256: str | None
    public_key_fingerprint: str | None
    signature_status: str | None
    receipt_version: str | None
    signed_at: str | None


_FIELDS = tuple(Receipt.__dataclass_fields__)


def read_receipt(served: Mapping[str, Any]) -> Receipt:
    """A receipt from its JSON object."""
    values = [served.get(name) for name in _FIELDS]
    return Receipt(*[value if type(value) is str else None for value in values])


def receipt_document(
    *,
    key_id: str,
    public_key_fingerprint: str,
    canonical_sha256: str,
    signature_b64: str,
    signed_at: str,
    builder_version: str,
) -> dict[str, str]:
    """The JSON object of a new receipt.

    Args:
        key_id: what the issuer calls the key.
        public_key_fingerprint: 32 hex digits, see `pybadge.keys.fingerprint`.
        canonical_sha256: 64 hex digits.
        signature_b64: standard base64 of the Ed25519 signature over the 32 raw bytes of the hash.
        signed_at: now, ``YYYY-MM-DDTHH:MM:SS.ffffffZ``.
        builder_version: the program that made it.
    """
    return {
        "kind": KIND,
        "key_id": key_id,
        "algorithm": ALGORITHM,
        "signed_at": signed_at,
        "signature_b64": signature_b64,
        "signed_message": FIXED["signed_message"],
        "builder_version": builder_version,
        "receipt_version": VERSION,
        "canonical_sha256": canonical_sha256,
        "last_reissued_at": signed_at,
        "signature_status": FIXED["signature_status"],
        "first_computed_at": signed_at,
        "public_key_fingerprint": public_key_fingerprint,
    }
