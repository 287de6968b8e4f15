"""The SVG painter: writes the shapes of a drawing one after the other.

What it writes can be put into a page as it is: no ids, no filters, no gradients, no styles (but in
the ``auto`` theme, which has no other way to ask the viewer), no scripts, no references; numbers
with a dot and at most one decimal in any locale.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from pybadge.badge.colors import Ink
from pybadge.badge.drawing import Disc, Drawing, Modules, Rect, Ring, Shape, Stroke, Text
from pybadge.badge.fonts.outlines import outline
from pybadge.badge.model import Badge
from pybadge.badge.options import DEFAULTS, BadgeOptions
from pybadge.badge.qr import path
from pybadge.badge.styles import factor, layout
from pybadge.escape.markup import xml

__all__ = ["FAMILY", "paint_svg"]

FAMILY = "DejaVu Sans,Verdana,sans-serif"


def paint_svg(badge: Badge, options: BadgeOptions = DEFAULTS) -> str:
    """The badge as an SVG document.

    Args:
        badge: what to draw.
        options: how.

    Raises:
        UsageError: an unknown style; a QR code was asked for, but the badge has no full number;
            text can't be drawn as paths.
    """
    drawing = layout(badge, options)
    writer = _Writer(drawing, options)
    elements = "".join([writer.element(shape) for shape in drawing.shapes])
    title = xml(badge.title)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg"{_size(drawing, options)} role="img" '
        f'aria-label="{title}"><title>{title}</title>{writer.style_sheet()}'
    )
    # What elements share stands on a group, not on the root: rules for `svg` are common in the
    # style sheets of pages.
    group = f"<g{writer.shared()}>{elements}</g>"
    if options.link and badge.link is not None:
        group = f'<a href="{xml(badge.link)}" target="_top">{group}</a>'
    return f"{head}{group}</svg>"


# The same few lengths recur in every badge.
@lru_cache(maxsize=1024)
def number(value: float) -> str:
    """A length with a dot and at most one decimal, whatever the locale."""
    text = f"{value:.1f}"
    if text[-1] != "0":
        return text
    return "0" if text == "-0.0" else text[:-2]


def _size(drawing: Drawing, options: BadgeOptions) -> str:
    width, height = drawing.width, drawing.height
    times = factor(drawing, options)
    if times == 1:
        return f' width="{number(width)}" height="{number(height)}"'
    return (
        f' width="{number(width * times)}" height="{number(height * times)}" '
        f'viewBox="0 0 {number(width)} {number(height)}"'
    )


class _Writer:
    """Writes the shapes of one drawing.

    Attributes:
        color: the fill that most elements have, which stands on the group.
        font_size: the size that most texts have, likewise.
        rules: of the ``auto`` theme's style sheet, by class name.
    """

    def __init__(self, drawing: Drawing, options: BadgeOptions) -> None:
        self.dark = options.theme == "dark"
        self.auto = options.theme == "auto"
        self.as_paths = options.text_as_paths
        self.rules: dict[str, str] = {}
        fills = [self.fill_of(shape) for shape in drawing.shapes]
        # Of those that are as common, the first by name and the greatest size: in any order of
        # shapes the same.
        self.color = max(sorted(set(fills)), key=fills.count)
        sizes = [shape.size for shape in drawing.shapes if isinstance(shape, Text)]
        self.font_size = max(sorted(set(sizes), reverse=True), key=sizes.count, default=0.0)

    def fill_of(self, shape: Shape) -> str:
        """The value of a shape's ``fill``."""
        if isinstance(shape, (Ring, Stroke, Modules)):
            return "none"
        return shape.ink.dark if self.dark else shape.ink.light

    def shared(self) -> str:
        """The attributes of the group."""
        if self.as_paths or not self.font_size:
            return f' fill="{self.color}"'
        size = number(self.font_size)
        return f' fill="{self.color}" font-family="{FAMILY}" font-size="{size}"'

    def style_sheet(self) -> str:
        """What the ``auto`` theme needs; "" where every ink is alike in light and dark."""
        if not self.rules:
            return ""
        rules = "".join([f".{name}{{{rule}}}" for name, rule in self.rules.items()])
        return f"<style>@media(prefers-color-scheme:dark){{{rules}}}</style>"

    def fill(self, ink: Ink) -> str:
        """The attributes of a filled shape."""
        color = ink.dark if self.dark else ink.light
        said = "" if color == self.color else f' fill="{color}"'
        return said + self.css_class("fill", ink) if self.auto else said

    def stroke(self, ink: Ink) -> str:
        """The attributes of a line."""
        hollow = "" if self.color == "none" else ' fill="none"'
        said = f'{hollow} stroke="{ink.dark if self.dark else ink.light}"'
        return said + self.css_class("stroke", ink) if self.auto else said

    def css_class(self, attribute: str, ink: Ink) -> str:
        """The class that gives an ink its dark colour on dark pages, where it has one."""
        if ink.light == ink.dark:
            return ""
        # Class names are global where several badges share a page: the name is a digest of the
        # rule, so that equal names always mean equal rules.
        rule = f"{attribute}:{ink.dark}"
        name = "p" + hashlib.sha256(rule.encode("ascii")).hexdigest()[:6]
        self.rules[name] = rule
        return f' class="{name}"'

    def element(self, shape: Shape) -> str:
        """The element of one shape."""
        return _ELEMENTS[type(shape)](self, shape)

    def disc(self, shape: Disc) -> str:
        x, y, radius = number(shape.x), number(shape.y), number(shape.radius)
        return f'<circle cx="{x}" cy="{y}" r="{radius}"{self.fill(shape.ink)}/>'

    def rect(self, shape: Rect) -> str:
        opacity = "" if shape.opacity == 1 else f' opacity="{number(shape.opacity)}"'
        top_left, top_right, bottom_right, bottom_left = shape.radii
        if not top_left == top_right == bottom_right == bottom_left:
            return f'<path d="{_rounded(shape)}"{self.fill(shape.ink)}{opacity}/>'
        x = f' x="{number(shape.x)}"' if shape.x else ""
        y = f' y="{number(shape.y)}"' if shape.y else ""
        size = f' width="{number(shape.width)}" height="{number(shape.height)}"'
        corners = f' rx="{number(top_left)}"' if top_left else ""
        return f"<rect{x}{y}{size}{corners}{self.fill(shape.ink)}{opacity}/>"

    def line(self, shape: Stroke) -> str:
        (x, y), *rest = shape.points
        points = " ".join([f"{number(x)} {number(y)}" for x, y in rest])
        join = ' stroke-linejoin="round"' if len(rest) > 1 else ""
        return (
            f'<path d="M{number(x)} {number(y)}L{points}"{self.stroke(shape.ink)} '
            f'stroke-width="{number(shape.stroke)}" stroke-linecap="round"{join}/>'
        )

    def ring(self, shape: Ring) -> str:
        dashes = ""
        if shape.gap:
            dashes = f' stroke-dasharray="{number(shape.dash)} {number(shape.gap)}"'
            if shape.shift:
                dashes += f' stroke-dashoffset="{number(shape.shift)}"'
            if shape.round:
                dashes += ' stroke-linecap="round"'
        return (
            f'<circle cx="{number(shape.x)}" cy="{number(shape.y)}" r="{number(shape.radius)}"'
            f'{self.stroke(shape.ink)} stroke-width="{number(shape.stroke)}"{dashes}/>'
        )

    def modules(self, shape: Modules) -> str:
        line, dashes = path(shape.rows)
        place = f"translate({number(shape.x)} {number(shape.y)})scale({shape.unit})"
        return (
            f'<path d="{line}"{self.stroke(shape.ink)} stroke-dasharray="{dashes}" '
            f'transform="{place}" shape-rendering="crispEdges"/>'
        )

    def text(self, shape: Text) -> str:
        if self.as_paths:
            # Tenths of a unit: so one decimal is a hundredth, which letters need.
            return f'<path d="{outline(shape)}"{self.fill(shape.ink)} transform="scale(.1)"/>'
        fit = shape.fit
        if fit.simple:
            place = f'x="{number(shape.x)}" y="{number(shape.baseline)}"'
            place += f' textLength="{number(fit.width)}"'
            if shape.spacing:
                place += f' letter-spacing="{number(shape.spacing)}"'
        else:
            # The viewer's own font decides the width: such a text is set in the middle of its room.
            middle = number(shape.x + shape.room / 2)
            place = f'x="{middle}" y="{number(shape.baseline)}" text-anchor="middle"'
            if fit.rtl:
                place += ' direction="rtl"'
        if shape.size != self.font_size:
            place += f' font-size="{number(shape.size)}"'
        if shape.weight == "bold":
            place += ' font-weight="700"'
        return f"<text {place}{self.fill(shape.ink)}>{xml(fit.text)}</text>"


_ELEMENTS: dict[type[Shape], Callable[[_Writer, Any], str]] = {
    Rect: _Writer.rect,
    Disc: _Writer.disc,
    Ring: _Writer.ring,
    Stroke: _Writer.line,
    Text: _Writer.text,
    Modules: _Writer.modules,
}


def _rounded(shape: Rect) -> str:
    """The outline of a rectangle whose corners differ, clockwise from the top left."""
    x, y, width, height = shape.x, shape.y, shape.width, shape.height
    top_left, top_right, bottom_right, bottom_left = shape.radii
    top = f"M{number(x + top_left)} {number(y)}h{number(width - top_left - top_right)}"
    right = f"v{number(height - top_right - bottom_right)}"
    bottom = f"H{number(x + bottom_left)}"
    left = f"v-{number(height - bottom_left - top_left)}" if top_left else ""
    return (
        f"{top}{_arc(top_right, ' ', ' ')}{right}{_arc(bottom_right, '-', ' ')}"
        f"{bottom}{_arc(bottom_left, '-', '-')}{left}{_arc(top_left, ' ', '-')}z"
    )


def _arc(radius: float, dx: str, dy: str) -> str:
    """A quarter of a circle, clockwise.

    Args:
        radius: 0 for a sharp corner.
        dx, dy: what stands before the steps: "-" to the left or up, a blank else.
    """
    if not radius:
        return ""
    r = number(radius)
    return f"a{r} {r} 0 0 1{dx}{r}{dy}{r}"
