"""Our own drawings: the Pith mark and the icons of the states."""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin

from pybadge.badge.colors import Ink
from pybadge.badge.drawing import Disc, Ring, Shape, Stroke
from pybadge.badge.model import State

__all__ = ["icon", "mark"]

_Line = tuple[tuple[float, float], ...]

# Lines in a square of 10 units around the middle; y runs down.
_LINES: dict[State, tuple[_Line, ...]] = {
    "verified": (((-4, 0.4), (-1.2, 3.2), (4, -3.2)),),  # a tick
    "invalid": (((-3.2, -3.2), (3.2, 3.2)), ((3.2, -3.2), (-3.2, 3.2))),  # a cross
    "not_checked": (((-3.6, 0), (3.6, 0)),),  # a bar
    "offline": (((0, -2.4), (0, 0.2), (1.9, 1.3)),),  # the hands of a clock
    "unknown": (  # the hook of a question mark: an arc from the left over the top, and the stem
        (
            *(
                (2.6 * cos(angle * pi / 180), -1.9 + 2.6 * sin(angle * pi / 180))
                for angle in range(-170, 61, 23)
            ),
            (0, 1.5),
        ),
    ),
}
_STROKE = 1.8
_THIN = 1.4  # a clock has a rim as well: thick lines would fill it
_RIM = 4.1
_DOT, _DOT_BELOW = 1.1, 4.2  # of the question mark: radius, and how far below the middle


# The few drawings of a style recur from badge to badge, and their rounding is what takes time.
@lru_cache(maxsize=256)
def mark(x: float, y: float, size: float, ink: Ink) -> tuple[Shape, ...]:
    """The mark: a stem cut across. The pith is the core, the vascular bundles stand in a ring
    around it.

    Args:
        x, y: the centre.
        size: the diameter.
        ink: its one colour.
    """
    # Rounded to tenths, so that SVG, which has one decimal, and PNG are the same drawing.
    stroke = round(size * 0.17, 1)
    radius = round((size - stroke) / 2, 1)
    piece = 2 * pi * radius / 5
    gap = round(size * 0.14, 1)
    dash = round(piece - gap, 1)
    return (
        Disc(x, y, round(size * 0.2, 1), ink),
        Ring(x, y, radius, stroke, ink, dash=dash, gap=gap, shift=round(dash / 2 - piece / 4, 1)),
    )


@lru_cache(maxsize=256)
def icon(state: State, x: float, y: float, size: float, ink: Ink) -> tuple[Shape, ...]:
    """The icon of a state: a tick, a cross, a bar, a clock, a question mark.

    Args:
        state: which.
        x, y: the centre.
        size: height and width of its square.
        ink: its one colour.
    """
    unit = size / 10
    stroke = round((_THIN if state == "offline" else _STROKE) * unit, 1)
    lines = tuple(
        Stroke(
            tuple((round(x + dx * unit, 1), round(y + dy * unit, 1)) for dx, dy in points),
            stroke,
            ink,
        )
        for points in _LINES[state]
    )
    if state == "offline":
        return (Ring(x, y, round(_RIM * unit, 1), stroke, ink), *lines)
    if state == "unknown":
        dot = Disc(x, round(y + _DOT_BELOW * unit, 1), round(_DOT * unit, 1), ink)
        return (*lines, dot)
    return lines
