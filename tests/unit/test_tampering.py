"""Nothing that was changed may come out verified, and nothing unsigned may change a verdict."""

from __future__ import annotations

import base64
import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

import pybadge
from pybadge import keys
from tests.support.data import DATA, read_lines

REAL = json.loads((DATA / "record-XR2UHLWN.json").read_bytes())
NUMBER = "pith:2024:XR2UHLWNHHFSD4ZJJXWRU6R6QP"
OTHER = "pith:1991:EMH7WB73Y7ZWA2XA4G6RR2X64Y"


def verdict(document: Any, **named: Any) -> str:
    return pybadge.verify(document, **named).verdict


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, (*path, index))
    else:
        yield path


def changed(path: tuple[Any, ...], new: Any) -> dict[str, Any]:
    document = copy.deepcopy(REAL)
    target = document
    for step in path[:-1]:
        target = target[step]
    target[path[-1]] = new
    return document


def mutations(value: Any) -> list[Any]:
    if isinstance(value, str):
        middle = len(value) // 2
        flipped = "b" if value[middle : middle + 1] != "b" else "c"
        return [
            value[:middle] + flipped + value[middle + 1 :],
            value + "0",
            value[:-1],
            value.swapcase(),
            None,
            [value],
            1,
        ]
    return [value + 1, str(value), float(value), None, [value], True]


CANONICAL = list(leaves(REAL["canonical_record"], ("canonical_record",)))


@pytest.mark.parametrize("path", CANONICAL, ids=lambda path: ".".join(map(str, path)))
def test_any_change_to_a_field_of_the_canonical_record_is_invalid(path: tuple[Any, ...]) -> None:
    value = REAL
    for step in path:
        value = value[step]
    for new in mutations(value):
        if new != value or type(new) is not type(value):
            assert verdict(changed(path, new)) == "invalid", new


@pytest.mark.parametrize(
    "place", [(), ("metadata",), ("source",)], ids=["top", "metadata", "source"]
)
def test_a_key_more_or_less_in_the_canonical_record_is_invalid(place: tuple[str, ...]) -> None:
    for key in (
        [*REAL["canonical_record"][place[0]], None] if place else [*REAL["canonical_record"], None]
    ):
        document = copy.deepcopy(REAL)
        target = document["canonical_record"][place[0]] if place else document["canonical_record"]
        if key is None:
            target["extra"] = "x"
        else:
            del target[key]
        assert verdict(document) == "invalid"


def test_every_character_of_the_hash_counts() -> None:
    stated = REAL["canonical_sha256"]
    for position, character in enumerate(stated):
        new = stated[:position] + ("0" if character != "0" else "1") + stated[position + 1 :]
        assert verdict(changed(("canonical_sha256",), new)) == "invalid"
        assert verdict(changed(("receipt", "canonical_sha256"), new)) == "invalid"


def test_every_bit_of_the_signature_counts() -> None:
    raw = base64.b64decode(REAL["receipt"]["signature_b64"])
    for bit in range(0, 512, 7):
        broken = bytearray(raw)
        broken[bit // 8] ^= 1 << bit % 8
        new = base64.b64encode(bytes(broken)).decode()
        assert verdict(changed(("receipt", "signature_b64"), new)) == "invalid"


def test_another_text_of_the_same_signature_bytes_is_invalid() -> None:
    text = REAL["receipt"]["signature_b64"]
    assert text.endswith("CA==")
    for same_bytes in (
        text[:-3] + "B==",
        text + "\n",
        text[:40] + "\n" + text[40:],
        text.replace("/", "_"),
        text[:-2],
    ):
        assert verdict(changed(("receipt", "signature_b64"), same_bytes)) == "invalid"


@pytest.mark.parametrize(
    "field", ["kind", "key_id", "signed_message", "signature_status", "public_key_fingerprint"]
)
def test_a_contradiction_inside_the_receipt_is_invalid(field: str) -> None:
    assert verdict(changed(("receipt", field), REAL["receipt"][field] + "x")) == "invalid"


@pytest.mark.parametrize("line", read_lines("signatures.jsonl"), ids=lambda line: line["suffix"])
def test_a_receipt_of_another_record_is_invalid(line: dict[str, Any]) -> None:
    assert verdict(changed(("receipt", "signature_b64"), line["signature_b64"])) == "invalid"


@pytest.mark.parametrize(
    "receipt",
    [
        None,
        "none",
        "",
        [],
        {},
        1,
        True,
        {"algorithm": "none"},
        {**REAL["receipt"], "signature_b64": None},
    ],
    ids=lambda receipt: str(receipt)[:20],
)
def test_without_a_receipt_nothing_is_verified(receipt: Any) -> None:
    assert verdict(changed(("receipt",), receipt)) != "verified"


def test_a_missing_receipt_is_not_checked() -> None:
    document = copy.deepcopy(REAL)
    del document["receipt"]
    report = pybadge.verify(document)
    assert report.verdict == "not_checked"
    assert report["receipt_signature"].status == "absent"
    assert report.exit_code == 3


@pytest.mark.parametrize(
    "algorithm",
    [None, "", "none", "None", "NONE", "hs256", "Ed25519", ["ed25519"], {"ed25519": 1}, 0],
)
def test_no_other_algorithm_is_verified(algorithm: Any) -> None:
    assert verdict(changed(("receipt", "algorithm"), algorithm)) != "verified"


def test_a_key_that_the_record_brings_along_is_not_trusted() -> None:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    private = Ed25519PrivateKey.generate()
    raw = private.public_key().public_bytes_raw()
    digest = bytes.fromhex(REAL["canonical_sha256"])
    document = copy.deepcopy(REAL)
    document["public_key"] = {"public_key_b64": base64.b64encode(raw).decode()}
    document["receipt"].update(
        key_id="pith-v2",
        public_key_fingerprint=keys.fingerprint(raw),
        signature_b64=base64.b64encode(private.sign(digest)).decode(),
    )
    report = pybadge.verify(document)
    assert report.verdict == "not_checked"
    assert report["receipt_key"].code == "receipt.key_unknown"
    # the pinned key's name on another key is a lie, not an unknown key
    document["receipt"]["key_id"] = "pith-v1-2026-05"
    assert verdict(document) == "invalid"
    # and a user may vouch for it
    document["receipt"]["key_id"] = "journal-1"
    trusted = keys.PublicKey(raw, "journal-1", "The Journal")
    report = pybadge.verify(document, trusted=[trusted])
    assert (report.verdict, report.registry) == ("verified", "The Journal")


def test_the_wrong_pinned_key_is_invalid(monkeypatch: pytest.MonkeyPatch) -> None:
    from pybadge import checks

    real = keys.PINNED[0]
    for bit in (0, 100, 255):
        raw = bytearray(real.raw)
        raw[bit // 8] ^= 1 << bit % 8
        monkeypatch.setattr(
            checks, "PINNED", (keys.PublicKey(bytes(raw), real.key_id, real.registry, True),)
        )
        assert verdict(REAL) == "invalid"


@pytest.mark.parametrize(
    "asked",
    [
        OTHER,
        "EMH7WB73Y7ZWA2XA4G6RR2X64Y",
        "EMH7WB73",
        "XR2UHLWNHHFSD4ZJJXWRU6R6QQ",
        "pith:2023:XR2UHLWNHHFSD4ZJJXWRU6R6QP",
    ],
)
def test_a_record_asked_for_under_another_number_is_invalid(asked: str) -> None:
    assert verdict(REAL, asked=asked) == "invalid"


@pytest.mark.parametrize(
    "asked",
    [NUMBER, "xr2uhlwnhhfsd4zjjxwru6r6qp", "pith:XR2UHLWN", "XR2UHLWNHHFS", "XR2UHLWNHHFSD4ZJ"],
)
def test_a_record_asked_for_under_its_own_number_is_verified(asked: str) -> None:
    assert verdict(REAL, asked=asked) == "verified"


@pytest.mark.parametrize("field", ["pith_number", "short_pith_number"])
def test_a_record_that_calls_itself_something_else_is_invalid(field: str) -> None:
    for new in (OTHER if field == "pith_number" else "pith:EMH7WB73", "pith:2024:", "x", ""):
        assert verdict(changed((field,), new)) == "invalid"
    assert verdict(changed(("pith_number",), NUMBER.replace("2024", "2023"))) == "invalid"


def test_a_swapped_title_is_invalid() -> None:
    assert (
        verdict(changed(("paper", "title"), "MegaScale: Scaling Larger Language Models"))
        == "invalid"
    )
    assert verdict(changed(("paper", "title"), REAL["paper"]["title"].upper())) == "verified"


@pytest.mark.parametrize("flag", sorted(REAL["verification_status"]))
def test_no_flag_of_the_server_changes_a_verdict(flag: str) -> None:
    value = REAL["verification_status"][flag]
    for new in (not value, 7, "yes", None, [], {}):
        document = changed(("verification_status", flag), new)
        assert verdict(document) == "verified"
        del document["receipt"]
        assert verdict(document) == "not_checked"
    assert all(
        check.status != "valid"
        for check in pybadge.verify(document).checks
        if check.source == "served" and check.id == flag
    )


def test_other_words_of_the_server_change_no_verdict() -> None:
    for path, new in (
        (("attestation_state",), "revoked"),
        (("event_summary",), {"valid_event_count": 9}),
        (("inbound_citations", "count"), 10**6),
        (("created_at",), "1970"),
        (("made_up_by_the_server",), {"verified": False}),
    ):
        assert verdict(changed(path, new)) == "verified"
