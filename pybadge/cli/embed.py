"""``pybadge embed``."""

from __future__ import annotations

from pybadge.cli.lookup import verified_report
from pybadge.cli.output import out
from pybadge.cli.run import WHAT_HELP

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="WHAT", help=WHAT_HELP)
    parser.add_argument("--format", metavar="FORMAT", default="html", help="html, markdown or latex (default html)")
    parser.add_argument(
        "--image-url", metavar="URL", default="badge.svg", help="where the badge image will be (default badge.svg)"
    )


def execute(options: argparse.Namespace) -> int:
    from pybadge.embed import snippet

    report, _, _ = verified_report(options.what, options)
    out(snippet(report, format=options.format, image_url=options.image_url))
    return report.exit_code
