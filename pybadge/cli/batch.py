"""``pybadge verify --batch``."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

from pybadge.batch import Item, Work, exit_code_of, read_items, run, shard
from pybadge.checks import parse_check_list
from pybadge.cli.context import resolver_arguments, trusted_keys
from pybadge.cli.executors import executor_of, workers_of
from pybadge.cli.output import out_line, stdout_closed
from pybadge.cli.progress import bar, on_terminal
from pybadge.errors import CUT_SHORT, OutputError, RecordError, UsageError

__all__ = ["execute"]

# The worst first: in a batch, invalid beats unreadable beats not checked (DESIGN.md).
_WORST = (1, 2, 3, 0)


def execute(options: argparse.Namespace) -> int:
    """Verify a list and print one report a line, in the list's order."""
    _check_options(options)
    workers = workers_of(options.jobs)
    executor = executor_of(options.engine, workers, options.scheduler)
    index, count = _shard(options.shard)
    work = Work(
        "standard input" if options.batch == "-" else options.batch,
        resolver_arguments(options),
        trusted_keys(options),
        parse_check_list(options.require),
    )
    codes: set[int] = set()
    with contextlib.ExitStack() as stack:
        stream = stack.enter_context(_input(options.batch))
        items: Iterable[Item] = shard(read_items(stream), index, count)
        write: Callable[[str], None] = out_line
        if options.output is not None:
            done = _done(options.output, options.resume, codes)
            items = _skip(items, done, options.output)
            target = stack.enter_context(_append(options.output, options.resume))
            write = _writer(target, options.output)
        progress = stack.enter_context(_progress(stream, options.batch))
        if executor is not None and options.scheduler is not None:
            workers = max(workers, 8)
        for result in run(items, work, executor=executor, workers=workers):
            write(result.text)
            codes.add(result.exit_code)
            progress()
            if options.output is None and stdout_closed():
                return CUT_SHORT
    return next((code for code in _WORST if code in codes), 0)


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
        raise UsageError("--resume needs --output FILE, the file to go on with")


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
        raise RecordError(
            f"{path}: {getattr(error, 'strerror', None) or error}", code="file.unreadable"
        ) from None
    with stream:
        yield stream


def _done(path: str, resume: bool, codes: set[int]) -> list[str]:
    """The inputs of the reports that an earlier run left whole; a torn last line is cut off.

    Raises:
        UsageError: the file is there and was not to be gone on with, or it holds something else.
    """
    if not os.path.exists(path):
        return []
    if not resume:
        raise UsageError(f"{path} is there already: remove it, or go on with it by --resume")
    done = []
    whole = 0
    with open(path, "r+b") as stream:
        for line in stream:
            if not line.endswith(b"\n"):
                break
            try:
                report = json.loads(line)
                codes.add(exit_code_of(report))
                done.append(report["input"])
            except (ValueError, KeyError, TypeError, StopIteration):
                raise UsageError(
                    f"{path}: line {len(done) + 1} is no report; --resume goes on with reports only"
                ) from None
            whole += len(line)
        stream.truncate(whole)
    return done


def _skip(items: Iterable[Item], done: list[str], path: str) -> Iterator[Item]:
    """The items that are not done yet.

    Raises:
        UsageError: the reports are of another list.
    """
    left = iter(items)
    for number, name in enumerate(done, start=1):
        item = next(left, None)
        # Records in the list are called FILE:LINE, all else by their own text.
        if item is None or not (
            name.endswith(f":{item.line}") or name == item.data.decode("utf-8", "replace")
        ):
            raise UsageError(
                f"{path}: line {number} reports on {name!a:.60}, which is not item {number} of this list"
            )
    yield from left


@contextlib.contextmanager
def _append(path: str, resume: bool) -> Iterator[BinaryIO]:
    try:
        stream = open(path, "ab" if resume else "xb")  # noqa: SIM115  closed below
    except (OSError, ValueError) as error:
        raise OutputError(
            f"{path}: can't be written: {getattr(error, 'strerror', None) or error}"
        ) from None
    with stream:
        yield stream


def _writer(stream: BinaryIO, path: str) -> Callable[[str], None]:
    def write(line: str) -> None:
        try:
            stream.write(f"{line}\n".encode("ascii"))
        except OSError as error:
            raise OutputError(f"{path}: can't be written: {error.strerror or error}") from None

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
