"""TOML, from the standard library or, on Python 3.10, from tomli."""

from __future__ import annotations

import sys
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["loads"]


def loads(text: str) -> dict[str, Any]:
    """The table that a TOML text describes.

    Raises:
        ValueError: it is not TOML, or nested hundreds of levels deep.
    """
    try:
        table: dict[str, Any] = tomllib.loads(text)
    except RecursionError as error:
        raise ValueError(str(error)) from None
    return table
