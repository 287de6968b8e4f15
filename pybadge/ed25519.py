"""Strict Ed25519 verification (docs/spec, 4.3; RFC 8032)."""

from __future__ import annotations

__all__ = [
    "ALGORITHM",
    "FIELD",
    "ORDER",
    "SMALL_ORDER_Y",
    "is_sound_point",
    "is_strict",
    "is_usable_key",
    "verify_ed25519",
]

ALGORITHM = "ed25519"
"""What receipts and key documents call it."""

FIELD = 2**255 - 19
"""Coordinates are integers modulo this prime."""
ORDER = 2**252 + 27742317777372353535851937790883648493
"""The order of the base point."""
_SIGN_BIT = 1 << 255
# The y coordinates of the eight points of small order. Such a key "verifies" signatures of every
# message.
SMALL_ORDER_Y = frozenset(
    (
        0,
        1,
        FIELD - 1,
        2707385501144840649318225287225658788936804267575313519463743609750303402022,
        55188659117513257062467267217118295137698188065244968500265048394206261417927,
    )
)


def is_sound_point(encoding: bytes) -> bool:
    """Whether 32 bytes are the one canonical encoding of something that is not of small order."""
    y = int.from_bytes(encoding, "little") & (_SIGN_BIT - 1)
    return y < FIELD and y not in SMALL_ORDER_Y


def verify_ed25519(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether an Ed25519 signature holds, strictly: RFC 8032 without a cofactor, with the checks it
    leaves to the caller.

    Refused beyond what the equation refuses: keys and R values of small order or in a non-canonical
    encoding, S >= L, any length but 32 and 64 bytes. libsodium refuses most of these too; they are
    checked here so that the rule doesn't depend on how a library was built.

    Args:
        public_key: 32 raw bytes.
        message: the signed bytes; for a receipt the 32 raw bytes of the canonical hash, never their
            hex.
        signature: 64 raw bytes.

    Returns:
        True or False; bad bytes are False, never an exception.
    """
    if not is_strict(public_key, signature):
        return False
    from nacl.bindings import crypto_sign_open
    from nacl.exceptions import BadSignatureError

    try:
        crypto_sign_open(bytes(signature) + bytes(message), bytes(public_key))
    except BadSignatureError:
        return False
    return True


def is_strict(public_key: bytes, signature: bytes) -> bool:
    """Whether key and signature pass every rule that needs no message."""
    return (
        len(public_key) == 32
        and len(signature) == 64
        and is_sound_point(public_key)
        and is_sound_point(signature[:32])
        and int.from_bytes(signature[32:], "little") < ORDER
    )


def is_usable_key(raw: bytes) -> bool:
    """Whether 32 bytes are a point of prime order: others verify more than they should, or
    nothing at all."""
    if len(raw) != 32 or not is_sound_point(raw):
        return False
    from nacl.bindings import crypto_core_ed25519_is_valid_point

    return bool(crypto_core_ed25519_is_valid_point(raw))
