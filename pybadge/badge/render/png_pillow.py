"""The PNG painter: the SVG's layout, drawn with Pillow."""

from __future__ import annotations

import io
import sys
import unicodedata
import warnings
from math import ceil, floor
from typing import cast

from PIL import Image, ImageDraw, features

from pybadge.badge.colors import Ink
from pybadge.badge.drawing import Drawing, Modules, Rect, Shape, Text
from pybadge.badge.fonts.data import metrics
from pybadge.badge.fonts.metrics import covered, glyphs
from pybadge.badge.fonts.pillow import font
from pybadge.badge.model import Badge
from pybadge.badge.options import DEFAULTS, MAX_SCALE, BadgeOptions
from pybadge.badge.render.masks import FINE, corner_mask, glyph_mask, shape_mask
from pybadge.badge.styles import layout
from pybadge.errors import UsageError

__all__ = ["MissingGlyphWarning", "paint_png", "png_scale", "with_density"]

_DEFAULT_SCALE = 2  # sharp on the screens of today; every host of images shows it at half size
_QR_PIXELS = 4  # a module, at least: what phones read from a screen
_BASELINE = 0.7  # of a canvas twice the font size: room for marks above and below


class MissingGlyphWarning(UserWarning):
    """A character was drawn as U+FFFD since the bundled font lacks it, or a script could not be
    shaped."""


def paint_png(badge: Badge, options: BadgeOptions = DEFAULTS) -> bytes:
    """The badge as PNG with transparent corners; the ``auto`` theme is drawn as ``light``.

    Args:
        badge: what to draw.
        options: how. The scale is pixels per SVG unit; the file tells it too, so that it prints at
            its size.

    Raises:
        UsageError: an option that a PNG can't have, or a scale that makes the QR code's modules
            smaller than 4 pixels.
    """
    drawing = layout(badge, options)
    scale = png_scale(drawing, options)
    image = _Canvas(drawing, scale, dark=options.theme == "dark").paint()
    return _encode(image, scale)


def png_scale(drawing: Drawing, options: BadgeOptions) -> int:
    """The pixels per SVG unit that are asked for.

    Raises:
        UsageError: a scale that is not whole, out of range, or too small for the QR code; what only
            an SVG can have, a height or a link.
    """
    if options.height is not None:
        raise UsageError("a height is for SVG; a PNG takes a scale")
    if options.link:
        raise UsageError("a link is for SVG; put the PNG into a link on the page")
    scale = _DEFAULT_SCALE if options.scale is None else options.scale
    if not isinstance(scale, int) or not 1 <= scale <= MAX_SCALE:
        raise UsageError(
            f"the scale of a PNG must be a whole number from 1 to {MAX_SCALE}, not {scale!a:.40}"
        )
    units = [shape.unit for shape in drawing.shapes if isinstance(shape, Modules)]
    if units and min(units) * scale < _QR_PIXELS:
        least = ceil(_QR_PIXELS / min(units))
        raise UsageError(
            f"a QR code needs {_QR_PIXELS} pixels a module: give a scale of at least {least}"
        )
    return scale


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
        """Everything, with the silhouette as alpha channel."""
        for shape in self.drawing.shapes:
            self.shape(shape)
        alpha = Image.new("L", self.size, 0)
        for shape in self.drawing.outline:
            if isinstance(shape, Rect):
                _round_off(alpha, shape, self.scale)
            elif not isinstance(shape, (Modules, Text)):
                mask, place = shape_mask(shape, self.scale)
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
            if shape.fit.simple:
                self.text(shape)
            else:
                self.shaped_text(shape)
        else:
            mask, place = shape_mask(shape, self.scale)
            self.image.paste(self.color(shape.ink), place, mask)

    def rect(self, shape: Rect) -> None:
        scale = self.scale
        left, top = round(shape.x * scale), round(shape.y * scale)
        right, bottom = _end(shape, scale)
        inside = any(shape.radii) and not self._is_edge(shape)
        if shape.opacity == 1 and not inside:
            self.pen.rectangle((left, top, right - 1, bottom - 1), fill=self.color(shape.ink))
            return
        mask = Image.new("L", (right - left, bottom - top), int(255 * shape.opacity))
        if inside:
            own = Rect(0, 0, shape.width, shape.height, shape.ink, shape.radii)
            _round_off(mask, own, scale)
        self.image.paste(self.color(shape.ink), (left, top), mask)

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
        size = len(shape.rows)
        code = Image.new("1", (size, size))
        code.putdata([255 if dark else 0 for row in shape.rows for dark in row])
        code = code.resize((size * unit, size * unit), Image.Resampling.NEAREST)
        self.image.paste(self.color(shape.ink), (left, top), code)

    def text(self, shape: Text) -> None:
        """Text letter by letter, as browsers set it: at quarters of a pixel, on a whole line."""
        size = shape.size * self.scale
        baseline = floor(shape.baseline * self.scale + 0.5)
        color = self.color(shape.ink)
        measures = metrics(shape.weight)
        pen = shape.x
        before = ""
        for character in glyphs(shape.fit.text, shape.spacing):
            pen += measures.kerning.get(before + character, 0.0) * shape.size
            whole, phase = divmod(round(pen * self.scale * FINE), FINE)
            glyph = glyph_mask(shape.weight, size, character, phase)
            if glyph is not None:
                mask, (dx, dy) = glyph
                self.image.paste(color, (whole + dx, baseline + dy), mask)
            pen += measures.advance[character] * shape.size + shape.spacing
            before = character

    def shaped_text(self, shape: Text) -> None:
        """Text of other scripts: shaped as a whole and set in the middle of its room."""
        text = _drawable(shape.fit.text)
        direction = None
        can_shape = features.check("raqm")
        if can_shape:
            direction = "rtl" if shape.fit.rtl else "ltr"
        elif _needs_shaping(text):
            _warn(
                "this Pillow can't shape text: letters are drawn unjoined; install "
                "pith-badge[raster] and choose the renderer resvg"
            )
        fine = self.scale * FINE
        face = font("regular", shape.size * fine, shaped=can_shape)
        room, height = ceil(shape.room * fine), ceil(shape.size * 2 * fine)
        canvas = Image.new("L", (room, height), 0)
        middle = (room / 2, height * _BASELINE)
        ImageDraw.Draw(canvas).text(
            middle, text, fill=255, font=face, anchor="ms", direction=direction
        )
        small = canvas.resize((ceil(room / FINE), ceil(height / FINE)), Image.Resampling.BOX)
        top = round(shape.baseline * self.scale - small.height * _BASELINE)
        self.image.paste(self.color(shape.ink), (round(shape.x * self.scale), top), small)


def _drawable(text: str) -> str:
    """The text with U+FFFD for what the bundled font lacks."""
    for character in sorted({character for character in text if not covered(character)}):
        name = unicodedata.name(character, "(unnamed)")
        _warn(f"the bundled font has no U+{ord(character):04X} {name}: drawn as U+FFFD")
    return "".join(character if covered(character) else "\ufffd" for character in text)


def _needs_shaping(text: str) -> bool:
    """Whether it holds letters that are joined, turned or stacked: Hebrew to Tibetan."""
    return any("\u0590" <= character <= "\u0fff" for character in text)


def _warn(message: str) -> None:
    warnings.warn(message, MissingGlyphWarning, stacklevel=2)


def _end(shape: Rect, scale: int) -> tuple[int, int]:
    """The pixel beyond its lower right corner."""
    return round((shape.x + shape.width) * scale), round((shape.y + shape.height) * scale)


def _round_off(mask: Image.Image, shape: Rect, scale: int) -> None:
    """Fill a rectangle with rounded corners; on a mask that is not empty, keep its level."""
    x, y = round(shape.x * scale), round(shape.y * scale)
    right, bottom = _end(shape, scale)
    level = cast("int", mask.getpixel((x, y))) or 255  # one channel, so one number
    mask.paste(level, (x, y, right, bottom))
    for index, radius in enumerate(shape.radii):
        if not radius:
            continue
        corner = corner_mask(radius, scale)
        left, top = x, y
        if index in (1, 2):
            corner = corner.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
            left = right - corner.width
        if index in (2, 3):
            corner = corner.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
            top = bottom - corner.height
        if level != 255:
            corner = corner.point([round(value * level / 255) for value in range(256)])
        mask.paste(corner, (left, top))


def _encode(image: Image.Image, scale: int) -> bytes:
    out = io.BytesIO()
    _with_palette(image).save(out, "PNG", compress_level=6, dpi=(96 * scale, 96 * scale))
    return out.getvalue()


def with_density(png: bytes, scale: int) -> bytes:
    """A PNG by another renderer, with the density at which it prints at its size."""
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
    table = {
        int.from_bytes(bytes(color), sys.byteorder): index for index, color in enumerate(ordered)
    }
    pixels = memoryview(image.tobytes()).cast("I")
    indexed = Image.frombytes("P", image.size, bytes(map(table.__getitem__, pixels)))
    indexed.putpalette([channel for color in ordered for channel in color[:3]])
    alphas = bytes(color[3] for color in ordered if color[3] != 255)
    if alphas:
        indexed.info["transparency"] = alphas
    return indexed
