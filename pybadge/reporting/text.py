"""A report for people."""

from __future__ import annotations

from collections.abc import Iterator

from pybadge.checks.report import Check, Report
from pybadge.escape.lines import one_line
from pybadge.record import Record
from pybadge.reporting.layout import UNPAINTED, Palette, labelled

__all__ = ["ASCII_ICONS", "ICONS", "WORDS", "heading_lines", "icon", "text_lines"]

ICONS = {"valid": "✓", "invalid": "✗", "not_checked": "–", "absent": " "}
ASCII_ICONS = {"valid": "ok", "invalid": "NO", "not_checked": "--", "absent": "  "}
WORDS = {
    "verified": "verified",
    "invalid": "INVALID",
    "not_checked": "not checked",
    "unreadable": "unreadable",
}
_VERDICT_COLOURS = {
    "verified": "green",
    "invalid": "red",
    "not_checked": "yellow",
    "unreadable": "yellow",
}
_STATUS_COLOURS = {"valid": "green", "invalid": "red", "not_checked": "yellow", "absent": "yellow"}
_NAME = 18  # columns of a check's id
_HEADING = 12  # columns of a heading below the checks


def icon(status: str, palette: Palette) -> str:
    """The icon of a check's status, in its colour."""
    icons = ICONS if palette.unicode else ASCII_ICONS
    return palette.paint(icons[status], _STATUS_COLOURS[status])


def heading_lines(report: Report, palette: Palette = UNPAINTED) -> Iterator[str]:
    """What was asked for, the verdict, and why it is not ``verified``."""
    asked = report.number or report.asked
    name = one_line(asked.text if asked else report.input)
    verdict = palette.paint(WORDS[report.verdict], _VERDICT_COLOURS[report.verdict])
    reason = one_line(report.reason).removeprefix(f"{one_line(report.input)}: ")
    reason = f": {reason}" if reason else ""
    text = f"{palette.paint(name, 'bold')}  {verdict}{reason}"
    yield from labelled("", text, 0, palette)


def text_lines(report: Report, palette: Palette = UNPAINTED) -> Iterator[str]:
    """The verdict, each check that was made, what is signed, only served, open, and not there."""
    yield from heading_lines(report, palette)
    if report.record is None:
        return
    for check in report.checks:
        if check.status in ("valid", "invalid") or _stops(check, report):
            status = check.status if check.status != "absent" else "not_checked"
            shown = icon(status, palette)
            label = f"  {shown} {check.id:<{_NAME}} "
            yield from labelled(label, one_line(check.detail), _NAME + 5, palette)
    for heading, text in _summary(report, report.record):
        yield from labelled(f"  {heading:<{_HEADING}} ", one_line(text), _HEADING + 3, palette)


def _stops(check: Check, report: Report) -> bool:
    """Whether a check is one that keeps a report from being verified."""
    return check.status in ("not_checked", "absent") and check.id in report.required


def _summary(report: Report, record: Record) -> Iterator[tuple[str, str]]:
    canonical = record.canonical
    facts = (
        f"arXiv:{canonical.arxiv_version}, submitted {canonical.submitted_at}, categories, "
        "licence, hashes of title and abstract"
    )
    if report.registry is not None:
        yield "signed", f"{facts} (by {report.registry})"
    else:
        yield "hashed", f"{facts} (nobody's signature was verified)"
    served = (*_served_texts(report, record), "flags, links and counts")
    yield "only served", f"{', '.join(served)}: outside hash and signature"
    others = [check for check in report.checks if check.id not in report.required]
    for check in others:
        if check.status == "not_checked":
            yield "not checked", f"{check.id}: {check.detail}"
    absent = [check.id for check in others if check.status == "absent"]
    if absent:
        yield "nothing on", ", ".join(absent)


def _served_texts(report: Report, record: Record) -> Iterator[str]:
    if record.paper.title and report["title"].status != "valid":
        yield "title"
    if record.paper.authors:
        yield "authors"
