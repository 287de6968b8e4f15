"""A folder of our own beside an output, for the checkpoints of a run.

It is made by us alone, open to us alone, and marked as ours; a folder that is not is never adopted
and nothing in it touched. Its mark is also the lock of the output: two runs can't work on one.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
import tempfile
import time
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, BinaryIO

from pybadge.errors import OutputError, PybadgeError, UsageError, reason
from pybadge.output import lock

__all__ = ["PartsFolder", "parts_folder"]

MARK = "pybadge-derive.json"
_OURS = re.compile(
    r"[0-9]{6,}\.(?:numbers|ids|json)|merge-[0-9]+-[0-9]{6,}\.(?:numbers|ids)|\.[0-9a-f]{12}\.tmp"
)
_LONGEST_NAME = 255  # bytes, on all usual file systems
_LARGEST_MARK = 1 << 16
# How often to look again where another run makes the folder, or takes it away, at that moment; and
# the pause between two looks, in seconds.
_TRIES = 50
_PAUSE = 0.02
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_BINARY = getattr(os, "O_BINARY", 0)
# Descriptors of marks. Worker processes that are forked close theirs, so that a lock does not
# outlive the process that took it.
_held: set[int] = set()


def _close_held() -> None:
    for descriptor in _held:
        with contextlib.suppress(OSError):
            os.close(descriptor)
    _held.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_held)


class PartsFolder:
    """The folder of one run, for use within `parts_folder`.

    Attributes:
        path: where it is.
        left: whether it stays in the end, since somebody put other files into it.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.left = False
        self._mark: BinaryIO | None = None

    def hold(self, mark: BinaryIO) -> None:
        """Keep the mark open, and with it the lock."""
        self._mark = mark
        _held.add(mark.fileno())

    def release(self) -> None:
        """Give the lock back."""
        if self._mark is not None:
            _held.discard(self._mark.fileno())
            self._mark.close()
            self._mark = None

    def place(self, name: str) -> str:
        """The path of a file in it."""
        return os.path.join(self.path, name)

    def put(self, name: str, data: bytes) -> None:
        """Write a file whole.

        Raises:
            OSError: the disk is full, say.
        """
        temporary = f".{os.urandom(6).hex()}.tmp"
        with self.create(temporary) as stream:
            stream.write(data)
        os.replace(self.place(temporary), self.place(name))

    def create(self, name: str) -> BinaryIO:
        """Open a new file for writing; what has its name is removed, never followed or written to.

        Raises:
            OSError: it can't be made.
        """
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.place(name))
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW | _BINARY
        return open(os.open(self.place(name), flags, 0o600), "wb")

    def has(self, name: str) -> bool:
        """Whether a file is there."""
        return os.path.exists(self.place(name))

    @property
    def is_empty(self) -> bool:
        """Whether it keeps nothing to go on with."""
        return os.listdir(self.path) == [MARK]

    def remove_if_empty(self) -> None:
        """Remove the folder where we hold it and it keeps nothing to go on with."""
        if self._mark is not None and self.is_empty:
            self.remove()

    def remove(self) -> None:
        """Remove our own files, and the folder where nothing else is in it."""
        try:
            for name in os.listdir(self.path):
                if _OURS.fullmatch(name):
                    os.unlink(self.place(name))
            if os.name == "nt":  # which removes no file that is open
                self.release()
            os.unlink(self.place(MARK))
            os.rmdir(self.path)
        except OSError:
            self.left = True


@contextlib.contextmanager
def parts_folder(output: str, state: dict[str, Any]) -> Iterator[PartsFolder]:
    """The parts folder of an output, locked until the end.

    Args:
        output: the output. Where it is a device or pipe, the folder is a temporary one that is
            always removed.
        state: what must be the same for the parts of an earlier run to be used.

    Raises:
        OutputError: the folder can't be made, is not ours, or another process works on it.
        UsageError: it holds parts with another state.
    """
    if _is_regular(output):
        folder = PartsFolder(_path(output))
        try:
            mark = _take(folder, output)
            folder.hold(mark)
            _check_state(folder, mark, state)
            yield folder
        except BaseException:
            folder.remove_if_empty()
            raise
        finally:
            folder.release()
        return
    with _problems("a temporary folder"):
        folder = PartsFolder(tempfile.mkdtemp(prefix="pybadge-"))
        folder.put(MARK, b"")
    try:
        yield folder
    finally:
        if folder.has(MARK):
            folder.remove()


@contextlib.contextmanager
def _problems(place: str) -> Iterator[None]:
    """Turn an error of the file system into `OutputError`."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"{place}: can't be written: {reason(error)}") from None


def _is_regular(output: str) -> bool:
    """Whether an output is a file, or will be one.

    Raises:
        OutputError: it is a folder, or has no name that a file can have.
    """
    try:
        mode = os.stat(output).st_mode
    except FileNotFoundError:
        return True
    except (OSError, ValueError) as error:
        raise OutputError(f"{output!a}: can't be written: {reason(error)}") from None
    if stat.S_ISDIR(mode):
        raise OutputError(f"{output}: is a folder; name a file")
    return stat.S_ISREG(mode)


def _path(output: str) -> str:
    """The folder's path: the output's real one, so that two names of a file have one lock."""
    head, name = os.path.split(os.path.realpath(output))
    if len(os.fsencode(name)) + len(".parts") > _LONGEST_NAME:
        name = sha256(os.fsencode(name)).hexdigest()[:16]
    return os.path.join(head, f"{name}.parts")


def _take(folder: PartsFolder, output: str) -> BinaryIO:
    """The mark, open and locked."""
    for _ in range(_TRIES):
        with _problems(folder.path):
            mark = _opened_mark(folder)
        if mark is None:
            time.sleep(_PAUSE)
            continue
        try:
            lock(mark, output)
            # Another run may just have finished and removed it.
            if os.path.samestat(os.fstat(mark.fileno()), os.stat(folder.place(MARK))):
                return mark
        except FileNotFoundError:
            pass
        except PybadgeError:
            mark.close()
            raise
        mark.close()
    if os.path.lexists(folder.path) and not folder.has(MARK):
        raise _not_ours(folder)
    raise OutputError(f"{output}: another process is writing it")


def _opened_mark(folder: PartsFolder) -> BinaryIO | None:
    """The mark; None where the folder is gone or empty: another run may be making it, or taking it
    away."""
    flags = os.O_RDWR | _NO_FOLLOW | _BINARY
    try:
        os.mkdir(folder.path, 0o700)
        flags |= os.O_CREAT
    except FileExistsError:
        pass
    try:
        if not flags & os.O_CREAT and not _may_be_ours(folder.path):
            raise _not_ours(folder)
        return open(os.open(folder.place(MARK), flags, 0o600), "r+b")
    except FileNotFoundError:
        return None


def _may_be_ours(path: str) -> bool:
    """Whether a folder has our mark, or nothing in it yet."""
    if not _is_private(path):
        return False
    names = os.listdir(path)
    return MARK in names or not names


def _is_private(path: str) -> bool:
    """Whether a path is a folder, itself and no link, that only we can write to."""
    facts = os.lstat(path)
    mine = not hasattr(os, "geteuid") or facts.st_uid == os.geteuid()
    shared = os.name == "posix" and facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return stat.S_ISDIR(facts.st_mode) and mine and not shared


def _not_ours(folder: PartsFolder) -> OutputError:
    return OutputError(
        f"{folder.path}: is there, but not made by this version of pybadge derive; "
        "remove it, or write to another file",
        code="derive.parts",
    )


def _check_state(folder: PartsFolder, mark: BinaryIO, state: dict[str, Any]) -> None:
    """Compare the mark with the state, or write it where there is nothing to go on with.

    Raises:
        UsageError: it is another one.
    """
    wanted = json.dumps(state, sort_keys=True).encode("ascii")
    with _problems(folder.path):
        found = mark.read(_LARGEST_MARK)
        if found != wanted and folder.is_empty:
            mark.seek(0)
            mark.truncate()
            mark.write(wanted)
            mark.flush()
            return
    if found != wanted:
        raise UsageError(
            f"{folder.path}: left from other bulk metadata, other options or another version of "
            "pybadge; remove it to start anew",
            code="derive.parts",
        )
