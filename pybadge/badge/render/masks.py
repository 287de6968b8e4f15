"""How much of each pixel a letter, a drawn shape or a rounded corner covers, as images with one
channel."""

from __future__ import annotations

from functools import lru_cache
from math import ceil, cos, floor, pi, sin

from PIL import Image, ImageDraw

from pybadge.badge.drawing import Disc, Ring, Stroke, Weight
from pybadge.badge.fonts.pillow import font

__all__ = ["FINE", "Mask", "Point", "corner_mask", "glyph_mask", "shape_mask"]

Point = tuple[float, float]
Mask = tuple[Image.Image, tuple[int, int]]
"""The coverage, and the pixel at which its top left corner lies."""

FINE = 4
"""Samples a pixel, each way, for letters: browsers set them at quarters of a pixel."""
_FINER = 16  # the same for drawn shapes, which are few and kept: Pillow's edges are a sample off
_LEVELS = 31  # steps of an edge: few enough for a palette, too fine to be seen


def _reduce(canvas: Image.Image, samples: int) -> Image.Image:
    steps = [round(round(level * _LEVELS / 255) * 255 / _LEVELS) for level in range(256)]
    return canvas.reduce(samples).point(steps)


@lru_cache(maxsize=1024)
def glyph_mask(weight: Weight, size: float, character: str, phase: int) -> Mask | None:
    """A letter, placed from the whole-pixel pen position; None where there is nothing to paint.

    Args:
        weight: of the bundled font.
        size: in pixels.
        character: one that the font has.
        phase: quarters of a pixel by which the letter stands to the right.
    """
    face = font(weight, size * FINE)
    left, top, right, bottom = face.getbbox(character, anchor="ls")
    if right <= left or bottom <= top:
        return None
    x = floor(left / FINE) - 1
    y = floor(top / FINE) - 1
    wide, high = ceil(right / FINE) + 2 - x, ceil(bottom / FINE) + 2 - y
    canvas = Image.new("L", (wide * FINE, high * FINE), 0)
    origin = (-x * FINE + phase, -y * FINE)
    ImageDraw.Draw(canvas).text(origin, character, fill=255, font=face, anchor="ls")
    mask = _reduce(canvas, FINE)
    box = mask.getbbox()
    return None if box is None else (mask.crop(box), (x + box[0], y + box[1]))


@lru_cache(maxsize=256)
def shape_mask(shape: Disc | Ring | Stroke, scale: int) -> Mask:
    """A disc, ring or stroke.

    Args:
        shape: in SVG units.
        scale: pixels per unit.
    """
    if isinstance(shape, Stroke):
        sketch = _Sketch(shape.points, shape.stroke, scale)
        _draw_stroke(sketch, shape)
    elif isinstance(shape, Ring):
        sketch = _Sketch([(shape.x, shape.y)], shape.radius + shape.stroke, scale)
        _draw_ring(sketch, shape)
    else:
        sketch = _Sketch([(shape.x, shape.y)], shape.radius, scale)
        sketch.dot(shape.x, shape.y, shape.radius)
    return _reduce(sketch.canvas, _FINER), (sketch.left, sketch.top)


class _Sketch:
    """A canvas in fine samples, just large enough for one shape.

    Attributes:
        left, top: its place in pixels.
    """

    def __init__(self, points: list[Point] | tuple[Point, ...], reach: float, scale: int) -> None:
        """
        Args:
            points: in SVG units.
            reach: how far the shape may reach around them.
            scale: pixels per unit.
        """
        self.left = floor((min(x for x, _ in points) - reach) * scale)
        self.top = floor((min(y for _, y in points) - reach) * scale)
        right = ceil((max(x for x, _ in points) + reach) * scale)
        bottom = ceil((max(y for _, y in points) + reach) * scale)
        self.fine = scale * _FINER
        size = ((right - self.left) * _FINER, (bottom - self.top) * _FINER)
        self.canvas = Image.new("L", size, 0)
        self.pen = ImageDraw.Draw(self.canvas)

    def place(self, x: float, y: float) -> Point:
        """A point in samples. Pillow's coordinates name the middle of a pixel."""
        return x * self.fine - self.left * _FINER - 0.5, y * self.fine - self.top * _FINER - 0.5

    def dot(self, x: float, y: float, radius: float) -> None:
        """Fill a circle."""
        cx, cy = self.place(x, y)
        reach = radius * self.fine
        self.pen.ellipse((cx - reach, cy - reach, cx + reach, cy + reach), fill=255)

    def polygon(self, points: list[Point]) -> None:
        """Fill a polygon."""
        self.pen.polygon([self.place(x, y) for x, y in points], fill=255)


def _draw_stroke(sketch: _Sketch, shape: Stroke) -> None:
    half = shape.stroke / 2
    for start, end in zip(shape.points, shape.points[1:], strict=False):
        sketch.polygon(_thick(start, end, half))
    for x, y in shape.points:
        sketch.dot(x, y, half)


def _thick(start: Point, end: Point, half: float) -> list[Point]:
    """The corners of a line that reaches ``half`` to either side."""
    (x1, y1), (x2, y2) = start, end
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1.0
    nx, ny = (y1 - y2) / length * half, (x2 - x1) / length * half
    return [(x1 + nx, y1 + ny), (x2 + nx, y2 + ny), (x2 - nx, y2 - ny), (x1 - nx, y1 - ny)]


def _draw_ring(sketch: _Sketch, shape: Ring) -> None:
    outer, inner = shape.radius + shape.stroke / 2, shape.radius - shape.stroke / 2
    for start, end in _pieces(shape):
        # A chord for every two samples along the outer edge.
        steps = max(8, ceil((end - start) * outer * sketch.fine / 2))
        angles = [start + (end - start) * step / steps for step in range(steps + 1)]
        rim = [(shape.x + outer * cos(a), shape.y + outer * sin(a)) for a in angles]
        rim += [(shape.x + inner * cos(a), shape.y + inner * sin(a)) for a in reversed(angles)]
        sketch.polygon(rim)
        if shape.round:
            for angle in (start, end):
                x = shape.x + shape.radius * cos(angle)
                y = shape.y + shape.radius * sin(angle)
                sketch.dot(x, y, shape.stroke / 2)


def _pieces(shape: Ring) -> list[tuple[float, float]]:
    """The angles between which a ring is drawn."""
    if not shape.gap:
        return [(0.0, 2 * pi)]
    period = shape.dash + shape.gap
    pieces = []
    start = -shape.shift
    while start < 2 * pi * shape.radius - shape.shift - 1e-6:
        pieces.append((start / shape.radius, (start + shape.dash) / shape.radius))
        start += period
    return pieces


@lru_cache(maxsize=64)
def corner_mask(radius: float, scale: int) -> Image.Image:
    """A top left corner.

    Args:
        radius: in SVG units.
        scale: pixels per unit.
    """
    side = ceil(radius * scale)
    fine = radius * scale * _FINER
    canvas = Image.new("L", (side * _FINER, side * _FINER), 0)
    ImageDraw.Draw(canvas).ellipse((-0.5, -0.5, 2 * fine - 0.5, 2 * fine - 0.5), fill=255)
    return _reduce(canvas, _FINER)
