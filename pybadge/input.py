"""The one door in: files read whole, once, and up to a limit of bytes and of time."""

from __future__ import annotations

import os
import select
import stat
import sys
import time
from typing import BinaryIO

from pybadge.errors import RecordError, reason

__all__ = ["MAX_BYTES", "read_file", "standard_input"]

MAX_BYTES = 1 << 20
"""No record, key, manifest or lock file is longer: 1 MiB."""
_CHUNK = 1 << 16


def standard_input() -> BinaryIO:
    """The bytes of standard input, as a stream.

    Raises:
        RecordError: it is closed.
    """
    if sys.stdin is None:
        raise RecordError("standard input: is closed", code="file.unreadable")
    return sys.stdin.buffer


def read_file(path: str, *, until: float | None = None, limit: int = MAX_BYTES) -> bytes:
    """The bytes of a file, read once.

    Args:
        path: a file, or a pipe that somebody writes to.
        until: the end of waiting for a pipe, by `time.monotonic`; None to wait for ever.
        limit: the most bytes it may have.

    Raises:
        RecordError: it does not exist, can't be read, is too large, or nothing came in time.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _BINARY)
        try:
            if stat.S_ISDIR(os.fstat(descriptor).st_mode):
                raise RecordError(f"{path}: is a folder", code="file.unreadable")
            data = _read(descriptor, path, until, limit + 1)
        finally:
            os.close(descriptor)
    except (OSError, ValueError) as error:
        raise RecordError(f"{path}: {reason(error)}", code="file.unreadable") from None
    if len(data) > limit:
        raise RecordError(
            f"{path}: larger than {limit} bytes, which no record is", code="json.size"
        )
    return data


_BINARY = getattr(os, "O_BINARY", 0)


def _read(descriptor: int, path: str, until: float | None, most: int) -> bytes:
    regular = stat.S_ISREG(os.fstat(descriptor).st_mode)
    data = bytearray()
    while len(data) < most:
        if not regular:
            _wait(descriptor, path, until)
        try:
            chunk = os.read(descriptor, min(_CHUNK, most - len(data)))
        except BlockingIOError:
            continue
        if not chunk:
            break
        data += chunk
    return bytes(data)


def _wait(descriptor: int, path: str, until: float | None) -> None:
    """Wait until a pipe has bytes, or its last writer has gone."""
    if not hasattr(select, "poll"):
        return
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    left = None if until is None else max(0.0, until - time.monotonic()) * 1000
    if not poll.poll(left):
        raise RecordError(f"{path}: nothing came from it in time", code="file.timeout")
