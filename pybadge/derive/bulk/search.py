"""Looking numbers up: in the sorted output of a bulk run by binary search, in arXiv's bulk metadata
by deriving each paper."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any, BinaryIO

from pybadge.canonical import canonical_digest
from pybadge.derive.metadata import Metadata
from pybadge.derive.rules import derive
from pybadge.derive.sources.bulk_metadata import read_bulk_metadata
from pybadge.errors import MetadataError, PybadgeError, RecordError, UsageError, reason
from pybadge.number import FULL_LENGTH, PithNumber, suffix_of
from pybadge.strict_json import read_json

__all__ = [
    "find",
    "find_in_bulk_metadata",
    "find_in_numbers",
    "is_numbers_file",
    "shared_short_forms",
]

_START = b'{"suffix":"'
# What each line has; others may follow.
_ENTRY: dict[str, type] = {"suffix": str, "number": str, "arxiv": str, "version": int}
_LONGEST_LINE = 4096
# Some ten are expected to share a short form at most; this bounds what a hostile file costs.
_LARGEST_GROUP = 10_000


def is_numbers_file(path: str) -> bool:
    """Whether a file is the output of a bulk run.

    Raises:
        MetadataError: it can't be read.
    """
    try:
        with open(path, "rb") as stream:
            return stream.read(len(_START)) == _START
    except (OSError, ValueError) as error:
        raise MetadataError(f"{path}: {reason(error)}", code="file.unreadable") from None


def find(
    path: str, number: PithNumber, *, skipped: Callable[[PybadgeError], None] | None = None
) -> Iterator[dict[str, Any]]:
    """The papers that a number names, in a file of either kind; one at most for a full number.

    Args:
        path: the output of a bulk run, or the bulk metadata.
        number: what to look for, full or short.
        skipped: told of each line of the bulk metadata that gives no number.

    Raises:
        MetadataError: the file can't be read.
        UsageError: as `find_in_numbers`.
    """
    if is_numbers_file(path):
        found = find_in_numbers(path, number)
    else:
        found = find_in_bulk_metadata(path, number, skipped=skipped)
    return islice(found, 1) if number.is_full else found


def find_in_numbers(path: str, number: PithNumber) -> Iterator[dict[str, Any]]:
    """The lines of a bulk run's output that a number, full or short, names.

    Args:
        path: the output; reads some 20 lines of it, however long it is.
        number: what to look for.

    Raises:
        UsageError: the file is not sorted, so that a binary search would miss what is there.
    """
    wanted = number.suffix.encode("ascii")
    with _reading(path), open(path, "rb") as stream:
        low, high = 0, os.fstat(stream.fileno()).st_size
        while low < high:
            middle = (low + high) // 2
            start, line = _line_from(stream, middle, path)
            if line and _suffix(line, path)[: len(wanted)] < wanted:
                low = start + len(line)
            else:
                high = middle
        _, line = _line_from(stream, low, path)
        last = b""
        while line:
            suffix = _suffix(line, path)
            if suffix < last:
                raise _unsorted(path)
            last = suffix
            if not suffix.startswith(wanted):
                return
            yield _entry(line, path)
            line = stream.readline(_LONGEST_LINE)


@contextmanager
def _reading(path: str) -> Iterator[None]:
    """Turn an error of the file system into `MetadataError`."""
    try:
        yield
    except OSError as error:
        raise MetadataError(f"{path}: {reason(error)}", code="file.unreadable") from None


def _unsorted(path: str) -> UsageError:
    return UsageError(
        f"{path}: is not sorted; only the output of pybadge derive --snapshot can be searched"
    )


def _line_from(stream: BinaryIO, position: int, path: str) -> tuple[int, bytes]:
    """The first line that begins at a position or after it, and where it begins."""
    if position:
        stream.seek(position - 1)
        position += len(stream.readline(_LONGEST_LINE)) - 1
    else:
        stream.seek(0)
    return position, stream.readline(_LONGEST_LINE)


def _suffix(line: bytes, path: str) -> bytes:
    if not line.startswith(_START) or not line.endswith(b"\n"):
        raise _foreign(path)
    return line[len(_START) : len(_START) + FULL_LENGTH]


def _foreign(path: str) -> UsageError:
    return UsageError(f"{path}: holds a line that pybadge derive --snapshot did not write")


def _entry(line: bytes, path: str) -> dict[str, Any]:
    """The object on a line of a bulk run's output.

    Raises:
        UsageError: it is not such a line.
    """
    try:
        entry = read_json(line, path)
    except RecordError:
        raise _foreign(path) from None
    kinds = {name: type(entry.get(name)) for name in _ENTRY}
    if kinds != _ENTRY:
        raise _foreign(path)
    found: dict[str, Any] = entry
    return found


def find_in_bulk_metadata(
    path: str, number: PithNumber, *, skipped: Callable[[PybadgeError], None] | None = None
) -> Iterator[dict[str, Any]]:
    """The papers of the bulk metadata that a number names, whatever their version.

    Args:
        path: the bulk metadata; all of it is read, at the speed of a bulk run.
        number: what to look for, full or short.
        skipped: told of each line that gives no number.

    Yields:
        Objects as in the output of a bulk run, without ``offset``.
    """
    for paper in read_bulk_metadata(path):
        try:
            if isinstance(paper, PybadgeError):
                raise paper
            yield from _versions_named(paper, number)
        except PybadgeError as error:
            if skipped is not None:
                skipped(error)


def _versions_named(paper: Metadata, number: PithNumber) -> Iterator[dict[str, Any]]:
    derivation = derive(paper)
    record = derivation.canonical_record
    for version, _ in paper.versions:
        record["source"]["version"] = version
        suffix = suffix_of(canonical_digest(record))
        if suffix.startswith(number.suffix):
            entry: dict[str, Any] = {
                "suffix": suffix,
                "number": PithNumber(suffix, derivation.number.year).text,
                "arxiv": paper.source_id,
                "version": version,
            }
            if version != paper.described:
                entry["assumed"] = True
            yield entry


def shared_short_forms(path: str, length: int) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The short forms of a length that name more than one number, with the lines that they name.

    Args:
        path: the output of a bulk run.
        length: 8, 12 or 16 characters.

    Raises:
        UsageError: the file is not sorted, or not such an output.
    """
    if not is_numbers_file(path):
        raise UsageError(
            f"{path}: --collisions needs the output of pybadge derive --snapshot FILE -o OUTPUT"
        )
    group: list[bytes] = []
    last = b""
    with _reading(path), open(path, "rb") as stream:
        while line := stream.readline(_LONGEST_LINE):
            suffix = _suffix(line, path)
            if suffix < last:
                raise _unsorted(path)
            if group and suffix[:length] != last[:length]:
                yield from _group(group, length, path)
                group = []
            if suffix != last:
                group.append(line)
            if len(group) > _LARGEST_GROUP:
                raise _foreign(path)
            last = suffix
        yield from _group(group, length, path)


def _group(
    lines: list[bytes], length: int, path: str
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    if len(lines) > 1:
        entries = [_entry(line, path) for line in lines]
        yield entries[0]["suffix"][:length], entries
