"""Complete documents made from the real records and receipts, and keys of our own."""

from __future__ import annotations

import base64
import copy
import json
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pybadge import keys, number
from pybadge.canonical import canonical_sha256, title_sha256
from tests.support.data import NUMBER, REAL

__all__ = [
    "PITH",
    "bundle",
    "document",
    "key_json",
    "put",
    "real",
    "receipt",
    "signed",
    "to_bytes",
]

PITH = keys.PINNED[0]


def real() -> dict[str, Any]:
    """A fresh copy of the one complete real record."""
    return copy.deepcopy(REAL)


def put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """A copy of a JSON value with another value at a path of keys and indices."""
    made = copy.deepcopy(value)
    target = made
    for step in path[:-1]:
        target = target[step]
    target[path[-1]] = new
    return made


def receipt(stated: str, signature_b64: str, **changes: Any) -> dict[str, Any]:
    """A receipt of the pinned key."""
    return {
        **REAL["receipt"],
        "canonical_sha256": stated,
        "signature_b64": signature_b64,
        **changes,
    }


def document(canonical_record: dict[str, Any], signature_b64: str | None) -> dict[str, Any]:
    """A small record of a canonical record, with the pinned key's receipt where there is a
    signature."""
    stated = canonical_sha256(canonical_record)
    derived = number.from_record(canonical_record)
    made = {
        "record_type": "pith_number_record",
        "pith_number": derived.text,
        "short_pith_number": derived.short,
        "canonical_sha256": stated,
        "canonical_record": canonical_record,
    }
    if signature_b64 is not None:
        made["receipt"] = receipt(stated, signature_b64)
    return made


def bundle() -> dict[str, Any]:
    """The real record as an open graph bundle, whose receipt is in its first event."""
    return {
        "bundle_type": "pith_open_graph_bundle",
        "pith_number": NUMBER,
        "canonical_record": REAL["canonical_record"],
        "canonical_sha256": REAL["canonical_sha256"],
        "events": [{"event_type": "record_created", "payload": {"receipt": REAL["receipt"]}}],
    }


def signed(
    seed: int = 7,
    *,
    title: str | None = None,
    authors: str | None = None,
    registry: str = "Somebody",
    **metadata: Any,
) -> tuple[dict[str, Any], keys.PublicKey]:
    """A record validly signed by a key of our own, and that key.

    Args:
        seed: which key.
        title: the paper's title, whose hash is then signed.
        authors: the authors as served.
        registry: what the key calls its registry.
        metadata: fields of the canonical record's metadata.
    """
    made = real()
    for paper in (made["paper"], made["graph_snapshot"]["paper"]):
        paper["title"] = paper["title"] if title is None else title
        paper["authors_text"] = paper["authors_text"] if authors is None else authors
    if title is not None:
        metadata["title_canon_sha256"] = title_sha256(title)
    made["canonical_record"]["metadata"].update(metadata)
    stated = canonical_sha256(made["canonical_record"])
    derived = number.from_record(made["canonical_record"])
    private = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
    key = keys.PublicKey(private.public_key().public_bytes_raw(), f"key-{seed}", registry)
    made.update(canonical_sha256=stated, pith_number=derived.text, short_pith_number=derived.short)
    for alias in made["aliases"]:
        if alias["alias_kind"].startswith("pith_short_"):
            alias["alias_value"] = derived.suffix[: len(alias["alias_value"])]
    made["receipt"].update(
        canonical_sha256=stated,
        key_id=key.key_id,
        public_key_fingerprint=key.fingerprint,
        signature_b64=base64.b64encode(private.sign(bytes.fromhex(stated))).decode(),
    )
    return made, key


def key_json(key: keys.PublicKey, **more: Any) -> str:
    """A key file in the registry's form."""
    return json.dumps(
        {
            "key_id": key.key_id,
            "algorithm": "ed25519",
            "public_key_b64": base64.b64encode(key.raw).decode(),
            "public_key_fingerprint": key.fingerprint,
            **more,
        }
    )


def to_bytes(value: Any) -> bytes:
    return json.dumps(value).encode()
