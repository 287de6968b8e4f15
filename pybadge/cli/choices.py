"""Options whose values are a closed list: checked with the nearest name, completed by shells."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from pybadge.errors import invalid_choice

__all__ = ["OneOf"]


class OneOf:
    """For argparse's ``type``: takes a value that is one of a closed list.

    argparse's own ``choices`` names no nearest value.
    """

    def __init__(self, choices: Iterable[str]) -> None:
        self.choices = tuple(choices)

    def __call__(self, text: str) -> str:
        """The value.

        Raises:
            argparse.ArgumentTypeError: it is none of the list.
        """
        if text in self.choices:
            return text
        raise argparse.ArgumentTypeError(str(invalid_choice(text, self.choices)))
