"""The man page and the README's help blocks, made from the parser, so that they can't say anything
else.

    python tools/manual.py                  print the man page
    python tools/manual.py --write          write docs/pybadge.1, and bring the README's
    blocks up to date

A block of the README is a marker line, a fence, the help, and a fence:

    <!-- help: pybadge verify -->
    ```text
    …
    ```
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence

from pybadge._version import __version__
from pybadge.cli.commands import COMMANDS, EXIT_CODES, module_of
from pybadge.cli.parser import full_parser
from pybadge.cli.settings import GLOBALS, Setting
from pybadge.output import write_file

__all__ = ["help_blocks", "help_of", "man_page", "with_current_help"]

MAN_PAGE = "docs/pybadge.1"
WIDTH = "88"
_BLOCK = re.compile(
    r"(?P<marker><!-- help: (?P<command>pybadge[a-z -]*?) -->\n+)```text\n(?P<text>.*?)```",
    re.DOTALL,
)


def _parsers() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every command's name and parser, commands of commands included."""
    pending = [("pybadge", full_parser())]
    while pending:
        name, parser = pending.pop(0)
        yield name, parser
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                pending += [
                    (f"{name} {command}", inner) for command, inner in action.choices.items()
                ]


def help_of(command: str) -> str:
    """What ``COMMAND --help`` prints on a terminal of 88 columns.

    Args:
        command: ``pybadge`` or ``pybadge verify``.

    Raises:
        KeyError: there is no such command.
    """
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = WIDTH
    try:
        return dict(_parsers())[command].format_help()
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before


def help_blocks(text: str) -> list[tuple[str, str]]:
    """The help blocks of a Markdown text: command and what the text says its help is."""
    return [(match["command"], match["text"]) for match in _BLOCK.finditer(text)]


def with_current_help(text: str) -> str:
    """A Markdown text with every help block brought up to date."""
    return _BLOCK.sub(
        lambda match: f"{match['marker']}```text\n{help_of(match['command'])}```", text
    )


def man_page() -> str:
    """The man page, in the man macro package's language."""
    lines = [
        f'.TH PYBADGE 1 "" "pybadge {__version__}" "User Commands"',
        ".SH NAME",
        "pybadge \\- fetch, verify and show Pith Numbers",
        ".SH SYNOPSIS",
        ".B pybadge",
        _roff("[OPTION]... COMMAND [ARGUMENT]..."),
        ".SH DESCRIPTION",
        _roff(full_parser().description or ""),
        ".SH COMMANDS",
        *_commands(),
        ".SH OPTIONS OF EVERY COMMAND",
        *_globals(),
        ".SH EXIT STATUS",
        "In a batch the worst decides: 70 over 1 over 2 over 3 over 0.",
        *_exit_codes(),
        ".SH ENVIRONMENT",
        *_environment(),
        ".SH FILES",
        *_files(),
        ".SH EXAMPLES",
        *_examples(),
        ".SH NOTES",
        _roff(
            "A short form of a number names a record but cannot prove it; only 26 characters can."
        ),
        ".SH BUGS",
        _roff(
            "Report what is wrong to the project's issue tracker, with the output of --debug. How "
            "to report a weakness is in SECURITY.md."
        ),
    ]
    return "\n".join(line for line in lines if line) + "\n"


def _commands() -> Iterator[str]:
    for name, parser in _parsers():
        if name != "pybadge":
            yield f".SS {_roff(name)}"
            yield _roff(" ".join((parser.description or "").split()))
            yield from _options(parser)


def _globals() -> Iterator[str]:
    for option, setting in GLOBALS.items():
        names = [name for name in (setting.short, f"--{option}") if name is not None]
        yield from _option(names, setting.metavar, setting.help)


def _files() -> Iterator[str]:
    yield from (
        ".TP",
        f".I {_roff('~/.config/pybadge/config.toml')}",
        "Options of every command in TOML, such as",
        ".BR offline\\~=\\~true ;",
        _roff(
            "in $XDG_CONFIG_HOME where that is an absolute path, on Windows "
            "%APPDATA%\\pybadge\\config.toml. It is refused when it belongs to another user, when "
            "everybody can write to it, or when it is larger than 64 KiB. No file in the current "
            "folder is read."
        ),
        ".TP",
        f".I {_roff('~/.cache/pybadge')}",
        "Records that were fetched and verified; verified again each time one is read.",
        ".TP",
        f".I {_roff('pith.lock.json')}",
        _roff("Records saved beside a paper by fetch --lock; read where --lock names it."),
    )


def _examples() -> Iterator[str]:
    """The examples that end each command's help."""
    for name in COMMANDS:
        lines = textwrap.dedent(module_of(name).EXAMPLES).splitlines()
        yield from (f".SS pybadge {name}", ".nf", *(_roff(line) for line in lines), ".fi")


def _exit_codes() -> Iterator[str]:
    for code, meaning in EXIT_CODES.items():
        yield from (".TP", f".B {code}", _roff(meaning))


def _environment() -> Iterator[str]:
    for option, setting in GLOBALS.items():
        yield from (
            ".TP",
            f".B PYBADGE_{option.replace('-', '_').upper()}",
            _roff(f"As --{option}{_form(setting)}."),
        )
    for names, meaning in (
        ("PYBADGE_CONFIG", "The configuration file."),
        ("NO_COLOR", "Print no colours."),
        ("HTTPS_PROXY, NO_PROXY, REQUESTS_CA_BUNDLE", "As usual for programs that use HTTP."),
    ):
        yield from (".TP", f".B {names}", meaning)


def _form(setting: Setting) -> str:
    """How the value of a variable is written, where that is not as on the command line."""
    if setting.is_switch:
        return " (1 or 0)"
    if not setting.repeated:
        return ""
    return " (separated as in PATH)" if setting.is_path else " (separated by blanks)"


def _options(parser: argparse.ArgumentParser) -> list[str]:
    lines: list[str] = []
    for action in parser._actions:
        hidden = action.help in (None, argparse.SUPPRESS) or isinstance(
            action, argparse._SubParsersAction
        )
        if hidden or "--help" in action.option_strings or _is_global(action):
            continue
        metavar = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
        if action.option_strings:
            lines += _option(
                action.option_strings, None if action.nargs == 0 else metavar, action.help or ""
            )
        else:
            many = "..." if action.nargs in ("*", "+") else ""
            lines += [".TP", f".I {_roff(metavar)}{many}", _roff(action.help or "")]
    return lines


def _is_global(action: argparse.Action) -> bool:
    return any(name.removeprefix("--") in GLOBALS for name in action.option_strings)


def _option(names: Sequence[str], metavar: str | None, text: str) -> list[str]:
    shown = ", ".join(f"\\fB{_roff(name)}\\fR" for name in names)
    return [
        ".TP",
        f"{shown} \\fI{_roff(metavar)}\\fR" if metavar else shown,
        _roff(text.replace("%%", "%")),
    ]


def _roff(text: str) -> str:
    """Text that roff prints as it stands."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...")
    return "\n".join(
        f"\\&{line}" if line.startswith((".", "'")) else line for line in escaped.splitlines()
    )


def main(arguments: list[str]) -> int:
    """Print the man page, or write it and the README's blocks."""
    if arguments == ["--write"]:
        write_file(MAN_PAGE, man_page().encode("utf-8"))
        with open("README.md", encoding="utf-8") as stream:
            readme = stream.read()
        write_file("README.md", with_current_help(readme).encode("utf-8"))
        return 0
    sys.stdout.write(man_page())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
