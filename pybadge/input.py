"""The one door in: files read whole, once, and up to a limit."""

from __future__ import annotations

from pybadge.errors import RecordError, reason

__all__ = ["MAX_BYTES", "read_file"]

MAX_BYTES = 1 << 20
"""No record, key, manifest or lock file is longer: 1 MiB."""


def read_file(path: str) -> bytes:
    """The bytes of a file of at most 1 MiB, read once.

    Raises:
        RecordError: it does not exist, can't be read, or is too large.
    """
    try:
        with open(path, "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise RecordError(f"{path}: {reason(error)}", code="file.unreadable") from None
    if len(data) > MAX_BYTES:
        raise RecordError(
            f"{path}: larger than {MAX_BYTES} bytes, which no record is", code="json.size"
        )
    return data
