"""A report for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pybadge.checks.report import REQUIRED, Check, Report
from pybadge.escape.lines import one_line
from pybadge.record import Record

__all__ = ["ASCII_ICONS", "ICONS", "WORDS", "Palette", "text_lines"]

ICONS = {"valid": "✓", "invalid": "✗", "not_checked": "–", "absent": " "}
ASCII_ICONS = {"valid": "ok", "invalid": "NO", "not_checked": "--", "absent": "  "}
WORDS = {"verified": "verified", "invalid": "INVALID", "not_checked": "not checked"}
_VERDICT_COLOURS = {"verified": "green", "invalid": "red", "not_checked": "yellow"}
_STATUS_COLOURS = {"valid": "green", "invalid": "red", "not_checked": "yellow", "absent": "dim"}


def _unpainted(text: str, colour: str) -> str:
    return text


@dataclass(frozen=True, slots=True)
class Palette:
    """What a place to print on can show.

    Attributes:
        paint: gives a text a colour: (text, name of the colour) -> text.
        unicode: whether the place has the icons' characters.
    """

    paint: Callable[[str, str], str] = _unpainted
    unicode: bool = True

    def icon(self, status: str) -> str:
        """The icon of a check's status, in its colour."""
        icons = ICONS if self.unicode else ASCII_ICONS
        return self.paint(icons[status], _STATUS_COLOURS[status])


_UNPAINTED = Palette()


def text_lines(report: Report, palette: Palette = _UNPAINTED) -> Iterator[str]:
    """The verdict, each check that was made, what is signed, only served, open, and not there."""
    name = report.number.text if report.number else report.input
    verdict = palette.paint(WORDS[report.verdict], _VERDICT_COLOURS[report.verdict])
    yield f"{palette.paint(one_line(name), 'bold')}  {verdict}"
    for check in report.checks:
        if check.status in ("valid", "invalid") or _stops(check):
            yield f"  {palette.icon(check.status)} {check.id:<18} {one_line(check.detail)}"
    if report.record is not None:
        for heading, text in _summary(report, report.record):
            yield f"  {heading:<12} {one_line(text)}"


def _stops(check: Check) -> bool:
    """Whether a check is what keeps a report from being verified."""
    return check.status == "not_checked" and check.id in REQUIRED and not check.is_unread


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
    for check in report.checks:
        if check.status == "not_checked" and check.id not in REQUIRED:
            yield "not checked", f"{check.id}: {check.detail}"
    absent = [c.id for c in report.checks if c.status == "absent" and c.id not in REQUIRED]
    if absent:
        yield "nothing on", ", ".join(absent)


def _served_texts(report: Report, record: Record) -> Iterator[str]:
    if record.paper.title and report["title"].status != "valid":
        yield "title"
    if record.paper.authors:
        yield "authors"
