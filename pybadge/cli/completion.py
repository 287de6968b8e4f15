"""``pybadge completion``."""

from __future__ import annotations

import argparse

from pybadge.cli.output import out_line
from pybadge.cli.parser import full_parser
from pybadge.errors import invalid_choice

__all__ = ["DESCRIPTION", "configure", "execute"]

SHELLS = ("bash", "zsh", "tcsh", "fish", "powershell")
DESCRIPTION = """Print a completion script for a shell, made from the same definitions as the help.
For bash:
  pybadge completion bash > ~/.local/share/bash-completion/completions/pybadge"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", metavar="SHELL", help=", ".join(SHELLS))


def execute(options: argparse.Namespace) -> int:
    if options.shell not in SHELLS:
        raise invalid_choice(options.shell, SHELLS, "SHELL")
    import shtab

    out_line(shtab.complete(full_parser(), options.shell))
    return 0
