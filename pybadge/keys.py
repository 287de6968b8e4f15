"""Pinned keys, keys the user trusts, and strict Ed25519 (PROTOCOL.md 2, RFC 8032).

A key that comes from the server that hands out the record proves nothing, so none is ever taken from there.
"""

from __future__ import annotations

import hashlib

from pybadge.frozen import Frozen

__all__ = ["PINNED", "PublicKey", "fingerprint", "verify_ed25519"]

_P = 2**255 - 19
_L = 2**252 + 27742317777372353535851937790883648493
_SIGN_BIT = 1 << 255
# The y coordinates of the eight points of small order. Such a key "verifies" signatures of every message.
_SMALL_ORDER_Y = frozenset(
    (
        0,
        1,
        _P - 1,
        2707385501144840649318225287225658788936804267575313519463743609750303402022,
        55188659117513257062467267217118295137698188065244968500265048394206261417927,
    )
)


class PublicKey(Frozen):
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
    """A key's fingerprint: the first 16 bytes of the SHA-256 of its raw bytes, in hex (PROTOCOL.md 2)."""
    return hashlib.sha256(raw_key).hexdigest()[:32]


PINNED: tuple[PublicKey, ...] = (
    PublicKey(
        bytes.fromhex("b2d552b68890857171a78b36a5dccf368a953413288c353f7c9d9d6f94b709b3"),
        "pith-v1-2026-05",
        "Pith",
        True,
    ),
)


def _is_sound_point(encoding: bytes) -> bool:
    """Whether 32 bytes are the one canonical encoding of something that is not of small order."""
    y = int.from_bytes(encoding, "little") & (_SIGN_BIT - 1)
    return y < _P and y not in _SMALL_ORDER_Y


def verify_ed25519(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether an Ed25519 signature holds, strictly: RFC 8032 without a cofactor, with the checks it leaves to the caller.

    Refused beyond what the equation refuses: keys and R values of small order or in a non-canonical encoding, S >= L,
    any length but 32 and 64 bytes.

    Args:
        public_key: 32 raw bytes.
        message: the signed bytes; for a receipt the 32 raw bytes of the canonical hash, never their hex.
        signature: 64 raw bytes.

    Returns:
        True or False; bad bytes are False, never an exception.
    """
    if len(public_key) != 32 or len(signature) != 64:
        return False
    if not (_is_sound_point(public_key) and _is_sound_point(signature[:32])):
        return False
    if int.from_bytes(signature[32:], "little") >= _L:
        return False
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
