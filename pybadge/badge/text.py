"""The bundled font and what it measures."""

from __future__ import annotations

import io
from functools import lru_cache
from importlib.resources import files

from PIL import ImageFont

__all__ = ["font", "text_width"]


@lru_cache(maxsize=1)
def _font_bytes() -> bytes:
    # Read as package data, not by file name: the package may be inside a zip archive.
    return (files("pybadge.badge") / "fonts" / "DejaVuSans.ttf").read_bytes()


@lru_cache(maxsize=32)
def font(size: float) -> ImageFont.FreeTypeFont:
    """The bundled font at a size in pixels, loaded once per size."""
    return ImageFont.truetype(io.BytesIO(_font_bytes()), size, layout_engine=ImageFont.Layout.BASIC)


def text_width(text: str, size: float) -> float:
    """How wide the bundled font sets a text, in the unit of ``size``, without hinting."""
    return font(1000).getlength(text) * size / 1000
