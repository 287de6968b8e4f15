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
        The exit code: 0 valid, 1 invalid, 2 usage or unreadable input, 3 could not be checked.
    """
    if arguments is None:
        arguments = sys.argv[1:]
    if arguments in (["--version"], ["-V"]):
        sys.stdout.write(f"pybadge {__version__}\n")
        return 0
    # Not before the version is answered, which needs nothing of it.
    from pybadge.cli.program import run

    return run(arguments)
