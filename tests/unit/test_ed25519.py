"""Strict Ed25519: every rule on vectors of our own, the real receipts, and what others publish."""

from __future__ import annotations

import base64
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st
from nacl import bindings

from pybadge.ed25519 import is_sound_point, is_strict, is_usable_key, verify_ed25519
from tests.support.conformance import conformance, needs_conformance
from tests.support.data import DATA, ROOT, SIGNATURES, read_lines
from tests.support.documents import PITH

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
VECTORS = read_lines("ed25519.jsonl")
FORGERIES = [vector for vector in VECTORS if vector["equation"] and not vector["strict"]]
SMALL_KEYS = {vector["key"] for vector in VECTORS if vector["name"].startswith("the small key")}
SMALL_R = {
    vector["signature"][:64] for vector in VECTORS if vector["name"].startswith("the small R")
}
every_vector = pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])

PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = PRIVATE.public_key().public_bytes_raw()
MESSAGE = bytes(range(32))
SIGNATURE = PRIVATE.sign(MESSAGE)


def parts(vector: dict[str, Any]) -> tuple[bytes, bytes, bytes]:
    key, message, signature = (
        bytes.fromhex(vector[name]) for name in ("key", "message", "signature")
    )
    return key, message, signature


def openssl_takes(key: bytes, message: bytes, signature: bytes) -> bool:
    """What OpenSSL says, which checks the equation and S < L and not much else."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


@every_vector
def test_a_vector_is_verified_as_it_says(vector: dict[str, Any]) -> None:
    assert verify_ed25519(*parts(vector)) is vector["valid"]


@every_vector
def test_the_rules_that_need_no_message_say_what_the_vector_says(vector: dict[str, Any]) -> None:
    """Asked directly, since libsodium refuses most of the same bytes by itself."""
    key, _, signature = parts(vector)
    assert is_strict(key, signature) is vector["strict"]
    if len(key) == 32:
        assert is_sound_point(key) is vector["sound_key"]
    assert is_usable_key(key) is vector["usable_key"]


def test_the_rules_hold_whatever_a_library_lets_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """Libraries differ in these checks, and so do builds of one library."""
    monkeypatch.setattr(bindings, "crypto_sign_open", lambda *_arguments: b"")
    monkeypatch.setattr(bindings, "crypto_core_ed25519_is_valid_point", lambda _point: True)
    for vector in VECTORS:
        key, message, signature = parts(vector)
        assert verify_ed25519(key, message, signature) is vector["strict"], vector["name"]
        assert is_usable_key(key) is vector["sound_key"], vector["name"]


@every_vector
def test_openssl_agrees_with_a_vector_on_the_equation(vector: dict[str, Any]) -> None:
    """The vectors are made by arithmetic of our own; this is the second opinion on them."""
    assert openssl_takes(*parts(vector)) is vector["equation"]


def test_there_is_a_forgery_for_every_rule_that_the_equation_does_not_have() -> None:
    """What the strict rules are for: OpenSSL takes each of these signatures, and nobody made it."""
    forged_keys = {vector["key"] for vector in FORGERIES}
    assert forged_keys >= SMALL_KEYS
    assert len(SMALL_KEYS) == len(SMALL_R) == 14, "8 points, 6 of them also written otherwise"
    assert len(FORGERIES) >= 2 * 14 + 8


def test_the_vectors_are_what_their_tool_makes(tmp_path: Path) -> None:
    tool = tmp_path / "tools" / "ed25519-vectors"
    tool.parent.mkdir()
    (tmp_path / "tests" / "data").mkdir(parents=True)
    tool.write_bytes((ROOT / "tools" / "ed25519-vectors").read_bytes())
    subprocess.run([sys.executable, str(tool)], check=True, capture_output=True)
    made = (tmp_path / "tests" / "data" / "ed25519.jsonl").read_bytes()
    assert made == (DATA / "ed25519.jsonl").read_bytes()


@pytest.mark.parametrize("key", sorted(SMALL_KEYS))
def test_a_key_of_small_order_signs_nothing(key: str) -> None:
    for r, s in product(sorted(SMALL_R), (bytes(32), SIGNATURE[32:])):
        assert not verify_ed25519(bytes.fromhex(key), MESSAGE, bytes.fromhex(r) + s)


@pytest.mark.parametrize("y", range(P, 2**255))
def test_no_y_beyond_the_field_is_sound(y: int) -> None:
    for sign in (0, 1 << 255):
        assert not is_sound_point((y | sign).to_bytes(32, "little"))


def test_the_largest_y_in_the_field_that_is_not_of_small_order_is_sound() -> None:
    assert is_sound_point((P - 2).to_bytes(32, "little"))


@pytest.mark.parametrize(("s", "strict"), [(0, True), (L - 1, True), (L, False), (L + 1, False)])
def test_s_is_below_the_order_of_the_base_point(s: int, strict: bool) -> None:
    assert is_strict(PUBLIC, SIGNATURE[:32] + s.to_bytes(32, "little")) is strict


def test_the_signed_message_is_the_bare_hash() -> None:
    line = SIGNATURES[0]
    digest = bytes.fromhex(line["canonical_sha256"])
    signature = base64.b64decode(line["signature_b64"])
    assert verify_ed25519(PITH.raw, digest, signature)
    assert not verify_ed25519(PITH.raw, line["canonical_sha256"].encode(), signature)
    assert not verify_ed25519(PITH.raw, b"pith:" + digest, signature)


def test_each_real_receipt_is_good_for_its_own_record_only() -> None:
    pairs = [
        (bytes.fromhex(line["canonical_sha256"]), base64.b64decode(line["signature_b64"]))
        for line in SIGNATURES
    ]
    assert len(pairs) >= 8
    for (i, (digest, _)), (j, (_, signature)) in product(enumerate(pairs), repeat=2):
        assert verify_ed25519(PITH.raw, digest, signature) is (i == j)


@given(
    public=st.binary(max_size=70), message=st.binary(max_size=70), signature=st.binary(max_size=130)
)
def test_bad_bytes_are_false_and_never_an_exception(
    public: bytes, message: bytes, signature: bytes
) -> None:
    assert verify_ed25519(public, message, signature) is False
    padded_key, padded = public[:32].ljust(32, b"\xff"), signature[:64].ljust(64, b"\x00")
    assert verify_ed25519(padded_key, message, padded) is False
    assert is_usable_key(public) in (True, False)


@given(st.integers(0, 8 * 64 - 1), st.integers(0, 8 * 32 - 1))
def test_a_flipped_bit_anywhere_is_false(in_signature: int, in_message: int) -> None:
    def flipped(data: bytes, bit: int) -> bytes:
        return (int.from_bytes(data, "little") ^ (1 << bit)).to_bytes(len(data), "little")

    assert verify_ed25519(PUBLIC, MESSAGE, SIGNATURE)
    assert not verify_ed25519(PUBLIC, MESSAGE, flipped(SIGNATURE, in_signature))
    assert not verify_ed25519(PUBLIC, flipped(MESSAGE, in_message), SIGNATURE)


def test_other_kinds_of_byte_strings_are_taken() -> None:
    assert verify_ed25519(bytearray(PUBLIC), memoryview(MESSAGE), bytearray(SIGNATURE))


# --- what others publish


@needs_conformance
def test_the_wycheproof_vectors_are_verified_as_they_say() -> None:
    checked = 0
    for group in conformance("ed25519/wycheproof_ed25519_v1.json")["testGroups"]:
        public = bytes.fromhex(group["publicKey"]["pk"])
        for case in group["tests"]:
            outcome = verify_ed25519(public, bytes.fromhex(case["msg"]), bytes.fromhex(case["sig"]))
            assert outcome is (case["result"] == "valid"), case["tcId"]
            checked += 1
    assert checked == 151


@needs_conformance
def test_of_the_twelve_cases_on_which_verifiers_differ_one_is_accepted() -> None:
    outcomes = [
        verify_ed25519(*(bytes.fromhex(case[name]) for name in ("pub_key", "message", "signature")))
        for case in conformance("ed25519/speccheck_cases.json")
    ]
    assert [number for number, outcome in enumerate(outcomes) if outcome] == [3]
    assert len(outcomes) == 12


@needs_conformance
def test_the_cctv_vectors_with_a_weakness_are_refused_and_the_others_accepted() -> None:
    cases = conformance("ed25519/cctv_ed25519vectors.json")
    assert len(cases) == 914
    weaknesses = {
        "low_order_A",
        "low_order_R",
        "non_canonical_A",
        "non_canonical_R",
        "low_order_residue",
    }
    for case in cases:
        public, signature = bytes.fromhex(case["key"]), bytes.fromhex(case["sig"])
        outcome = verify_ed25519(public, case["msg"].encode(), signature)
        assert outcome is not bool(weaknesses & set(case["flags"] or ())), case["number"]


@needs_conformance
def test_the_vectors_of_rfc_8032_are_valid_for_their_message_only() -> None:
    for vector in conformance("ed25519/rfc8032.json")["vectors"]:
        public, message, signature = (
            bytes.fromhex(vector[name]) for name in ("public", "msg", "sig")
        )
        assert verify_ed25519(public, message, signature)
        assert not verify_ed25519(public, message + b"x", signature)
