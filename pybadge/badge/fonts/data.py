"""The bundled font files, read as package data: the package may be inside a zip archive."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from pybadge.badge.text import Weight

__all__ = ["FONT_FILES", "font_bytes"]

FONT_FILES: dict[Weight, str] = {"regular": "DejaVuSans.ttf", "bold": "DejaVuSans-Bold.subset.ttf"}


@lru_cache(maxsize=2)
def font_bytes(weight: Weight) -> bytes:
    """A font file's bytes, read once."""
    return (files("pybadge.badge") / "fonts" / FONT_FILES[weight]).read_bytes()
