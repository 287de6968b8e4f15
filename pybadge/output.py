"""The one door out: files written whole or not at all, and never over something precious.

- A regular file is replaced by a temporary file in the same folder and a rename; it keeps its mode
  and, where allowed, its owner.
- A link is followed; a device or pipe is written in place, never replaced.
- Where a file can't be replaced (a bind mount, a folder that can't be written), it is written in
  place.
- A file that holds a private key, or that is an input of the same run, is never written over.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

from pybadge.errors import OutputError, reason

if sys.platform != "win32":
    import fcntl

__all__ = [
    "Content",
    "lock",
    "locked_folder",
    "refuse_precious",
    "replace_file",
    "write_file",
    "write_into",
]

Content = bytes | Callable[[], Iterable[bytes]]
"""What a file is to hold: its bytes, or a function that gives them piece by piece and may be called
again."""

_REPLACE_TRIES = 6 if os.name == "nt" else 1
_KEY_BYTES = 1 << 16  # no private key's file is longer
_KEY_MARK = b"PRIVATE KEY-----"
# What says that the file's place can't be changed, though the file itself may be writable.
_UNREPLACEABLE = (errno.EBUSY, errno.EXDEV, errno.EACCES, errno.EPERM, errno.EROFS)


def write_file(path: str, data: Content, *, inputs: Iterable[str] = ()) -> None:
    """Write a file; see the module for how.

    A process that is killed half-way leaves the old file, and at most a temporary one beside it.

    Args:
        path: where to.
        data: the whole content; a file too large for memory comes in pieces.
        inputs: files of the same run that must not be written over.

    Raises:
        OutputError: it can't or mustn't be written; the old file is then untouched.
    """
    try:
        target = os.path.realpath(path) if os.path.islink(path) else path
        old = _status(target)
        if old is None:
            _replace_with(target, data, None)
        elif not stat.S_ISREG(old.st_mode):
            _write_in_place(target, data)
        else:
            refuse_precious(path, inputs)
            _write_over(target, data, old)
    except (OSError, ValueError) as error:
        raise OutputError(f"{path}: can't be written: {reason(error)}") from None


def write_into(folder: str, name: str, data: Content) -> None:
    """Write a file into a folder, which is made where it is missing.

    Raises:
        OutputError: the folder can't be made, or the file can't be written.
    """
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: can't be made: {reason(error)}") from None
    write_file(os.path.join(folder, name), data)


def replace_file(path: str, data: bytes) -> None:
    """Write a file in a folder of our own, whatever stands in its place: a link or pipe there was
    planted, so it is replaced and neither followed nor written to.

    Raises:
        OutputError: it can't be written; what was there is then untouched.
    """
    try:
        _replace_with(path, data, None)
    except (OSError, ValueError) as error:
        raise OutputError(f"{path}: can't be written: {reason(error)}") from None


def refuse_precious(path: str, inputs: Iterable[str] = ()) -> None:
    """Refuse to write over a private key or an input.

    Raises:
        OutputError: the file is one.
        OSError: it can't be looked at.
    """
    if not os.path.isfile(path):
        return
    for name in inputs:
        if os.path.exists(name) and os.path.samefile(name, path):
            raise OutputError(f"{path}: is an input too; write to another file")
    with open(path, "rb") as stream:
        if _KEY_MARK in stream.read(_KEY_BYTES):
            raise OutputError(f"{path}: holds a private key, which is never written over")


def _status(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _write_over(target: str, data: Content, old: os.stat_result) -> None:
    try:
        _replace_with(target, data, old)
    except OSError as error:
        if error.errno not in _UNREPLACEABLE or not os.access(target, os.W_OK):
            raise
        _write_in_place(target, data)


def _write_in_place(target: str, data: Content) -> None:
    with open(target, "wb") as stream:
        _send(stream, data)


def _send(stream: BinaryIO, data: Content) -> None:
    if isinstance(data, bytes):
        stream.write(data)
    else:
        stream.writelines(data())


def _replace_with(target: str, data: Content, old: os.stat_result | None) -> None:
    """Write to a temporary file in the same folder, then rename it."""
    folder = os.path.dirname(target)
    # Short, since the target's own name may be as long as names can be; the random part keeps
    # threads and machines apart.
    temporary = os.path.join(folder, f".{os.urandom(6).hex()}.tmp")
    # Exclusive, so that no planted link is followed. What replaces a file is nobody else's until
    # it has that file's mode.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(temporary, flags, 0o666 if old is None else 0o600)
    try:
        with open(descriptor, "wb") as stream:
            _send(stream, data)
            stream.flush()
            if old is not None:
                _take_over(temporary, old)
            os.fsync(descriptor)
        _rename(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    _sync_folder(folder or ".")


def _take_over(temporary: str, old: os.stat_result) -> None:
    """Give a file the owner, as far as allowed, and the mode of the one that it replaces."""
    if hasattr(os, "chown"):
        with contextlib.suppress(PermissionError):
            os.chown(temporary, old.st_uid, old.st_gid)
    os.chmod(temporary, stat.S_IMODE(old.st_mode))


def _sync_folder(folder: str) -> None:
    """Make the rename durable, where the system lets a folder be synced."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _rename(temporary: str, target: str) -> None:
    """os.replace, tried again for a while: on Windows it fails as long as another program has the
    old file open."""
    for attempt in range(1, _REPLACE_TRIES + 1):
        try:
            os.replace(temporary, target)
            return
        except PermissionError:
            if attempt == _REPLACE_TRIES:
                raise
            time.sleep(0.02 * 2**attempt)


def lock(stream: BinaryIO, path: str) -> None:
    """Take the lock of an open file for as long as it is open; where the system has none, nothing.

    Raises:
        OutputError: another process has it.
    """
    if sys.platform == "win32":
        return
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise OutputError(f"{path}: another process is writing it") from None
    except OSError:
        pass  # a file system without locks


@contextlib.contextmanager
def locked_folder(folder: str) -> Iterator[None]:
    """Hold the lock of a folder while a file in it is read, changed and written again: processes
    wait for each other, and none's change is lost. Where the system has no such locks, nothing."""
    if sys.platform == "win32":
        yield
        return
    try:
        descriptor = os.open(folder or ".", os.O_RDONLY)
    except OSError as error:
        raise OutputError(f"{folder}: {reason(error)}") from None
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
