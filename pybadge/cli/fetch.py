"""``pybadge fetch``."""

from __future__ import annotations

from pybadge.checks import verify
from pybadge.cli.lookup import resolver_of
from pybadge.cli.output import complain, out_bytes, write_file
from pybadge.cli.run import WHAT_HELP
from pybadge.record import read_json, read_record
from pybadge.resolve import locate

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="WHAT", help=WHAT_HELP)
    parser.add_argument("-o", "--output", metavar="FILE", help="where to save the record; without it, stdout")


def execute(options: argparse.Namespace) -> int:
    located = locate(options.what)
    data = resolver_of(options).bytes_of(located)
    report = verify(read_record(read_json(data, options.what), options.what), asked=located.number, input=options.what)
    if report.verdict == "invalid":
        fault = next(check for check in report.checks if check.status == "invalid")
        complain(f"{options.what}: not saved: {fault.detail}")
        return report.exit_code
    if options.output is None:
        out_bytes(data)
    else:
        write_file(options.output, data)
    return report.exit_code
