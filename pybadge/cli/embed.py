"""``pybadge embed``."""

from __future__ import annotations

import argparse
import os

from pybadge.checks.report import Report
from pybadge.cli.context import verified_report
from pybadge.cli.main import WHAT_HELP
from pybadge.cli.output import complain, out, out_line, write_file
from pybadge.errors import OutputError, UsageError
from pybadge.record import Record

# What --png and --dark are without a value: the file that --files writes beside the SVG.
BESIDE = "beside the image"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="WHAT", nargs="?", help=WHAT_HELP)
    parser.add_argument(
        "--list", action="store_true", help="list the formats and where each lives or dies"
    )
    parser.add_argument(
        "--format", metavar="FORMAT", default="html", help="one of --list (default html)"
    )
    parser.add_argument(
        "--image-url",
        metavar="URL",
        default="badge.svg",
        help="where the badge image will be (default badge.svg)",
    )
    parser.add_argument(
        "--png",
        metavar="URL",
        nargs="?",
        const=BESIDE,
        help="show the PNG, at URL or beside the image (badge-2x.png for badge.svg)",
    )
    parser.add_argument(
        "--dark",
        metavar="URL",
        help="where the image for dark pages will be (default badge-dark.svg for badge.svg)",
    )
    parser.add_argument(
        "--size", metavar="N", help="the badge's height on the page in CSS pixels, 10 to 400"
    )
    parser.add_argument(
        "--style", metavar="STYLE", default="flat", help="the badge's style, as for pybadge badge"
    )
    parser.add_argument("--label", metavar="TEXT", help="the left part of the badge (default pith)")
    parser.add_argument(
        "--files",
        metavar="DIR",
        help="write all that a site needs: images, record, script, a page that shows each embed",
    )


def execute(options: argparse.Namespace) -> int:
    from pybadge.embed import FORMATS, WHERE, snippet, travels_badly

    if options.list:
        width = max(map(len, FORMATS))
        for name in FORMATS:
            out_line(f"{name:<{width}}  {WHERE[name]}")
        return 0
    if options.what is None:
        raise UsageError("say what to embed: a number, an arXiv id or a record file (or --list)")
    size = _size(options.size)
    report, record, _ = verified_report(options.what, options)
    if options.files is not None:
        _write_files(report, record, options, size)
    else:
        text = snippet(
            report,
            format=options.format,
            image_url=options.image_url,
            size=size,
            png=True if options.png == BESIDE else options.png or False,
            dark=options.dark,
            label=options.label,
            style=options.style,
        )
        warning = travels_badly(options.format, options.image_url)
        if warning:
            complain(warning)
        out(text)
    if report.exit_code:
        complain(f"the badge says {report.verdict.replace('_', ' ')}: see pybadge verify")
    return report.exit_code


def _size(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 5):
        raise UsageError(f"--size {text!a}: must be a whole number of pixels, 10 to 400")
    return int(text)


def _write_files(
    report: Report, record: Record, options: argparse.Namespace, size: int | None
) -> None:

    from pybadge.embed import site_files

    base = options.image_url.rpartition("/")[0]
    files = site_files(
        report,
        record,
        base_url=base + "/" if base else "",
        size=size,
        label=options.label,
        style=options.style,
    )
    try:
        os.makedirs(options.files, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{options.files}: {error.strerror or error}") from None
    for name, data in files.items():
        write_file(os.path.join(options.files, name), data)
        out_line(os.path.join(options.files, name))
