"""The command line: parse, call, print. One file per family of commands, loaded when its command is
run."""

from __future__ import annotations

import sys

from pybadge._version import __version__

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: without the program's name; None for ``sys.argv``, as the program itself.

    Returns:
        The exit code: 0 valid, 1 invalid, 2 usage or unreadable input, 3 could not be checked, 70
        the program failed.
    """
    if arguments is None:
        arguments = sys.argv[1:]
    if arguments in (["--version"], ["-V"]) and _said(f"pybadge {__version__}\n"):
        return 0
    # Not before the version is answered, which needs nothing of it.
    try:
        from pybadge.cli.program import run
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # a damaged installation, too few files, no memory
        if sys.stderr is not None:
            sys.stderr.write(f"pybadge: the program can't be loaded: {error!a}\n")
        return 70  # Python's own 1 would mean that a record is invalid
    return run(arguments)


def _said(text: str) -> bool:
    """Whether a text could be written to stdout."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except (AttributeError, OSError):  # it is closed, or its disk is full
        return False
    return True
