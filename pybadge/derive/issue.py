"""Records under one's own key and registry: the same number, a receipt that says who vouches for
it.

A number needs nobody's permission, a receipt does: it is worth what its key is worth. Such a record
verifies for those who trust the key (``--trust-key``), and names the registry that they were told;
it never shows as Pith's.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from pybadge._version import __version__
from pybadge.derive.rules import Derivation
from pybadge.errors import UsageError
from pybadge.keys import PINNED, fingerprint, read_key

if TYPE_CHECKING:  # it is loaded late
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

__all__ = ["Signer", "issue", "read_signer"]

_EXCERPT_LENGTH = 600
_LONGEST_KEY_FILE = 1 << 16


@dataclass(frozen=True, slots=True)
class Signer:
    """A registry's private key and the names that its receipts carry.

    Attributes:
        key: the Ed25519 private key; never printed or written.
        registry: the registry's name.
        key_id: what its receipts call the key.
    """

    key: Ed25519PrivateKey
    registry: str
    key_id: str

    def __repr__(self) -> str:
        return f"Signer(registry={self.registry!r}, key_id={self.key_id!r})"

    @property
    def public_key(self) -> bytes:
        """The 32 raw bytes."""
        raw: bytes = self.key.public_key().public_bytes_raw()
        return raw

    @property
    def key_document(self) -> dict[str, str]:
        """What to publish: the JSON that ``--trust-key`` takes."""
        return {
            "registry": self.registry,
            "key_id": self.key_id,
            "algorithm": "ed25519",
            "public_key_b64": base64.b64encode(self.public_key).decode("ascii"),
            "public_key_fingerprint": fingerprint(self.public_key),
        }


def read_signer(
    data: bytes, registry: str, key_id: str | None = None, where: str = "key file"
) -> Signer:
    """A private key with its registry's name.

    Args:
        data: an unencrypted Ed25519 private key, PEM (``openssl genpkey -algorithm ed25519``) or
            OpenSSH (``ssh-keygen -t ed25519 -N ''``).
        registry: the name that verifiers will show; printable ASCII, and not that of a pinned
            registry.
        key_id: what receipts call the key; None for the registry's name and the key's fingerprint.
        where: the file's name, for messages.

    Raises:
        UsageError: no such key, or a name that is not one's own to use.
    """
    key = _private_key(data, where)
    raw = key.public_key().public_bytes_raw()
    if key_id is None:
        words = "".join(
            character if character.isascii() and character.isalnum() else "-"
            for character in registry.lower()
        )
        key_id = f"{'-'.join(word for word in words.split('-') if word)}-{fingerprint(raw)[:8]}"
    if (
        not key_id
        or len(key_id) > 80
        or not key_id.isascii()
        or not key_id.isprintable()
        or " " in key_id
    ):
        raise UsageError(
            f"--key-id {ascii(key_id)[:60]}: must be 1 to 80 printable ASCII characters without blanks"
        )
    if any(key_id.casefold() == (pinned.key_id or "").casefold() for pinned in PINNED):
        raise UsageError(
            f"--key-id {key_id}: is the name of a pinned key, which is not yours to use"
        )
    signer = Signer(key, registry, key_id)
    # The reader of the published key decides which names it will show; what it won't show must not
    # be issued.
    if read_key(json.dumps(signer.key_document).encode("utf-8"), where).registry != registry:
        raise UsageError(
            f"--registry {ascii(registry)[:60]}: must be short printable ASCII text and not the name of a pinned registry"
        )
    return signer


def _private_key(data: bytes, where: str) -> Ed25519PrivateKey:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import (
        load_pem_private_key,
        load_ssh_private_key,
    )

    help_text = f"{where}: not an unencrypted Ed25519 private key in PEM; make one with: openssl genpkey -algorithm ed25519"
    if len(data) > _LONGEST_KEY_FILE:
        raise UsageError(help_text, code="key.unreadable")
    load = load_ssh_private_key if b"OPENSSH PRIVATE KEY" in data[:60] else load_pem_private_key
    try:
        key = load(data, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        # The library's own words may hold parts of the file.
        raise UsageError(help_text, code="key.unreadable") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise UsageError(help_text, code="key.unreadable")
    return key


def issue(derivation: Derivation, signer: Signer, now: datetime) -> dict[str, Any]:
    """A complete record with a receipt under the signer's key.

    Args:
        derivation: what was derived.
        signer: whose key.
        now: the time of signing, with its time zone.

    Raises:
        ValueError: ``now`` has no time zone.
    """
    number, metadata = derivation.number, derivation.metadata
    hashed = derivation.canonical_record["metadata"]
    source = derivation.canonical_record["source"]
    signed_at = _stamp(now)
    digest = bytes.fromhex(derivation.canonical_sha256)
    aliases = {
        "arxiv": source["id"],
        "arxiv_version": f"{source['id']}v{source['version']}",
        "doi": f"10.48550/arxiv.{source['id']}".lower(),
        "pith_short_8": number.suffix[:8],
        "pith_short_12": number.suffix[:12],
        "pith_short_16": number.suffix[:16],
    }
    return {
        "record_type": "pith_number_record",
        "pith_number": number.text,
        "short_pith_number": number.short,
        "schema_version": "1.0",
        "canonical_sha256": derivation.canonical_sha256,
        "issuer": {
            "registry": signer.registry,
            "key_id": signer.key_id,
            "public_key_fingerprint": fingerprint(signer.public_key),
        },
        "source": dict(source),
        "paper": {
            "title": " ".join((metadata.title or "").split()),
            "license": hashed["license"],
            "cross_cats": list(hashed["cross_cats_sorted"]),
            "primary_cat": hashed["primary_cat"],
            "submitted_at": hashed["submitted_at"],
            "abstract_excerpt": " ".join((metadata.abstract or "").split())[:_EXCERPT_LENGTH],
        },
        "canonical_record": derivation.canonical_record,
        "receipt": {
            "kind": "pith_receipt",
            "key_id": signer.key_id,
            "algorithm": "ed25519",
            "signed_at": signed_at,
            "signature_b64": base64.b64encode(signer.key.sign(digest)).decode("ascii"),
            "signed_message": "canonical_sha256_bytes",
            "builder_version": _builder(),
            "receipt_version": "0.3",
            "canonical_sha256": derivation.canonical_sha256,
            "last_reissued_at": signed_at,
            "signature_status": "signed_v1",
            "first_computed_at": signed_at,
            "public_key_fingerprint": fingerprint(signer.public_key),
        },
        "aliases": [
            {"alias_kind": kind, "alias_value": value, "created_at": signed_at}
            for kind, value in aliases.items()
        ],
    }


def _stamp(now: datetime) -> str:
    if now.utcoffset() is None:
        raise ValueError("the time of signing needs a time zone")
    return (
        now.astimezone(timezone.utc).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"
    )


def _builder() -> str:
    return f"pybadge-{__version__}"
