"""``pybadge latex``."""

from __future__ import annotations

from pybadge.cli.lookup import verified_report
from pybadge.cli.output import out
from pybadge.cli.run import WHAT_HELP

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="WHAT", help=WHAT_HELP)


def execute(options: argparse.Namespace) -> int:
    from pybadge.embed import latex_lines

    report, _, _ = verified_report(options.what, options)
    out(latex_lines(report))
    return report.exit_code
