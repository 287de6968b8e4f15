"""The LaTeX package, which the Python distribution carries along."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

__all__ = ["package_file"]

_NAME = "pith.sty"


def package_file() -> bytes:
    """The bytes of pith.sty: from the installed package, or from the checkout that this runs in."""
    installed = files("pybadge") / _NAME
    if installed.is_file():
        return installed.read_bytes()
    return (Path(__file__).resolve().parents[2] / _NAME).read_bytes()
