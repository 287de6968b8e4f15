"""``pybadge latex``."""

from __future__ import annotations

import argparse

from pybadge.cli.context import verified_report
from pybadge.cli.main import WHAT_HELP
from pybadge.cli.output import out


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="WHAT", help=WHAT_HELP)


def execute(options: argparse.Namespace) -> int:
    from pybadge.embed import latex_lines

    report, _, _ = verified_report(options.what, options)
    out(latex_lines(report))
    return report.exit_code
