"""All of arXiv: the numbers of the whole bulk metadata, on any `concurrent.futures.Executor`, in
bounded memory.

The file is cut into ranges of some megabytes, each derived on its own and kept beside the output as
a checkpoint, so that a run that was stopped goes on with the ranges that are missing. In the end
they are merged, sorted by number.

A line of the output: ``{"suffix": …26 characters, "number": …, "arxiv": id, "version": N, "offset":
…}``. The offset is that of the paper's line in the decompressed file. ``"non_ascii": true`` is
added where the rule is not publicly confirmed, ``"assumed": true`` where the number is that of an
earlier version with the last version's metadata.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from pybadge.canonical import canonical_digest
from pybadge.derive.bulk.checkpoints import Checkpoints, DerivedRange, checkpoints_of
from pybadge.derive.bulk.ranges import lines_in, ranges_of
from pybadge.derive.metadata import Metadata
from pybadge.derive.rules import record_of
from pybadge.derive.sources.bulk_metadata import from_line, is_compressed, too_long
from pybadge.errors import USAGE, VALID, MetadataError, OutputError, reason
from pybadge.input import MAX_BYTES
from pybadge.number import suffix_of
from pybadge.output import refuse_precious
from pybadge.parallel import map_in_order

__all__ = [
    "Fault",
    "Progress",
    "Summary",
    "derive_bulk",
    "derive_bytes",
    "derive_lines",
    "derive_range",
]

SCHEMA = "pybadge-derive-bulk/1"
# Some 5,000 papers: enough work for a process, and little to do again after a run was stopped.
RANGE_BYTES = 8 << 20
MOST_FAULTS = 1000
# Ranges under way for each worker, so that none waits for the next one to be cut.
_RANGES_A_WORKER = 2


@dataclass(frozen=True, slots=True)
class Fault:
    """A line of the bulk metadata that gives no number.

    Attributes:
        line: from 1.
        code, message: what is wrong with it.
    """

    line: int
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a run.

    Attributes:
        done, total: bytes of the file.
        papers: papers so far.
        faults: faulty lines so far.
    """

    done: int
    total: int
    papers: int
    faults: int


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of a run.

    Attributes:
        lines, papers, numbers: counts; papers have more numbers than one with ``all_versions``.
        faults: the faulty lines, in order; at most `MOST_FAULTS` are kept.
        fault_count: all of them.
        shared: (length of a short form, how many forms of that length name more than one number).
        left: the folder of the checkpoints, where it could not be removed; else None.
    """

    lines: int
    papers: int
    numbers: int
    faults: tuple[Fault, ...]
    fault_count: int
    shared: tuple[tuple[int, int], ...]
    left: str | None = None

    @property
    def exit_code(self) -> int:
        """2 where lines were left out, else 0."""
        return USAGE if self.fault_count else VALID

    def as_dict(self, output: str) -> dict[str, Any]:
        """The JSON object of the report.

        Args:
            output: the file that was written.
        """
        return {
            "schema": SCHEMA,
            "output": output,
            "lines": self.lines,
            "papers": self.papers,
            "numbers": self.numbers,
            "left_out": self.fault_count,
            "shared_short_forms": {str(length): count for length, count in self.shared},
        }


def derive_lines(lines: Iterable[tuple[int, bytes]], *, all_versions: bool = False) -> DerivedRange:
    """The numbers of some lines.

    Args:
        lines: (offset in the decompressed file, line).
        all_versions: also the numbers that earlier versions have if their metadata was the last
            version's.
    """
    numbers: list[str] = []
    ids: list[str] = []
    faults: list[tuple[int, str, str]] = []
    first: int | None = None
    count = 0
    for offset, line in lines:
        count += 1
        if first is None:
            first = offset
        if line.isspace():
            continue
        try:
            paper, record = _derived(line)
        except MetadataError as error:
            faults.append((count, error.code, str(error)))
            continue
        numbers += _entries(paper, record, offset, all_versions)
        ids.append(f"{paper.source_id}\t{offset:015}\t{count}\n")
    numbers.sort()
    ids.sort()
    return DerivedRange(
        first,
        count,
        len(ids),
        "".join(numbers).encode("ascii"),
        "".join(ids).encode("ascii"),
        tuple(faults),
    )


def _derived(line: bytes) -> tuple[Metadata, dict[str, Any]]:
    """A paper and the canonical record of its last version.

    Raises:
        MetadataError: the line gives none.
    """
    if len(line) > MAX_BYTES:
        raise too_long()
    paper = from_line(line)
    submitted_at = paper.submitted_at
    if submitted_at is None:
        raise MetadataError(
            "'versions' lacks v1, whose time the number needs", code="metadata.version"
        )
    return paper, record_of(paper, paper.described, submitted_at)


def _entries(paper: Metadata, record: dict[str, Any], offset: int, all_versions: bool) -> list[str]:
    """The lines of the output that a paper gives."""
    year = record["metadata"]["submitted_at"][:4]
    marks = "" if _is_ascii(paper) else ',"non_ascii":true'
    versions = paper.versions if all_versions else paper.versions[-1:]
    entries = []
    for version, _ in versions:
        record["source"]["version"] = version
        suffix = suffix_of(canonical_digest(record))
        assumed = "" if version == paper.described else ',"assumed":true'
        entries.append(
            f'{{"suffix":"{suffix}","number":"pith:{year}:{suffix}","arxiv":"{paper.source_id}",'
            f'"version":{version},"offset":{offset}{marks}{assumed}}}\n'
        )
    return entries


def _is_ascii(paper: Metadata) -> bool:
    return (paper.title or "").isascii() and (paper.abstract or "").isascii()


def derive_range(path: str, start: int, end: int, all_versions: bool = False) -> DerivedRange:
    """The numbers of the lines that begin in a range of bytes of an uncompressed file.

    Pure but for reading the file, and with picklable arguments and result, so that it runs on any
    executor.

    Raises:
        MetadataError: the file can't be read.
    """
    try:
        with open(path, "rb") as stream:
            return derive_lines(lines_in(stream, start, end), all_versions=all_versions)
    except OSError as error:
        raise MetadataError(f"{path}: {reason(error)}", code="file.unreadable") from None


def derive_bytes(data: bytes, offset: int, all_versions: bool = False) -> DerivedRange:
    """The numbers of a range's whole lines, given as bytes; for compressed files, which can't be
    entered in the middle.

    Args:
        data: the lines.
        offset: where they begin in the decompressed file.
        all_versions: see `derive_lines`.
    """
    lines = lines_in(BytesIO(data), 0, len(data))
    return derive_lines(
        ((offset + start, line) for start, line in lines), all_versions=all_versions
    )


def derive_bulk(
    path: str,
    output: str,
    *,
    executor: Executor | None = None,
    workers: int = 1,
    all_versions: bool = False,
    go_on: bool = False,
    progress: Callable[[Progress], None] | None = None,
    range_bytes: int = RANGE_BYTES,
) -> Summary:
    """Write the numbers of all of arXiv's bulk metadata, sorted, one JSON object a line.

    Args:
        path: the bulk metadata, as it is or compressed.
        output: the file to write. Beside it ``output.parts`` holds the checkpoints; it is removed
            in the end.
        executor: where the ranges are derived; None for here. Not shut down.
        workers: how many ranges the executor works on at once; twice as many are under way.
        all_versions: see `derive_lines`.
        go_on: leave faulty lines and repeated papers out; else the first one ends the run.
        progress: called after each range, in order.
        range_bytes: how much one range holds; memory grows with it and with ``workers`` alone.

    Raises:
        MetadataError: the file can't be read, or has a faulty line or a paper twice and ``go_on``
            is False.
        OutputError: the output can't be written.
        UsageError: ``output.parts`` is left from another file, other options or another version.
    """
    total = _size(path)
    _check_output(output, path)
    options = {"all_versions": all_versions, "range_bytes": range_bytes}
    with checkpoints_of(path, output, options) as checkpoints:
        tally = _Tally(path, checkpoints, go_on)
        tasks = _missing(checkpoints, path, total, all_versions, range_bytes)
        for (index, done), derived in map_in_order(tasks, executor, _RANGES_A_WORKER * workers):
            checkpoints.write(index, derived)
            tally.count(index + 1)
            if progress is not None:
                progress(Progress(done, total, tally.papers, tally.fault_count))
        tally.count(checkpoints.count())
        repeated = checkpoints.repeated()
        for line, _, message in repeated:
            tally.fault(line, "snapshot.repeated", message)
        numbers, shared = checkpoints.finish({offset for _, offset, _ in repeated})
        return Summary(
            tally.lines,
            tally.papers - len(repeated),
            numbers,
            tuple(sorted(tally.faults, key=lambda fault: fault.line)),
            tally.fault_count,
            shared,
            checkpoints.left,
        )


def _check_output(output: str, path: str) -> None:
    """Refuse before any work what would be refused after it.

    Raises:
        OutputError: the output is the bulk metadata itself, or holds a private key.
    """
    try:
        refuse_precious(output, [path])
    except (OSError, ValueError) as error:
        raise OutputError(f"{output!a}: can't be written: {reason(error)}") from None


class _Tally:
    """Counts the checkpoints, in their order, those of an earlier run included; stops at the first
    fault where asked."""

    def __init__(self, path: str, checkpoints: Checkpoints, go_on: bool) -> None:
        self.lines = self.papers = self.fault_count = 0
        self.faults: list[Fault] = []
        self._path = path
        self._checkpoints = checkpoints
        self._go_on = go_on
        self._next = 0

    def count(self, end: int) -> None:
        """Count the checkpoints up to one.

        Raises:
            MetadataError: one has a faulty line, and faults were not to be passed over.
        """
        for index in range(self._next, end):
            checkpoint = self._checkpoints.read(index)
            for line, code, message in checkpoint.faults:
                self.fault(self.lines + line, code, message)
            self.lines += checkpoint.lines
            self.papers += checkpoint.papers
        self._next = end

    def fault(self, line: int, code: str, message: str) -> None:
        """Note a fault, or raise it."""
        if not self._go_on:
            raise MetadataError(f"{self._path}:{line}: {message}", code=code)
        self.fault_count += 1
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(Fault(line, code, message))


def _size(path: str) -> int:
    try:
        size = os.path.getsize(path)
    except (OSError, ValueError) as error:
        raise MetadataError(f"{path}: {reason(error)}", code="file.unreadable") from None
    if not os.path.isfile(path):
        raise MetadataError(
            f"{path}: not a regular file, so that no run could go on with it",
            code="file.unreadable",
        )
    return size


def _missing(
    checkpoints: Checkpoints, path: str, total: int, all_versions: bool, range_bytes: int
) -> Iterator[tuple[tuple[int, int], Callable[..., DerivedRange], tuple[object, ...]]]:
    """The tasks whose checkpoints are not there yet, each with its index and how many bytes of the
    file are done after it."""
    if is_compressed(path):
        for index, (offset, data, done) in enumerate(ranges_of(path, range_bytes)):
            if not checkpoints.has(index):
                yield (index, done), derive_bytes, (data, offset, all_versions)
        return
    for index, start in enumerate(range(0, total, range_bytes)):
        end = min(start + range_bytes, total)
        if not checkpoints.has(index):
            yield (index, end), derive_range, (path, start, end, all_versions)
