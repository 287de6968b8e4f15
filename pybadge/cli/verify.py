"""``pybadge verify``."""

from __future__ import annotations

import argparse
from collections.abc import Collection

from pybadge.checks import REQUIRED, parse_check_list
from pybadge.cli.batch import execute as execute_batch
from pybadge.cli.context import report_on, resolver_of, trusted_keys
from pybadge.cli.main import WHAT_HELP
from pybadge.cli.output import out_line
from pybadge.cli.source_check import configure_against, source_outcome
from pybadge.errors import UsageError
from pybadge.output import read_file
from pybadge.reporting import (
    ASCII_SIGNS,
    FORMATS,
    SIGNS,
    WORDS,
    github_lines,
    print_report,
    report_json,
    report_sarif,
)

__all__ = ["ASCII_SIGNS", "DESCRIPTION", "SIGNS", "WORDS", "configure", "execute", "worst"]

DESCRIPTION = """Check a record: rebuild its canonical bytes, hash them, derive the number,
compare it with the one asked for, and check the receipt against a pinned or
trusted key. Says what is signed, what is only served, and what was not checked."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", nargs="*", metavar="WHAT", help=WHAT_HELP)
    parser.add_argument(
        "--json", action="store_true", help="one JSON object a line for each WHAT (--format json)"
    )
    parser.add_argument("--format", metavar="FORMAT", help=f"{', '.join(FORMATS)} (default text)")
    parser.add_argument(
        "--require",
        metavar="CHECK,…",
        default="",
        help="checks that must be valid besides the usual ones",
    )
    parser.add_argument("--title", metavar="T", help="the title the paper should have")
    parser.add_argument("--abstract-file", metavar="F", help="a file with the full abstract")
    configure_against(parser)
    batch = parser.add_argument_group(
        "many at once: JSON Lines of reports, in the order of the input"
    )
    batch.add_argument(
        "--batch", metavar="FILE", help="one WHAT, path or JSON record a line; - for standard input"
    )
    batch.add_argument(
        "-o", "--output", metavar="FILE", help="where the reports go; without it, stdout"
    )
    batch.add_argument(
        "--resume", action="store_true", help="go on after the last whole line of --output"
    )
    batch.add_argument("--jobs", metavar="N", help="worker processes (default: one a CPU)")
    batch.add_argument(
        "--shard", metavar="I/N", help="only every Nth item, from the Ith; for job arrays"
    )
    batch.add_argument(
        "--engine", metavar="ENGINE", help="process, thread, serial or dask (default process)"
    )
    batch.add_argument(
        "--scheduler", metavar="ADDRESS", help="the dask scheduler; without it, a local cluster"
    )


def execute(options: argparse.Namespace) -> int:
    if options.batch is not None:
        if options.against is not None or options.source is not None:
            raise UsageError("--against and --source are for single records, not for a batch")
        return execute_batch(options)
    for name in ("output", "resume", "jobs", "shard", "engine", "scheduler"):
        if getattr(options, name):
            raise UsageError(f"--{name} is for --batch")
    if not options.what:
        raise UsageError(
            "name what to verify, or give a list with --batch; see pybadge verify --help"
        )
    form = format_of(options)
    if form not in ("text", "json") and (options.against is not None or options.source is not None):
        raise UsageError(f"--against and --source print text or JSON, not {form}")
    resolver = resolver_of(options)
    require = parse_check_list(options.require)
    abstract = abstract_of(options)
    trusted = trusted_keys(options)
    reports = []
    codes = set()
    for what in options.what:
        report = report_on(
            what, resolver, title=options.title, abstract=abstract, require=require, trusted=trusted
        )
        reports.append(report)
        outcome = source_outcome(report, options, title=options.title, abstract=abstract)
        codes |= {report.exit_code} | ({outcome.exit_code} if outcome is not None else set())
        if form == "json":
            out_line(
                report_json(
                    report, {"source_check": outcome.as_dict()} if outcome is not None else {}
                )
            )
        elif form == "github":
            for line in github_lines(report, REQUIRED + require):
                out_line(line)
        elif form == "text":
            print_report(report)
            if outcome is not None:
                outcome.print()
    if form == "sarif":
        out_line(report_sarif(reports, REQUIRED + require))
    return worst(codes)


def format_of(options: argparse.Namespace) -> str:
    """The output format.

    Raises:
        UsageError: there is none of that name, or two were asked for.
    """
    form = options.format
    if form is not None and form not in FORMATS:
        raise UsageError(f"--format {form!a}: the formats are {', '.join(FORMATS)}")
    if options.json and form not in (None, "json"):
        raise UsageError(f"--json and --format {form} exclude each other")
    return "json" if options.json else form or "text"


def abstract_of(options: argparse.Namespace) -> str | None:
    """The text of ``--abstract-file``.

    Raises:
        RecordError, UsageError: it can't be read, or is no UTF-8.
    """
    if options.abstract_file is None:
        return None
    try:
        return read_file(options.abstract_file).decode("utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"{options.abstract_file}: not UTF-8") from None


def worst(codes: Collection[int]) -> int:
    """The exit code of many: invalid over unreadable over not checked over valid."""
    return next(code for code in (1, 2, 3, 0) if code in codes)
