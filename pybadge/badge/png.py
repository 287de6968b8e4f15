"""The PNG painter: the SVG's geometry, drawn with Pillow."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

from pybadge.badge.geometry import layout
from pybadge.badge.text import font
from pybadge.errors import UsageError
from pybadge.escape import plain

if TYPE_CHECKING:
    from pybadge.badge.model import Badge

__all__ = ["paint_png"]

_SUPERSAMPLING = 4
_MAX_SCALE = 16


def paint_png(badge: Badge, *, scale: int = 2) -> bytes:
    """The badge as PNG with transparent corners.

    Args:
        badge: what to draw.
        scale: pixels per SVG unit, 1 to 16; also told in the file, so that it prints at its size.

    Raises:
        UsageError: a scale out of range.
    """
    if not 1 <= scale <= _MAX_SCALE:
        raise UsageError(f"the scale must be 1 to {_MAX_SCALE}, not {scale}")
    at = layout(badge)
    size = (round(at.width * scale), round(at.height * scale))
    fine = scale * _SUPERSAMPLING
    mask = Image.new("L", (size[0] * _SUPERSAMPLING, size[1] * _SUPERSAMPLING), 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, mask.width - 1, mask.height - 1), radius=at.radius * fine, fill=255)
    image = Image.new("RGB", size)
    canvas = ImageDraw.Draw(image)
    for part in at.segments:
        edges = (round(part.left * scale), 0, round((part.left + part.width) * scale) - 1, size[1] - 1)
        canvas.rectangle(edges, fill=part.fill)
    # Text on its own mask at full precision: drawn onto an RGBA image it would replace the alpha instead of blending.
    text = Image.new("L", mask.size, 0)
    pen = ImageDraw.Draw(text)
    for part in at.segments:
        pen.text(
            (part.text_left * fine, at.baseline * fine),
            plain(part.text),
            fill=255,
            font=font(at.font_size * fine),
            anchor="ls",
        )
    image.paste("#fff", mask=text.resize(size, Image.Resampling.BOX))
    image.putalpha(mask.resize(size, Image.Resampling.BOX))
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True, dpi=(96 * scale, 96 * scale))
    return out.getvalue()
