"""The one door out: files written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import time

from pybadge.errors import OutputError, reason

__all__ = ["write_file"]

_REPLACE_TRIES = 6


def write_file(path: str, data: bytes) -> None:
    """Write to a temporary file in the same folder, then rename it.

    A new file gets the mode that the umask asks for, a replaced one keeps its own. A process that
    is killed half-way leaves the old file, and at most a temporary one beside it.

    Raises:
        OutputError: the folder does not exist or can't be written; the old file is then untouched.
    """
    # The random part keeps two threads or machines apart that write the same file.
    temporary = f"{path}.{os.getpid()}.{os.urandom(4).hex()}.tmp"
    try:
        # Opened plainly rather than with mkstemp, whose files nobody else can read.
        with open(temporary, "xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if os.path.exists(path):
            os.chmod(temporary, os.stat(path).st_mode & 0o7777)
        _replace(temporary, path)
    except (OSError, ValueError) as error:
        with contextlib.suppress(OSError, ValueError):  # it may never have been made
            os.unlink(temporary)
        raise OutputError(f"{path}: can't be written: {reason(error)}") from None


def _replace(temporary: str, path: str) -> None:
    """os.replace, tried again for a while: on Windows it fails as long as another program has the
    old file open."""
    for attempt in range(1, _REPLACE_TRIES + 1):
        try:
            os.replace(temporary, path)
            return
        except PermissionError:
            if attempt == _REPLACE_TRIES:
                raise
            time.sleep(0.02 * 2**attempt)
