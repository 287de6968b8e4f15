"""From arguments to a command's options, and the one place where errors become exit codes."""

from __future__ import annotations

import argparse

from pybadge.cli.commands import COMMANDS, module_of
from pybadge.cli.output import complain, flush, out_line
from pybadge.cli.parser import command_parser, full_parser
from pybadge.cli.settings import VALUED, fill_in
from pybadge.errors import INTERRUPTED, USAGE, PybadgeError, UsageError, invalid_choice
from pybadge.verification import unreadable

__all__ = ["run"]


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


def parse(arguments: list[str]) -> tuple[str, argparse.Namespace]:
    """The command and its options.

    Raises:
        UsageError: the line can't be understood.
        SystemExit: argparse has printed help or the version.
    """
    command, rest = split_command(arguments)
    if command is None or "--version" in arguments or "-V" in arguments:
        full_parser().parse_args(arguments)
        raise UsageError("no command was given; see pybadge --help")
    if command not in COMMANDS:
        raise invalid_choice(command, COMMANDS, "COMMAND")
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
