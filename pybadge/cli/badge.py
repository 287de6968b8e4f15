"""``pybadge badge``."""

from __future__ import annotations

from pybadge.cli.lookup import verified_report
from pybadge.cli.output import complain, out, write_file
from pybadge.cli.run import WHAT_HELP
from pybadge.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="WHAT", help=WHAT_HELP)
    parser.add_argument("-o", "--output", metavar="FILE", help="a .svg or .png file; without it SVG goes to stdout")
    parser.add_argument("--scale", metavar="N", default="2", help="pixels of a PNG per SVG unit, 1 to 16 (default 2)")


def execute(options: argparse.Namespace) -> int:
    from pybadge.badge import badge_png, badge_svg

    if options.output is not None and not options.output.lower().endswith((".svg", ".png")):
        raise UsageError(f"{options.output}: a badge file must end in .svg or .png")
    if not options.scale.isascii() or not options.scale.isdigit():
        raise UsageError(f"--scale {options.scale!r}: must be a whole number, 1 to 16")
    report, _, _ = verified_report(options.what, options)
    if options.output is None:
        out(badge_svg(report))
    elif options.output.lower().endswith(".png"):
        write_file(options.output, badge_png(report, scale=int(options.scale)))
    else:
        write_file(options.output, badge_svg(report).encode("utf-8"))
    if report.exit_code:
        complain(f"the badge says {report.verdict.replace('_', ' ')}: see pybadge verify")
    return report.exit_code
