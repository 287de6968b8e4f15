"""Files read whole and once, and written whole or not at all."""

from __future__ import annotations

import os

from pybadge.errors import OutputError, RecordError
from pybadge.strict_json import MAX_BYTES

__all__ = ["read_file", "write_file"]

_REPLACE_TRIES = 6


def read_file(path: str) -> bytes:
    """The bytes of a file, at most 1 MiB, read once.

    Raises:
        RecordError: it does not exist, can't be read, or is too large.
    """
    try:
        with open(path, "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise RecordError(f"{path}: {reason}", code="file.unreadable") from None
    if len(data) > MAX_BYTES:
        raise RecordError(f"{path}: larger than {MAX_BYTES} bytes, which no record is", code="json.size")
    return data


def write_file(path: str, data: bytes) -> None:
    """Write a file beside its place, then put it there in one step.

    A new file gets the mode that the umask asks for, a replaced one keeps its own. Whoever is killed half-way leaves the
    old file, and at most a temporary one beside it.

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
        try:  # noqa: SIM105  importing contextlib costs a third of a run
            os.unlink(temporary)
        except (OSError, ValueError):
            pass  # it was never made
        raise OutputError(f"{path}: can't be written: {getattr(error, 'strerror', None) or error}") from None


def _replace(temporary: str, path: str) -> None:
    """os.replace, tried again for a while: on Windows it fails as long as another program has the old file open."""
    for attempt in range(1, _REPLACE_TRIES + 1):
        try:
            os.replace(temporary, path)
            return
        except PermissionError:
            if attempt == _REPLACE_TRIES:
                raise
            import time

            time.sleep(0.02 * 2**attempt)
