"""Checks of what is only served: snapshot hashes, and claims about the world outside the record
(docs/spec, 5.1 and 5.4).

All of it is outside hash and signature, so no claim is ever valid here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pybadge.canonical import snapshot_sha256
from pybadge.checks.report import Check, Status
from pybadge.record import Served

__all__ = ["CLAIMS", "PARTS", "claims", "snapshots"]

PARTS = ("claims", "references", "author_claims", "formal_canon", "integrity")
_EMPTY_SNAPSHOT = snapshot_sha256([])
_NO_SNAPSHOTS = Check(
    "snapshots",
    "absent",
    "snapshots.absent",
    "the record has no graph snapshot",
    "served",
)

# check id -> (flag in verification_status, event type, what it would take to check)
CLAIMS = {
    "timestamp": (
        "externally_anchored",
        "timestamp_anchor",
        "an OpenTimestamps proof and a block header",
    ),
    "storage": (
        "storage_verified",
        "storage_attestation",
        "fetching the archived capture",
    ),
    "author": (
        "author_attested",
        "author_attestation",
        "the author's own key or ORCID record",
    ),
    "citations": (
        "citation_signatures",
        "citation_signature",
        "the citing authors' keys",
    ),
    "replications": (
        "replication_records",
        "replication_record",
        "the replicators' keys",
    ),
}
_NOTHING = {
    check_id: Check(
        check_id,
        "absent",
        f"{check_id}.absent",
        "nothing of the kind is in the record",
        "served",
    )
    for check_id in CLAIMS
}


def snapshots(served: Served) -> Check:
    """Recompute the snapshot hashes whose payload is known: empty lists, and integrity findings."""
    if not served.has_graph:
        return _NO_SNAPSHOTS
    holding, unknown = [], []
    for part in PARTS:
        section = served.graph.get(part)
        if type(section) is not dict or type(section.get("snapshot_sha256")) is not str:
            continue
        if _contradicts_itself(part, section):
            detail = f"the {part} snapshot counts nothing but lists items"
            return _snapshots("invalid", "mismatch", detail)
        payload, certain = _payload(part, section)
        if _matches(payload, section["snapshot_sha256"]):
            holding.append(part)
        elif certain:
            detail = f"the {part} snapshot does not have the hash it states"
            return _snapshots("invalid", "mismatch", detail)
        else:
            unknown.append(part)
    if unknown:
        detail = f"what is hashed for {', '.join(unknown)} is not publicly known"
        return _snapshots("not_checked", "unknown_payload", detail)
    if not holding:
        return _snapshots("absent", "absent", "the graph snapshot states no hashes")
    return _snapshots("valid", "ok", f"hashes hold: {', '.join(holding)}")


def _snapshots(status: Status, code: str, detail: str) -> Check:
    return Check("snapshots", status, f"snapshots.{code}", detail, "served")


def _matches(payload: Any, stated: str) -> bool:
    if payload == []:
        return stated == _EMPTY_SNAPSHOT
    try:
        return payload is not None and snapshot_sha256(payload) == stated
    except (ValueError, TypeError):
        return False


def _payload(part: str, section: Mapping[str, Any]) -> tuple[Any, bool]:
    """What a part's snapshot hash covers, and whether a mismatch would prove anything."""
    if part == "integrity":
        detectors, findings = section.get("detectors_run"), section.get("findings")
        if type(detectors) is list and type(findings) is list:
            return {"detectors": detectors, "findings": findings}, True
        return None, False
    if _counts_nothing(part, section):
        return [], True
    items = section.get("items")
    return (items, False) if type(items) is list else (None, False)


def _counts_nothing(part: str, section: Mapping[str, Any]) -> bool:
    count = section.get("evidence_count" if part == "formal_canon" else "count")
    return type(count) is int and count == 0


def _contradicts_itself(part: str, section: Mapping[str, Any]) -> bool:
    items = section.get("items")
    return _counts_nothing(part, section) and type(items) is list and bool(items)


def claims(served: Served) -> list[Check]:
    """A check for each thing that is claimed about the world outside the record."""
    return [_claim(check_id, served) for check_id in CLAIMS]


def _claim(check_id: str, served: Served) -> Check:
    flag, event_type, needed = CLAIMS[check_id]
    if event_type in served.event_types:
        detail = f"an event is there; checking it takes {needed}"
        return Check(check_id, "not_checked", f"{check_id}.event", detail, "served")
    if served.claims(flag):
        detail = f"the server claims it; checking it takes {needed}"
        return Check(check_id, "not_checked", f"{check_id}.claimed", detail, "served")
    return _NOTHING[check_id]
