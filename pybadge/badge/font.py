"""The bundled fonts for Pillow, loaded from package data, so also out of a zip archive; never a font of the system."""

from __future__ import annotations

import io
from functools import lru_cache
from typing import TYPE_CHECKING

from PIL import ImageFont

from pybadge.badge.font_data import font_bytes

if TYPE_CHECKING:
    from pybadge.badge.text import Weight

__all__ = ["font", "kerning"]


@lru_cache(maxsize=32)
def font(weight: Weight, size: float, *, shaped: bool = False) -> ImageFont.FreeTypeFont:
    """The bundled font at a size in pixels, loaded once per size."""
    engine = ImageFont.Layout.RAQM if shaped else ImageFont.Layout.BASIC
    return ImageFont.truetype(io.BytesIO(font_bytes(weight)), size, layout_engine=engine)


@lru_cache(maxsize=4096)
def kerning(weight: Weight, pair: str) -> float:
    """How much closer than their widths the two letters of a pair stand, in em; mostly 0, else negative."""
    measure = font(weight, 1000).getlength
    return (measure(pair) - measure(pair[0]) - measure(pair[1])) / 1000
