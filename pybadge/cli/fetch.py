"""``pybadge fetch``."""

from __future__ import annotations

import argparse

from pybadge.checks.report import Report
from pybadge.cli.commands import WHAT_HELP
from pybadge.cli.context import as_error, resolver_of, trusted_keys
from pybadge.cli.output import complain, out_bytes
from pybadge.errors import UsageError
from pybadge.output import write_file
from pybadge.reporting import WORDS
from pybadge.resolve.locator import locate
from pybadge.resolve.lockfile import add_to_lock
from pybadge.verification import Expectations, bundle_of, report_and_bytes

__all__ = ["DESCRIPTION", "configure", "execute"]

DESCRIPTION = """Save a record, after verifying it: one that is invalid is not saved.
With --lock, the record is saved beside the lock file and entered there, so that
later checks need no network:
  pybadge fetch --lock pith.lock.json WHAT
  pybadge verify --lock pith.lock.json --offline WHAT"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="WHAT", help=WHAT_HELP)
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="where to save the record; without it, stdout"
    )
    parser.add_argument(
        "--bundle", action="store_true", help="the open graph bundle instead of the record"
    )


def execute(options: argparse.Namespace) -> int:
    lock = options.lock
    options.lock = None  # what is to be locked is fetched afresh
    if lock is not None and options.output is not None:
        raise UsageError("--lock names the record itself; leave out --output")
    find = bundle_of if options.bundle else report_and_bytes
    expected = Expectations(trusted=trusted_keys(options))
    report, data = find(options.what, resolver_of(options), expected)
    if data is None or report.record is None:
        raise as_error(report)
    if report.verdict == "invalid":
        complain(f"{options.what}: not saved: {report.failed[0].detail}")
        return report.exit_code
    _save(report, data, lock, options)
    if report.exit_code:
        verdict = WORDS[report.verdict]
        complain(f"{options.what}: saved, but {verdict}: see pybadge verify")
    return report.exit_code


def _save(report: Report, data: bytes, lock: str | None, options: argparse.Namespace) -> None:
    if lock is not None and report.record is not None and report.number is not None:
        saved = add_to_lock(lock, locate(options.what), report.record, report.number, data)
        complain(f"{report.number.text} saved as {saved}")
    elif options.output is not None:
        write_file(options.output, data)
    else:
        out_bytes(data)
