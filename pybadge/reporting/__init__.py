"""Reports printed: for people, for machines, for continuous integration. What a report quotes is
hostile until escaped."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from pybadge._version import __version__
from pybadge.checks import CHECK_IDS, REQUIRED, Check, Report
from pybadge.cli.output import can_print, colour, out_line
from pybadge.escape.lines import github_message, github_property, one_line

__all__ = [
    "ASCII_SIGNS",
    "FORMATS",
    "SIGNS",
    "WORDS",
    "print_report",
    "report_json",
    "report_sarif",
]

FORMATS = ("text", "json", "github", "sarif")
SIGNS = {"valid": "✓", "invalid": "✗", "not_checked": "–", "absent": " "}
ASCII_SIGNS = {"valid": "ok", "invalid": "NO", "not_checked": "--", "absent": "  "}
WORDS = {"verified": "verified", "invalid": "INVALID", "not_checked": "not checked"}
_HUES = {"verified": "green", "invalid": "red", "not_checked": "yellow"}
_STATUS_HUES = {"valid": "green", "invalid": "red", "not_checked": "yellow", "absent": "dim"}


def print_report(report: Report) -> None:
    """The report for people: the verdict, each check that was made, what is signed, only served,
    open, and not there."""
    signs = SIGNS if can_print("✓✗–") else ASCII_SIGNS
    name = report.number.text if report.number else report.input
    out_line(
        f"{colour(one_line(name), 'bold')}  {colour(WORDS[report.verdict], _HUES[report.verdict])}"
    )
    for check in report.checks:
        if check.status in ("valid", "invalid") or (
            check.code != "record.unread" and _stops(check)
        ):
            sign = colour(signs[check.status], _STATUS_HUES[check.status])
            out_line(f"  {sign} {check.id:<18} {one_line(check.detail)}")
    for heading, text in _summary(report):
        out_line(f"  {heading:<12} {one_line(text)}")


def _stops(check: Check) -> bool:
    return check.status == "not_checked" and check.id in REQUIRED


def _summary(report: Report) -> list[tuple[str, str]]:
    record = report.record
    if record is None:
        return []
    lines = []
    canonical = record.canonical
    source = f"arXiv:{canonical.arxiv_version}, submitted {canonical.submitted_at}"
    facts = f"{source}, categories, licence, hashes of title and abstract"
    if report.registry is not None:
        lines.append(("signed", f"{facts} (by {report.registry})"))
    else:
        lines.append(("hashed", f"{facts} (nobody's signature was verified)"))
    paper = record.paper
    served = [name for name, text in (("title", paper.title), ("authors", paper.authors)) if text]
    if report["title"].status == "valid" and "title" in served:
        served.remove("title")
    lines.append(
        (
            "only served",
            ", ".join((*served, "flags, links and counts")) + ": outside hash and signature",
        )
    )
    for check in report.checks:
        if check.status == "not_checked" and check.id not in REQUIRED:
            lines.append(("not checked", f"{check.id}: {check.detail}"))
    absent = [
        check.id for check in report.checks if check.status == "absent" and check.id not in REQUIRED
    ]
    if absent:
        lines.append(("nothing on", ", ".join(absent)))
    return lines


def report_json(report: Report, more: Mapping[str, Any] | None = None) -> str:
    """One line: the JSON object of the report, with what else was found out about the record."""
    if not more:
        return report.as_json()
    return json.dumps({**report.as_dict(), **more})


def github_lines(report: Report, required: Sequence[str] = REQUIRED) -> list[str]:
    """Workflow commands: an error for each invalid check, a warning for each required one that
    could not be made."""
    place = github_property(report.input)
    lines = []
    for check in report.checks:
        if check.code == "record.unread":
            continue
        if check.status == "invalid":
            level = "error"
        elif check.status in ("not_checked", "absent") and check.id in required:
            level = "warning"
        else:
            continue
        title = github_property(f"pybadge {check.id} ({check.code})")
        lines.append(f"::{level} file={place},title={title}::{github_message(check.detail)}")
    if report.verdict == "verified" and report.number is not None:
        lines.append(
            f"::notice file={place},title=pybadge::{github_message(f'{report.number.text} verified')}"
        )
    return lines


def report_sarif(reports: Sequence[Report], required: Sequence[str] = REQUIRED) -> str:
    """One SARIF 2.1.0 log (OASIS) with a result for each invalid check and each required one that
    could not be made."""

    results: list[dict[str, Any]] = []
    for report in reports:
        for check in report.checks:
            failed = check.status == "invalid"
            open_ = (
                check.status in ("not_checked", "absent")
                and check.id in required
                and check.code != "record.unread"
            )
            if not (failed or open_):
                continue
            results.append(
                {
                    "ruleId": check.id,
                    "ruleIndex": CHECK_IDS.index(check.id),
                    # SARIF 3.27.9: what is no failure has the level "none"
                    "level": "error" if failed else "none",
                    "kind": "fail" if failed else "open",
                    "message": {"text": one_line(check.detail)},
                    "locations": [
                        {"physicalLocation": {"artifactLocation": {"uri": _uri(report.input)}}}
                    ],
                    "partialFingerprints": {
                        "pybadge/code": f"{one_line(report.input)}:{check.code}"
                    },
                }
            )
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
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {"tool": {"driver": driver}, "results": results, "columnKind": "unicodeCodePoints"}
        ],
    }
    return json.dumps(log, indent=2)


def _uri(what: str) -> str:
    """What was asked for as a URI reference, which is what SARIF wants for a place."""
    return quote(what.encode("utf-8", "replace"), safe="/:@!$&'()*+,;=~-._")
