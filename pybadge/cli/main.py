"""From arguments to a command's options, and the one place where errors become exit codes."""

from __future__ import annotations

import sys
from typing import Any

from pybadge.checks import unreadable
from pybadge.cli.output import complain, flush, out_line
from pybadge.cli.parser import full_parser
from pybadge.cli.quick import NotPlainError, QuickParser
from pybadge.cli.settings import VALUED, add_globals, fill_in
from pybadge.errors import CUT_SHORT, INTERRUPTED, USAGE, PybadgeError, UsageError

__all__ = ["COMMANDS", "EXIT_CODES", "WHAT_HELP", "run"]

# command -> (module, one line of help)
COMMANDS = {
    "verify": ("verify", "check a record"),
    "show": ("show", "what the record says"),
    "badge": ("badge", "draw a badge as SVG or PNG"),
    "embed": ("embed", "print a snippet that shows the badge"),
    "latex": ("latex", "print the two lines for a paper"),
    "fetch": ("fetch", "save a record"),
    "derive": ("derive", "derive numbers from arXiv's own metadata"),
    "keys": ("keys", "list the pinned and trusted keys"),
    "completion": ("completion", "print a completion script for a shell"),
}
EXIT_CODES = {
    0: "every required check is valid",
    1: "something is invalid",
    2: "usage error, or input that can't be read",
    3: "nothing is invalid, but a required check could not be made (offline, not found, unreachable)",
    INTERRUPTED: "interrupted from the keyboard",
    CUT_SHORT: "the reader of stdout went away before a batch was through",
}
WHAT_HELP = (
    "a Pith Number, an arXiv id or address, a DOI, a record's address, a path to a record or bundle, "
    "or - for standard input"
)


def module_of(command: str) -> Any:
    """The module of a command, loaded."""
    name = f"pybadge.cli.{COMMANDS[command][0]}"
    __import__(name)  # importlib costs more than the command line has
    return sys.modules[name]


def split_command(arguments: list[str]) -> tuple[str | None, list[str]]:
    """The command and its arguments. Options of every command may also stand before it."""
    before: list[str] = []
    pending = iter(enumerate(arguments))
    for position, argument in pending:
        if not argument.startswith("-") or argument == "-":
            return argument, before + arguments[position + 1 :]
        before.append(argument)
        if argument in VALUED:
            before.append(next(pending, (0, ""))[1])
    return None, before


def parse(arguments: list[str]) -> tuple[str, Any]:
    """The command and its options.

    Raises:
        UsageError: the line can't be understood.
        SystemExit: argparse has printed help or the version.
    """
    command, rest = split_command(arguments)
    if command not in COMMANDS or "--version" in arguments or "-V" in arguments:
        full_parser().parse_args(arguments)
        raise UsageError("no command was given")
    module = module_of(command)
    options: Any
    try:
        quick: Any = QuickParser()
        module.configure(quick)
        add_globals(quick)
        options = quick.parse(rest)
    except NotPlainError:
        from pybadge.cli.parser import command_parser

        options = command_parser(command).parse_args(rest)
    fill_in(options)
    return command, options


def run(arguments: list[str]) -> int:
    """Parse, run the command, and turn every error of ours into one line and its exit code."""
    try:
        command, options = parse(arguments)
        code: int = module_of(command).execute(options)
        flush()
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else USAGE
    except PybadgeError as error:
        if _wants_json(arguments):
            out_line(_as_json(error, arguments))
        complain(str(error))
        code = error.exit_code
    except KeyboardInterrupt:
        code = INTERRUPTED
    try:
        flush()
    except PybadgeError as error:
        complain(str(error))
        code = error.exit_code
    return code


def _wants_json(arguments: list[str]) -> bool:
    """Whether a line that may not even be understood asks for JSON."""
    return any(
        argument in ("--json", "--format=json") or (argument == "json" and before == "--format")
        for before, argument in zip(["", *arguments], arguments, strict=False)
    )


def _as_json(error: PybadgeError, arguments: list[str]) -> str:
    """The report of a run that came to no record: machines get one object in every case."""
    _, rest = split_command(arguments)
    what = next(
        (argument for argument in rest if not argument.startswith("-") or argument == "-"), ""
    )
    return unreadable(error, input=what).as_json()
