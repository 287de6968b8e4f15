"""Where results go: stdout for what was asked for, stderr for all else; files whole or not at all."""

from __future__ import annotations

import contextlib
import os
import sys

from pybadge.errors import OutputError
from pybadge.escape import terminal

__all__ = ["complain", "out", "out_bytes", "out_line", "write_file"]


def out(text: str) -> None:
    """Write result text to stdout; characters that its encoding lacks are replaced, never an error."""
    stream = sys.stdout
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "replace").decode(encoding))


def out_line(text: str) -> None:
    """Write one line to stdout."""
    out(text + "\n")


def out_bytes(data: bytes) -> None:
    """Write bytes to stdout."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def complain(message: str) -> None:
    """One line on stderr, with nothing in it that a terminal would obey."""
    encoding = sys.stderr.encoding or "utf-8"
    sys.stderr.write(f"pybadge: {terminal(message)}\n".encode(encoding, "replace").decode(encoding))


def write_file(path: str, data: bytes) -> None:
    """Write a file beside its place, then put it there in one step.

    Raises:
        OutputError: the folder does not exist or can't be written; the old file is then untouched.
    """
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        # Opened plainly rather than with mkstemp, so that a new file gets the mode that the umask asks for.
        with open(temporary, "xb") as stream:
            stream.write(data)
        if os.path.exists(path):
            os.chmod(temporary, os.stat(path).st_mode & 0o7777)
        os.replace(temporary, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise OutputError(f"{path}: can't be written: {error.strerror or error}") from None
