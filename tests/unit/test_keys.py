"""Key files in every form, the pinned key, and base64 that is exactly its own encoding."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given
from hypothesis import strategies as st

from pybadge import keys
from pybadge.ed25519 import is_usable_key
from pybadge.errors import UsageError
from pybadge.keys import PublicKey, base64_bytes, read_key
from tests.support.data import read_lines
from tests.support.documents import PITH, key_json, signed

VECTORS = read_lines("ed25519.jsonl")
UNUSABLE = sorted({vector["key"] for vector in VECTORS if not vector["usable_key"]})
MIXED = [vector["key"] for vector in VECTORS if vector["name"].startswith("a mixed key (")]


def test_the_pinned_key_is_the_published_one() -> None:
    assert base64.b64encode(PITH.raw).decode() == "stVStoiQhXFxp4s2pdzPNoqVNBMojDU/fJ2db5S3CbM="
    assert PITH.fingerprint == "8d4b5ee74e4693bcd1df2446408b0d54"
    assert is_usable_key(PITH.raw)
    assert keys.PINNED == (PITH,)
    assert PITH.pinned


@pytest.mark.parametrize(
    "text",
    ["AA=", "AAA", "AA==\n", " AA==", "AB==", "AA==AA==", "A!A==", "AA-_", "ÄA==", "AAAA=", "===="],
)
def test_base64_that_is_not_exactly_its_own_encoding_is_refused(text: str) -> None:
    assert base64_bytes(text) is None


@given(st.binary(max_size=80))
def test_base64_gives_back_what_was_encoded(data: bytes) -> None:
    assert base64_bytes(base64.b64encode(data).decode()) == data


_, OWN = signed(7)
PEM = (
    Ed25519PrivateKey.from_private_bytes(bytes([7]) * 32)
    .public_key()
    .public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
)


@pytest.mark.parametrize(
    ("data", "key_id"),
    [
        (key_json(OWN).encode(), "key-7"),
        (
            json.dumps(
                {"key_id": "key-7", "public_key": {"public_key_hex": OWN.raw.hex()}}
            ).encode(),
            "key-7",
        ),
        (
            json.dumps(
                {
                    "key_id": "key-7",
                    "algorithm": "Ed25519",
                    "public_key": base64.b64encode(OWN.raw).decode(),
                }
            ).encode(),
            "key-7",
        ),
        (json.dumps({"public_key_b64": base64.b64encode(OWN.raw).decode()}).encode(), None),
        (OWN.raw, None),
        (OWN.raw.hex().encode() + b"\n", None),
        (base64.b64encode(OWN.raw) + b"\n", None),
        (PEM, None),
    ],
    ids=["registry", "nested", "plain name", "no id", "raw", "hex", "base64", "pem"],
)
def test_a_key_file_is_read_in_each_of_its_forms(data: bytes, key_id: str | None) -> None:
    key = read_key(data, "my.key")
    assert key.raw == OWN.raw
    assert key.key_id == key_id
    assert not key.pinned


def not_a_key() -> list[tuple[bytes, str]]:
    other = (
        generate_private_key(65537, 2048)
        .public_key()
        .public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    )
    ecdsa_like = key_json(OWN, algorithm="ecdsa").encode()
    return [
        (b"", "not an Ed25519 public key"),
        (b"hello", "not an Ed25519 public key"),
        (OWN.raw[:31], "not an Ed25519 public key"),
        (OWN.raw + b"x", "not an Ed25519 public key"),
        (b"\xff" * 32, "not an Ed25519 public key"),
        (b"\x02" + bytes(31), "not an Ed25519 public key"),
        (other, "not an Ed25519 public key"),
        (
            b"-----BEGIN PUBLIC KEY-----\nnonsense\n-----END PUBLIC KEY-----\n",
            "not an Ed25519 public key",
        ),
        (ecdsa_like, "not ed25519"),
        (key_json(OWN, algorithm=["ed25519"]).encode(), "not ed25519"),
        (key_json(OWN, algorithm=None).encode(), "not ed25519"),
        (key_json(OWN, public_key_fingerprint="0" * 32).encode(), "fingerprint"),
        (key_json(OWN, fingerprint="0" * 32).encode(), "fingerprint"),
        (key_json(OWN, public_key_hex="00" * 32).encode(), "not an Ed25519 public key"),
        (key_json(OWN, key_id=PITH.key_id).encode(), "pinned key"),
        (b'{"key_id": "a", "key_id": "b"}', "twice"),
        (b"{}", "not an Ed25519 public key"),
    ]


@pytest.mark.parametrize(("data", "reason"), not_a_key())
def test_what_is_no_key_is_refused_with_its_reason(data: bytes, reason: str) -> None:
    with pytest.raises(UsageError, match=reason) as caught:
        read_key(data, "my.key")
    assert str(caught.value).startswith("my.key: ")


@pytest.mark.parametrize("key", UNUSABLE)
def test_a_point_that_is_not_of_prime_order_is_no_key_in_any_form(key: str) -> None:
    """Such a key verifies more than it should, or nothing at all."""
    raw = bytes.fromhex(key)
    text = base64.b64encode(raw)
    for data in (raw, key.encode(), text, json.dumps({"key": text.decode()}).encode()):
        with pytest.raises(UsageError, match="not an Ed25519 public key"):
            read_key(data)


def test_keys_of_mixed_order_are_among_those() -> None:
    assert len(MIXED) == 7
    assert set(MIXED) <= set(UNUSABLE)


def test_a_key_id_that_is_no_text_is_none() -> None:
    for key_id in (None, 7, ["x"]):
        assert read_key(key_json(OWN, key_id=key_id).encode()).key_id is None


@pytest.mark.parametrize(
    "registry", ["Pith", "pith", " P i t h ", "Pith Science", "Ｐith", "Рith", "", None, 7, "‮htiP"]
)
def test_no_key_file_takes_the_pinned_registrys_name(registry: Any) -> None:
    key = read_key(key_json(OWN, registry=registry).encode(), "my.key")
    assert key.registry == f"key {OWN.fingerprint[:8]}"


def test_an_honest_name_is_kept_and_the_pinned_key_stays_pinned() -> None:
    assert (
        read_key(key_json(OWN, registry="Journal of Tests").encode()).registry == "Journal of Tests"
    )
    assert read_key(key_json(OWN, registry=None, name="Journal").encode()).registry == "Journal"
    assert len(read_key(key_json(OWN, registry="x" * 500).encode()).registry) == 60
    assert read_key(PITH.raw) == PITH
    assert read_key(key_json(PITH, registry="Somebody").encode()) is PITH
    assert isinstance(PITH, PublicKey)
