"""``pybadge embed``."""

from __future__ import annotations

import argparse

from pybadge.badge import DEFAULTS
from pybadge.cli.commands import WHAT_HELP
from pybadge.cli.context import verified_report
from pybadge.cli.output import complain, out, out_line
from pybadge.embed import FORMATS, WHERE, snippet, travels_badly, write_site
from pybadge.errors import UsageError, invalid_choice
from pybadge.output import write_file
from pybadge.reporting import WORDS

__all__ = ["EXAMPLES", "configure", "execute"]

# What --png is without a value: the file that --files writes beside the SVG.
_BESIDE = "beside the image"

EXAMPLES = """  pybadge embed XR2UHLWNHHFSD4ZJJXWRU6R6QP --format markdown
  pybadge embed record.json --format html --image-url https://example.org/badge.svg
  pybadge embed 2402.15627 --files site
  pybadge embed --list"""


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("what", metavar="WHAT", nargs="?", help=WHAT_HELP)
    add("--list", action="store_true", help="list the formats and where each is shown")
    add("--format", metavar="FORMAT", default="html", help="one of --list (default html)")
    add(
        "--image-url",
        metavar="URL",
        default="badge.svg",
        help="where the badge image will be (default badge.svg)",
    )
    add(
        "--png",
        metavar="URL",
        nargs="?",
        const=_BESIDE,
        help="show the PNG, at URL or beside the image (badge-2x.png for badge.svg)",
    )
    add(
        "--dark",
        metavar="URL",
        help="where the image for dark pages will be (default badge-dark.svg for badge.svg)",
    )
    add("--size", metavar="N", help="the badge's height on the page in CSS pixels, 10 to 400")
    add(
        "--style",
        metavar="STYLE",
        default=DEFAULTS.style,
        help="the badge's style, as for pybadge badge",
    )
    add("--label", metavar="TEXT", help="the left part of the badge (default pith)")
    add(
        "--files",
        metavar="DIR",
        help="write all that a site needs: images, record, script, a page that shows each embed",
    )


def execute(options: argparse.Namespace) -> int:
    if options.list:
        _print_list()
        return 0
    if options.what is None:
        raise UsageError("say what to embed: a number, an arXiv id or a record file (or --list)")
    if options.format not in FORMATS:
        raise invalid_choice(options.format, FORMATS, "--format")
    looks = {"size": _size(options.size), "label": options.label, "style": options.style}
    report, record, _ = verified_report(options.what, options)
    if options.files is not None:
        for path in write_site(
            report, record, options.files, write_file, image_url=options.image_url, **looks
        ):
            out_line(path)
    else:
        png = True if options.png == _BESIDE else options.png or False
        text = snippet(
            report,
            format=options.format,
            image_url=options.image_url,
            png=png,
            dark=options.dark,
            **looks,
        )
        warning = travels_badly(options.format, options.image_url)
        if warning:
            complain(warning)
        out(text)
    if report.exit_code:
        complain(f"the badge says {WORDS[report.verdict]}: {report.reason}")
    return report.exit_code


def _print_list() -> None:
    width = max(map(len, FORMATS))
    for name in FORMATS:
        out_line(f"{name:<{width}}  {WHERE[name]}")


def _size(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 5):
        raise UsageError(f"--size {text!a}: must be a whole number of pixels, 10 to 400")
    return int(text)
