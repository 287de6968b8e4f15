"""The QR code of a badge, with its quiet zone, on light ground whatever the theme and whatever lies
behind."""

from __future__ import annotations

from pybadge.badge.colors import same
from pybadge.badge.drawing import Disc, Modules, Rect, Rows, Shape
from pybadge.badge.model import Badge
from pybadge.badge.options import BadgeOptions
from pybadge.badge.qr import QUIET, matrix
from pybadge.badge.styles.icons import mark
from pybadge.errors import UsageError

__all__ = ["MARGIN", "code", "code_size"]

MARGIN = 3
"""Between the quiet zone and the edge of what it stands on, so that round corners don't cut into
it."""

# Of the code's width: the mark in its middle, and the clearing around it. At level Q a quarter of
# the code words may be lost; a disc of 0.19 covers 3 % of the modules.
_MARK, _CLEARING = 0.155, 0.19


def code(badge: Badge, options: BadgeOptions, x: float, y: float, unit: int) -> tuple[Shape, ...]:
    """The modules on their ground, quiet zone included.

    Args:
        badge: whose address to encode.
        options: the colours, and whether the mark stands in the middle.
        x, y: the top left corner of the quiet zone.
        unit: the size of a module.

    Returns:
        The ground first, then what stands on it.

    Raises:
        UsageError: the badge has no full number.
    """
    rows = _rows(badge)
    side = code_size(badge, unit)
    dark, light = same(options.qr_color), same(options.qr_background)
    shapes: list[Shape] = [
        Rect(x, y, side, side, light),
        Modules(x + QUIET * unit, y + QUIET * unit, unit, rows, dark),
    ]
    if options.qr_mark and badge.ours:
        width = len(rows) * unit
        middle = (x + side / 2, y + side / 2)
        shapes.append(Disc(*middle, round(width * _CLEARING / 2, 1), light))
        shapes += mark(*middle, width * _MARK, dark)
    return tuple(shapes)


def code_size(badge: Badge, unit: int) -> int:
    """The side of the code with its quiet zone."""
    return (len(_rows(badge)) + 2 * QUIET) * unit


def _rows(badge: Badge) -> Rows:
    if badge.link is None:
        raise UsageError("a QR code needs a full Pith Number to point to, and this badge has none")
    return matrix(badge.link)
