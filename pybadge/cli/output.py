"""Where results go: stdout for what was asked for, stderr for all else."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import TextIO

from pybadge.errors import OutputError, invalid_choice, reason
from pybadge.escape.lines import one_line
from pybadge.reporting import ICONS, Palette

__all__ = [
    "can_print",
    "choose_color",
    "colour",
    "complain",
    "flush",
    "note",
    "out",
    "out_bytes",
    "out_line",
    "palette_of_stdout",
    "remark",
    "set_verbosity",
    "stdout_closed",
    "wants_colour",
    "width",
]

_COLOURS = {"green": "32", "red": "31", "yellow": "33", "bold": "1", "dim": "2"}
_WHEN = ("auto", "always", "never")
_NARROWEST, _WIDEST = 40, 120
_closed = False
_when = "auto"
_quiet = False


def choose_color(when: str | None) -> None:
    """Set whether to print colours, for the rest of the run.

    Args:
        when: ``auto``, ``always`` or ``never``; None for auto.

    Raises:
        UsageError: something else.
    """
    global _when
    if when is not None and when not in _WHEN:
        raise invalid_choice(when, _WHEN, "--color")
    _when = when or "auto"


def set_verbosity(*, quiet: bool, verbose: bool) -> None:
    """Set how much is said on stderr, for the rest of the run.

    Args:
        quiet: nothing but errors.
        verbose: also what is asked of whom.
    """
    global _quiet
    _quiet = quiet
    if verbose:
        import logging  # most runs log nothing

        logging.basicConfig(format="pybadge: %(message)s", level=logging.INFO, stream=sys.stderr)
        for name in ("urllib3", "requests", "PIL", "distributed"):
            logging.getLogger(name).setLevel(logging.WARNING)


def stdout_closed() -> bool:
    """Whether the reader of stdout has gone, so that a long run may stop."""
    return _closed


def _stdout() -> TextIO:
    if sys.stdout is None:
        raise OutputError("standard output is closed, so there is nowhere to write to")
    return sys.stdout


@contextlib.contextmanager
def _writing() -> Iterator[TextIO]:
    """Writes to stdout.

    After EPIPE, stdout is redirected to the null device: what was checked is still checked to the
    end, and the exit code must not depend on how much was read.

    Raises:
        OutputError: any other fault.
    """
    global _closed
    try:
        yield _stdout()
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
    with _writing() as stream:
        encoding = stream.encoding or "utf-8"
        stream.write(text.encode(encoding, "replace").decode(encoding))


def out_line(text: str) -> None:
    """Write one line to stdout."""
    out(text + "\n")


def out_bytes(data: bytes) -> None:
    """Write bytes to stdout."""
    with _writing() as stream:
        stream.flush()
        stream.buffer.write(data)
        stream.buffer.flush()


def flush() -> None:
    """Send what is waiting."""
    if sys.stdout is not None:
        with _writing() as stream:
            stream.flush()


def complain(message: str) -> None:
    """One line on stderr, with nothing in it that a terminal would obey."""
    note(f"pybadge: {message}")


def remark(message: str) -> None:
    """As `complain`, for what is no fault: not said where ``--quiet`` was given."""
    if not _quiet:
        complain(message)


def note(message: str) -> None:
    """One line on stderr without the program's name."""
    encoding = sys.stderr.encoding or "utf-8"
    with contextlib.suppress(OSError):  # nobody listens
        sys.stderr.write(f"{one_line(message)}\n".encode(encoding, "replace").decode(encoding))
        sys.stderr.flush()


def colour(text: str, name: str) -> str:
    """Text in a colour where stdout is a terminal that wants one (https://no-color.org); the text
    itself elsewhere."""
    return f"\x1b[{_COLOURS[name]}m{text}\x1b[0m" if wants_colour() else text


def wants_colour() -> bool:
    """Whether stdout is a terminal that obeys escape sequences, and nobody asked to do without."""
    if _when != "auto":
        return _when == "always"
    declined = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return not declined and sys.stdout is not None and sys.stdout.isatty()


def width() -> int | None:
    """How many columns a text on stdout may have; None where that is no terminal."""
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    try:
        columns = os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):
        return None
    return max(_NARROWEST, min(columns, _WIDEST))


def palette_of_stdout() -> Palette:
    """What stdout can show."""
    return Palette(colour, can_print("".join(ICONS.values())), width())


def can_print(text: str) -> bool:
    """Whether stdout's encoding has all these characters."""
    try:
        text.encode((sys.stdout.encoding if sys.stdout is not None else None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
