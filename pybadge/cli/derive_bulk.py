"""``pybadge derive --snapshot``: all of arXiv, and looking numbers up in what that made."""

from __future__ import annotations

import argparse
import contextlib
import json
from collections.abc import Callable, Iterator
from typing import Any

from pybadge.cli.executors import executor_of, workers_of
from pybadge.cli.output import complain, out_line
from pybadge.cli.progress import bar, on_terminal
from pybadge.derive.bulk.run import Progress, Summary, derive_bulk
from pybadge.derive.bulk.search import find, shared_short_forms
from pybadge.errors import NotFoundError, PybadgeError, invalid_choice
from pybadge.escape.lines import one_line
from pybadge.number import SHORT_LENGTHS, parse_number

__all__ = ["execute_bulk"]

# Faulty lines named one by one.
_MOST_SHOWN = 100


def execute_bulk(options: argparse.Namespace) -> int:
    """Find a number, derive the bulk metadata, or list shared short forms."""
    if options.find is not None:
        return _find(options)
    if options.output is not None:
        return _derive(options)
    return _collisions(options)


def _find(options: argparse.Namespace) -> int:
    number = parse_number(options.find)
    skipped = 0

    def count(_: PybadgeError) -> None:
        nonlocal skipped
        skipped += 1

    hits = 0
    for entry in find(options.snapshot, number, skipped=count):
        hits += 1
        _print_entry(entry, options)
    if skipped:
        complain(f"{skipped} lines gave no number and were passed over")
    if not hits:
        raise NotFoundError(f"{number.text}: not among the numbers of {options.snapshot}")
    if hits > 1:
        complain(f"{number.text} names {hits} papers; only all 26 characters tell which is meant")
    return 0


def _print_entry(entry: dict[str, Any], options: argparse.Namespace) -> None:
    if options.json:
        out_line(json.dumps(entry))
        return
    assumed = "  (if its metadata was that of the last version)" if entry.get("assumed") else ""
    paper = f"{entry['arxiv']}v{entry['version']}"
    out_line(f"{one_line(str(entry['number']))}  {one_line(paper)}{assumed}")


def _collisions(options: argparse.Namespace) -> int:
    lengths = [str(length) for length in SHORT_LENGTHS]
    if options.collisions not in lengths:
        raise invalid_choice(options.collisions, lengths, "--collisions")
    count = 0
    for form, entries in shared_short_forms(options.snapshot, int(options.collisions)):
        count += 1
        if options.json:
            out_line(json.dumps({"short": form, "numbers": entries}))
        else:
            papers = ", ".join(
                f"{entry['number']} ({entry['arxiv']}v{entry['version']})" for entry in entries
            )
            out_line(f"pith:{one_line(form)}  {one_line(papers)}")
    complain(f"{count} short forms of {options.collisions} characters name more than one number")
    return 0


def _derive(options: argparse.Namespace) -> int:
    workers = workers_of(options.jobs)
    make = executor_of(options.executor, workers, options.scheduler)
    with contextlib.ExitStack() as stack:
        summary = derive_bulk(
            options.snapshot,
            options.output,
            executor=stack.enter_context(make()) if make is not None else None,
            workers=workers,
            all_versions=options.all_versions,
            go_on=options.keep_going,
            progress=stack.enter_context(_progress()),
        )
    _print_summary(summary, options)
    return summary.exit_code


@contextlib.contextmanager
def _progress() -> Iterator[Callable[[Progress], None] | None]:
    """A bar on stderr where that is a terminal, by the share of the file read; nothing
    elsewhere."""
    if not on_terminal():
        yield None
        return
    with bar(unit="B") as shown:

        def advance(progress: Progress) -> None:
            shown.total = progress.total
            shown.set_postfix(papers=progress.papers, left_out=progress.faults, refresh=False)
            shown.update(progress.done - shown.n)

        yield advance


def _print_summary(summary: Summary, options: argparse.Namespace) -> None:
    for fault in summary.faults[:_MOST_SHOWN]:
        complain(f"{options.snapshot}:{fault.line}: {fault.message}")
    if summary.fault_count > _MOST_SHOWN:
        complain(f"and {summary.fault_count - _MOST_SHOWN} more lines left out")
    if summary.left is not None:
        complain(f"note: {summary.left}: can't be removed; are there other files in it?")
    if options.json:
        out_line(json.dumps(summary.as_dict(options.output)))
        return
    out_line(f"{summary.numbers} numbers of {summary.papers} papers in {one_line(options.output)}")
    if summary.fault_count:
        out_line(f"{summary.fault_count} of {summary.lines} lines left out")
    for length, count in summary.shared:
        out_line(f"short forms of {length} characters that name more than one: {count}")
