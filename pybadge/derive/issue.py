"""Records under one's own key: the same number, with a receipt that says who vouches for it.

A number needs nobody's permission, a receipt does: it is worth what its key is worth. Such a record
verifies for those who trust the key (``--trust-key``) and names the issuer that they were told; it
never shows as Pith's.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any

from pybadge._version import __version__
from pybadge.derive.rules import Derivation
from pybadge.ed25519 import ALGORITHM
from pybadge.errors import UsageError
from pybadge.keys import PINNED, fingerprint, read_key
from pybadge.output import write_file
from pybadge.receipt import receipt_document
from pybadge.record import EXCERPT_LENGTH, alias_values

__all__ = ["Signer", "issue", "read_signer", "save_record"]

_LONGEST_KEY_FILE = 1 << 16
_LONGEST_KEY_ID = 80
_LONGEST_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Signer:
    """An issuer's private key and the names that its receipts carry.

    Attributes:
        sign: gives the 64 bytes of the Ed25519 signature of a message. Holds the private key, which
            is never printed or written.
        public_key: the 32 raw bytes.
        issuer: the issuer's name.
        key_id: what its receipts call the key.
    """

    sign: Callable[[bytes], bytes] = field(repr=False)
    public_key: bytes = field(repr=False)
    issuer: str
    key_id: str

    @property
    def key_document(self) -> dict[str, str]:
        """The JSON to publish, which ``--trust-key`` takes."""
        return {
            "registry": self.issuer,
            "key_id": self.key_id,
            "algorithm": ALGORITHM,
            "public_key_b64": base64.b64encode(self.public_key).decode("ascii"),
            "public_key_fingerprint": fingerprint(self.public_key),
        }


def read_signer(
    data: bytes, issuer: str, key_id: str | None = None, where: str = "key file"
) -> Signer:
    """A private key with its issuer's name.

    Args:
        data: an unencrypted Ed25519 private key, PEM (``openssl genpkey -algorithm ed25519``) or
            OpenSSH (``ssh-keygen -t ed25519 -N ''``).
        issuer: the name that verifiers will show; printable ASCII, and not that of a pinned key's
            issuer.
        key_id: what receipts call the key; None for the issuer's name and the key's fingerprint.
        where: the file's name, for messages.

    Raises:
        UsageError: no such key, or a name that is not one's own to use.
    """
    sign, public_key = _private_key(data, where)
    if key_id is None:
        key_id = f"{_hyphenated(issuer)}-{fingerprint(public_key)[:8]}"
    _check_key_id(key_id)
    signer = Signer(sign, public_key, issuer, key_id)
    # The reader of the published key decides which names it will show; what it won't show must not
    # be issued.
    if read_key(json.dumps(signer.key_document).encode("utf-8"), where).registry != issuer:
        raise UsageError(
            f"--registry {ascii(issuer)[:_LONGEST_SHOWN]}: "
            "must be short printable ASCII text and not the name of a pinned key's issuer"
        )
    return signer


def _hyphenated(name: str) -> str:
    """The letters and digits of a name, with hyphens for all between."""
    letters = [c if c.isascii() and c.isalnum() else " " for c in name.lower()]
    return "-".join("".join(letters).split())


def _check_key_id(key_id: str) -> None:
    is_word = key_id.isascii() and key_id.isprintable() and " " not in key_id
    if not is_word or not 1 <= len(key_id) <= _LONGEST_KEY_ID:
        raise UsageError(
            f"--key-id {ascii(key_id)[:_LONGEST_SHOWN]}: must be 1 to {_LONGEST_KEY_ID} printable "
            "ASCII characters without blanks"
        )
    if any(key_id.casefold() == (pinned.key_id or "").casefold() for pinned in PINNED):
        raise UsageError(
            f"--key-id {key_id}: is the name of a pinned key, which is not yours to use"
        )


def _private_key(data: bytes, where: str) -> tuple[Callable[[bytes], bytes], bytes]:
    """The signing function of a private key, and the public key's 32 raw bytes."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import (
        load_pem_private_key,
        load_ssh_private_key,
    )

    unreadable = UsageError(
        f"{where}: not an unencrypted Ed25519 private key in PEM; "
        "make one with: openssl genpkey -algorithm ed25519",
        code="key.unreadable",
    )
    if len(data) > _LONGEST_KEY_FILE:
        raise unreadable
    load = load_ssh_private_key if b"OPENSSH PRIVATE KEY" in data[:60] else load_pem_private_key
    try:
        key = load(data, password=None)
    except Exception:
        # Among them OpenSSL's InternalError, which hostile bytes bring about. What the library says
        # may hold parts of the file.
        raise unreadable from None
    if not isinstance(key, Ed25519PrivateKey):
        raise unreadable
    return key.sign, key.public_key().public_bytes_raw()


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
    signed_at = _utc(now)
    key_fingerprint = fingerprint(signer.public_key)
    signature = signer.sign(bytes.fromhex(derivation.canonical_sha256))
    return {
        "record_type": "pith_number_record",
        "pith_number": number.text,
        "short_pith_number": number.short,
        "schema_version": "1.0",
        "canonical_sha256": derivation.canonical_sha256,
        "issuer": {
            "registry": signer.issuer,
            "key_id": signer.key_id,
            "public_key_fingerprint": key_fingerprint,
        },
        "source": dict(source),
        "paper": {
            "title": " ".join((metadata.title or "").split()),
            "license": hashed["license"],
            "cross_cats": list(hashed["cross_cats_sorted"]),
            "primary_cat": hashed["primary_cat"],
            "submitted_at": hashed["submitted_at"],
            "abstract_excerpt": " ".join((metadata.abstract or "").split())[:EXCERPT_LENGTH],
        },
        "canonical_record": derivation.canonical_record,
        "receipt": receipt_document(
            key_id=signer.key_id,
            public_key_fingerprint=key_fingerprint,
            canonical_sha256=derivation.canonical_sha256,
            signature_b64=base64.b64encode(signature).decode("ascii"),
            signed_at=signed_at,
            builder_version=f"pybadge-{__version__}",
        ),
        "aliases": [
            {"alias_kind": kind, "alias_value": value, "created_at": signed_at}
            for kind, value in alias_values(source["id"], source["version"], number).items()
        ],
    }


def _utc(now: datetime) -> str:
    if now.utcoffset() is None:
        raise ValueError("the time of signing needs a time zone")
    moment = now.astimezone(timezone.utc).replace(tzinfo=None)
    return f"{moment.isoformat(timespec='microseconds')}Z"


def save_record(
    record: dict[str, Any], output: str, *, is_first: bool, inputs: Iterable[str] = ()
) -> None:
    """Write an issued record.

    Args:
        record: as `issue` makes it.
        output: a file; or a folder, where the file is named after the number.
        is_first: whether it is the first of those that go to this output.
        inputs: files that must not be written over.

    Raises:
        UsageError: several records for one file.
        OutputError: it can't be written.
    """
    place = output
    if os.path.isdir(output):
        suffix = record["pith_number"].rpartition(":")[2]
        place = os.path.join(output, f"{suffix}.json")
    elif not is_first:
        raise UsageError(f"{output}: one file, but several papers; give a folder")
    data = (json.dumps(record, ensure_ascii=False, indent=1) + "\n").encode("utf-8")
    write_file(place, data, inputs=inputs)
