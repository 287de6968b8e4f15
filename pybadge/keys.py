"""Pinned keys, keys the user trusts, and strict Ed25519 (PROTOCOL.md 2, RFC 8032).

A key that comes from the server that hands out the record proves nothing, so none is ever taken from there.
"""

from __future__ import annotations

from binascii import Error as Base64Error
from binascii import a2b_base64, b2a_base64

from pybadge.errors import UsageError
from pybadge.frozen import Frozen
from pybadge.lean import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["PINNED", "PublicKey", "base64_bytes", "fingerprint", "read_key", "verify_ed25519"]

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
_LONGEST_NAME = 60


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
    return sha256(raw_key).hexdigest()[:32]


PINNED: tuple[PublicKey, ...] = (
    PublicKey(
        bytes.fromhex("b2d552b68890857171a78b36a5dccf368a953413288c353f7c9d9d6f94b709b3"),
        "pith-v1-2026-05",
        "Pith",
        True,
    ),
)


def base64_bytes(text: str) -> bytes | None:
    """The bytes of standard, padded base64; None for any text that is not exactly what those bytes encode to.

    Decoders skip line ends and stray characters, and drop the bits that padding leaves over, so the bytes are encoded
    again and compared.
    """
    try:
        raw = a2b_base64(text)
    except (Base64Error, ValueError):  # ValueError: characters beyond ASCII
        return None
    return raw if b2a_base64(raw, newline=False).decode("ascii") == text else None


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
    global _equation_holds
    if _equation_holds is None:
        _equation_holds = _sodium_equation() or _openssl_equation()
    return _equation_holds(bytes(public_key), bytes(message), bytes(signature))


# Chosen on first use; takes key, message and signature of the right lengths.
_equation_holds: Callable[[bytes, bytes, bytes], bool] | None = None


def _sodium_equation() -> Callable[[bytes, bytes, bytes], bool] | None:
    """libsodium's check, from PyNaCl's compiled module: twice as fast as OpenSSL's and loaded in a tenth of the time.

    This is what `nacl.bindings.crypto_sign_open` calls, without the rest of that package, which costs more to import than
    the check itself; None where the module isn't there.
    """
    try:
        from nacl._sodium import ffi, lib

        check = lib.crypto_sign_open
        if lib.sodium_init() < 0:
            return None
    except (ImportError, AttributeError):
        return None

    def holds(public_key: bytes, message: bytes, signature: bytes) -> bool:
        signed = signature + message
        opened, length = ffi.new("unsigned char[]", len(signed)), ffi.new("unsigned long long *")
        return bool(check(opened, length, signed, len(signed), public_key) == 0)

    return holds


def _openssl_equation() -> Callable[[bytes, bytes, bytes], bool]:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    def holds(public_key: bytes, message: bytes, signature: bytes) -> bool:
        try:
            Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True

    return holds


def read_key(data: bytes, where: str = "key file") -> PublicKey:
    """A key that the user wants to trust, from the bytes of a file the user named.

    Forms: the JSON of ``/pith-signing-key.json`` (or of ``pybadge keys --json``), PEM, the 32 raw bytes, or their hex or
    base64 on one line.

    Args:
        data: the bytes.
        where: the file's name, for messages.

    Raises:
        UsageError: it is none of these, it is no sound Ed25519 key, or it borrows the name of a pinned key.
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
    if raw is None or len(raw) != 32 or not _is_usable(raw):
        raise UsageError(
            f"{where}: not an Ed25519 public key; give the registry's key JSON, PEM, 32 raw bytes, or their hex or base64",
            code="key.unreadable",
        )
    key_id, registry = named.get("key_id"), named.get("registry") or named.get("name")
    for pinned in PINNED:
        if raw == pinned.raw:
            return pinned
        if key_id == pinned.key_id:
            raise UsageError(
                f"{where}: calls itself {key_id}, which is the pinned key {pinned.fingerprint}; this one is "
                f"{fingerprint(raw)}",
                code="key.name_taken",
            )
    return PublicKey(raw, key_id, _registry_name(registry, raw))


def _registry_name(stated: Any, raw: bytes) -> str:
    """What to call the registry of a trusted key. No key file may call itself by the pinned registry's name."""
    from pybadge.plain import plain

    name = plain(stated)[:_LONGEST_NAME] if type(stated) is str else ""
    letters = "".join(c for c in name.casefold() if c.isalnum())
    taken = any(pinned.registry.casefold() in letters for pinned in PINNED)
    return name if letters and not taken and name.isascii() else f"key {fingerprint(raw)[:8]}"


def _read_key_json(data: bytes, where: str) -> tuple[dict[str, Any], bytes | None]:
    from pybadge.errors import RecordError
    from pybadge.strict_json import read_json

    try:
        document = read_json(data, where)
    except RecordError as error:
        raise UsageError(str(error), code="key.unreadable") from None
    inner = document.get("public_key")
    facts: dict[str, Any] = {**document, **inner} if type(inner) is dict else document
    algorithm = facts.get("algorithm", "ed25519")
    if type(algorithm) is not str or algorithm.lower() != "ed25519":
        raise UsageError(f"{where}: the key's algorithm is {algorithm!a:.40}, not ed25519", code="key.algorithm")
    # Which of these names the registry uses is not publicly documented; all that are there must agree.
    encodings = ("public_key_b64", "public_key_base64", "public_key_hex", "public_key", "key")
    raws = {_read_key_text(facts[name]) for name in encodings if type(facts.get(name)) is str}
    raw = raws.pop() if len(raws) == 1 else None
    for name in ("public_key_fingerprint", "fingerprint"):
        stated = facts.get(name)
        if raw is not None and type(stated) is str and stated != fingerprint(raw):
            raise UsageError(
                f"{where}: states the fingerprint {stated!a:.40}, the key has {fingerprint(raw)}", code="key.fingerprint"
            )
    if type(facts.get("key_id")) is not str:
        facts = {**facts, "key_id": None}
    return facts, raw


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


def _is_usable(raw: bytes) -> bool:
    """Whether 32 bytes are a point of prime order: others verify more than they should, or nothing at all."""
    if not _is_sound_point(raw):
        return False
    from nacl.bindings import crypto_core_ed25519_is_valid_point

    return bool(crypto_core_ed25519_is_valid_point(raw))
