"""Receipts: by which key, in which form, over which record."""

from __future__ import annotations

import base64
from dataclasses import replace
from typing import Any

import pytest

from pybadge import verification
from pybadge.keys import PublicKey, fingerprint, verify_ed25519
from pybadge.number import from_hash
from pybadge.verification import verify
from tests.support.data import REAL, RECORDS, SIGNATURES, read_lines
from tests.support.documents import PITH, document, put, real, receipt, signed

# --- receipts of other records, and signatures over other things


@pytest.mark.parametrize("index", range(len(SIGNATURES)))
def test_a_real_receipt_is_valid_on_its_own_record_and_on_no_other(index: int) -> None:
    line = SIGNATURES[index]
    valid = []
    for record in RECORDS:
        stated = record["canonical_sha256"]
        for claimed in (stated, line["canonical_sha256"]):
            made = document(record["canonical_record"], line["signature_b64"])
            made["receipt"]["canonical_sha256"] = claimed
            if verify(made).verdict == "verified":
                valid.append(record["suffix"])
            else:
                assert verify(made).verdict == "invalid"
    expected = {record["suffix"] for record in RECORDS if record["suffix"] == line["suffix"]}
    assert set(valid) == expected


def no_receipt(case: dict[str, Any]) -> None:
    """A signature of the same key over another 32 byte hash: valid Ed25519, but of no record."""
    digest, signature = case["payload_sha256"], case["signature_b64"]
    raw = bytes.fromhex(digest)
    assert verify_ed25519(PITH.raw, raw, base64.b64decode(signature)), "a real one"
    suffix = from_hash(raw).suffix
    base = {
        **real(),
        "pith_number": f"pith:2024:{suffix}",
        "short_pith_number": f"pith:{suffix[:8]}",
        "aliases": [],
    }
    stated = REAL["canonical_sha256"]
    claiming = {**base, "canonical_sha256": digest}
    for made in (
        {**claiming, "receipt": receipt(digest, signature)},
        {**claiming, "receipt": receipt(stated, signature)},
        {**real(), "receipt": receipt(stated, signature)},
        {**claiming, "canonical_record": digest},
        {**claiming, "canonical_record": {"payload": {"detectors": [], "findings": []}}},
    ):
        assert verify(made, asked=suffix).verdict == "invalid"
        assert verify(made).verdict == "invalid"
    bare = {key: value for key, value in claiming.items() if key != "canonical_record"}
    assert verify(bare, asked=suffix).verdict == "unreadable"


PUBLISHED = [
    line for line in read_lines("integrity.jsonl") if line["type"] == "integrity_event_signature"
]


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case["arxiv_id"])
def test_no_integrity_signature_passes_as_a_receipt(case: dict[str, Any]) -> None:
    no_receipt(case)


# --- keys


def test_a_server_with_its_own_key_and_matching_receipt_is_not_verified() -> None:
    made, key = signed()
    made["signing_key"] = {
        "key_id": key.key_id,
        "public_key_b64": base64.b64encode(key.raw).decode(),
    }
    made["receipt"]["public_key"] = made["signing_key"]
    report = verify(made)
    assert report.verdict == "not_checked"
    assert report["receipt_key"].code == "receipt.key_unknown"
    assert report["receipt_signature"].code == "receipt.key_unknown"
    assert report.registry is None
    trusted = verify(made, trusted=[key])
    assert trusted.verdict == "verified"
    assert trusted.registry == "Somebody"


@pytest.mark.parametrize(
    "changes",
    [
        {"key_id": PITH.key_id},
        {"public_key_fingerprint": PITH.fingerprint},
        {"key_id": PITH.key_id, "public_key_fingerprint": PITH.fingerprint},
        {"key_id": PITH.key_id, "public_key_fingerprint": None},
    ],
    ids=["its id", "its fingerprint", "both", "id alone"],
)
def test_nobody_signs_under_the_pinned_keys_name(changes: dict[str, Any]) -> None:
    made, key = signed()
    made["receipt"].update(changes)
    assert verify(made).verdict == "invalid"
    assert verify(made, trusted=[key]).verdict == "invalid"


@pytest.mark.parametrize("name", [None, "x", "", PITH.key_id.upper() if PITH.key_id else ""])
def test_the_pinned_keys_fingerprint_under_another_name_is_a_contradiction(
    name: str | None,
) -> None:
    report = verify(put(REAL, ("receipt", "key_id"), name))
    if name is None:  # no name is no contradiction
        assert report.verdict == "verified"
    else:
        assert report["receipt_key"].code == "receipt.key_mismatch"
        assert report.verdict == "invalid"


def test_the_pinned_keys_name_with_another_fingerprint_is_a_contradiction() -> None:
    wrong = put(REAL, ("receipt", "public_key_fingerprint"), "0" * 32)
    assert verify(wrong)["receipt_key"].code == "receipt.key_mismatch"
    assert verify(wrong).verdict == "invalid"


def test_a_key_is_found_by_its_name_alone() -> None:
    nameless = put(REAL, ("receipt", "public_key_fingerprint"), None)
    report = verify(nameless)
    assert report.verdict == "verified"
    assert "(pinned)" in report["receipt_key"].detail


def test_a_small_order_key_is_no_key_even_when_it_is_trusted() -> None:
    made, _ = signed()
    weak = PublicKey(b"\x01" + bytes(31), "weak", "Weak")
    made["receipt"].update(
        key_id="weak",
        public_key_fingerprint=weak.fingerprint,
        signature_b64=base64.b64encode(b"\x01" + bytes(63)).decode(),
    )
    assert verify(made, trusted=[weak]).verdict == "invalid"


def test_with_several_trusted_keys_the_right_one_is_taken() -> None:
    made, key = signed(7)
    others = [signed(seed)[1] for seed in (8, 9)]
    assert verify(made, trusted=[*others, key]).registry == "Somebody"
    made["receipt"].update(public_key_fingerprint=None)
    nameless = [replace(other, key_id=None) for other in others]
    report = verify(made, trusted=[*nameless, replace(key, key_id=None)])
    assert report.verdict == "verified"
    assert "trusted by you" in report["receipt_key"].detail
    assert verify(made, trusted=nameless).verdict == "not_checked"


def test_a_nameless_key_is_not_found_by_a_signature_that_is_none() -> None:
    made, key = signed()
    made["receipt"].update(public_key_fingerprint=None, signature_b64="x")
    report = verify(made, trusted=[replace(key, key_id=None)])
    assert report["receipt_key"].code == "receipt.key_unknown"
    assert report["receipt_signature"].code == "receipt.signature_malformed"
    assert report.verdict == "invalid"


def test_a_key_of_two_names_fits_the_one_that_the_receipt_gives() -> None:
    """The same key may be trusted under several names; the receipt must use one of them."""
    made, key = signed()
    other = replace(key, key_id="another name")
    assert verify(made, trusted=[other, key]).verdict == "verified"
    assert verify(made, trusted=[other]).verdict == "invalid"


@pytest.mark.parametrize("bit", [0, 100, 255])
def test_a_record_is_invalid_under_another_pinned_key_of_that_name(
    bit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = bytearray(PITH.raw)
    raw[bit // 8] ^= 1 << bit % 8
    wrong = PublicKey(bytes(raw), PITH.key_id, PITH.registry, True)
    monkeypatch.setattr(verification, "PINNED", (wrong,))
    assert verify(REAL).verdict == "invalid"


def test_the_key_is_named_only_where_its_signature_holds() -> None:
    made, key = signed()
    made["receipt"]["signature_b64"] = REAL["receipt"]["signature_b64"]
    report = verify(made, trusted=[key])
    assert report["receipt_key"].status == "valid"
    assert report["receipt_signature"].code == "receipt.signature_invalid"
    assert report.registry is None
    assert fingerprint(key.raw) in report["receipt_key"].detail


# --- weakened receipts

SIGNATURE = REAL["receipt"]["signature_b64"]
MALFORMED = [
    None,
    "",
    SIGNATURE + "\n",
    SIGNATURE.rstrip("="),
    SIGNATURE[:40] + "\n" + SIGNATURE[40:],
    SIGNATURE.replace("/", "_"),
    SIGNATURE[:-3] + "B==",  # the same bytes, with a bit that padding leaves over
    base64.b64encode(bytes(63)).decode(),
    base64.b64encode(bytes(65)).decode(),
    base64.b64encode(bytes(66)).decode(),
]


@pytest.mark.parametrize(
    ("field", "value", "verdict", "code"),
    [
        ("algorithm", "none", "not_checked", "receipt.algorithm_unsupported"),
        ("algorithm", "None", "not_checked", "receipt.algorithm_unsupported"),
        ("algorithm", "", "not_checked", "receipt.algorithm_unsupported"),
        ("algorithm", None, "not_checked", "receipt.algorithm_unsupported"),
        ("algorithm", "hs256", "not_checked", "receipt.algorithm_unsupported"),
        ("algorithm", ["ed25519"], "not_checked", "receipt.algorithm_unsupported"),
        ("algorithm", {"name": "ed25519"}, "not_checked", "receipt.algorithm_unsupported"),
        ("algorithm", "Ed25519", "not_checked", "receipt.algorithm_unsupported"),
        ("algorithm", 0, "not_checked", "receipt.algorithm_unsupported"),
        ("signature_status", "unsigned", "invalid", "receipt.signature_status"),
        ("signature_status", None, "invalid", "receipt.signature_status"),
        ("signed_message", "canonical_sha256_hex", "invalid", "receipt.signed_message"),
        ("signed_message", None, "invalid", "receipt.signed_message"),
        ("kind", "pith_integrity", "invalid", "receipt.kind"),
        ("kind", None, "invalid", "receipt.kind"),
        ("receipt_version", "0.4", "not_checked", "receipt.version_unsupported"),
        ("receipt_version", None, "not_checked", "receipt.version_unsupported"),
        ("canonical_sha256", "0" * 64, "invalid", "receipt.hash_mismatch"),
        ("canonical_sha256", "", "invalid", "receipt.hash_mismatch"),
        *(("signature_b64", text, "invalid", "receipt.signature_malformed") for text in MALFORMED),
        (
            "signature_b64",
            base64.b64encode(bytes(64)).decode(),
            "invalid",
            "receipt.signature_invalid",
        ),
    ],
)
def test_a_weakened_receipt_is_never_verified(
    field: str, value: Any, verdict: str, code: str
) -> None:
    report = verify(put(REAL, ("receipt", field), value))
    assert report.verdict == verdict
    assert report["receipt_signature"].code == code
    assert report.registry is None


def test_a_receipt_that_does_not_repeat_the_hash_is_as_good() -> None:
    assert verify(put(REAL, ("receipt", "canonical_sha256"), None)).verdict == "verified"


def test_every_bit_of_the_signature_counts() -> None:
    raw = base64.b64decode(SIGNATURE)
    for bit in range(0, 512, 7):
        broken = bytearray(raw)
        broken[bit // 8] ^= 1 << bit % 8
        new = base64.b64encode(bytes(broken)).decode()
        assert verify(put(REAL, ("receipt", "signature_b64"), new)).verdict == "invalid"


@pytest.mark.parametrize("line", read_lines("signatures.jsonl"), ids=lambda line: line["suffix"])
def test_the_signature_of_another_record_is_invalid(line: dict[str, Any]) -> None:
    made = put(REAL, ("receipt", "signature_b64"), line["signature_b64"])
    assert verify(made).verdict == "invalid"


@pytest.mark.parametrize("value", ["none", "", [], 1, 0, True, False])
def test_what_is_no_object_is_no_receipt(value: Any) -> None:
    report = verify(put(REAL, ("receipt",), value))
    assert report["receipt_key"].code == "receipt.malformed"
    assert report["receipt_signature"].code == "receipt.malformed"
    assert report.verdict == "invalid"


def test_a_missing_receipt_is_absent_and_nothing_is_verified() -> None:
    for made in (put(REAL, ("receipt",), None), {**real(), "receipt": None}):
        report = verify(made)
        assert report.verdict == "not_checked"
        assert report.exit_code == 3
        assert report["receipt_key"].status == "absent"
        assert report["receipt_signature"].status == "absent"
    gone = real()
    del gone["receipt"]
    assert verify(gone)["receipt_signature"].status == "absent"
    assert verify(put(REAL, ("receipt",), {})).verdict == "not_checked"
