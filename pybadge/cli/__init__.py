"""The command line: parse, call, print. One file per family of commands, loaded when its command is run."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: without the program's name; None for ``sys.argv``.

    Returns:
        The exit code: 0 valid, 1 invalid, 2 usage or unreadable input, 3 could not be checked.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments in (["--version"], ["-V"]):
        # Answered before argparse is imported, which would double the time.
        from pybadge._version import __version__

        sys.stdout.write(f"pybadge {__version__}\n")
        return 0
    from pybadge.cli.run import run

    return run(arguments)
