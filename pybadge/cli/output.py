"""Where results go: stdout for what was asked for, stderr for all else."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator

from pybadge.errors import OutputError, reason
from pybadge.escape.lines import one_line

__all__ = [
    "can_print",
    "colour",
    "complain",
    "flush",
    "note",
    "out",
    "out_bytes",
    "out_line",
    "stdout_closed",
    "wants_colour",
]

_COLOURS = {"green": "32", "red": "31", "yellow": "33", "bold": "1", "dim": "2"}
_closed = False


def stdout_closed() -> bool:
    """Whether the reader of stdout has gone, so that a long run may stop."""
    return _closed


@contextlib.contextmanager
def _writing() -> Iterator[None]:
    """Writes to stdout.

    After EPIPE, stdout is redirected to the null device: what was checked is still checked to the
    end, and the exit code must not depend on how much was read.

    Raises:
        OutputError: any other fault.
    """
    global _closed
    try:
        yield
    except BrokenPipeError:
        _closed = True
        _drop_stdout()
    except OSError as error:
        _drop_stdout()
        raise OutputError(f"standard output: can't be written: {reason(error)}") from None


def _drop_stdout() -> None:
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())
    os.close(devnull)


def out(text: str) -> None:
    """Write result text to stdout; characters that its encoding lacks are replaced, never an
    error."""
    stream = sys.stdout
    encoding = stream.encoding or "utf-8"
    with _writing():
        stream.write(text.encode(encoding, "replace").decode(encoding))


def out_line(text: str) -> None:
    """Write one line to stdout."""
    out(text + "\n")


def out_bytes(data: bytes) -> None:
    """Write bytes to stdout."""
    with _writing():
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def flush() -> None:
    """Send what is waiting."""
    with _writing():
        sys.stdout.flush()


def complain(message: str) -> None:
    """One line on stderr, with nothing in it that a terminal would obey."""
    note(f"pybadge: {message}")


def note(message: str) -> None:
    """One line on stderr without the program's name."""
    encoding = sys.stderr.encoding or "utf-8"
    with contextlib.suppress(BrokenPipeError):  # nobody listens
        sys.stderr.write(f"{one_line(message)}\n".encode(encoding, "replace").decode(encoding))


def colour(text: str, name: str) -> str:
    """Text in a colour where stdout is a terminal that wants one (https://no-color.org); the text
    itself elsewhere."""
    return f"\x1b[{_COLOURS[name]}m{text}\x1b[0m" if wants_colour() else text


def wants_colour() -> bool:
    """Whether stdout is a terminal that obeys escape sequences, and nobody asked to do without."""
    declined = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return not declined and sys.stdout.isatty()


def can_print(text: str) -> bool:
    """Whether stdout's encoding has all these characters."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
