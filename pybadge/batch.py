"""Many records, on any `concurrent.futures.Executor`: streamed in, streamed out in order, with
bounded memory.

The unit of work is a chunk of input lines as bytes; a worker reads, verifies and renders them
itself, so that little crosses between processes. Keys cross as `PublicKey` values, since the key
objects of the libraries can't be pickled.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from typing import Any, BinaryIO

from pybadge._version import __version__
from pybadge.checks.report import SCHEMA, Report, exit_code_of
from pybadge.errors import RecordError, UsageError
from pybadge.input import MAX_BYTES
from pybadge.parallel import map_in_order
from pybadge.resolve.resolver import Resolver
from pybadge.verification import (
    NO_EXPECTATIONS,
    Expectations,
    report_on,
    unreadable,
    verify_expecting,
)

__all__ = [
    "CHUNK",
    "Finished",
    "Item",
    "Result",
    "Work",
    "finished_reports",
    "read_items",
    "run",
    "shard",
    "verify_items",
    "without_finished",
]

CHUNK = 256
_CHUNK_BYTES = 4 << 20
_LOOKUP_WEIGHT = (
    16  # a record that has to be looked up takes longer than one that stands in the line
)
_COMMENT = b"#"


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the input.

    Attributes:
        line: its number, from 1.
        data: the line without its end; cut short where it is longer than any record.
    """

    line: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one item.

    Attributes:
        line: the item's line number.
        text: the report as one line of JSON, without the line end.
        exit_code: what a run on this item alone would exit with.
    """

    line: int
    text: str
    exit_code: int


@dataclass(frozen=True, slots=True)
class Work:
    """What a worker must know; everything in it can be pickled.

    Attributes:
        name: what the input is called, for the ``input`` of records that stand in it themselves.
        resolver: arguments of `Resolver`, for lines that name a record.
        expected: the trusted keys, and what must be valid besides the usual checks.
        tagged: give each report the tag that `resume` looks for.
    """

    name: str
    resolver: dict[str, Any]
    expected: Expectations = NO_EXPECTATIONS
    tagged: bool = False

    def tag(self, item: Item) -> str:
        """What an item and all that its report depends on hash to: 32 hex digits. Where they
        differ, a report of an earlier run is not about this item."""
        rules = repr((__version__, sorted(self.resolver.items()), self.expected))
        return sha256(rules.encode("utf-8", "replace") + b"\n" + item.data).hexdigest()[:32]


def read_items(stream: BinaryIO) -> Iterator[Item]:
    """The items of an input, one a line: a WHAT, a path, or a JSON object.

    Empty lines and lines that begin with ``#`` are no items. A line longer than a record may be is
    cut, which its report will say, and the rest of it is skipped without being kept.
    """
    number = 0
    while True:
        line = stream.readline(MAX_BYTES + 2)
        if not line:
            return
        number += 1
        if len(line) == MAX_BYTES + 2 and not line.endswith(b"\n"):
            yield Item(number, line)
            while line and not line.endswith(b"\n"):
                line = stream.readline(MAX_BYTES)
            continue
        data = line.strip(b" \t\r\n")
        if data and not data.startswith(_COMMENT):
            yield Item(number, data)


def shard(items: Iterable[Item], index: int, count: int) -> Iterator[Item]:
    """Every ``count``-th item, from the ``index``-th (from 1)."""
    for position, item in enumerate(items):
        if position % count == index - 1:
            yield item


def verify_items(items: list[Item], work: Work) -> list[Result]:
    """The results of some items, in order. Module level and of plain values, so that any executor
    can run it."""
    resolver = _resolver_of(work)
    return [_verify_item(item, work, resolver) for item in items]


# One resolver for all chunks of a worker, so that it remembers which servers are down.
_resolvers: dict[str, Resolver] = {}


def _resolver_of(work: Work) -> Resolver:
    arguments = repr(sorted(work.resolver.items()))
    if arguments not in _resolvers:
        _resolvers.clear()
        _resolvers[arguments] = Resolver(**work.resolver)
    return _resolvers[arguments]


def _verify_item(item: Item, work: Work, resolver: Resolver) -> Result:
    report = _report(item, work, resolver)
    facts = report.as_dict()
    if work.tagged:
        facts["item"] = work.tag(item)
    return Result(item.line, json.dumps(facts), report.exit_code)


def _report(item: Item, work: Work, resolver: Resolver) -> Report:
    place = f"{work.name}:{item.line}"
    expected = work.expected
    if item.data.startswith((b"{", b"[")) or len(item.data) > MAX_BYTES:
        return verify_expecting(item.data, expected, input=place, origin=place)
    try:
        what = item.data.decode("utf-8")
    except UnicodeDecodeError as error:
        fault = RecordError(f"{place}: not UTF-8 at byte {error.start}", code="json.encoding")
        return unreadable(fault, input=place)
    if what == "-":
        fault = RecordError(
            f"{place}: standard input can't be an item of a list", code="batch.stdin"
        )
        return unreadable(fault, input=place)
    special = _special_file(what)
    if special is not None:
        return unreadable(special, input=what)
    return report_on(what, resolver, expected)


def _special_file(what: str) -> RecordError | None:
    """The fault of an item that names a pipe or device: it could hang the whole list, and
    /dev/stdin would take from the list itself."""
    try:
        mode = os.stat(what).st_mode
    except (OSError, ValueError):
        return None
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
        return None
    return RecordError(f"{what}: a pipe or device can't be an item of a list", code="batch.special")


def _chunks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    chunk: list[Item] = []
    held = weight = 0
    for item in items:
        chunk.append(item)
        held += len(item.data)
        weight += 1 if item.data.startswith(b"{") else _LOOKUP_WEIGHT
        if weight >= size or held > _CHUNK_BYTES:
            yield chunk
            chunk, held, weight = [], 0, 0
    if chunk:
        yield chunk


def run(
    items: Iterable[Item],
    work: Work,
    *,
    executor: Executor | Callable[[], AbstractContextManager[Executor]] | None = None,
    workers: int = 1,
    chunk: int = CHUNK,
) -> Iterator[Result]:
    """Verify items and give their results in the order of the input, as soon as they are there.

    Args:
        items: read only as far as workers are free, so that memory stays bounded whatever the
            length.
        work: what the workers must know.
        executor: where to run: an executor, which stays open, or what makes one, called only if
            there is more than one chunk. None for this process.
        workers: how many chunks are worked on at a time; twice as many are held.
        chunk: items a worker takes at once.
    """
    chunks = _chunks(items, chunk)
    if executor is None:
        for some in chunks:
            yield from verify_items(some, work)
        return
    first, second = next(chunks, None), next(chunks, None)
    if first is None:
        return
    if second is None:  # not worth starting anything
        yield from verify_items(first, work)
        return
    with nullcontext(executor) if isinstance(executor, Executor) else executor() as pool:
        tasks = ((None, verify_items, (some, work)) for some in chain((first, second), chunks))
        for _, results in map_in_order(tasks, pool, 2 * workers):
            yield from results


@dataclass(frozen=True, slots=True)
class Finished:
    """What an earlier run left whole.

    Attributes:
        path: the file.
        tags: those of its reports, in order.
        exit_codes: what runs on these items alone exited with.
        length: the bytes of its whole lines.
    """

    path: str
    tags: tuple[str, ...] = ()
    exit_codes: tuple[int, ...] = ()
    length: int = 0


# How a torn last line of ours begins, as far as it was written.
_BEGINNING = f'{{"schema": "{SCHEMA}"'.encode("ascii")


def finished_reports(stream: BinaryIO, path: str) -> Finished:
    """The reports that an earlier run left whole.

    Args:
        stream: the file of reports, one a line, at its beginning.
        path: its name, for messages.

    Raises:
        UsageError: it holds something else.
    """
    tags: list[str] = []
    codes: list[int] = []
    length = 0
    for line in stream:
        torn = not line.endswith(b"\n")
        if torn and line[: len(_BEGINNING)] == _BEGINNING[: len(line)]:
            break
        try:
            if torn:
                raise ValueError
            report = json.loads(line)
            codes.append(exit_code_of(report))
            tags.append(report["item"])
        except (ValueError, KeyError, TypeError):
            raise UsageError(
                f"{path}: line {len(tags) + 1} is not a report of a batch; --resume continues "
                "files of such reports only"
            ) from None
        length += len(line)
    return Finished(path, tuple(tags), tuple(codes), length)


def without_finished(items: Iterable[Item], finished: Finished, work: Work) -> Iterator[Item]:
    """The items that are not done yet.

    Raises:
        UsageError: the reports are of another list, or were made with other options.
    """
    left = iter(items)
    for number, tag in enumerate(finished.tags, start=1):
        item = next(left, None)
        if item is None or tag != work.tag(item):
            raise UsageError(
                f"{finished.path}: report {number} is not on item {number} of this list with these "
                "options; remove the file to begin anew"
            )
    yield from left
