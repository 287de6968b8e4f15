"""Real records of the public registry: every rule of PROTOCOL.md holds on them."""

from __future__ import annotations

import base64
from typing import Any

import pytest

import pybadge
from pybadge import canonical, keys, number
from pybadge.record import read_canonical_record
from tests.support.data import DATA, read_lines

RECORDS = read_lines("records.jsonl")
SIGNATURES = [line for line in (*RECORDS, *read_lines("signatures.jsonl")) if line["signature_b64"]]
INTEGRITY = read_lines("integrity.jsonl")
TITLED = [record for record in RECORDS if record["title"]]
WITH_ABSTRACT = [record for record in RECORDS if record["abstract"]]
INTEGRITY_SIGNATURES = [line for line in INTEGRITY if line["type"] == "integrity_event_signature"]
SNAPSHOTS = [line for line in INTEGRITY if line["type"] == "integrity_snapshot"]
PITH_KEY = keys.PINNED[0]


def by_name(line: dict[str, Any]) -> str:
    return str(line.get("suffix") or line.get("arxiv_id"))


def test_the_vectors_are_all_there() -> None:
    assert len(RECORDS) == 113
    assert len({line["suffix"] for line in SIGNATURES}) == len(SIGNATURES) == 8
    assert len(INTEGRITY_SIGNATURES) == 4
    assert len(TITLED) >= 40
    assert len(WITH_ABSTRACT) >= 1
    assert len(SNAPSHOTS) >= 3


@pytest.mark.parametrize("line", RECORDS, ids=by_name)
def test_number_year_and_short_forms(line: dict[str, Any]) -> None:
    record = read_canonical_record(line["canonical_record"])
    derived = number.from_record(line["canonical_record"])
    assert canonical.canonical_sha256(line["canonical_record"]) == line["canonical_sha256"]
    assert derived.suffix == line["suffix"]
    assert derived.text == line["pith_number"]
    assert derived.year == record.year
    assert derived.short == f"pith:{line['suffix'][:8]}"
    for length in number.SHORT_LENGTHS:
        assert derived.suffix.startswith(pybadge.parse_number(line["suffix"][:length]).suffix)


@pytest.mark.parametrize("line", TITLED, ids=by_name)
def test_title_hash(line: dict[str, Any]) -> None:
    expected = line["canonical_record"]["metadata"]["title_canon_sha256"]
    assert canonical.title_sha256(line["title"]) == expected
    assert canonical.title_sha256(line["title"] + "!") != expected


@pytest.mark.parametrize("line", WITH_ABSTRACT, ids=by_name)
def test_abstract_hash(line: dict[str, Any]) -> None:
    assert (
        canonical.abstract_sha256(line["abstract"])
        == line["canonical_record"]["metadata"]["abstract_canon_sha256"]
    )


def test_the_whole_abstract_of_the_complete_record(real_record: dict[str, Any]) -> None:
    text = (DATA / "abstract-2402.15627.txt").read_text(encoding="utf-8")
    assert pybadge.verify(real_record, abstract=text)["abstract"].status == "valid"
    assert pybadge.verify(real_record, abstract=text + "x")["abstract"].status == "invalid"


@pytest.mark.parametrize("line", SIGNATURES, ids=by_name)
def test_receipt_signature(line: dict[str, Any]) -> None:
    digest = bytes.fromhex(line["canonical_sha256"])
    assert number.from_hash(digest).suffix == line["suffix"]
    signature = base64.b64decode(line["signature_b64"], validate=True)
    assert keys.verify_ed25519(PITH_KEY.raw, digest, signature)


def test_each_receipt_is_good_for_its_own_record_only() -> None:
    for ours in SIGNATURES:
        for theirs in SIGNATURES:
            digest, signature = (
                bytes.fromhex(ours["canonical_sha256"]),
                base64.b64decode(theirs["signature_b64"]),
            )
            assert keys.verify_ed25519(PITH_KEY.raw, digest, signature) == (ours is theirs)


def test_the_pinned_key_is_the_published_one() -> None:
    assert PITH_KEY.raw == base64.b64decode("stVStoiQhXFxp4s2pdzPNoqVNBMojDU/fJ2db5S3CbM=")
    assert PITH_KEY.fingerprint == "8d4b5ee74e4693bcd1df2446408b0d54"


@pytest.mark.parametrize("line", INTEGRITY_SIGNATURES, ids=by_name)
def test_integrity_signatures_hold_but_are_no_receipts(
    line: dict[str, Any], real_record: dict[str, Any]
) -> None:
    payload = bytes.fromhex(line["payload_sha256"])
    assert keys.verify_ed25519(PITH_KEY.raw, payload, base64.b64decode(line["signature_b64"]))
    # The same key signs both over 32 bare bytes: a document that states the payload's hash as its
    # own must fail.
    real_record["canonical_sha256"] = line["payload_sha256"]
    real_record["pith_number"] = number.from_hash(payload, 2024).text
    real_record["short_pith_number"] = number.from_hash(payload).short
    real_record["receipt"]["canonical_sha256"] = line["payload_sha256"]
    real_record["receipt"]["signature_b64"] = line["signature_b64"]
    assert pybadge.verify(real_record).verdict == "invalid"
    del real_record["canonical_record"]
    assert pybadge.verify(real_record).verdict == "invalid"


@pytest.mark.parametrize("line", SNAPSHOTS, ids=by_name)
def test_integrity_snapshot_hash(line: dict[str, Any], real_record: dict[str, Any]) -> None:
    payload = {"detectors": line["detectors_run"], "findings": line["findings"]}
    assert canonical.snapshot_sha256(payload) == line["snapshot_sha256"]
    served = {name: line[name] for name in ("detectors_run", "findings", "snapshot_sha256")}
    real_record["graph_snapshot"] = {"integrity": served}
    assert pybadge.verify(real_record)["snapshots"].status == "valid"
    served["findings"] = [*line["findings"], {"detector": "made up"}]
    assert pybadge.verify(real_record)["snapshots"].status == "invalid"
