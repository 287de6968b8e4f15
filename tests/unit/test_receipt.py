"""Receipts: their form as read, and as a new one is written."""

from __future__ import annotations

from typing import Any

import pytest

from pybadge.ed25519 import ALGORITHM
from pybadge.receipt import FIXED, KIND, VERSION, read_receipt, receipt_document
from pybadge.verification import verify
from tests.support.data import REAL
from tests.support.documents import real


def test_the_constants_are_those_of_a_real_receipt() -> None:
    receipt = REAL["receipt"]
    assert receipt["kind"] == KIND == FIXED["kind"]
    assert receipt["algorithm"] == ALGORITHM
    assert receipt["receipt_version"] == VERSION
    assert {name: receipt[name] for name in FIXED} == FIXED


def test_a_receipt_is_read_field_by_field() -> None:
    read = read_receipt(REAL["receipt"])
    for name in type(read).__dataclass_fields__:
        assert getattr(read, name) == REAL["receipt"].get(name), name


@pytest.mark.parametrize("value", [None, 7, True, ["ed25519"], {"a": 1}])
def test_a_field_that_is_no_text_counts_as_absent(value: Any) -> None:
    served = dict.fromkeys(REAL["receipt"], value)
    read = read_receipt(served)
    assert {getattr(read, name) for name in type(read).__dataclass_fields__} == {None}


def test_unknown_fields_are_left_out() -> None:
    assert read_receipt({**REAL["receipt"], "more": "x"}) == read_receipt(REAL["receipt"])
    assert read_receipt({}) == read_receipt(dict.fromkeys(REAL["receipt"]))


def test_a_new_receipt_has_the_form_of_a_real_one_and_verifies() -> None:
    receipt = REAL["receipt"]
    made = receipt_document(
        key_id=receipt["key_id"],
        public_key_fingerprint=receipt["public_key_fingerprint"],
        canonical_sha256=receipt["canonical_sha256"],
        signature_b64=receipt["signature_b64"],
        signed_at="2026-05-01T00:00:00.000000Z",
        builder_version="test",
    )
    assert set(made) == set(receipt)
    assert list(made) == list(receipt)
    assert made["signed_at"] == made["last_reissued_at"] == made["first_computed_at"]
    document = real()
    document["receipt"] = made
    assert verify(document).verdict == "verified"
