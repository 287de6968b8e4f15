"""The argparse parser: full syntax, help, faults; the man page is made from it."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any, NoReturn

from pybadge._version import __version__
from pybadge.cli.commands import COMMANDS, EXIT_CODES, module_of
from pybadge.cli.output import out
from pybadge.cli.settings import add_globals
from pybadge.errors import UsageError

__all__ = ["command_parser", "full_parser", "globals_parser"]

_WIDEST = 100
_SIMILAR = 0.75  # of difflib's ratio: two dashes alone make any two options half alike
_HINTS = """Options of every command are also PYBADGE_… in the environment and lines of the
configuration file. See pybadge COMMAND --help for the options of a command."""
_POSITIONAL_FORMS = {"?": "[{}]", "*": "[{}...]", "+": "{}...", argparse.PARSER: "{} ..."}


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """The same help from every Python: newer ones write options and colours differently."""

    def __init__(self, prog: str) -> None:
        columns = os.environ.get("COLUMNS", "")
        width = int(columns) if columns.isascii() and columns.isdigit() else _terminal_width()
        super().__init__(prog, max_help_position=26, width=max(40, min(width, _WIDEST) - 2))

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        shown = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {shown}"


def _terminal_width() -> int:
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):
        return 80


class Parser(argparse.ArgumentParser):
    """Raises instead of ending the program, so that ``--json`` can answer usage errors too."""

    def __init__(self, **named: Any) -> None:
        if sys.version_info >= (3, 14):
            named["color"] = False
        super().__init__(allow_abbrev=False, formatter_class=_Formatter, **named)

    def format_help(self) -> str:
        """The help, with a usage line that a person can read: the options are listed below it
        anyway."""
        self.usage = self._short_usage()
        try:
            return super().format_help()
        finally:
            self.usage = None

    def _short_usage(self) -> str:
        parts = [self.prog, "[OPTION]..."]
        for action in self._get_positional_actions():
            name = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
            form = _POSITIONAL_FORMS.get(str(action.nargs), "{}")
            parts.append(form.format(name))
        return " ".join(parts)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Help and version to stdout, in whatever characters it has."""
        if file is sys.stdout:
            out(message)
        else:
            super()._print_message(message, file)

    def parse_known_args(self, *args: Any, **named: Any) -> Any:
        """As argparse, which knows too late which options there are to name the nearest one."""
        options, unknown = super().parse_known_args(*args, **named)
        if unknown:
            from difflib import get_close_matches  # only a fault needs it
        for argument in unknown:
            near = get_close_matches(argument, self._option_string_actions, 1, _SIMILAR)
            if argument.startswith("--") and near:
                self.error(f"unrecognized arguments: {argument}; did you mean {near[0]}?")
        return options, unknown

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see {self.prog} --help")


def _exit_codes() -> str:
    lines = (f"  {code:<4}{meaning}" for code, meaning in EXIT_CODES.items())
    return "\n".join(("exit codes:", *lines))


_SEE = "Options of every command (--offline, --trust-key, --quiet …) and exit codes: pybadge --help"


def full_parser(*, all_options: bool = False) -> argparse.ArgumentParser:
    """The parser of the whole command line, with every command's options.

    Args:
        all_options: show the options of every command in each command's help too.
    """
    top = Parser(
        prog="pybadge",
        description="Fetch, verify and show Pith Numbers: verifiable identifiers of arXiv papers.",
        epilog=f"{_exit_codes()}\n\n{_HINTS}",
    )
    top.add_argument("--version", "-V", action="version", version=f"pybadge {__version__}")
    commands = top.add_subparsers(
        title="commands", dest="command", metavar="COMMAND", required=True
    )
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, **_named(name))
        _fill(command, name, all_options)
    add_globals(top)
    return top


def globals_parser() -> argparse.ArgumentParser:
    """The parser of the options before the command."""
    parser = Parser(prog="pybadge", add_help=False)
    add_globals(parser)
    return parser


def command_parser(name: str) -> argparse.ArgumentParser:
    """The parser of one command."""
    command = Parser(prog=f"pybadge {name}", **_named(name))
    _fill(command, name, False)
    return command


def _named(name: str) -> dict[str, Any]:
    module, summary = module_of(name), COMMANDS[name]
    described = getattr(module, "DESCRIPTION", f"{summary[:1].upper()}{summary[1:]}.")
    return {"description": described, "epilog": f"examples:\n{module.EXAMPLES}\n\n{_SEE}"}


def _fill(command: argparse.ArgumentParser, name: str, all_options: bool) -> None:
    module = module_of(name)
    module.configure(command)
    add_globals(command, shown=all_options, without=getattr(module, "OWN_OPTIONS", ()))
