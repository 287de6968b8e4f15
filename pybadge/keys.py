"""Pinned keys, and keys that the user trusts (docs/spec, 4.2).

A key that comes from the server that hands out the record proves nothing, so none is ever taken
from there.
"""

from __future__ import annotations

from binascii import Error as Base64Error
from binascii import a2b_base64, b2a_base64
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from pybadge.ed25519 import ALGORITHM, is_usable_key, verify_ed25519
from pybadge.errors import RecordError, UsageError
from pybadge.escape.lines import one_line
from pybadge.strict_json import read_json

__all__ = [
    "FINGERPRINT_LENGTH",
    "PINNED",
    "PublicKey",
    "base64_bytes",
    "fingerprint",
    "read_key",
    "verify_ed25519",
]

FINGERPRINT_LENGTH = 32
"""Hex digits of a fingerprint."""
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class PublicKey:
    """An Ed25519 public key that somebody vouches for.

    Attributes:
        raw: the 32 bytes.
        key_id: the name that receipts give it; None where it was given without one.
        registry: whose receipts it makes, for people: ``Pith``, or what the user's key file says.
        pinned: True for keys that ship with this package.
    """

    raw: bytes
    key_id: str | None
    registry: str
    pinned: bool = False

    @property
    def fingerprint(self) -> str:
        """The first 16 bytes of SHA-256 of the raw key, 32 hex digits."""
        return fingerprint(self.raw)


def fingerprint(raw_key: bytes) -> str:
    """A key's fingerprint: the first 16 bytes of the SHA-256 of its raw bytes, in hex
    (docs/spec, 4.2)."""
    return sha256(raw_key).hexdigest()[:FINGERPRINT_LENGTH]


PINNED: tuple[PublicKey, ...] = (
    PublicKey(
        bytes.fromhex("b2d552b68890857171a78b36a5dccf368a953413288c353f7c9d9d6f94b709b3"),
        "pith-v1-2026-05",
        "Pith",
        True,
    ),
)


def base64_bytes(text: str) -> bytes | None:
    """The bytes of standard, padded base64; None for any text that is not exactly what those bytes
    encode to.

    Decoders skip line ends and stray characters, and drop the bits that padding leaves over, so the
    bytes are encoded again and compared.
    """
    try:
        raw = a2b_base64(text)
    except (Base64Error, ValueError):  # ValueError: characters beyond ASCII
        return None
    return raw if b2a_base64(raw, newline=False).decode("ascii") == text else None


def read_key(data: bytes, where: str = "key file") -> PublicKey:
    """A key that the user wants to trust, from the bytes of a file the user named.

    Forms: the JSON of ``/pith-signing-key.json`` (or of ``pybadge keys --json``), PEM, the 32 raw
    bytes, or their hex or base64 on one line.

    Args:
        data: the bytes.
        where: the file's name, for messages.

    Raises:
        UsageError: it is none of these, it is no sound Ed25519 key, or it borrows the name of a
            pinned key.
    """
    named: dict[str, Any] = {}
    raw: bytes | None
    text = data.strip()
    if len(data) == 32:
        raw = data
    elif text.startswith(b"{"):
        named, raw = _read_key_json(text, where)
    elif text.startswith(b"-----BEGIN"):
        raw = _read_pem(text)
    else:
        raw = _read_key_text(text.decode("ascii", "replace"))
    if raw is None or not is_usable_key(raw):
        raise UsageError(
            f"{where}: not an Ed25519 public key; give the registry's key JSON, PEM, 32 raw bytes, "
            "or their hex or base64",
            code="key.unreadable",
        )
    key_id, registry = named.get("key_id"), named.get("registry") or named.get("name")
    for pinned in PINNED:
        if raw == pinned.raw:
            return pinned
        if key_id == pinned.key_id:
            raise UsageError(
                f"{where}: calls itself {key_id}, which is the pinned key {pinned.fingerprint}; "
                f"this one is {fingerprint(raw)}",
                code="key.name_taken",
            )
    return PublicKey(raw, key_id, _registry_name(registry, raw))


def _registry_name(stated: Any, raw: bytes) -> str:
    """What to call the registry of a trusted key. No key file may call itself by the pinned
    registry's name."""
    name = one_line(stated)[:_LONGEST_NAME] if type(stated) is str else ""
    letters = "".join(c for c in name.casefold() if c.isalnum())
    taken = any(pinned.registry.casefold() in letters for pinned in PINNED)
    return name if letters and not taken and name.isascii() else f"key {fingerprint(raw)[:8]}"


# Which of these names the registry uses is not publicly documented; all that are there must agree.
_ENCODINGS = (
    "public_key_b64",
    "public_key_base64",
    "public_key_hex",
    "public_key",
    "key",
)
_FINGERPRINTS = ("public_key_fingerprint", "fingerprint")


def _read_key_json(data: bytes, where: str) -> tuple[dict[str, Any], bytes | None]:
    try:
        document = read_json(data, where)
    except RecordError as error:
        raise UsageError(str(error), code="key.unreadable") from None
    inner = document.get("public_key")
    facts: dict[str, Any] = {**document, **inner} if type(inner) is dict else document
    algorithm = facts.get("algorithm", ALGORITHM)
    if type(algorithm) is not str or algorithm.lower() != ALGORITHM:
        raise UsageError(
            f"{where}: the key's algorithm is {algorithm!a:.40}, not {ALGORITHM}",
            code="key.algorithm",
        )
    raws = {_read_key_text(facts[name]) for name in _ENCODINGS if type(facts.get(name)) is str}
    raw = raws.pop() if len(raws) == 1 else None
    if raw is not None:
        _check_fingerprints(facts, raw, where)
    if type(facts.get("key_id")) is not str:
        facts = {**facts, "key_id": None}
    return facts, raw


def _check_fingerprints(facts: dict[str, Any], raw: bytes, where: str) -> None:
    for stated in (facts.get(name) for name in _FINGERPRINTS):
        if type(stated) is str and stated != fingerprint(raw):
            raise UsageError(
                f"{where}: states the fingerprint {stated!a:.40}, the key has {fingerprint(raw)}",
                code="key.fingerprint",
            )


def _read_key_text(text: str) -> bytes | None:
    text = text.strip()
    if text.startswith("-----BEGIN"):
        return _read_pem(text.encode("utf-8"))
    if len(text) == 64:
        try:
            return bytes.fromhex(text)
        except ValueError:
            return None
    return base64_bytes(text) if len(text) == 44 else None


def _read_pem(text: bytes) -> bytes | None:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    try:
        key = load_pem_public_key(text)
    except (ValueError, UnsupportedAlgorithm):
        return None
    return key.public_bytes_raw() if isinstance(key, Ed25519PublicKey) else None
