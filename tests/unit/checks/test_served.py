"""What is only served: snapshot hashes that are recomputed, and claims that never become valid."""

from __future__ import annotations

from typing import Any

import pytest

from pybadge.canonical import snapshot_sha256
from pybadge.verification import verify
from tests.support.data import REAL, read_lines
from tests.support.documents import bundle, put, real

CLAIMS = {
    "timestamp": ("externally_anchored", "timestamp_anchor"),
    "storage": ("storage_verified", "storage_attestation"),
    "author": ("author_attested", "author_attestation"),
    "citations": ("citation_signatures", "citation_signature"),
    "replications": ("replication_records", "replication_record"),
}
SNAPSHOTS = [line for line in read_lines("integrity.jsonl") if line["type"] == "integrity_snapshot"]


PARTS = {"claims": "count", "references": "count", "author_claims": "count"}


@pytest.mark.parametrize("part", [*PARTS, "formal_canon"])
def test_a_snapshot_that_counts_nothing_and_lists_items_contradicts_itself(part: str) -> None:
    section = {
        PARTS.get(part, "evidence_count"): 0,
        "items": [{"text": "made up"}],
        "snapshot_sha256": snapshot_sha256([]),
    }
    report = verify(put(REAL, ("graph_snapshot", part), section))
    assert report["snapshots"].code == "snapshots.mismatch"
    assert report.verdict == "invalid"
    for items in ([], None):
        report = verify(put(REAL, ("graph_snapshot", part), {**section, "items": items}))
        assert report["snapshots"].status != "invalid"


# --- flags


def flags(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of what may be flags: booleans, and counts in verification_status."""
    if path[:1] in (("canonical_record",), ("receipt",), ("graph_snapshot",)):
        return []
    found = []
    if isinstance(value, bool) or (type(value) is int and path[0] == "verification_status"):
        found.append(path)
    inner: Any = ()
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list):
        inner = enumerate(value)
    return found + [deeper for key, item in inner for deeper in flags(item, (*path, key))]


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


@pytest.mark.parametrize("flag", sorted(REAL["verification_status"]))
def test_no_value_of_a_flag_changes_a_verdict(flag: str) -> None:
    for new in (not REAL["verification_status"][flag], 7, "yes", None, [], {}):
        made = put(REAL, ("verification_status", flag), new)
        assert verify(made).verdict == "verified"
        del made["receipt"]
        assert verify(made).verdict == "not_checked"


@pytest.mark.parametrize(
    ("value", "status"),
    [
        (True, "not_checked"),
        (1, "not_checked"),
        (7, "not_checked"),
        (False, "absent"),
        (0, "absent"),
        (-1, "absent"),
        ("yes", "absent"),
        (None, "absent"),
        (1.5, "absent"),
        ([True], "absent"),
    ],
)
@pytest.mark.parametrize("check_id", CLAIMS)
def test_a_flag_is_a_claim_and_no_more(check_id: str, value: Any, status: str) -> None:
    flag, _ = CLAIMS[check_id]
    report = verify(put(REAL, ("verification_status", flag), value))
    assert report[check_id].status == status
    assert report[check_id].source == "served"
    assert report[check_id].code == f"{check_id}.{'absent' if status == 'absent' else 'claimed'}"


@pytest.mark.parametrize("check_id", CLAIMS)
def test_an_event_of_a_bundle_is_said_to_be_there_and_is_not_checked(check_id: str) -> None:
    made = bundle()
    made["events"].append({"event_type": CLAIMS[check_id][1], "payload": {}})
    report = verify(made)
    assert report.verdict == "verified"
    assert (report[check_id].status, report[check_id].code) == ("not_checked", f"{check_id}.event")


@pytest.mark.parametrize("status", [None, 7, [], "x", [{"externally_anchored": True}]])
def test_a_status_that_is_no_object_claims_nothing(status: Any) -> None:
    report = verify(put(REAL, ("verification_status",), status))
    assert report.verdict == "verified"
    assert {report[check_id].status for check_id in CLAIMS} == {"absent"}


@pytest.mark.parametrize("events", [None, 7, {}, [7, None, {}, {"event_type": ["x"]}]])
def test_events_in_another_form_are_none(events: Any) -> None:
    report = verify(put(REAL, ("events",), events))
    assert report.verdict == "verified"
    assert {report[check_id].status for check_id in CLAIMS} == {"absent"}


def test_other_words_of_the_server_change_no_verdict() -> None:
    for path, new in (
        (("attestation_state",), "revoked"),
        (("event_summary",), {"valid_event_count": 9}),
        (("inbound_citations", "count"), 10**6),
        (("created_at",), "1970"),
        (("made_up_by_the_server",), {"verified": False}),
    ):
        assert verify(put(REAL, path, new)).verdict == "verified"


def test_the_authors_are_never_more_than_served() -> None:
    report = verify(put(REAL, ("paper", "authors_text"), "Mallory"))
    assert report.verdict == "verified"
    for check in report.checks:
        assert "Mallory" not in check.detail
        assert "author" not in check.id or check.status != "valid"


# --- snapshots


def snapshots(graph: Any) -> Any:
    return verify(put(real(), ("graph_snapshot",), graph))["snapshots"]


@pytest.mark.parametrize("line", SNAPSHOTS, ids=lambda line: line["arxiv_id"])
def test_the_hash_of_integrity_findings_is_recomputed(line: dict[str, Any]) -> None:
    part = {name: line[name] for name in ("detectors_run", "findings", "snapshot_sha256")}
    assert snapshots({"integrity": part}).status == "valid"
    part["findings"] = [*line["findings"], {"detector": "made up"}]
    check = snapshots({"integrity": part})
    assert (check.status, check.code) == ("invalid", "snapshots.mismatch")


def test_the_hash_of_an_empty_list_is_known() -> None:
    empty = snapshot_sha256([])
    for part in ("claims", "references", "author_claims"):
        assert snapshots({part: {"count": 0, "snapshot_sha256": empty}}).status == "valid"
        wrong = {part: {"count": 0, "snapshot_sha256": "0" * 64}}
        assert snapshots(wrong).code == "snapshots.mismatch"
    formal = {"evidence_count": 0, "snapshot_sha256": empty}
    assert snapshots({"formal_canon": formal}).status == "valid"
    assert snapshots({"formal_canon": {**formal, "snapshot_sha256": "x"}}).status == "invalid"


@pytest.mark.parametrize(
    "part",
    [
        {"count": 1, "snapshot_sha256": "0" * 64},
        {"count": False, "snapshot_sha256": "0" * 64},
        {"count": 0.0, "snapshot_sha256": "0" * 64},
        {"count": 1, "items": [{"a": 1}], "snapshot_sha256": "0" * 64},
        {"items": ["\ud800"], "snapshot_sha256": "0" * 64},
        {"snapshot_sha256": "0" * 64},
    ],
)
def test_a_hash_over_something_unknown_is_not_checked(part: dict[str, Any]) -> None:
    check = snapshots({"claims": part})
    assert (check.status, check.code) == ("not_checked", "snapshots.unknown_payload")
    assert "claims" in check.detail


def test_items_that_do_have_the_hash_are_valid() -> None:
    items = [{"a": 1}]
    part = {"count": 1, "items": items, "snapshot_sha256": snapshot_sha256(items)}
    assert snapshots({"references": part}).status == "valid"


@pytest.mark.parametrize("findings", [None, {}, "x"])
def test_findings_in_another_form_are_not_checked(findings: Any) -> None:
    part = {"detectors_run": [], "findings": findings, "snapshot_sha256": "0" * 64}
    assert snapshots({"integrity": part}).status == "not_checked"


@pytest.mark.parametrize("graph", [None, 7, [], "x"])
def test_without_a_graph_snapshot_there_are_no_hashes(graph: Any) -> None:
    assert snapshots(graph).status == "absent"


@pytest.mark.parametrize(
    "graph", [{}, {"claims": 7}, {"claims": {}}, {"claims": {"snapshot_sha256": 7}}]
)
def test_a_graph_snapshot_without_hashes_has_none(graph: Any) -> None:
    check = snapshots(graph)
    assert (check.status, check.code) == ("absent", "snapshots.absent")


def test_a_mismatch_counts_though_others_hold() -> None:
    good = {"count": 0, "snapshot_sha256": snapshot_sha256([])}
    bad = {"count": 0, "snapshot_sha256": "0" * 64}
    assert snapshots({"claims": good, "references": bad}).status == "invalid"
    unknown = {"count": 3, "snapshot_sha256": "0" * 64}
    assert snapshots({"claims": good, "references": unknown}).status == "not_checked"
