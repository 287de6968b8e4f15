"""arXiv's bulk metadata cut into ranges of bytes that hold whole lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from pybadge.derive.sources.bulk_metadata import damage_errors, open_bulk_metadata
from pybadge.errors import MetadataError, reason
from pybadge.input import MAX_BYTES

__all__ = ["lines_in", "ranges_of"]


def lines_in(stream: BinaryIO, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """The lines that begin in a range of bytes, with their offsets.

    Nothing is read far beyond the range, however long a line is: such a line is cut.
    """
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
    """The offset at which the stream's current line ends; ``end`` or more where the range ends
    before it."""
    while offset < end:
        data = stream.readline(MAX_BYTES)
        if not data:
            return end
        offset += len(data)
        if data.endswith(b"\n"):
            return offset
    return end


def ranges_of(path: str, size: int) -> Iterator[tuple[int, bytes, int]]:
    """The ranges of a compressed file, which can't be entered in the middle.

    Args:
        path: the file.
        size: bytes of a range, decompressed.

    Yields:
        (offset in the decompressed file, whole lines, bytes of the file read so far).

    Raises:
        MetadataError: the file can't be read, or is damaged.
    """
    offset = 0
    rest = b""
    with open_bulk_metadata(path) as (stream, position):
        for data in _read(stream, size, path):
            rest += data
            cut = rest.rfind(b"\n") + 1
            if cut:
                yield offset, rest[:cut], position()
                offset, rest = offset + cut, rest[cut:]
            elif len(rest) > MAX_BYTES:
                # No paper's line: its beginning will be found faulty, the rest of it is passed over
                # without being kept.
                beginning, length = rest[: MAX_BYTES + 1], len(rest)
                skipped, rest = _rest_of_line(_read(stream, size, path))
                yield offset, beginning, position()
                offset += length + skipped
        if rest:
            yield offset, rest, position()


def _rest_of_line(further: Iterator[bytes]) -> tuple[int, bytes]:
    """The number of bytes left in the current line, and the bytes that were read beyond it."""
    skipped = 0
    for data in further:
        end = data.find(b"\n") + 1
        if end:
            return skipped + end, data[end:]
        skipped += len(data)
    return skipped, b""


def _read(stream: BinaryIO, size: int, path: str) -> Iterator[bytes]:
    try:
        while data := stream.read(size):
            yield data
    except damage_errors() as error:
        raise MetadataError(f"{path}: damaged: {reason(error)}", code="snapshot.damaged") from None
