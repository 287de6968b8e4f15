"""The PNG painter: the SVG's layout, drawn with Pillow."""

from __future__ import annotations

import io
import sys
import unicodedata
import warnings
from functools import lru_cache
from math import ceil, cos, floor, pi, sin
from typing import cast

from PIL import Image, ImageDraw, features

from pybadge.badge.colors import Ink
from pybadge.badge.drawing import Disc, Drawing, Modules, Rect, Ring, Shape, Stroke, Text
from pybadge.badge.fonts.pillow import font
from pybadge.badge.model import Badge
from pybadge.badge.options import DEFAULT_LOOK, Look
from pybadge.badge.styles import layout
from pybadge.badge.text import Weight, covered, glyphs, metrics
from pybadge.errors import UsageError

__all__ = ["MissingGlyphWarning", "paint_png"]

MAX_SCALE = 16
_FINE = 4  # samples a pixel, each way, for letters
_FINER = 16  # the same for drawn shapes, which are few and kept: Pillow's edges are a sample off
_LEVELS = 31  # steps of a letter's edge: few enough for a palette, too fine to be seen
_QR_PIXELS = 4


class MissingGlyphWarning(UserWarning):
    """A character was drawn as U+FFFD since the bundled font lacks it, or a script could not be
    shaped."""


def paint_png(badge: Badge, look: Look = DEFAULT_LOOK, *, scale: float = 2) -> bytes:
    """The badge as PNG with transparent corners.

    Args:
        badge: what to draw.
        look: how; the ``auto`` theme is drawn as ``light``, its own scale and height don't matter.
        scale: pixels per SVG unit, 1 to 16; also told in the file, so that it prints at its size.

    Raises:
        UsageError: a scale out of range, or one that makes the QR code's modules smaller than 4
            pixels.
    """
    drawing = layout(badge, look)
    check_scale(drawing, scale)
    image = _Canvas(drawing, int(scale), dark=look.theme == "dark").paint()
    return _encode(image, int(scale))


def check_scale(drawing: Drawing, scale: float) -> None:
    """Refuse a scale that no PNG can have.

    Raises:
        UsageError: out of range, not whole, or too small for the QR code.
    """
    if type(scale) is not int or not 1 <= scale <= MAX_SCALE:
        raise UsageError(
            f"the scale of a PNG must be a whole number from 1 to {MAX_SCALE}, not {scale!a:.40}"
        )
    units = [shape.unit for shape in drawing.shapes if isinstance(shape, Modules)]
    if units and min(units) * scale < _QR_PIXELS:
        least = ceil(_QR_PIXELS / min(units))
        raise UsageError(
            f"a QR code needs {_QR_PIXELS} pixels a module: give a scale of at least {least}"
        )


class _Canvas:
    """Paints the colours without regard to the silhouette, which becomes the alpha channel at the
    end: painted onto RGBA, letters would replace the alpha under their edges instead of
    blending."""

    def __init__(self, drawing: Drawing, scale: int, *, dark: bool) -> None:
        self.drawing = drawing
        self.scale = scale
        self.dark = dark
        self.size = (round(drawing.width * scale), round(drawing.height * scale))
        self.image = Image.new("RGB", self.size)
        self.pen = ImageDraw.Draw(self.image)

    def paint(self) -> Image.Image:
        for shape in self.drawing.shapes:
            self.shape(shape)
        alpha = Image.new("L", self.size, 0)
        for shape in self.drawing.outline:
            if isinstance(shape, Rect):
                _cut_corners(alpha, shape, self.scale)
            else:
                mask, place = _mask(shape, self.scale)
                alpha.paste(255, place, mask)
        self.image.putalpha(alpha)
        return self.image

    def color(self, ink: Ink) -> str:
        return ink.dark if self.dark else ink.light

    def shape(self, shape: Shape) -> None:
        if isinstance(shape, Rect):
            self.rect(shape)
        elif isinstance(shape, Modules):
            self.modules(shape)
        elif isinstance(shape, Text):
            self.text(shape)
        else:
            mask, place = _mask(shape, self.scale)
            self.image.paste(self.color(shape.ink), place, mask)

    def rect(self, shape: Rect) -> None:
        scale = self.scale
        box = (
            round(shape.x * scale),
            round(shape.y * scale),
            round((shape.x + shape.width) * scale) - 1,
            round((shape.y + shape.height) * scale) - 1,
        )
        inside = any(shape.radii) and not self._is_edge(shape)
        if shape.opacity == 1 and not inside:
            self.pen.rectangle(box, fill=self.color(shape.ink))
            return
        mask = Image.new("L", (box[2] - box[0] + 1, box[3] - box[1] + 1), int(255 * shape.opacity))
        if inside:
            _cut_corners(mask, Rect(0, 0, shape.width, shape.height, shape.ink, shape.radii), scale)
        self.image.paste(self.color(shape.ink), box[:2], mask)

    def _is_edge(self, shape: Rect) -> bool:
        """Whether its corners are the silhouette's, which the alpha channel cuts."""
        return any(
            isinstance(outer, Rect)
            and shape.x in (outer.x, outer.x + outer.width - shape.width)
            and (shape.y == outer.y or shape.y + shape.height == outer.y + outer.height)
            for outer in self.drawing.outline
        )

    def modules(self, shape: Modules) -> None:
        unit = shape.unit * self.scale
        left, top = round(shape.x * self.scale), round(shape.y * self.scale)
        fill = self.color(shape.ink)
        size = len(shape.rows)
        code = Image.new("1", (size, size))
        code.putdata([255 if dark else 0 for row in shape.rows for dark in row])
        code = code.resize((size * unit, size * unit), Image.Resampling.NEAREST)
        self.image.paste(fill, (left, top), code)

    def text(self, shape: Text) -> None:
        if not shape.fit.simple:
            self.shaped(shape)
            return
        scale, weight = self.scale, shape.weight
        size = shape.size * scale
        text = shape.fit.text
        pen = shape.x
        color = self.color(shape.ink)
        # Browsers set letters at quarters of a pixel, on whole lines.
        baseline = floor(shape.baseline * scale + 0.5)
        measures = metrics(weight)
        before = ""
        for character in glyphs(text, shape.spacing):
            pen += measures.kerning[before + character] * shape.size
            position = pen * scale
            quarters = round(position * _FINE)
            whole = quarters // _FINE
            glyph = _glyph(weight, size, character, quarters % _FINE)
            if glyph is not None:
                mask, (dx, dy) = glyph
                self.image.paste(color, (whole + dx, baseline + dy), mask)
            pen += measures.advance[character] * shape.size + shape.spacing
            before = character

    def shaped(self, shape: Text) -> None:
        """Text of other scripts: shaped as a whole and set in the middle of its room."""
        text = shape.fit.text
        lacking = sorted({character for character in text if not covered(character)})
        for character in lacking:
            _warn(
                f"the bundled font has no U+{ord(character):04X} {_name(character)}: drawn as U+FFFD"
            )
        text = "".join(character if covered(character) else "\ufffd" for character in text)
        can_shape = features.check("raqm")
        if not can_shape and _needs_shaping(text):
            _warn(
                "this Pillow can't shape text: letters are drawn unjoined; install pith-badge[raster] and --engine resvg"
            )
        fine = self.scale * _FINE
        face = font("regular", shape.size * fine, shaped=can_shape)
        direction = ("rtl" if shape.fit.rtl else "ltr") if can_shape else None
        room, height = ceil(shape.room * fine), ceil(shape.size * 2 * fine)
        canvas = Image.new("L", (room, height), 0)
        ImageDraw.Draw(canvas).text(
            (room / 2, height * 0.7), text, fill=255, font=face, anchor="ms", direction=direction
        )
        small = canvas.resize((ceil(room / _FINE), ceil(height / _FINE)), Image.Resampling.BOX)
        top = round(shape.baseline * self.scale - small.height * 0.7)
        self.image.paste(self.color(shape.ink), (round(shape.x * self.scale), top), small)


def _needs_shaping(text: str) -> bool:
    return any("\u0590" <= character <= "\u0fff" for character in text)


def _name(character: str) -> str:
    return unicodedata.name(character, "(unnamed)")


def _warn(message: str) -> None:
    warnings.warn(message, MissingGlyphWarning, stacklevel=6)


def _reduce(mask: Image.Image, samples: int) -> Image.Image:
    return mask.reduce(samples).point(
        [round(round(level * _LEVELS / 255) * 255 / _LEVELS) for level in range(256)]
    )


@lru_cache(maxsize=1024)
def _glyph(
    weight: Weight, size: float, character: str, phase: int
) -> tuple[Image.Image, tuple[int, int]] | None:
    """The coverage of a letter, and where it lies from the whole-pixel pen position.

    Args:
        size: in pixels.
        phase: quarters of a pixel by which the letter stands to the right.
    """
    face = font(weight, size * _FINE)
    left, top, right, bottom = face.getbbox(character, anchor="ls")
    if right <= left or bottom <= top:
        return None
    x = floor(left / _FINE) - 1
    y = floor(top / _FINE) - 1
    wide, high = ceil(right / _FINE) + 2 - x, ceil(bottom / _FINE) + 2 - y
    canvas = Image.new("L", (wide * _FINE, high * _FINE), 0)
    origin = (-x * _FINE + phase, -y * _FINE)
    ImageDraw.Draw(canvas).text(origin, character, fill=255, font=face, anchor="ls")
    mask = _reduce(canvas, _FINE)
    box = mask.getbbox()
    return None if box is None else (mask.crop(box), (x + box[0], y + box[1]))


@lru_cache(maxsize=256)
def _mask(shape: Shape, scale: int) -> tuple[Image.Image, tuple[int, int]]:
    """The coverage of a disc, ring or stroke, and the pixel it begins at."""
    fine = scale * _FINER
    # The caller gives discs, rings and strokes alone; the union of all shapes is wider than that.
    points = shape.points if isinstance(shape, Stroke) else ((shape.x, shape.y),)  # type: ignore[union-attr]
    reach = (
        shape.stroke if isinstance(shape, Stroke) else shape.radius + getattr(shape, "stroke", 0)
    )  # type: ignore[union-attr]
    left = floor((min(x for x, _ in points) - reach) * scale)
    top = floor((min(y for _, y in points) - reach) * scale)
    right = ceil((max(x for x, _ in points) + reach) * scale)
    bottom = ceil((max(y for _, y in points) + reach) * scale)
    canvas = Image.new("L", ((right - left) * _FINER, (bottom - top) * _FINER), 0)
    pen = ImageDraw.Draw(canvas)

    def place(x: float, y: float) -> tuple[float, float]:
        # Pillow's coordinates name pixel centres.
        return x * fine - left * _FINER - 0.5, y * fine - top * _FINER - 0.5

    def dot(x: float, y: float, radius: float) -> None:
        cx, cy = place(x, y)
        pen.ellipse(
            (cx - radius * fine, cy - radius * fine, cx + radius * fine, cy + radius * fine),
            fill=255,
        )

    if isinstance(shape, Disc):
        dot(shape.x, shape.y, shape.radius)
    elif isinstance(shape, Stroke):
        for (x1, y1), (x2, y2) in zip(shape.points, shape.points[1:], strict=False):
            pen.polygon(
                [place(*point) for point in _thick(x1, y1, x2, y2, shape.stroke / 2)], fill=255
            )
        for x, y in shape.points:
            dot(x, y, shape.stroke / 2)
    elif isinstance(shape, Ring):
        for start, end in _pieces(shape):
            outer, inner = shape.radius + shape.stroke / 2, shape.radius - shape.stroke / 2
            steps = max(8, ceil((end - start) * outer * fine / 2))
            angles = [start + (end - start) * step / steps for step in range(steps + 1)]
            rim = [place(shape.x + outer * cos(a), shape.y + outer * sin(a)) for a in angles]
            rim += [
                place(shape.x + inner * cos(a), shape.y + inner * sin(a)) for a in reversed(angles)
            ]
            pen.polygon(rim, fill=255)
            if shape.round:
                for angle in (start, end):
                    dot(
                        shape.x + shape.radius * cos(angle),
                        shape.y + shape.radius * sin(angle),
                        shape.stroke / 2,
                    )
    return _reduce(canvas, _FINER), (left, top)


def _thick(x1: float, y1: float, x2: float, y2: float, half: float) -> list[tuple[float, float]]:
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1.0
    nx, ny = (y1 - y2) / length * half, (x2 - x1) / length * half
    return [(x1 + nx, y1 + ny), (x2 + nx, y2 + ny), (x2 - nx, y2 - ny), (x1 - nx, y1 - ny)]


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
def _corner(radius: float, scale: int) -> Image.Image:
    """The coverage of a top left corner."""
    side = ceil(radius * scale)
    fine = radius * scale * _FINER
    canvas = Image.new("L", (side * _FINER, side * _FINER), 0)
    ImageDraw.Draw(canvas).ellipse((-0.5, -0.5, 2 * fine - 0.5, 2 * fine - 0.5), fill=255)
    return _reduce(canvas, _FINER)


def _cut_corners(mask: Image.Image, shape: Rect, scale: int) -> None:
    """Fill a rectangle with rounded corners; on a mask that is not empty, keep its level."""
    x, y = round(shape.x * scale), round(shape.y * scale)
    right, bottom = round((shape.x + shape.width) * scale), round((shape.y + shape.height) * scale)
    level = cast("int", mask.getpixel((x, y))) or 255  # one channel, so one number
    mask.paste(level, (x, y, right, bottom))
    for index, radius in enumerate(shape.radii):
        if radius:
            corner = _corner(radius, scale)
            if index in (1, 2):
                corner = corner.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
            if index in (2, 3):
                corner = corner.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
            if level != 255:
                corner = corner.point([round(value * level / 255) for value in range(256)])
            mask.paste(
                corner,
                (
                    x if index in (0, 3) else right - corner.width,
                    y if index < 2 else bottom - corner.height,
                ),
            )


def _encode(image: Image.Image, scale: int) -> bytes:
    out = io.BytesIO()
    _with_palette(image).save(out, "PNG", compress_level=6, dpi=(96 * scale, 96 * scale))
    return out.getvalue()


def with_density(png: bytes, scale: int) -> bytes:
    """A PNG by another engine, with the density at which it prints at its size."""
    with Image.open(io.BytesIO(png)) as image:
        return _encode(image.convert("RGBA"), scale)


def _with_palette(image: Image.Image) -> Image.Image:
    """The same image with a palette, where it has at most 256 colours."""
    # Pillow's types can't say that an RGBA image gives four numbers a colour.
    colors = cast("list[tuple[int, tuple[int, int, int, int]]] | None", image.getcolors(256))
    if colors is None:
        return image
    # The colours with transparency first, so that the table of alphas is short.
    ordered = sorted((color for _, color in colors), key=lambda color: (color[3] == 255, color))
    table = {int.from_bytes(bytes(color), "little"): index for index, color in enumerate(ordered)}
    pixels = memoryview(image.tobytes()).cast("I")
    if sys.byteorder == "big":
        table = {
            int.from_bytes(key.to_bytes(4, "little"), "big"): index for key, index in table.items()
        }
    flat = Image.frombytes("P", image.size, bytes(map(table.__getitem__, pixels)))
    flat.putpalette([channel for color in ordered for channel in color[:3]])
    alphas = bytes(color[3] for color in ordered if color[3] != 255)
    if alphas:
        flat.info["transparency"] = alphas
    return flat
