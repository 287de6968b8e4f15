"""Our own drawings: the Pith mark and the signs of the states."""

from __future__ import annotations

from math import cos, pi, sin
from typing import TYPE_CHECKING

from pybadge.badge.shapes import Disc, Ring, Shape, Stroke

if TYPE_CHECKING:
    from pybadge.badge.colors import Ink
    from pybadge.badge.model import State

__all__ = ["mark", "sign"]


def mark(x: float, y: float, size: float, ink: Ink) -> tuple[Shape, ...]:
    """The mark: a stem cut across. The pith is the core, the vascular bundles stand in a ring around it.

    Args:
        x, y: the centre.
        size: the diameter.
        ink: its one colour.
    """
    stroke = size * 0.17
    radius = (size - stroke) / 2
    piece = 2 * pi * radius / 5
    gap = size * 0.14
    return (
        Disc(x, y, size * 0.2, ink),
        Ring(x, y, radius, stroke, ink, dash=piece - gap, gap=gap, shift=piece / 4 - gap / 2),
    )


def sign(state: State, x: float, y: float, size: float, ink: Ink) -> tuple[Shape, ...]:
    """The sign of a state: a tick, a cross, a bar, a clock, a question mark.

    Args:
        state: which.
        x, y: the centre.
        size: height and width of its square.
        ink: its one colour.
    """
    unit = size / 10
    stroke = 1.8 * unit

    def line(*points: tuple[float, float], width: float = stroke) -> Stroke:
        return Stroke(tuple((x + dx * unit, y + dy * unit) for dx, dy in points), width, ink)

    if state == "verified":
        return (line((-4, 0.4), (-1.2, 3.2), (4, -3.2)),)
    if state == "invalid":
        return (line((-3.2, -3.2), (3.2, 3.2)), line((3.2, -3.2), (-3.2, 3.2)))
    if state == "not_checked":
        return (line((-3.6, 0), (3.6, 0)),)
    if state == "offline":
        thin = 1.4 * unit
        return (Ring(x, y, 4.1 * unit, thin, ink), line((0, -2.4), (0, 0.2), (1.9, 1.3), width=thin))
    hook = [(2.6 * cos(angle * pi / 180), -1.9 + 2.6 * sin(angle * pi / 180)) for angle in range(-170, 61, 23)]
    return (line(*hook, (0, 1.5)), Disc(x, y + 4.2 * unit, 1.1 * unit, ink))
