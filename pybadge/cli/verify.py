"""``pybadge verify``."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable

from pybadge.checks.report import REQUIRED, Report, parse_check_list
from pybadge.cli.choices import OneOf
from pybadge.cli.commands import WHAT_HELP
from pybadge.cli.context import expectations_of, resolver_of
from pybadge.cli.output import out_line, palette_of_stdout
from pybadge.cli.progress import waiting
from pybadge.cli.source_check import Outcome, configure_against, source_outcome
from pybadge.errors import UsageError, worst
from pybadge.input import read_file
from pybadge.reporting import FORMATS, github_lines, sarif_log, text_lines
from pybadge.verification import Expectations, report_on

__all__ = ["DESCRIPTION", "configure", "execute"]

DESCRIPTION = """Check a record: rebuild its canonical bytes, hash them, derive the number,
compare it with the one asked for, and check the receipt against a pinned or
trusted key. Says what is signed, what is only served, and what was not checked."""

EXAMPLES = """  pybadge verify XR2UHLWNHHFSD4ZJJXWRU6R6QP
  pybadge verify 2402.15627 --abstract-file abstract.txt --require title,abstract
  pybadge verify record.json --offline --json
  pybadge verify --batch records.jsonl -o reports.jsonl"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", nargs="*", metavar="WHAT", help=WHAT_HELP)
    parser.add_argument(
        "--json", action="store_true", help="one JSON object a line for each WHAT (--format json)"
    )
    parser.add_argument(
        "--format",
        metavar="FORMAT",
        type=OneOf(FORMATS),
        help=f"{', '.join(FORMATS)} (default text)",
    )
    parser.add_argument(
        "--require",
        metavar="CHECK,…",
        default="",
        help="checks that must be valid besides the usual ones",
    )
    parser.add_argument("--title", metavar="T", help="the title the paper should have")
    parser.add_argument("--abstract-file", metavar="F", help="a file with the full abstract")
    parser.add_argument(
        "--allow-short",
        action="store_true",
        help="take an 8-character form, which other records may share",
    )
    configure_against(parser)
    batch = parser.add_argument_group("many at once, as JSON Lines")
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
        "--executor",
        metavar="EXECUTOR",
        help="process, thread, serial or dask (default process)",
    )
    batch.add_argument(
        "--scheduler", metavar="ADDRESS", help="the dask scheduler; without it, a local cluster"
    )


def execute(options: argparse.Namespace) -> int:
    if options.batch is not None:
        if options.against is not None or options.source is not None:
            raise UsageError("--against and --source are for single records, not for a batch")
        from pybadge.cli.batch import execute_batch  # it loads multiprocessing

        return execute_batch(options)
    form = _checked_format(options)
    resolver = resolver_of(options)
    expected = expectations_of(
        options,
        title=options.title,
        abstract=_abstract(options),
        require=parse_check_list(options.require),
        allow_short=options.allow_short,
    )
    codes: set[int] = set()
    printer = _printer(form, expected)
    reports = []
    for what in options.what:
        with waiting(options.quiet):
            report = report_on(what, resolver, expected)
        outcome = source_outcome(report, options, title=expected.title, abstract=expected.abstract)
        codes.add(report.exit_code)
        if outcome is not None:
            codes.add(outcome.exit_code)
        printer(report, outcome)
        reports.append(report)
    if form == "sarif":
        out_line(sarif_log(reports, REQUIRED + expected.require))
    return worst(codes)


Printer = Callable[[Report, "Outcome | None"], None]


def _printer(form: str, expected: Expectations) -> Printer:
    """What prints one report as soon as it is there."""

    def github(report: Report, _outcome: Outcome | None) -> None:
        for line in github_lines(report, REQUIRED + expected.require):
            out_line(line)

    def nothing(_report: Report, _outcome: Outcome | None) -> None:
        """A SARIF log is printed at the end, as one."""

    printers: dict[str, Printer] = {
        "text": _print_text,
        "json": _print_json,
        "github": github,
        "sarif": nothing,
    }
    return printers[form]


def _print_text(report: Report, outcome: Outcome | None) -> None:
    palette = palette_of_stdout()
    for line in text_lines(report, palette):
        out_line(line)
    if outcome is not None:
        outcome.print()


def _print_json(report: Report, outcome: Outcome | None) -> None:
    more = {"source_check": outcome.as_dict()} if outcome is not None else {}
    out_line(json.dumps({**report.as_dict(), **more}))


def _checked_format(options: argparse.Namespace) -> str:
    """The output format, after a look at the options that must not stand together.

    Raises:
        UsageError: some do.
    """
    for name in ("output", "resume", "jobs", "shard", "executor", "scheduler"):
        if getattr(options, name):
            raise UsageError(f"--{name} is for --batch")
    if not options.what:
        raise UsageError(
            "name what to verify, or give a list with --batch; see pybadge verify --help"
        )
    form: str | None = options.format
    if options.json and form not in (None, "json"):
        raise UsageError(f"--json and --format {form} exclude each other")
    if options.json:
        form = "json"
    compares = options.against is not None or options.source is not None
    if compares and form not in (None, "text", "json"):
        raise UsageError(f"--against and --source print text or JSON, not {form}")
    return form or "text"


def _abstract(options: argparse.Namespace) -> str | None:
    """The text of ``--abstract-file``.

    Raises:
        RecordError, UsageError: it can't be read, or is not UTF-8.
    """
    if options.abstract_file is None:
        return None
    try:
        return read_file(options.abstract_file).decode("utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"{options.abstract_file}: not UTF-8") from None
