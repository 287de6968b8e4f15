"""The command line: parse, call, print. One file per family of commands, loaded when its command is
run."""

from __future__ import annotations

import os
import sys

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: without the program's name; None for ``sys.argv``, as the program itself.

    Returns:
        The exit code: 0 valid, 1 invalid, 2 usage or unreadable input, 3 could not be checked.
    """
    if arguments is not None:
        return _run(arguments)
    import gc

    # A short run makes a few thousand objects and no cycles; looking for some takes a tenth of its
    # time.
    gc.set_threshold(50_000, 20, 20)
    code = _run(sys.argv[1:])
    _leave(code)
    return code


def _run(arguments: list[str]) -> int:
    if arguments in (["--version"], ["-V"]):
        # Answered before anything else is imported.
        from pybadge._version import __version__

        sys.stdout.write(f"pybadge {__version__}\n")
        return 0
    from pybadge.cli.main import run

    return run(arguments)


def _leave(code: int) -> None:
    """End at once, where nothing is left that needs an orderly end.

    Taking an interpreter down in order takes a fifth of a short run. Whatever must be waited for or
    closed in order (threads, pools, connections, logs) has loaded `threading`; then this does
    nothing, and the usual way is taken.
    """
    if "threading" in sys.modules or sys.getprofile() is not None or sys.gettrace() is not None:
        return
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):
        return  # the usual way says what is wrong with them
    os._exit(code)
