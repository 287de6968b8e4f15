"""All of arXiv: the numbers of a whole snapshot, on any `concurrent.futures.Executor`, in bounded
memory.

The snapshot is cut into ranges of some megabytes, each derived on its own and kept beside the
output (`parts`), so that a run that was stopped goes on with the ranges that are missing. In the
end they are merged, sorted by number.

A line of the output: ``{"suffix": …26 characters, "number": …, "arxiv": id, "version": N, "offset":
…}``. The offset is that of the paper's line in the decompressed snapshot. ``"non_ascii": true`` is
added where the rule is not publicly confirmed, ``"assumed": true`` where the number is that of an
earlier version with the last version's metadata.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from io import BytesIO
from typing import BinaryIO

from pybadge.canonical import canonical_digest
from pybadge.derive.bulk.checkpoints import Derived, Parts
from pybadge.derive.rules import canonical_record
from pybadge.derive.sources.bulk_metadata import damage, from_line, is_compressed, open_snapshot
from pybadge.errors import MetadataError
from pybadge.number import suffix_of
from pybadge.parallel import map_in_order
from pybadge.strict_json import MAX_BYTES

__all__ = [
    "Fault",
    "Progress",
    "Summary",
    "derive_block",
    "derive_lines",
    "derive_range",
    "derive_snapshot",
]

RANGE_BYTES = 8 << 20
MOST_FAULTS = 1000


@dataclass(frozen=True, slots=True)
class Fault:
    """A line of the snapshot that gives no number.

    Attributes:
        line: from 1.
        code, message: what is wrong with it.
    """

    line: int
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is.

    Attributes:
        done, total: bytes of the snapshot file.
        papers: papers so far.
        faults: faulty lines so far.
    """

    done: int
    total: int
    papers: int
    faults: int


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run made.

    Attributes:
        lines, papers, numbers: counts; papers have more numbers than one with ``all_versions``.
        faults: the faulty lines, in order; at most `MOST_FAULTS` are kept.
        fault_count: all of them.
        shared: (length of a short form, how many forms of that length name more than one number).
    """

    lines: int
    papers: int
    numbers: int
    faults: tuple[Fault, ...]
    fault_count: int
    shared: tuple[tuple[int, int], ...]


def derive_lines(lines: Iterable[tuple[int, bytes]], *, all_versions: bool = False) -> Derived:
    """The numbers of some lines.

    Args:
        lines: (offset in the snapshot, line).
        all_versions: also the numbers that earlier versions have if their metadata was the last
            version's.
    """
    numbers: list[str] = []
    ids: list[str] = []
    faults: list[tuple[int, str, str]] = []
    count = 0
    first = None
    for offset, line in lines:
        count += 1
        if first is None:
            first = offset
        if line.isspace():
            continue
        try:
            if len(line) > MAX_BYTES:
                raise MetadataError(
                    "a line of more than 1 MiB, which no paper has", code="json.size"
                )
            paper = from_line(line)
            title, abstract, last = paper.title or "", paper.abstract or "", paper.described or 0
            submitted_at = paper.submitted_at
            if submitted_at is None:
                raise MetadataError(
                    "'versions' lacks v1, whose time the number needs", code="metadata.version"
                )
            record = canonical_record(
                title,
                abstract,
                paper.categories or (),
                paper.license,
                submitted_at,
                paper.source_id,
                last,
            )
        except MetadataError as error:
            faults.append((count, error.code, str(error)))
            continue
        year = record["metadata"]["submitted_at"][:4]
        mark = "" if title.isascii() and abstract.isascii() else ',"non_ascii":true'
        for version, _ in paper.versions if all_versions else paper.versions[-1:]:
            record["source"]["version"] = version
            suffix = suffix_of(canonical_digest(record))
            assumed = "" if version == last else ',"assumed":true'
            numbers.append(
                f'{{"suffix":"{suffix}","number":"pith:{year}:{suffix}","arxiv":"{paper.source_id}",'
                f'"version":{version},"offset":{offset}{mark}{assumed}}}\n'
            )
        ids.append(f"{paper.source_id}\t{offset:015}\t{count}\n")
    numbers.sort()
    ids.sort()
    return Derived(
        first,
        count,
        len(ids),
        "".join(numbers).encode("ascii"),
        "".join(ids).encode("ascii"),
        tuple(faults),
    )


def derive_range(path: str, start: int, end: int, all_versions: bool = False) -> Derived:
    """The numbers of the lines that begin in a range of bytes of an uncompressed snapshot.

    Pure but for reading the file, and with picklable arguments and result, so that it runs on any
    executor.

    Raises:
        MetadataError: the file can't be read.
    """
    try:
        with open(path, "rb") as stream:
            return derive_lines(_lines(stream, start, end), all_versions=all_versions)
    except OSError as error:
        raise MetadataError(f"{path}: {error.strerror or error}", code="file.unreadable") from None


def derive_block(block: bytes, offset: int, all_versions: bool = False) -> Derived:
    """The numbers of a block of whole lines; for compressed snapshots, which can't be entered in
    the middle."""
    stream = BytesIO(block)
    return derive_lines(
        ((offset + start, line) for start, line in _lines(stream, 0, len(block))),
        all_versions=all_versions,
    )


def _lines(stream: BinaryIO, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """The lines that begin in a range, with their offsets; nothing is read far beyond it, however
    long a line is."""
    stream.seek(max(0, start - 1))
    # A line belongs to the range that it begins in; the byte before tells whether one begins here.
    offset = _after_line(stream, start - 1, end) if start else 0
    while offset < end:
        line = stream.readline(MAX_BYTES + 1)
        if not line:
            return
        yield offset, line
        offset += len(line)
        if not line.endswith(b"\n"):
            offset = _after_line(stream, offset, end)


def _after_line(stream: BinaryIO, offset: int, end: int) -> int:
    """Where the line ends that the stream is in; ``end`` where that is not before it."""
    while offset < end:
        piece = stream.readline(MAX_BYTES)
        offset += len(piece)
        if not piece or piece.endswith(b"\n"):
            return offset if piece else end
    return end


def _blocks(path: str, size: int) -> Iterator[tuple[int, bytes, int]]:
    """(offset, whole lines, bytes of the file read so far), from a compressed snapshot."""
    offset = 0
    rest = b""
    with open_snapshot(path) as (stream, position):
        for piece in _pieces(stream, size, path):
            rest += piece
            cut = rest.rfind(b"\n") + 1
            if cut:
                yield offset, rest[:cut], position()
                offset, rest = offset + cut, rest[cut:]
            elif len(rest) > MAX_BYTES:
                # No paper's line: its beginning will be found faulty, the rest of it is passed over
                # without being kept.
                length, beginning, rest = len(rest), rest[: MAX_BYTES + 1], b""
                for further in _pieces(stream, size, path):
                    end = further.find(b"\n") + 1
                    length += end or len(further)
                    if end:
                        rest = further[end:]
                        break
                yield offset, beginning, position()
                offset += length
        if rest:
            yield offset, rest, position()


def _pieces(stream: BinaryIO, size: int, path: str) -> Iterator[bytes]:
    try:
        while piece := stream.read(size):
            yield piece
    except damage() as error:
        raise MetadataError(f"{path}: damaged: {error}", code="snapshot.damaged") from None


def derive_snapshot(
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
    """Write the numbers of a whole snapshot, sorted, one JSON object a line.

    Args:
        path: the snapshot, as it is or compressed.
        output: the file to write. Beside it ``output.parts`` holds what is done so far; it is
            removed in the end.
        executor: where the ranges are derived; None for here. Not shut down.
        workers: how many ranges the executor works on at once; twice as many are under way.
        all_versions: see `derive_lines`.
        go_on: leave faulty lines and repeated papers out; else the first one ends the run.
        progress: called after each range, in order.
        range_bytes: how much one range holds; memory grows with it and with ``workers`` alone.

    Raises:
        MetadataError: the snapshot can't be read, or has a faulty line or a paper twice and
            ``go_on`` is False.
        OutputError: the output can't be written.
        UsageError: ``output.parts`` is left from another snapshot or other options.
    """
    total = _size(path)
    parts = Parts(path, output, {"all_versions": all_versions, "range_bytes": range_bytes})
    tally = _Tally(path, parts, go_on)
    for (index, done), derived in map_in_order(
        _missing(parts, path, total, all_versions, range_bytes), executor, 2 * workers
    ):
        parts.write(index, derived)
        tally.count(index + 1)
        if progress is not None:
            progress(Progress(done, total, tally.papers, tally.fault_count))
    tally.count(parts.count())
    repeated = parts.repeated()
    for line, _, message in repeated:
        tally.fault(line, "snapshot.repeated", message)
    numbers, shared = parts.finish({offset for _, offset, _ in repeated})
    faults = tuple(sorted(tally.faults, key=lambda fault: fault.line))
    return Summary(
        tally.lines, tally.papers - len(repeated), numbers, faults, tally.fault_count, shared
    )


class _Tally:
    """Counts the parts, in their order, those of an earlier run included; stops at the first fault
    where asked."""

    def __init__(self, path: str, parts: Parts, go_on: bool) -> None:
        self.lines = self.papers = self.fault_count = 0
        self.faults: list[Fault] = []
        self._path = path
        self._parts = parts
        self._go_on = go_on
        self._next = 0

    def count(self, end: int) -> None:
        """Count the parts up to one.

        Raises:
            MetadataError: one has a faulty line, and faults were not to be passed over.
        """
        for index in range(self._next, end):
            part = self._parts.read(index)
            for line, code, message in part.faults:
                self.fault(self.lines + line, code, message)
            self.lines += part.lines
            self.papers += part.papers
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
        raise MetadataError(
            f"{path}: {getattr(error, 'strerror', None) or error}", code="file.unreadable"
        ) from None
    if not os.path.isfile(path):
        raise MetadataError(
            f"{path}: not a regular file, so that no run could go on with it",
            code="file.unreadable",
        )
    return size


def _missing(
    parts: Parts, path: str, total: int, all_versions: bool, range_bytes: int
) -> Iterator[tuple[tuple[int, int], Callable[..., Derived], tuple[object, ...]]]:
    """The tasks whose parts are not there yet, each with its index and how many bytes of the file
    are done after it."""
    if is_compressed(path):
        for index, (offset, block, done) in enumerate(_blocks(path, range_bytes)):
            if not parts.has(index):
                yield (index, done), derive_block, (block, offset, all_versions)
        return
    for index, start in enumerate(range(0, total, range_bytes)):
        end = min(start + range_bytes, total)
        if not parts.has(index):
            yield (index, end), derive_range, (path, start, end, all_versions)
