"""The bundled fonts for Pillow, loaded from package data, so also out of a zip archive; never a
font of the system."""

from __future__ import annotations

import io
from functools import lru_cache

from PIL import ImageFont

from pybadge.badge.drawing import Weight
from pybadge.badge.fonts.data import font_bytes

__all__ = ["font"]


@lru_cache(maxsize=32)
def font(weight: Weight, size: float, *, shaped: bool = False) -> ImageFont.FreeTypeFont:
    """The bundled font at a size in pixels, loaded once per size."""
    layout = ImageFont.Layout.RAQM if shaped else ImageFont.Layout.BASIC
    return ImageFont.truetype(io.BytesIO(font_bytes(weight)), size, layout_engine=layout)
