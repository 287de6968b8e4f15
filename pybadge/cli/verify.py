"""``pybadge verify``."""

from __future__ import annotations

import json

from pybadge.checks import Report, parse_check_list
from pybadge.cli.lookup import report_on, resolver_of
from pybadge.cli.output import out_line
from pybadge.cli.run import WHAT_HELP
from pybadge.errors import UsageError
from pybadge.escape import terminal
from pybadge.record import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

SIGNS = {"valid": "✓", "invalid": "✗", "not_checked": "–", "absent": " "}
ASCII_SIGNS = {"valid": "ok", "invalid": "NO", "not_checked": "--", "absent": "  "}
WORDS = {"verified": "verified", "invalid": "INVALID", "not_checked": "not checked"}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", nargs="+", metavar="WHAT", help=WHAT_HELP)
    parser.add_argument("--json", action="store_true", help="one JSON object a line for each WHAT")
    parser.add_argument("--require", metavar="CHECK,…", default="", help="checks that must be valid besides the usual ones")
    parser.add_argument("--title", metavar="T", help="the title the paper should have")
    parser.add_argument("--abstract-file", metavar="F", help="a file with the full abstract")


def execute(options: argparse.Namespace) -> int:
    resolver = resolver_of(options)
    require = parse_check_list(options.require)
    abstract = None
    if options.abstract_file is not None:
        try:
            abstract = read_file(options.abstract_file).decode("utf-8")
        except UnicodeDecodeError:
            raise UsageError(f"{options.abstract_file}: not UTF-8") from None
    reports = []
    for what in options.what:
        report = report_on(what, resolver, title=options.title, abstract=abstract, require=require)
        reports.append(report)
        if options.json:
            out_line(json.dumps(report.as_dict()))
        else:
            print_report(report)
    return worst(reports)


def worst(reports: list[Report]) -> int:
    """The exit code of many: invalid over unreadable over not checked over valid."""
    codes = {report.exit_code for report in reports}
    return next(code for code in (1, 2, 3, 0) if code in codes)


def print_report(report: Report) -> None:
    """The report for people: verdict, then one line a check that was made or could have been."""
    import sys

    try:
        "✓✗–".encode(sys.stdout.encoding or "ascii")
        signs = SIGNS
    except (UnicodeEncodeError, LookupError):
        signs = ASCII_SIGNS
    name = report.number.text if report.number else report.input
    out_line(f"{terminal(name)}  {WORDS[report.verdict]}")
    for check in report.checks:
        if check.code == "record.unread" or check.status == "absent":
            continue
        out_line(f"  {signs[check.status]} {check.id:<18} {terminal(check.detail)}")
    absent = [check.id for check in report.checks if check.status == "absent"]
    if absent:
        out_line(f"  the record has nothing on: {', '.join(absent)}")
