"""The QR code of a badge: on a white tile of its own, whatever the theme and whatever lies
behind."""

from __future__ import annotations

from dataclasses import replace

from pybadge.badge.colors import LABEL, same
from pybadge.badge.drawing import Disc, Drawing, Modules, Rect, Shape
from pybadge.badge.model import Badge
from pybadge.badge.options import Look
from pybadge.badge.qr import QUIET, matrix
from pybadge.badge.styles.bar import STYLES, bar, moved
from pybadge.badge.styles.icons import mark
from pybadge.errors import UsageError

__all__ = ["code", "code_size", "with_qr"]

# Of the code's width, its clearing included; at level Q a quarter of the code words may be lost.
_CLEARING, _MARK = 0.19, 0.155
# Between the quiet zone and the tile's edge, so that round corners don't cut into it.
MARGIN = 3


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
    if look.qr_mark and badge.ours:
        width = len(rows) * unit
        middle = (x + side / 2, y + side / 2)
        shapes.append(Disc(*middle, round(width * _CLEARING / 2, 1), light))
        shapes += mark(*middle, width * _MARK, dark)
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
    top = side + 2 * MARGIN
    width = max(natural.width, top)
    drawing = bar(badge, look, least=width)
    radius = style.radius
    ground = Rect(0, 0, width, top, same(look.qr_background), (radius, radius, 0, 0))
    # The bar's upper corners lie inside the label now.
    below = [moved(_square_top(shape), 0, top) for shape in drawing.shapes]
    modules = code(badge, look, (width - side) // 2, MARGIN, unit)[1:]
    outline = Rect(0, 0, width, top + drawing.height, LABEL, (radius,) * 4)
    return Drawing(width, top + drawing.height, (outline,), (ground, *modules, *below))


def _square_top(shape: Shape) -> Shape:
    if isinstance(shape, Rect) and any(shape.radii):
        return replace(shape, radii=(0, 0, *shape.radii[2:]))
    return shape
