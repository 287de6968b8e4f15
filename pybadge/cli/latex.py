"""``pybadge latex``."""

from __future__ import annotations

import argparse

from pybadge.cli.commands import WHAT_HELP
from pybadge.cli.context import verified_report
from pybadge.cli.output import out
from pybadge.embed import latex_lines

__all__ = ["configure", "execute"]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="WHAT", help=WHAT_HELP)


def execute(options: argparse.Namespace) -> int:
    report, _, _ = verified_report(options.what, options)
    out(latex_lines(report))
    return report.exit_code
