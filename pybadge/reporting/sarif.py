"""Reports as SARIF 2.1.0 (OASIS)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from pybadge._version import __version__
from pybadge.checks.report import CHECK_IDS, REQUIRED, Check, Report
from pybadge.escape.lines import one_line

__all__ = ["sarif_log"]


def sarif_log(reports: Sequence[Report], required: Sequence[str] = REQUIRED) -> str:
    """One log with a result for each invalid check and each required one that could not be made.

    Args:
        reports: what was checked.
        required: ids of the checks that must be valid.
    """
    results = [
        _result(report, check)
        for report in reports
        for check in report.checks
        if _counts(check, required)
    ]
    rules = [
        {"id": check_id, "name": check_id, "shortDescription": {"text": f"Check {check_id}"}}
        for check_id in CHECK_IDS
    ]
    driver = {
        "name": "pybadge",
        "version": __version__,
        "informationUri": "https://pith.science",
        "rules": rules,
    }
    run = {"tool": {"driver": driver}, "results": results, "columnKind": "unicodeCodePoints"}
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }
    return json.dumps(log, indent=2)


def _counts(check: Check, required: Sequence[str]) -> bool:
    if check.status == "invalid":
        return True
    missing = check.status in ("not_checked", "absent") and check.id in required
    return missing and not check.is_unread


def _result(report: Report, check: Check) -> dict[str, Any]:
    failed = check.status == "invalid"
    return {
        "ruleId": check.id,
        "ruleIndex": CHECK_IDS.index(check.id),
        # SARIF 3.27.9: a result that is not a failure has the level "none"
        "level": "error" if failed else "none",
        "kind": "fail" if failed else "open",
        "message": {"text": one_line(check.detail)},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(report.input)}}}],
        "partialFingerprints": {"pybadge/code": f"{one_line(report.input)}:{check.code}"},
    }


def _uri(what: str) -> str:
    """What was asked for as a URI reference, which is what SARIF wants for a place."""
    return quote(what.encode("utf-8", "replace"), safe="/:@!$&'()*+,;=~-._")
