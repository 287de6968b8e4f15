"""Checks of the receipt: which key it names, and whether the signature holds (docs/spec,
4)."""

from __future__ import annotations

from collections.abc import Sequence

from pybadge.checks.report import Check, Status
from pybadge.ed25519 import ALGORITHM
from pybadge.keys import PublicKey, base64_bytes, verify_ed25519
from pybadge.receipt import FIXED, VERSION, Receipt
from pybadge.record import Record

__all__ = ["receipt_key", "receipt_signature"]

_SIGNATURE_LENGTH = 64
_BASE64_LENGTH = 88  # of 64 bytes


def fingerprints(keys: Sequence[PublicKey]) -> frozenset[str]:
    """Their fingerprints."""
    return frozenset(key.fingerprint for key in keys)


def _key_check(status: Status, code: str, detail: str) -> Check:
    return Check("receipt_key", status, f"receipt.{code}", detail)


def receipt_key(
    record: Record,
    keys: Sequence[PublicKey],
    digest: bytes,
    distrusted: Sequence[PublicKey] = (),
) -> tuple[PublicKey | None, Check]:
    """The key that a receipt was made with, if it is pinned or trusted, and the check of it.

    Args:
        record: the record.
        keys: the pinned and trusted keys.
        digest: the canonical hash, which tells which of the keys without a name signed.
        distrusted: pinned or trusted keys that the user took out, for the message.
    """
    receipt = record.receipt
    if receipt is None:
        if record.receipt_malformed:
            return None, _key_check("invalid", "malformed", "the receipt is not a JSON object")
        return None, _key_check("absent", "absent", "the record has no receipt")
    candidates = _candidates(receipt, keys, digest)
    if not candidates:
        return None, _without_key(receipt, keys, distrusted)
    for key in candidates:
        if key.key_id is None or receipt.key_id in (None, key.key_id):
            kind = "pinned" if key.pinned else "trusted by you"
            detail = f"{key.registry} key {key.key_id or ''} ({kind}) {key.fingerprint}"
            return key, _key_check("valid", "key_ok", detail)
    name = str(receipt.key_id)[:80]
    detail = f"the receipt calls the key {candidates[0].key_id} by the name {name}"
    return None, _key_check("invalid", "key_mismatch", detail)


def _candidates(receipt: Receipt, keys: Sequence[PublicKey], digest: bytes) -> list[PublicKey]:
    """The keys that a receipt may mean: by fingerprint, else by name, else by the signature."""
    stated = receipt.public_key_fingerprint
    if stated is not None:
        return [key for key in keys if key.fingerprint == stated]
    return _named(receipt, keys) or _nameless_signers(receipt, keys, digest)


def _named(receipt: Receipt, keys: Sequence[PublicKey]) -> list[PublicKey]:
    return [key for key in keys if key.key_id is not None and key.key_id == receipt.key_id]


def _nameless_signers(
    receipt: Receipt, keys: Sequence[PublicKey], digest: bytes
) -> list[PublicKey]:
    """Keys trusted without a name that made a receipt which says nothing of its key: only the
    signature can tell."""
    signature = _signature(receipt)
    if signature is None:
        return []
    nameless = [key for key in keys if key.key_id is None]
    return [key for key in nameless if verify_ed25519(key.raw, digest, signature)]


def _without_key(
    receipt: Receipt, keys: Sequence[PublicKey], distrusted: Sequence[PublicKey]
) -> Check:
    if _named(receipt, keys):
        detail = f"the receipt names the key {receipt.key_id} but gives another key's fingerprint"
        return _key_check("invalid", "key_mismatch", detail)
    if _named(receipt, distrusted) or receipt.public_key_fingerprint in fingerprints(distrusted):
        detail = f"signed by the key {receipt.key_id}, which you distrust"
        return _key_check("not_checked", "key_distrusted", detail)
    name = receipt.key_id or receipt.public_key_fingerprint or "without a name"
    detail = f"signed by the key {name[:80]}, which is neither pinned nor trusted"
    return _key_check("not_checked", "key_unknown", detail)


def receipt_signature(record: Record, digest: bytes, key: PublicKey | None) -> Check:
    """Whether the receipt is of a known form and its signature holds.

    Args:
        record: the record.
        digest: the 32 bytes that were signed: the canonical hash.
        key: from `receipt_key`.
    """
    receipt = record.receipt
    if receipt is None:
        if record.receipt_malformed:
            return _signature_check("invalid", "malformed", "the receipt is not a JSON object")
        detail = "the record has no receipt, so nobody vouches for it"
        return _signature_check("absent", "absent", detail)
    misfit = _misfit(receipt, digest)
    return misfit if misfit is not None else _held(receipt, digest, key)


def _signature_check(status: Status, code: str, detail: str) -> Check:
    return Check("receipt_signature", status, f"receipt.{code}", detail)


def _misfit(receipt: Receipt, digest: bytes) -> Check | None:
    """What keeps a receipt's signature from being looked at."""
    if receipt.algorithm != ALGORITHM:
        algorithm = str(receipt.algorithm)[:40]
        detail = f"the receipt's algorithm is {algorithm}, not {ALGORITHM}"
        return _signature_check("not_checked", "algorithm_unsupported", detail)
    for name, constant in FIXED.items():
        value = getattr(receipt, name)
        if value != constant:
            detail = f"the receipt's {name} is {str(value)[:40]}, not {constant}"
            return _signature_check("invalid", name, detail)
    if receipt.receipt_version != VERSION:
        detail = f"receipt version {str(receipt.receipt_version)[:20]} is not known here"
        return _signature_check("not_checked", "version_unsupported", detail)
    if receipt.canonical_sha256 not in (None, digest.hex()):
        detail = "the receipt is for another canonical hash"
        return _signature_check("invalid", "hash_mismatch", detail)
    return None


def _held(receipt: Receipt, digest: bytes, key: PublicKey | None) -> Check:
    signature = _signature(receipt)
    if signature is None:
        detail = "signature_b64 is not standard base64 of 64 bytes"
        return _signature_check("invalid", "signature_malformed", detail)
    if key is None:
        detail = "there is no trusted key to check the signature with"
        return _signature_check("not_checked", "key_unknown", detail)
    if not verify_ed25519(key.raw, digest, signature):
        detail = f"the signature is not {key.registry}'s over this record"
        return _signature_check("invalid", "signature_invalid", detail)
    detail = f"Ed25519 signature by {key.registry} over the canonical hash"
    return Check("receipt_signature", "valid", "receipt.signature_ok", detail, "signed")


def _signature(receipt: Receipt) -> bytes | None:
    """The bytes of the signature; None where there are not 64, or not in standard base64."""
    text = receipt.signature_b64
    if text is None or len(text) != _BASE64_LENGTH:
        return None
    raw = base64_bytes(text)
    return raw if raw is not None and len(raw) == _SIGNATURE_LENGTH else None
