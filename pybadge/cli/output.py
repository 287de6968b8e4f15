"""Where results go: stdout for what was asked for, stderr for all else; files whole or not at
all."""

from __future__ import annotations

import os
import sys

from pybadge.errors import OutputError
from pybadge.escape.lines import one_line
from pybadge.output import write_file

__all__ = ["colour", "complain", "out", "out_bytes", "out_line", "stdout_closed", "write_file"]

_COLOURS = {"green": "32", "red": "31", "yellow": "33", "bold": "1", "dim": "2"}
_closed = False


def stdout_closed() -> bool:
    """Whether the reader of stdout has gone, so that a long run may stop."""
    return _closed


def _reader_gone() -> None:
    """Point stdout nowhere, so that the rest, down to the interpreter's own last flush, stays
    quiet.

    What was checked is still checked to the end: the exit code must not depend on how much was
    read.
    """
    global _closed
    _closed = True
    _drop_stdout()


def _drop_stdout() -> None:
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())
    os.close(devnull)


def out(text: str) -> None:
    """Write result text to stdout; characters that its encoding lacks are replaced, never an
    error."""
    stream = sys.stdout
    encoding = stream.encoding or "utf-8"
    try:
        stream.write(text.encode(encoding, "replace").decode(encoding))
    except BrokenPipeError:
        _reader_gone()
    except OSError as error:
        _drop_stdout()
        raise OutputError(f"standard output: can't be written: {error.strerror or error}") from None


def out_line(text: str) -> None:
    """Write one line to stdout."""
    out(text + "\n")


def out_bytes(data: bytes) -> None:
    """Write bytes to stdout."""
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        _reader_gone()
    except OSError as error:
        _drop_stdout()
        raise OutputError(f"standard output: can't be written: {error.strerror or error}") from None


def flush() -> None:
    """Send what is waiting."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _reader_gone()
    except OSError as error:
        _drop_stdout()
        raise OutputError(f"standard output: can't be written: {error.strerror or error}") from None


def complain(message: str) -> None:
    """One line on stderr, with nothing in it that a terminal would obey."""
    note(f"pybadge: {message}")


def note(message: str) -> None:
    """One line on stderr without the program's name."""
    encoding = sys.stderr.encoding or "utf-8"
    try:  # noqa: SIM105  importing contextlib costs a third of a run
        sys.stderr.write(f"{one_line(message)}\n".encode(encoding, "replace").decode(encoding))
    except BrokenPipeError:
        pass  # nobody listens


def colour(text: str, name: str) -> str:
    """Text in a colour where stdout is a terminal that wants one (https://no-color.org); the text
    itself elsewhere."""
    return f"\x1b[{_COLOURS[name]}m{text}\x1b[0m" if wants_colour() else text


def wants_colour() -> bool:
    """Whether stdout is a terminal that obeys escape sequences, and nobody asked to do without."""
    return (
        not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and sys.stdout.isatty()
    )


def can_print(text: str) -> bool:
    """Whether stdout's encoding has all these characters."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
