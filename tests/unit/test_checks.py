"""Verdicts: nothing that was changed is verified, nothing unsigned changes a verdict, nothing is
ever raised."""

from __future__ import annotations

import base64
import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pybadge
from pybadge.checks import CHECK_IDS, REQUIRED, Report, verify
from pybadge.errors import NumberError, UsageError
from pybadge.keys import PublicKey
from pybadge.number import from_hash
from tests.support.data import read_lines
from tests.support.documents import (
    NUMBER,
    PITH,
    REAL,
    RECORDS,
    SIGNATURES,
    SUFFIX,
    conformance,
    document,
    needs_conformance,
    real,
    receipt,
    signed,
    to_bytes,
)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values, inner ones included."""
    if path:
        yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, (*path, index))


def put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    made = copy.deepcopy(value)
    target = made
    for step in path[:-1]:
        target = target[step]
    target[path[-1]] = new
    return made


def orderly(report: Report) -> None:
    """What every report is, whatever it is about."""
    assert tuple(check.id for check in report.checks) == CHECK_IDS
    assert {check.status for check in report.checks} <= {
        "valid",
        "invalid",
        "not_checked",
        "absent",
    }
    assert report.as_json() == json.dumps(report.as_dict())
    if report.verdict == "verified":
        assert all(report[check_id].status == "valid" for check_id in REQUIRED)
        assert report.exit_code == 0
    else:
        assert report.exit_code in (1, 2, 3)


@given(json_values)
def test_verify_never_raises_on_a_json_value(value: Any) -> None:
    report = verify(value)
    orderly(report)
    assert report.verdict != "verified"


@given(st.binary(max_size=300) | json_values.map(lambda value: json.dumps(value).encode()))
def test_verify_never_raises_on_bytes(data: bytes) -> None:
    report = verify(data)
    orderly(report)
    assert report.verdict != "verified"


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(path=st.sampled_from(list(leaves(REAL))), new=json_values, as_bytes=st.booleans())
def test_any_json_value_anywhere_in_a_real_record(
    path: tuple[Any, ...], new: Any, as_bytes: bool
) -> None:
    changed = put(REAL, path, new)
    report = verify(to_bytes(changed) if as_bytes else changed)
    orderly(report)
    if path[0] == "canonical_record" and repr(changed) != repr(REAL):
        assert report.verdict == "invalid"
    if path[0] == "receipt" and repr(changed) != repr(REAL):
        free = ("signed_at", "builder_version", "last_reissued_at", "first_computed_at")
        assert report.verdict != "verified" or path[-1] in (
            *free,
            "key_id",
            "public_key_fingerprint",
            "canonical_sha256",
        )


@settings(max_examples=200)
@given(data=st.data())
def test_no_mutation_of_the_bytes_of_a_real_record_gives_another_record_that_verifies(
    data: st.DataObject,
) -> None:
    """Whatever bytes verify as Pith's must have the very canonical record that was signed."""
    original = to_bytes(REAL)
    text = bytearray(original)
    for _ in range(data.draw(st.integers(1, 3))):
        position = data.draw(st.integers(0, len(text) - 1))
        kind = data.draw(st.sampled_from(["change", "insert", "delete", "copy"]))
        if kind == "change":
            text[position] = data.draw(st.integers(0, 255))
        elif kind == "insert":
            text.insert(position, data.draw(st.integers(0, 255)))
        elif kind == "delete":
            del text[position]
        else:
            length = data.draw(st.integers(1, 40))
            text[position:position] = text[position : position + length]
    report = verify(bytes(text))
    orderly(report)
    if report.verdict == "verified":
        assert report.record is not None
        assert report.record.canonical.document == REAL["canonical_record"]
        assert report.number is not None
        assert report.number.text == NUMBER


def test_the_real_record() -> None:
    report = verify(REAL, asked=NUMBER, input=SUFFIX)
    assert report.verdict == "verified"
    assert report.registry == "Pith"
    assert report["receipt_signature"].source == "signed"
    assert {check.id for check in report.checks if check.status == "absent"} == {
        "timestamp",
        "storage",
        "author",
        "citations",
        "replications",
    }


# --- threats 1 and 28: another number, short forms


@pytest.mark.parametrize(
    ("asked", "verdict", "code"),
    [
        (NUMBER, "verified", "number.ok"),
        (SUFFIX.lower(), "verified", "number.ok"),
        (f"pith:2025:{SUFFIX}", "invalid", "number.ok"),
        (SUFFIX[:16], "verified", "number.short"),
        (SUFFIX[:12], "verified", "number.short"),
        (SUFFIX[:8], "verified", "number.short_ambiguous"),
        ("AAAAAAAA", "invalid", "number.mismatch"),
        (f"{SUFFIX[:25]}A", "invalid", "number.mismatch"),
        (RECORDS[0]["suffix"], "invalid", "number.mismatch"),
    ],
)
def test_the_number_that_was_asked_for(asked: str, verdict: str, code: str) -> None:
    report = verify(REAL, asked=asked)
    assert report.verdict == verdict
    assert report["number"].code == code


def test_eight_characters_are_called_ambiguous() -> None:
    assert "ambiguous" in verify(REAL, asked=SUFFIX[:8])["number"].detail


def test_every_bit_of_the_last_character_counts() -> None:
    """130 bits are compared: a decoder would drop the last two and take four characters for one."""
    for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567":
        report = verify(REAL, asked=SUFFIX[:25] + letter)
        assert (report.verdict == "verified") is (letter == SUFFIX[25])


def test_arguments_that_make_no_sense_are_the_callers_fault() -> None:
    with pytest.raises(NumberError):
        verify(REAL, asked="no number")
    with pytest.raises(UsageError, match="no check 'nonsense'"):
        verify(REAL, require=["nonsense"])


# --- threats 2 and 3: receipts of others


@pytest.mark.parametrize("index", range(len(SIGNATURES)))
def test_every_real_receipt_on_every_real_record(index: int) -> None:
    """The cross product: a receipt is valid on the record it was made for and on no other."""
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
    assert set(valid) == {
        record["suffix"] for record in RECORDS if record["suffix"] == line["suffix"]
    }


PUBLISHED = [
    line for line in read_lines("integrity.jsonl") if line["type"] == "integrity_event_signature"
]
EIGHT = (conformance("cross_type_receipts.json") or {"cases": []})["cases"]


def no_receipt(case: dict[str, Any]) -> None:
    """A signature of the same key over another 32 byte hash: valid Ed25519, but of no record."""
    digest, signature = case["payload_sha256"], case["signature_b64"]
    assert pybadge.keys.verify_ed25519(
        PITH.raw, bytes.fromhex(digest), base64.b64decode(signature)
    ), "a real one"
    suffix = from_hash(bytes.fromhex(digest)).suffix
    base = {
        **real(),
        "pith_number": f"pith:2024:{suffix}",
        "short_pith_number": f"pith:{suffix[:8]}",
        "aliases": [],
    }
    for made in (
        {**base, "canonical_sha256": digest, "receipt": receipt(digest, signature)},
        {
            **base,
            "canonical_sha256": digest,
            "receipt": receipt(REAL["canonical_sha256"], signature),
        },
        {**real(), "receipt": receipt(REAL["canonical_sha256"], signature)},
        {
            key: value
            for key, value in {**base, "canonical_sha256": digest}.items()
            if key != "canonical_record"
        },
        {**base, "canonical_record": digest, "canonical_sha256": digest},
        {
            **base,
            "canonical_record": {"payload": {"detectors": [], "findings": []}},
            "canonical_sha256": digest,
        },
    ):
        assert verify(made, asked=suffix).verdict == "invalid"
        assert verify(made).verdict == "invalid"


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case["arxiv_id"])
def test_no_integrity_signature_passes_as_a_receipt(case: dict[str, Any]) -> None:
    no_receipt(case)


@needs_conformance
def test_none_of_the_eight_published_integrity_signatures_passes_as_a_receipt() -> None:
    assert len(EIGHT) == 8
    for case in EIGHT:
        no_receipt(case)


# --- threat 4: keys


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
    nameless = key.replace(key_id=None)
    made["receipt"].update(public_key_fingerprint=None)
    assert (
        verify(made, trusted=[*(other.replace(key_id=None) for other in others), nameless]).verdict
        == "verified"
    )
    assert (
        verify(made, trusted=[other.replace(key_id=None) for other in others]).verdict
        == "not_checked"
    )


# --- threat 6: downgrades


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        (lambda d: d.pop("receipt"), "not_checked"),
        (lambda d: d.update(receipt=None), "not_checked"),
        (lambda d: d.update(receipt="none"), "invalid"),
        (lambda d: d.update(receipt=[]), "invalid"),
        (lambda d: d.update(receipt={}), "not_checked"),
        (lambda d: d["receipt"].update(algorithm="none"), "not_checked"),
        (lambda d: d["receipt"].update(algorithm="None"), "not_checked"),
        (lambda d: d["receipt"].update(algorithm="NONE"), "not_checked"),
        (lambda d: d["receipt"].update(algorithm=""), "not_checked"),
        (lambda d: d["receipt"].update(algorithm=None), "not_checked"),
        (lambda d: d["receipt"].pop("algorithm"), "not_checked"),
        (lambda d: d["receipt"].update(algorithm="hs256"), "not_checked"),
        (lambda d: d["receipt"].update(algorithm=["ed25519"]), "not_checked"),
        (lambda d: d["receipt"].update(algorithm={"name": "ed25519"}), "not_checked"),
        (lambda d: d["receipt"].update(algorithm="Ed25519"), "not_checked"),
        (lambda d: d["receipt"].update(signature_status="unsigned"), "invalid"),
        (lambda d: d["receipt"].update(signed_message="canonical_sha256_hex"), "invalid"),
        (lambda d: d["receipt"].update(signed_message=None), "invalid"),
        (lambda d: d["receipt"].update(kind="pith_integrity"), "invalid"),
        (lambda d: d["receipt"].update(receipt_version="0.4"), "not_checked"),
        (lambda d: d["receipt"].update(signature_b64=None), "invalid"),
        (lambda d: d["receipt"].update(signature_b64=""), "invalid"),
        (
            lambda d: d["receipt"].update(signature_b64=d["receipt"]["signature_b64"] + "\n"),
            "invalid",
        ),
        (
            lambda d: d["receipt"].update(signature_b64=d["receipt"]["signature_b64"].rstrip("=")),
            "invalid",
        ),
        (
            lambda d: d["receipt"].update(
                signature_b64=d["receipt"]["signature_b64"].replace("CA==", "CB==")
            ),
            "invalid",
        ),
        (
            lambda d: d["receipt"].update(signature_b64=base64.b64encode(bytes(63)).decode()),
            "invalid",
        ),
        (
            lambda d: d["receipt"].update(signature_b64=base64.b64encode(bytes(64)).decode()),
            "invalid",
        ),
        (lambda d: d["receipt"].update(canonical_sha256="0" * 64), "invalid"),
    ],
)
def test_a_weakened_receipt_is_never_verified(change: Any, verdict: str) -> None:
    made = real()
    change(made)
    report = verify(made)
    assert report.verdict == verdict
    assert report.registry is None


# --- threat 8: flags


def flags(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if path[:1] in (("canonical_record",), ("receipt",), ("graph_snapshot",)):
        return []
    here = (
        [path]
        if isinstance(value, bool) or (type(value) is int and path[0] == "verification_status")
        else []
    )
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    return here + [found for key, item in inner for found in flags(item, (*path, key))]


@pytest.mark.parametrize("path", flags(REAL), ids=lambda path: ".".join(map(str, path)))
def test_a_flipped_flag_changes_no_verdict_and_makes_nothing_valid(path: tuple[Any, ...]) -> None:
    value: Any = REAL
    for step in path:
        value = value[step]
    before = verify(REAL)
    after = verify(put(REAL, path, (not value) if isinstance(value, bool) else value + 5))
    assert after.verdict == before.verdict == "verified"
    for was, now in zip(before.checks, after.checks, strict=True):
        assert now == was or (now.status, now.source) == ("not_checked", "served")


def test_there_are_flags_to_flip() -> None:
    assert len(flags(REAL)) >= 12


# --- threat 9: title, authors


@pytest.mark.parametrize(
    "title",
    [
        "Another title",
        REAL["paper"]["title"] + "\u202e",
        REAL["paper"]["title"].replace("a", "а", 1),
        "",
    ],
)
def test_a_swapped_title_is_found(title: str) -> None:
    made = real()
    made["paper"]["title"] = title
    assert verify(made)["title"].status == "invalid"
    assert verify(REAL, title=title)["title"].status == "invalid"


def test_letter_case_and_spacing_of_the_title_are_free() -> None:
    shouted = "  " + REAL["paper"]["title"].upper().replace(" ", " \n ")
    assert verify(REAL, title=shouted)["title"].status == "valid"


def test_the_authors_are_never_more_than_served() -> None:
    made = real()
    made["paper"]["authors_text"] = "Mallory"
    assert verify(made).verdict == "verified"
    assert not any(
        "Mallory" in check.detail or ("author" in check.id and check.status == "valid")
        for check in verify(made).checks
    )


def test_the_abstract() -> None:
    assert verify(REAL)["abstract"].code == "abstract.excerpt"
    assert verify(REAL, abstract="something else")["abstract"].status == "invalid"
    assert verify(REAL, require=["abstract"]).exit_code == 3


def test_require_turns_open_into_not_checked() -> None:
    assert verify(REAL, require=["title", "snapshots"]).exit_code == 0
    for check_id in ("timestamp", "author", "citations"):
        assert verify(REAL, require=[check_id]).verdict == "not_checked"
