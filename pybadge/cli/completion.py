"""``pybadge completion``."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from pybadge.cli.choices import OneOf
from pybadge.cli.output import out_line
from pybadge.cli.parser import full_parser

__all__ = ["DESCRIPTION", "configure", "execute"]

SHELLS = ("bash", "zsh", "tcsh", "fish", "powershell")
DESCRIPTION = "Print a completion script for a shell, made from the same definitions as the help."
EXAMPLES = """  pybadge completion bash > ~/.local/share/bash-completion/completions/pybadge
  pybadge completion zsh > ~/.zfunc/_pybadge
  pybadge completion fish > ~/.config/fish/completions/pybadge.fish"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", metavar="SHELL", type=OneOf(SHELLS), help=", ".join(SHELLS))


def execute(options: argparse.Namespace) -> int:
    import shtab

    parser = full_parser(all_options=True)
    for action in _actions(parser):
        if isinstance(action.type, OneOf):
            action.choices = action.type.choices
        elif action.metavar in ("FILE", "FILE|DIR", "WHAT"):
            setattr(action, "complete", shtab.FILE)  # noqa: B010  shtab's own attribute
        elif action.metavar == "DIR":
            setattr(action, "complete", shtab.DIRECTORY)  # noqa: B010
    out_line(shtab.complete(parser, options.shell))
    return 0


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The options of a parser and of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
