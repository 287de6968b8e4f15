"""The commands, and what all of them say alike."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from pybadge.errors import CUT_SHORT, FAILED, INTERRUPTED, INVALID, NOT_CHECKED, USAGE, VALID

__all__ = ["COMMANDS", "EXIT_CODES", "WHAT_HELP", "module_of"]

COMMANDS = {
    "verify": "check a record",
    "show": "what the record says",
    "badge": "draw a badge as SVG or PNG",
    "embed": "print a snippet that shows the badge",
    "latex": "print the two lines for a paper",
    "fetch": "save a record",
    "derive": "derive numbers from arXiv's own metadata",
    "keys": "list the pinned and trusted keys",
    "completion": "print a completion script for a shell",
}
"""Each command with its one line of help; its module in this package has the same name."""

EXIT_CODES = {
    VALID: "every required check is valid",
    INVALID: "something is invalid",
    USAGE: "usage error, or input that can't be read",
    NOT_CHECKED: "nothing is invalid, but a required check could not be made (offline, not found, "
    "unreachable)",
    FAILED: "the program failed, which says nothing of the record",
    INTERRUPTED: "interrupted from the keyboard",
    CUT_SHORT: "the reader of stdout went away before a batch was through",
}

WHAT_HELP = (
    "a Pith Number, an arXiv id or address, a DOI, a record's address, a path to a record or "
    "bundle, or - for standard input"
)


def module_of(command: str) -> Any:
    """The module of a command: ``configure(parser)``, ``execute(options)``, ``DESCRIPTION``."""
    return import_module(f"pybadge.cli.{command}")
