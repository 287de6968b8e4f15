"""``pybadge verify --batch``."""

from __future__ import annotations

import argparse
import contextlib
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

from pybadge.batch import (
    Finished,
    Item,
    Work,
    finished_reports,
    read_items,
    run,
    shard,
    without_finished,
)
from pybadge.checks.report import parse_check_list
from pybadge.cli.context import expectations_of, resolver_arguments
from pybadge.cli.executors import executor_of, workers_of
from pybadge.cli.output import note, out_line, stdout_closed
from pybadge.cli.progress import bar, on_terminal
from pybadge.errors import (
    CUT_SHORT,
    INVALID,
    NOT_CHECKED,
    USAGE,
    VALID,
    OutputError,
    RecordError,
    UsageError,
    reason,
    worst,
)
from pybadge.input import standard_input
from pybadge.output import lock, refuse_precious

__all__ = ["execute_batch", "open_list"]

_SCHEDULED_CHUNKS = 8  # at least so many at a time, since nobody knows how many workers there are


def execute_batch(options: argparse.Namespace) -> int:
    """Verify a list and print one report a line, in the list's order."""
    _check_options(options)
    started = time.monotonic()
    workers = workers_of(options.jobs)
    executor = executor_of(options.executor, workers, options.scheduler)
    if executor is not None and options.scheduler is not None:
        workers = max(workers, _SCHEDULED_CHUNKS)
    work = Work(
        "standard input" if options.batch == "-" else options.batch,
        resolver_arguments(options),
        expectations_of(
            options, require=parse_check_list(options.require), allow_short=options.allow_short
        ),
        tagged=options.output is not None,
    )
    codes: Counter[int] = Counter()
    with contextlib.ExitStack() as stack:
        stream = stack.enter_context(open_list(options.batch))
        items: Iterable[Item] = shard(read_items(stream), *_shard(options.shard))
        write: Callable[[str], None] = out_line
        if options.output is not None:
            target = stack.enter_context(_output(options.output, options.resume, options.batch))
            finished = Finished(options.output)
            if os.path.isfile(options.output):
                finished = finished_reports(target, options.output)
            codes.update(finished.exit_codes)
            items = without_finished(items, finished, work)
            write = _writer(target, options.output, finished)
        progress = stack.enter_context(_progress(stream, options.batch))
        for result in run(items, work, executor=executor, workers=workers):
            write(result.text)
            codes[result.exit_code] += 1
            progress()
            if options.output is None and stdout_closed():
                return CUT_SHORT
    if not options.quiet:
        note(_summary(codes, time.monotonic() - started))
    return worst(codes)


_OUTCOMES = {VALID: "verified", INVALID: "invalid", NOT_CHECKED: "not checked", USAGE: "unreadable"}


def _summary(codes: Counter[int], seconds: float) -> str:
    parts = [f"{codes[code]:,} {name}" for code, name in _OUTCOMES.items() if codes[code]]
    return f"{codes.total():,} records in {seconds:.1f} s: {', '.join(parts) or 'none'}"


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
def open_list(path: str) -> Iterator[BinaryIO]:
    """The bytes of a list of items; ``-`` for standard input.

    Raises:
        RecordError: it can't be read.
    """
    if path == "-":
        yield standard_input()
        return
    try:
        stream = open(path, "rb")  # noqa: SIM115  closed below; the block must not catch what others raise
    except (OSError, ValueError) as error:
        raise RecordError(f"{path}: {reason(error)}", code="file.unreadable") from None
    with stream:
        yield stream


@contextlib.contextmanager
def _output(path: str, resume: bool, batch: str) -> Iterator[BinaryIO]:
    """The file of reports, locked: two runs that write one file would leave neither's."""
    special = os.path.exists(path) and not os.path.isfile(path)
    if os.path.exists(path) and not (resume or special):
        raise UsageError(f"{path}: exists; remove it, or continue it with --resume")
    try:
        refuse_precious(path, [batch])
        if special:
            stream: BinaryIO = open(path, "wb", buffering=0)  # noqa: SIM115  closed below
        else:
            stream = open(path, "a+b")  # noqa: SIM115  closed below
    except (OSError, ValueError) as error:
        raise OutputError(f"{path}: can't be written: {reason(error)}") from None
    with _closing(stream, path):
        if not special:
            lock(stream, path)
            stream.seek(0)
        yield stream


@contextlib.contextmanager
def _closing(stream: BinaryIO, path: str) -> Iterator[None]:
    """Close a file; a disk may be found to be full only then."""
    try:
        yield
    finally:
        try:
            stream.close()
        except OSError as error:
            raise OutputError(f"{path}: can't be written: {reason(error)}") from None


def _writer(stream: BinaryIO, path: str, finished: Finished) -> Callable[[str], None]:
    """What writes one line; the torn line of an earlier run is cut off before the first."""
    if os.path.isfile(path):
        stream.truncate(finished.length)

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
