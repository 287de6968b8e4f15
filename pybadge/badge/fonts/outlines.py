"""Letters as outlines, for viewers without fonts (extra ``paths``)."""

from __future__ import annotations

import io
from functools import lru_cache
from typing import Any

from pybadge.badge.drawing import Text, Weight
from pybadge.badge.fonts.data import font_bytes, metrics
from pybadge.badge.fonts.metrics import covered, glyphs
from pybadge.errors import UsageError

__all__ = ["outline"]


def outline(shape: Text) -> str:
    """The path of a text in tenths of a unit, with at most one decimal; letters stand where
    ``textLength`` would put them.

    Raises:
        UsageError: fonttools is not installed, or a character has no glyph in the bundled font or
            needs shaping.
    """
    font, names, unit = _font(shape.weight)
    from fontTools.pens.svgPathPen import SVGPathPen
    from fontTools.pens.transformPen import TransformPen

    _check_drawable(shape)
    pen = SVGPathPen(font, ntos=lambda value: f"{value:.1f}".removesuffix(".0"))
    scale = shape.size * 10 / unit
    x = shape.x * 10
    kerning = metrics(shape.weight).kerning
    before = ""
    for character in glyphs(shape.fit.text, shape.spacing):
        x += kerning.get(before + character, 0.0) * shape.size * 10
        before = character
        glyph = font[names[ord(character)]]
        glyph.draw(TransformPen(pen, (scale, 0, 0, -scale, x, shape.baseline * 10)))
        x += glyph.width * scale + shape.spacing * 10
    commands: str = pen.getCommands()
    return commands


@lru_cache(maxsize=2)
def _font(weight: Weight) -> tuple[Any, dict[int, str], int]:
    """Glyphs by name, names by code point, and units per em."""
    try:
        from fontTools.ttLib import TTFont
    except ImportError:
        raise UsageError("text as paths needs fonttools: pip install 'pith-badge[paths]'") from None
    font = TTFont(io.BytesIO(font_bytes(weight)), lazy=True)
    return font.getGlyphSet(), font.getBestCmap(), font["head"].unitsPerEm


def _check_drawable(shape: Text) -> None:
    text = shape.fit.text
    lacking = [character for character in text if not covered(character, shape.weight)]
    if lacking:
        what = f"U+{ord(lacking[0]):04X}"
    elif not shape.fit.simple:
        what = f"{text!a:.40}"
    else:
        return
    raise UsageError(
        f"{what} can't be drawn as a path: the bundled font can't set it; leave text as text"
    )
