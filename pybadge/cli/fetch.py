"""``pybadge fetch``."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator

from pybadge.batch import read_items
from pybadge.checks.report import Report
from pybadge.cli.batch import open_list
from pybadge.cli.commands import WHAT_HELP
from pybadge.cli.context import as_error, expectations_of, resolver_of
from pybadge.cli.output import complain, out_bytes, remark
from pybadge.cli.progress import waiting
from pybadge.errors import OutputError, PybadgeError, UsageError, reason, worst
from pybadge.output import write_file
from pybadge.reporting import WORDS
from pybadge.resolve.locator import locate
from pybadge.resolve.lockfile import add_to_lock
from pybadge.resolve.resolver import Resolver
from pybadge.verification import Expectations, bundle_of, report_and_bytes

__all__ = ["DESCRIPTION", "EXAMPLES", "configure", "execute"]

DESCRIPTION = """Save records, after verifying them: one that is invalid is not saved.
With --lock, the record is saved beside the lock file and entered there, so that
later checks need no network."""
EXAMPLES = """  pybadge fetch XR2UHLWNHHFSD4ZJJXWRU6R6QP -o record.json
  pybadge fetch 2402.15627 2301.00001 -o records
  pybadge fetch --batch numbers.txt -o records
  pybadge fetch --lock pith.lock.json 2402.15627v1
  pybadge verify --lock pith.lock.json --offline 2402.15627v1"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", nargs="*", metavar="WHAT", help=WHAT_HELP)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE|DIR",
        help="where to save the record; a folder for several; without it, stdout",
    )
    parser.add_argument(
        "--batch", metavar="FILE", help="one WHAT a line; - for standard input; needs -o DIR"
    )
    parser.add_argument(
        "--bundle", action="store_true", help="the open graph bundle instead of the record"
    )


def execute(options: argparse.Namespace) -> int:
    if options.lock is not None and options.output is not None:
        raise UsageError("--lock names the records itself; leave out --output")
    wanted = _wanted(options)
    lock = options.lock
    options.lock = None  # what is to be locked is fetched afresh
    resolver, expected = resolver_of(options), expectations_of(options)
    if not _are_many(options):
        return _fetch(next(wanted), options.output, lock, options.bundle, resolver, expected)
    if lock is None:
        _make_folder(options.output)
    codes = set()
    for what in wanted:
        try:
            codes.add(_fetch(what, options.output, lock, options.bundle, resolver, expected))
        except OutputError:
            raise
        except PybadgeError as error:
            complain(str(error))
            codes.add(error.exit_code)
    return worst(codes)


def _are_many(options: argparse.Namespace) -> bool:
    output = options.output
    return options.batch is not None or len(options.what) > 1 or os.path.isdir(output or "")


def _wanted(options: argparse.Namespace) -> Iterator[str]:
    """What to fetch.

    Raises:
        UsageError: nothing is named, or several records have nowhere to go.
    """
    if (options.batch is None) == (not options.what):
        raise UsageError("name what to fetch, or give a list with --batch, not both")
    if _are_many(options) and options.output is None and options.lock is None:
        raise UsageError("several records need a folder: -o DIR")
    return iter(options.what) if options.batch is None else _listed(options.batch)


def _listed(path: str) -> Iterator[str]:
    with open_list(path) as stream:
        for item in read_items(stream):
            yield item.data.decode("utf-8", "replace")


def _make_folder(path: str) -> None:
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{path}: can't be made: {reason(error)}") from None


def _fetch(
    what: str,
    output: str | None,
    lock: str | None,
    bundle: bool,
    resolver: Resolver,
    expected: Expectations,
) -> int:
    find = bundle_of if bundle else report_and_bytes
    with waiting(False):
        report, data = find(what, resolver, expected)
    if data is None or report.record is None:
        raise as_error(report)
    if report.verdict == "invalid":
        complain(f"{what}: not saved: {report.reason}")
        return report.exit_code
    if bundle and report.record.kind != "bundle":
        complain(f"{what}: not saved: what was served is a record, not a bundle")
        return 3
    _save(what, report, data, output, lock)
    if report.exit_code:
        complain(f"{what}: saved, but {WORDS[report.verdict]}: {report.reason}")
    return report.exit_code


def _save(what: str, report: Report, data: bytes, output: str | None, lock: str | None) -> None:
    if report.record is None or report.number is None:
        raise AssertionError("a report with bytes has a record")
    if lock is not None:
        saved = add_to_lock(lock, locate(what), report.record, report.number, data)
        remark(f"{report.number.text} saved as {saved}")
    elif output is None:
        out_bytes(data)
    elif os.path.isdir(output):
        write_file(os.path.join(output, f"{report.number.suffix}.json"), data)
    else:
        write_file(output, data)
