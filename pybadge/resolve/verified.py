"""Find a record and verify it, in one go: what every command and the batch do with a WHAT."""

from __future__ import annotations

from pybadge.checks import Check, Report, unreadable, verify
from pybadge.errors import NumberError, PybadgeError, UsageError
from pybadge.resolve.locate import Located, locate, same_paper

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pybadge.resolve.resolver import Found, Resolver

__all__ = ["report_and_bytes", "report_on"]


def report_on(what: str, resolver: Resolver, **checks: Any) -> Report:
    """Find and verify one record; what goes wrong on the way is in the report, not raised.

    Args:
        what: as on the command line.
        resolver: who to ask.
        checks: further arguments of `pybadge.verify`.

    Raises:
        UsageError: the arguments in ``checks`` make no sense.
    """
    return report_and_bytes(what, resolver, **checks)[0]


def report_and_bytes(what: str, resolver: Resolver, **checks: Any) -> tuple[Report, bytes | None]:
    """As `report_on`, with the bytes the report is about; None where there are none.

    A source that hands out a wrong record does not hide a right one from the next source, but it is named.
    """
    try:
        located = locate(what)
    except (UsageError, NumberError) as error:
        return unreadable(error, input=what), None
    wrong: tuple[Report, bytes] | None = None
    try:
        for found in resolver.candidates(located):
            report = _verified(located, found, what, checks)
            if report.verdict != "invalid":
                resolver.keep(located, found)
                return _with_note(report, found, wrong), found.data
            resolver.reject(located, found)
            wrong = wrong or (_with_note(report, found, None), found.data)
    except PybadgeError as error:
        if wrong is None:
            return unreadable(error, input=what), None
    if wrong is None:
        raise AssertionError("a resolver gave neither bytes nor an error")
    return wrong


def _verified(located: Located, found: Found, what: str, checks: dict[str, Any]) -> Report:
    report = verify(found.data, asked=located.number, input=what, origin=found.origin, **checks)
    if located.arxiv_id is None or report.record is None:
        return report
    # An arXiv id that was asked for must be the record's; the resolver's word for it is not enough.
    canonical = report.record.canonical
    if same_paper(canonical.source_id, located.arxiv_id) and located.version in (None, canonical.version):
        return report
    asked = located.arxiv_id + (f"v{located.version}" if located.version else "")
    wrong = report["number"].replace(
        status="invalid",
        code="number.other_paper",
        detail=f"asked for arXiv {asked}, the record is of {canonical.arxiv_version}",
    )
    return _replaced(report, wrong, verdict="invalid")


def _with_note(report: Report, found: Found, wrong: tuple[Report, bytes] | None) -> Report:
    """Say in the parse check where the bytes came from, when that is not where they were asked for."""
    notes = []
    if found.cached_at is not None:
        notes.append(f"from {found.origin}")
    if wrong is not None:
        bad = next(check for check in wrong[0].checks if check.status == "invalid")
        notes.append(f"another source gave a wrong record: {bad.code}")
    if not notes:
        return report
    parse = report["parse"]
    return _replaced(report, parse.replace(detail=f"{parse.detail} ({'; '.join(notes)})"))


def _replaced(report: Report, changed: Check, **more: str) -> Report:
    checks = tuple(changed if check.id == changed.id else check for check in report.checks)
    replaced: Report = report.replace(checks=checks, **more)
    return replaced
