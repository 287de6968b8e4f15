"""``pybadge latex``."""

from __future__ import annotations

import argparse

from pybadge.cli.commands import WHAT_HELP
from pybadge.cli.context import verified_report
from pybadge.cli.output import out
from pybadge.embed import latex_lines, package_file
from pybadge.errors import UsageError
from pybadge.output import write_into
from pybadge.resolve.locator import locate
from pybadge.verification import report_from_folder

__all__ = ["DESCRIPTION", "EXAMPLES", "configure", "execute"]

DESCRIPTION = """Print the two lines for a paper's preamble. A full number needs no network: nothing
is checked then. What is found by another name is verified first; for a record that is
invalid nothing is printed."""
EXAMPLES = """  pybadge latex XR2UHLWNHHFSD4ZJJXWRU6R6QP
  pybadge latex 2402.15627v1 --sty paper"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", nargs="?", metavar="WHAT", help=WHAT_HELP)
    parser.add_argument(
        "--sty", metavar="DIR", help="also put pith.sty, the LaTeX package, into this folder"
    )


def execute(options: argparse.Namespace) -> int:
    if options.what is None and options.sty is None:
        raise UsageError("name the number for the lines, or a folder for pith.sty with --sty")
    code = 0
    if options.what is not None:
        code = _print_lines(options.what, options)
    if options.sty is not None:
        write_into(options.sty, "pith.sty", package_file())
    return code


def _print_lines(what: str, options: argparse.Namespace) -> int:
    locator = locate(what)
    if locator.kind == "number" and locator.number is not None and locator.number.is_full:
        out(latex_lines(report_from_folder(what)))
        return 0
    report, _, _ = verified_report(what, options)
    out(latex_lines(report))
    return report.exit_code
