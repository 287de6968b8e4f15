"""The bundled font files and their tables of measures, read as package data: the package may be
inside a zip archive."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from pybadge.badge.drawing import Weight

__all__ = ["FONT_FILES", "Metrics", "font_bytes", "metrics"]

FONT_FILES: dict[Weight, str] = {"regular": "DejaVuSans.ttf", "bold": "DejaVuSans-Bold.subset.ttf"}


@lru_cache(maxsize=2)
def font_bytes(weight: Weight) -> bytes:
    """A font file's bytes, read once."""
    return (files("pybadge.badge.fonts") / FONT_FILES[weight]).read_bytes()


@dataclass(frozen=True, slots=True)
class Metrics:
    """What a font measures, in em.

    Attributes:
        advance: by character.
        kerning: by pair of printable ASCII characters, where it is not 0; negative moves the second
            to the left.
    """

    advance: dict[str, float]
    kerning: dict[str, float]


@lru_cache(maxsize=2)
def metrics(weight: Weight) -> Metrics:
    """A font's measures, as tools/font-data read them from the font."""
    font = _tables()[weight]
    unit = font["unitsPerEm"]
    advance = {
        chr(first + index): value / unit
        for first, *values in font["runs"]
        for index, value in enumerate(values)
    }
    return Metrics(advance, {pair: value / unit for pair, value in font["kerning"].items()})


@lru_cache(maxsize=1)
def _tables() -> Any:
    text = (files("pybadge.badge.fonts") / "widths.json").read_text(encoding="ascii")
    return json.loads(text)
