"""What all commands share that take a WHAT: look it up, verify it, in one go."""

from __future__ import annotations

from pybadge.checks import Report, unreadable, verify
from pybadge.errors import PybadgeError, UsageError
from pybadge.record import read_json, read_record
from pybadge.resolve import DEFAULT_RESOLVER, TOTAL_TIMEOUT, Located, Resolver, locate

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from pybadge.number import PithNumber
    from pybadge.record import Record

__all__ = ["as_error", "report_on", "resolver_of", "verified_report"]


def resolver_of(options: argparse.Namespace) -> Resolver:
    """The resolver that the options ask for.

    Raises:
        UsageError: a resolver address that may not be asked, or a timeout that is no number of seconds.
    """
    try:
        timeout = float(options.timeout) if options.timeout is not None else TOTAL_TIMEOUT
    except ValueError:
        timeout = -1.0
    if not 0 < timeout <= 3600:
        raise UsageError(f"--timeout {options.timeout!r}: must be a number of seconds, at most 3600")
    return Resolver(options.resolver or DEFAULT_RESOLVER, offline=options.offline, timeout=timeout)


def report_on(what: str, resolver: Resolver, **checks: Any) -> Report:
    """Find and verify one record; what goes wrong on the way is in the report, not raised.

    Args:
        what: as on the command line.
        checks: further arguments of `pybadge.verify`.

    Raises:
        UsageError: the arguments in ``checks`` make no sense.
    """
    try:
        located = locate(what)
        data = resolver.bytes_of(located)
        record = read_record(read_json(data, what), what)
    except PybadgeError as error:
        return unreadable(error, input=what)
    report = verify(record, asked=located.number, input=what, **checks)
    return _check_source(report, located)


def _check_source(report: Report, located: Located) -> Report:
    """An arXiv id that was asked for must be the record's; the resolver's word for it is not enough."""
    if located.arxiv_id is None or report.record is None:
        return report
    canonical = report.record.canonical
    same = canonical.source_id.lower() == located.arxiv_id.lower() and located.version in (None, canonical.version)
    if same:
        return report
    asked = located.arxiv_id + (f"v{located.version}" if located.version else "")
    wrong = report["number"].replace(
        status="invalid",
        code="number.other_paper",
        detail=f"asked for arXiv {asked}, the record is of {canonical.arxiv_version}",
    )
    checks = tuple(wrong if check.id == "number" else check for check in report.checks)
    replaced: Report = report.replace(checks=checks, verdict="invalid")
    return replaced


def verified_report(what: str, options: argparse.Namespace) -> tuple[Report, Record, PithNumber]:
    """The report, record and number for a command that draws or prints something of a record.

    Raises:
        PybadgeError: the record can't be had at all.
    """
    report = report_on(what, resolver_of(options))
    if report.record is None or report.number is None:
        raise as_error(report)
    return report, report.record, report.number


def as_error(report: Report) -> PybadgeError:
    fault = next(
        check for check in report.checks if check.status in ("invalid", "not_checked") and check.code != "record.unread"
    )
    error = PybadgeError(fault.detail, code=fault.code)
    error.exit_code = report.exit_code
    return error
