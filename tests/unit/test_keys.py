"""Strict Ed25519 on others' vectors, through both libraries, and the forms of key files."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given
from hypothesis import strategies as st

from pybadge import keys
from pybadge.errors import UsageError
from pybadge.keys import PublicKey, base64_bytes, read_key, verify_ed25519
from tests.support.documents import (
    PITH,
    SIGNATURES,
    conformance,
    key_json,
    needs_conformance,
    signed,
)

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
SMALL_ORDER = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    # not canonical
    "0100000000000000000000000000000000000000000000000000000000000080",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
]
PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = PRIVATE.public_key().public_bytes_raw()
MESSAGE = bytes(range(32))
SIGNATURE = PRIVATE.sign(MESSAGE)


@pytest.fixture(params=["libsodium", "OpenSSL"])
def verify(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[bytes, bytes, bytes], bool]]:
    """`verify_ed25519` on each of the libraries it can use."""
    equation = keys._sodium_equation() if request.param == "libsodium" else keys._openssl_equation()
    assert equation is not None, (
        "PyNaCl's compiled module has another shape than the fast path knows"
    )
    monkeypatch.setattr(keys, "_equation_holds", equation)
    return verify_ed25519


Verify = Callable[[bytes, bytes, bytes], bool]


@needs_conformance
def test_wycheproof(verify: Verify) -> None:
    data = conformance("ed25519/wycheproof_ed25519_v1.json")
    checked = 0
    for group in data["testGroups"]:
        public = bytes.fromhex(group["publicKey"]["pk"])
        for case in group["tests"]:
            outcome = verify(public, bytes.fromhex(case["msg"]), bytes.fromhex(case["sig"]))
            assert outcome is (case["result"] == "valid"), case["tcId"]
            checked += 1
    assert checked == 151


@needs_conformance
def test_speccheck(verify: Verify) -> None:
    """Twelve cases on which verifiers differ; strict accepts number 3 alone."""
    outcomes = [
        verify(*(bytes.fromhex(case[name]) for name in ("pub_key", "message", "signature")))
        for case in conformance("ed25519/speccheck_cases.json")
    ]
    assert [number for number, outcome in enumerate(outcomes) if outcome] == [3]
    assert len(outcomes) == 12


@needs_conformance
def test_cctv(verify: Verify) -> None:
    """Nothing with a small-order or non-canonical key or R, nor with a residue, is accepted."""
    cases = conformance("ed25519/cctv_ed25519vectors.json")
    assert len(cases) == 914
    refused_flags = {
        "low_order_A",
        "low_order_R",
        "non_canonical_A",
        "non_canonical_R",
        "low_order_residue",
    }
    for case in cases:
        outcome = verify(
            bytes.fromhex(case["key"]), case["msg"].encode(), bytes.fromhex(case["sig"])
        )
        assert outcome is not bool(refused_flags & set(case["flags"] or ())), case["number"]


@needs_conformance
def test_rfc_8032(verify: Verify) -> None:
    for vector in conformance("ed25519/rfc8032.json")["vectors"]:
        public, message, signature = (
            bytes.fromhex(vector[name]) for name in ("public", "msg", "sig")
        )
        assert verify(public, message, signature)
        assert not verify(public, message + b"x", signature)


@pytest.mark.parametrize("encoding", SMALL_ORDER)
def test_a_small_order_key_signs_nothing(verify: Verify, encoding: str) -> None:
    """With such a key, `01 00… | 0…` passes for every message in libraries that don't look."""
    point = bytes.fromhex(encoding)
    for r, s in product(SMALL_ORDER, (bytes(32), SIGNATURE[32:])):
        assert not verify(point, MESSAGE, bytes.fromhex(r) + s)
    assert not verify(PUBLIC, MESSAGE, point + SIGNATURE[32:])
    assert not verify(PUBLIC, MESSAGE, point + bytes(32))


def test_malleable_and_non_canonical_signatures(verify: Verify) -> None:
    assert verify(PUBLIC, MESSAGE, SIGNATURE)
    s = int.from_bytes(SIGNATURE[32:], "little")
    assert not verify(PUBLIC, MESSAGE, SIGNATURE[:32] + (s + L).to_bytes(32, "little"))
    assert not verify(PUBLIC, MESSAGE, SIGNATURE[:32] + L.to_bytes(32, "little"))
    assert not verify(PUBLIC, MESSAGE, (P + 3).to_bytes(32, "little") + SIGNATURE[32:])
    assert not verify((P + 3).to_bytes(32, "little"), MESSAGE, SIGNATURE)


def test_the_message_is_the_bare_hash(verify: Verify) -> None:
    line = SIGNATURES[0]
    signature, digest = (
        base64.b64decode(line["signature_b64"]),
        bytes.fromhex(line["canonical_sha256"]),
    )
    assert verify(PITH.raw, digest, signature)
    assert not verify(PITH.raw, line["canonical_sha256"].encode(), signature)
    assert not verify(PITH.raw, b"pith:" + digest, signature)


def test_only_the_diagonal_of_all_real_receipts_is_valid(verify: Verify) -> None:
    pairs = [
        (bytes.fromhex(line["canonical_sha256"]), base64.b64decode(line["signature_b64"]))
        for line in SIGNATURES
    ]
    assert len(pairs) >= 8
    for (i, (digest, _)), (j, (_, signature)) in product(enumerate(pairs), repeat=2):
        assert verify(PITH.raw, digest, signature) is (i == j)


@given(
    public=st.binary(max_size=70), message=st.binary(max_size=70), signature=st.binary(max_size=130)
)
def test_bad_bytes_are_false_and_never_an_exception(
    public: bytes, message: bytes, signature: bytes
) -> None:
    assert verify_ed25519(public, message, signature) is False
    assert (
        verify_ed25519(public[:32].ljust(32, b"\xff"), message, signature[:64].ljust(64, b"\x00"))
        is False
    )


@given(st.integers(0, 8 * 64 - 1), st.integers(0, 8 * 32 - 1))
def test_a_flipped_bit_anywhere_is_false(in_signature: int, in_message: int) -> None:
    def flipped(data: bytes, bit: int) -> bytes:
        return (int.from_bytes(data, "little") ^ (1 << bit)).to_bytes(len(data), "little")

    assert not verify_ed25519(PUBLIC, MESSAGE, flipped(SIGNATURE, in_signature))
    assert not verify_ed25519(PUBLIC, flipped(MESSAGE, in_message), SIGNATURE)


def test_the_pinned_key_is_the_published_one() -> None:
    assert base64.b64encode(PITH.raw).decode() == "stVStoiQhXFxp4s2pdzPNoqVNBMojDU/fJ2db5S3CbM="
    assert PITH.fingerprint == "8d4b5ee74e4693bcd1df2446408b0d54"
    assert keys._is_usable(PITH.raw)


@pytest.mark.parametrize(
    "text",
    ["AA=", "AAA", "AA==\n", " AA==", "AB==", "AA==AA==", "A!A==", "AA-_", "ÄA==", "AAAA=", "===="],
)
def test_base64_that_is_not_exactly_its_own_encoding(text: str) -> None:
    assert base64_bytes(text) is None


@given(st.binary(max_size=80))
def test_base64_round_trip(data: bytes) -> None:
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
def test_forms_of_a_key_file(data: bytes, key_id: str | None) -> None:
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
        (bytes.fromhex(SMALL_ORDER[0]), "not an Ed25519 public key"),
        (b"\xff" * 32, "not an Ed25519 public key"),
        (b"\x02" + bytes(31), "not an Ed25519 public key"),
        (other, "not an Ed25519 public key"),
        (
            b"-----BEGIN PUBLIC KEY-----\nnonsense\n-----END PUBLIC KEY-----\n",
            "not an Ed25519 public key",
        ),
        (ecdsa_like, "not ed25519"),
        (key_json(OWN, algorithm=["ed25519"]).encode(), "not ed25519"),
        (key_json(OWN, public_key_fingerprint="0" * 32).encode(), "fingerprint"),
        (key_json(OWN, public_key_hex="00" * 32).encode(), "not an Ed25519 public key"),
        (key_json(OWN, key_id=PITH.key_id).encode(), "pinned key"),
        (b'{"key_id": "a", "key_id": "b"}', "twice"),
        (b"{}", "not an Ed25519 public key"),
    ]


@pytest.mark.parametrize(("data", "reason"), not_a_key())
def test_what_is_no_key_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(UsageError, match=reason) as caught:
        read_key(data, "my.key")
    assert str(caught.value).startswith("my.key: ")


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
    assert read_key(PITH.raw) == PITH
    assert isinstance(PITH, PublicKey)
