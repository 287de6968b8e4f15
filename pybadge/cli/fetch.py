"""``pybadge fetch``."""

from __future__ import annotations

import argparse

from pybadge.cli.context import as_error, resolver_of, trusted_keys
from pybadge.cli.main import WHAT_HELP
from pybadge.cli.output import complain, out_bytes, write_file
from pybadge.errors import UsageError
from pybadge.resolve.locator import locate
from pybadge.resolve.lockfile import add_to_lock
from pybadge.verification import report_and_bytes

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
    resolver = resolver_of(options)
    trusted = trusted_keys(options)
    what = options.what
    if options.bundle:
        # Only a number leads to a bundle; an arXiv id leads to a record, which has the number.
        if locate(what).kind == "arxiv":
            found, _ = report_and_bytes(what, resolver, trusted=trusted)
            if found.number is None or found.verdict == "invalid":
                raise as_error(found)
            what = found.number.text
        resolver.bundle = True
    report, data = report_and_bytes(what, resolver, trusted=trusted)
    if report.record is None or report.number is None or data is None:
        raise as_error(report)
    if report.verdict == "invalid":
        fault = next(check for check in report.checks if check.status == "invalid")
        complain(f"{options.what}: not saved: {fault.detail}")
        return report.exit_code
    if lock is not None:
        saved = add_to_lock(lock, locate(options.what), report.record, report.number, data)
        complain(f"{report.number.text} saved as {saved}")
    elif options.output is None:
        out_bytes(data)
    else:
        write_file(options.output, data)
    if report.exit_code:
        complain(
            f"{options.what}: saved, but {report.verdict.replace('_', ' ')}: see pybadge verify"
        )
    return report.exit_code
