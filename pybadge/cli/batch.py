"""``pybadge verify --batch``."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

from pybadge.batch import Item, Work, finished_reports, read_items, run, shard, without_finished
from pybadge.checks.report import parse_check_list
from pybadge.cli.context import resolver_arguments, trusted_keys
from pybadge.cli.executors import executor_of, workers_of
from pybadge.cli.output import out_line, stdout_closed
from pybadge.cli.progress import bar, on_terminal
from pybadge.errors import CUT_SHORT, OutputError, RecordError, UsageError, reason, worst
from pybadge.verification import Expectations

__all__ = ["execute_batch"]

_SCHEDULED_CHUNKS = 8  # at least so many at a time, since nobody knows how many workers there are


def execute_batch(options: argparse.Namespace) -> int:
    """Verify a list and print one report a line, in the list's order."""
    _check_options(options)
    workers = workers_of(options.jobs)
    executor = executor_of(options.executor, workers, options.scheduler)
    if executor is not None and options.scheduler is not None:
        workers = max(workers, _SCHEDULED_CHUNKS)
    work = Work(
        "standard input" if options.batch == "-" else options.batch,
        resolver_arguments(options),
        Expectations(trusted=trusted_keys(options), require=parse_check_list(options.require)),
    )
    codes: set[int] = set()
    with contextlib.ExitStack() as stack:
        stream = stack.enter_context(_input(options.batch))
        items: Iterable[Item] = shard(read_items(stream), *_shard(options.shard))
        write: Callable[[str], None] = out_line
        if options.output is not None:
            finished = finished_reports(options.output, resume=options.resume)
            codes |= finished.exit_codes
            items = without_finished(items, finished)
            target = stack.enter_context(_append(options.output, options.resume))
            write = _writer(target, options.output)
        progress = stack.enter_context(_progress(stream, options.batch))
        for result in run(items, work, executor=executor, workers=workers):
            write(result.text)
            codes.add(result.exit_code)
            progress()
            if options.output is None and stdout_closed():
                return CUT_SHORT
    return worst(codes)


def _check_options(options: argparse.Namespace) -> None:
    if options.what:
        raise UsageError("--batch takes its items from the list; leave out WHAT")
    if options.format not in (None, "json"):
        raise UsageError(
            f"--batch prints JSON Lines; --format {options.format!a} is for single records"
        )
    if options.title is not None or options.abstract_file is not None:
        raise UsageError("--title and --abstract-file are about one paper, not about a batch")
    if options.resume and options.output is None:
        raise UsageError("--resume needs --output FILE, the file to resume")


def _shard(text: str | None) -> tuple[int, int]:
    if text is None:
        return 1, 1
    first, slash, last = text.partition("/")
    if slash and all(part.isascii() and part.isdigit() and len(part) < 8 for part in (first, last)):
        index, count = int(first), int(last)
        if 1 <= index <= count:
            return index, count
    raise UsageError(f"--shard {text!a}: write I/N with I from 1 to N, such as 3/16")


@contextlib.contextmanager
def _input(path: str) -> Iterator[BinaryIO]:
    if path == "-":
        yield sys.stdin.buffer
        return
    try:
        stream = open(path, "rb")  # noqa: SIM115  closed below; the block must not catch what others raise
    except (OSError, ValueError) as error:
        raise RecordError(f"{path}: {reason(error)}", code="file.unreadable") from None
    with stream:
        yield stream


@contextlib.contextmanager
def _append(path: str, resume: bool) -> Iterator[BinaryIO]:
    try:
        stream = open(path, "ab" if resume else "xb")  # noqa: SIM115  closed below
    except (OSError, ValueError) as error:
        raise OutputError(f"{path}: can't be written: {reason(error)}") from None
    with stream:
        yield stream


def _writer(stream: BinaryIO, path: str) -> Callable[[str], None]:
    def write(line: str) -> None:
        try:
            stream.write(f"{line}\n".encode("ascii"))
        except OSError as error:
            raise OutputError(f"{path}: can't be written: {reason(error)}") from None

    return write


@contextlib.contextmanager
def _progress(stream: BinaryIO, path: str) -> Iterator[Callable[[], None]]:
    """A bar on stderr where that is a terminal, by the share of the file read; nothing
    elsewhere."""
    if not on_terminal():
        yield lambda: None
        return
    total = os.path.getsize(path) if path != "-" and os.path.isfile(path) else None
    with bar(total=total, unit="B" if total else " records") as shown:

        def advance() -> None:
            shown.update(stream.tell() - shown.n if total else 1)

        yield advance
