"""The QR code of a badge: on a white tile of its own, whatever the theme and whatever lies behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pybadge.badge.bar import STYLES, bar, moved
from pybadge.badge.colors import LABEL, same
from pybadge.badge.qr import QUIET, matrix
from pybadge.badge.shapes import Disc, Drawing, Modules, Rect, Shape
from pybadge.badge.signs import mark
from pybadge.errors import UsageError

if TYPE_CHECKING:
    from pybadge.badge.look import Look
    from pybadge.badge.model import Badge

__all__ = ["code", "code_size", "with_qr"]

# Of the code's width; at level Q a quarter of the code words may be lost.
_MARK_SHARE = 0.18


def code(badge: Badge, look: Look, x: float, y: float, unit: int) -> tuple[Shape, ...]:
    """The modules on their ground, quiet zone included.

    Args:
        badge: whose address to encode.
        look: its colours, and whether the mark stands in the middle.
        x, y: the top left corner of the quiet zone.
        unit: the size of a module.

    Raises:
        UsageError: the badge has no full number.
    """
    rows = _rows(badge)
    side = code_size(badge, unit)
    dark, light = same(look.qr_color), same(look.qr_background)
    shapes: list[Shape] = [
        Rect(x, y, side, side, light),
        Modules(x + QUIET * unit, y + QUIET * unit, unit, rows, dark),
    ]
    if look.qr_mark:
        width = len(rows) * unit
        middle = (x + side / 2, y + side / 2)
        shapes.append(Disc(*middle, width * 0.2 / 2, light))
        shapes += mark(*middle, width * _MARK_SHARE - unit, dark)
    return tuple(shapes)


def code_size(badge: Badge, unit: int) -> int:
    """The side of the code with its quiet zone."""
    return (len(_rows(badge)) + 2 * QUIET) * unit


def _rows(badge: Badge) -> tuple[tuple[bool, ...], ...]:
    if badge.link is None:
        raise UsageError("a QR code needs a full Pith Number to point to, and this badge has none")
    return matrix(badge.link)


def with_qr(badge: Badge, look: Look) -> Drawing:
    """A bar with the code above it, as one label."""
    style = STYLES[look.style]
    natural = bar(badge, look)
    unit = 3 if natural.width < 170 else 4
    side = code_size(badge, unit)
    width = max(natural.width, side + 2)
    drawing = bar(badge, look, least=width)
    radius = style.radius
    top: list[Shape] = [
        Rect(0, 0, width, side + 2, same(look.qr_background), (radius, radius, 0, 0)),
    ]
    # The bar's upper corners lie inside the label now.
    below = [moved(_square_top(shape), 0, side + 2) for shape in drawing.shapes]
    left = (width - side) // 2
    modules = code(badge, look, left, 1, unit)[1:]
    outline = Rect(0, 0, width, side + 2 + drawing.height, LABEL, (radius,) * 4)
    return Drawing(width, side + 2 + drawing.height, (outline,), (*top, *modules, *below))


def _square_top(shape: Shape) -> Shape:
    if isinstance(shape, Rect) and any(shape.radii):
        from dataclasses import replace

        return replace(shape, radii=(0, 0, *shape.radii[2:]))
    return shape
