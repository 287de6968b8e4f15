"""The parser, and the one place where errors become exit codes."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module

from pybadge._version import __version__
from pybadge.cli.output import complain
from pybadge.errors import USAGE, PybadgeError

__all__ = ["parser", "run"]

# command -> (module, one line of help)
COMMANDS = {
    "verify": ("verify", "check a record"),
    "show": ("show", "what the record says"),
    "badge": ("badge", "draw a badge as SVG or PNG"),
    "embed": ("embed", "print a snippet that shows the badge"),
    "latex": ("latex", "print the two lines for a paper"),
    "fetch": ("fetch", "save a record"),
    "keys": ("keys", "list the pinned and trusted keys"),
}

WHAT_HELP = (
    "a Pith Number, an arXiv id or address, a DOI, a record's address, a path to a record or bundle, "
    "or - for standard input"
)


def parser(only: str | None = None) -> argparse.ArgumentParser:
    """The command line's parser.

    Args:
        only: build the options of this command alone; None for all.
    """
    top = argparse.ArgumentParser(
        prog="pybadge",
        description="Fetch, verify and show Pith Numbers.",
        epilog="Exit codes: 0 valid, 1 something is invalid, 2 usage or unreadable input, 3 could not be checked.",
        allow_abbrev=False,
    )
    top.add_argument("--version", "-V", action="version", version=f"pybadge {__version__}")
    _add_globals(top, top_level=True)
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (module, summary) in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=f"{summary.capitalize()}.", allow_abbrev=False)
        if only is None or only == name:
            _add_globals(command, top_level=False)
            import_module(f"pybadge.cli.{module}").configure(command)
    return top


def _add_globals(target: argparse.ArgumentParser, *, top_level: bool) -> None:
    """The options that stand before or after the command; after it without default, so as not to undo the first place."""

    def default(name: str, fallback: str | None) -> object:
        return os.environ.get(f"PYBADGE_{name}", fallback) if top_level else argparse.SUPPRESS

    group = target.add_argument_group("options of every command; each also PYBADGE_… in the environment")
    group.add_argument("--resolver", metavar="URL", default=default("RESOLVER", None), help="where numbers are looked up")
    group.add_argument(
        "--offline",
        action="store_true",
        default=os.environ.get("PYBADGE_OFFLINE", "") not in ("", "0") if top_level else argparse.SUPPRESS,
        help="use no network",
    )
    group.add_argument("--timeout", metavar="S", default=default("TIMEOUT", None), help="seconds that one record may take")


def run(arguments: list[str]) -> int:
    """Parse, run the command, and turn every error of ours into one line and its exit code."""
    command = next((argument for argument in arguments if argument in COMMANDS), None)
    try:
        options = parser(command).parse_args(arguments)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else USAGE
    try:
        code: int = import_module(f"pybadge.cli.{COMMANDS[options.command][0]}").execute(options)
        sys.stdout.flush()
    except PybadgeError as error:
        complain(str(error))
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader has gone. Point stdout elsewhere, so that the interpreter's own last flush stays quiet too.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code
