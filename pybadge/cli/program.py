"""From arguments to a command's options, and the one place where errors become exit codes."""

from __future__ import annotations

import argparse
import os
import sys

from pybadge.cli.commands import COMMANDS, module_of
from pybadge.cli.output import choose_color, complain, flush, out_line, set_verbosity
from pybadge.cli.parser import command_parser, full_parser, globals_parser
from pybadge.cli.settings import VALUED, fill_in
from pybadge.errors import FAILED, INTERRUPTED, USAGE, PybadgeError, UsageError, invalid_choice
from pybadge.verification import unreadable

__all__ = ["run"]


def split_command(arguments: list[str]) -> tuple[list[str], str | None, list[str]]:
    """The options before the command, the command, and what follows it."""
    pending = iter(enumerate(arguments))
    for position, argument in pending:
        if not argument.startswith("-") or argument == "-":
            return arguments[:position], argument, arguments[position + 1 :]
        if argument in VALUED:
            next(pending, None)
    return arguments, None, []


def parse(arguments: list[str]) -> tuple[str, argparse.Namespace]:
    """The command and its options.

    Raises:
        UsageError: the line can't be understood.
        SystemExit: argparse has printed help or the version.
    """
    before, command, rest = split_command(arguments)
    if command is None:
        full_parser().parse_args(before or ["--help"])
        raise UsageError("no command was given; see pybadge --help")
    if command == "help":
        if not rest:
            full_parser().parse_args(["--help"])
        command, rest = rest[0], ["--help"]
    if command not in COMMANDS:
        raise invalid_choice(command, COMMANDS, "COMMAND")
    options = globals_parser().parse_args(before) if before else argparse.Namespace()
    command_parser(command).parse_args(rest, options)
    fill_in(options)
    return command, options


def run(arguments: list[str]) -> int:
    """Parse, run the command, and turn every error into one line and its exit code."""
    _keep_descriptors()
    code = _guarded(arguments)
    try:
        flush()
    except PybadgeError as error:
        complain(str(error))
        code = error.exit_code
    return code


def _guarded(arguments: list[str]) -> int:
    try:
        command, options = parse(arguments)
        choose_color(options.color_when)
        set_verbosity(quiet=options.quiet, verbose=options.verbose)
        code: int = module_of(command).execute(options)
        flush()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else USAGE
    except PybadgeError as error:
        return _answer(error, arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:  # a crash is not a verdict, whatever it is
        if "--debug" in arguments or os.environ.get("PYBADGE_DEBUG"):
            import traceback  # only a crash needs it

            traceback.print_exc()
        complain(
            f"the program failed: {type(error).__name__}: {error}; --debug shows where. This says "
            "nothing of the record"
        )
        return FAILED
    return code


def _answer(error: PybadgeError, arguments: list[str]) -> int:
    try:
        if _wants_json(arguments):
            out_line(_as_json(error, arguments))
    except PybadgeError as fault:
        error = fault
    complain(str(error))
    return error.exit_code


def _keep_descriptors() -> None:
    """Point closed standard descriptors nowhere, lest a file that is opened later takes their
    place and is written to."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is this one
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  for the whole run


def _wants_json(arguments: list[str]) -> bool:
    """Whether a line that may not even be understood asks for JSON."""
    return any(
        argument in ("--json", "--format=json") or (argument == "json" and before == "--format")
        for before, argument in zip(["", *arguments], arguments, strict=False)
    )


def _as_json(error: PybadgeError, arguments: list[str]) -> str:
    """The report of a run that came to no record: machines get one object in every case."""
    _, _, rest = split_command(arguments)
    named = (argument for argument in rest if not argument.startswith("-") or argument == "-")
    return unreadable(error, input=next(named, "")).as_json()
