"""Real records of the public registry: every rule that docs/spec calls observed holds
on them."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

import pytest

import pybadge
from pybadge import canonical, keys, number
from pybadge.schema import read_canonical_record
from tests.support.data import RECORDS, SIGNATURES, read_lines
from tests.support.documents import PITH

TITLED = [record for record in RECORDS if record["title"]]
WITH_ABSTRACT = [record for record in RECORDS if record["abstract"]]
INTEGRITY = read_lines("integrity.jsonl")
INTEGRITY_SIGNATURES = [line for line in INTEGRITY if line["type"] == "integrity_event_signature"]
SNAPSHOTS = [line for line in INTEGRITY if line["type"] == "integrity_snapshot"]


def by_name(line: dict[str, Any]) -> str:
    return str(line.get("suffix") or line.get("arxiv_id"))


def test_the_vectors_are_all_there() -> None:
    assert len(RECORDS) == 113
    assert len({line["suffix"] for line in SIGNATURES}) == len(SIGNATURES) == 8
    assert len(INTEGRITY_SIGNATURES) == 8
    assert len(TITLED) >= 40
    assert len(WITH_ABSTRACT) >= 1
    assert len(SNAPSHOTS) >= 3


@pytest.mark.parametrize("line", RECORDS, ids=by_name)
def test_a_canonical_record_has_its_hash_number_year_and_short_forms(line: dict[str, Any]) -> None:
    record = read_canonical_record(line["canonical_record"])
    derived = number.from_record(line["canonical_record"])
    assert record.document is line["canonical_record"]
    assert canonical.canonical_sha256(line["canonical_record"]) == line["canonical_sha256"]
    assert derived.suffix == line["suffix"]
    assert derived.text == line["pith_number"]
    assert derived.year == record.year
    assert derived.short == f"pith:{line['suffix'][:8]}"
    for length in number.SHORT_LENGTHS:
        assert derived.suffix.startswith(pybadge.parse_number(line["suffix"][:length]).suffix)


@pytest.mark.parametrize("line", RECORDS, ids=by_name)
def test_the_recipe_on_the_page_of_a_record_gives_its_hash(line: dict[str, Any]) -> None:
    text = json.dumps(
        line["canonical_record"], sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    assert hashlib.sha256(text.encode()).hexdigest() == line["canonical_sha256"]


@pytest.mark.parametrize("line", TITLED, ids=by_name)
def test_a_title_has_its_signed_hash(line: dict[str, Any]) -> None:
    expected = line["canonical_record"]["metadata"]["title_canon_sha256"]
    assert canonical.title_sha256(line["title"]) == expected
    assert canonical.title_sha256(line["title"] + "!") != expected


@pytest.mark.parametrize("line", WITH_ABSTRACT, ids=by_name)
def test_an_abstract_has_its_signed_hash(line: dict[str, Any]) -> None:
    expected = line["canonical_record"]["metadata"]["abstract_canon_sha256"]
    assert canonical.abstract_sha256(line["abstract"]) == expected


@pytest.mark.parametrize("line", SIGNATURES, ids=by_name)
def test_a_receipt_signs_the_bare_hash(line: dict[str, Any]) -> None:
    digest = bytes.fromhex(line["canonical_sha256"])
    assert number.from_hash(digest).suffix == line["suffix"]
    signature = base64.b64decode(line["signature_b64"], validate=True)
    assert keys.verify_ed25519(PITH.raw, digest, signature)


@pytest.mark.parametrize("line", INTEGRITY_SIGNATURES, ids=by_name)
def test_the_same_key_signs_integrity_findings_over_32_bare_bytes(line: dict[str, Any]) -> None:
    payload = bytes.fromhex(line["payload_sha256"])
    assert keys.verify_ed25519(PITH.raw, payload, base64.b64decode(line["signature_b64"]))


@pytest.mark.parametrize("line", SNAPSHOTS, ids=by_name)
def test_an_integrity_snapshot_is_the_hash_of_its_findings(line: dict[str, Any]) -> None:
    payload = {"detectors": line["detectors_run"], "findings": line["findings"]}
    assert canonical.snapshot_sha256(payload) == line["snapshot_sha256"]
