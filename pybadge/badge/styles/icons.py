"""Our own drawings: the Pith mark and the signs of the states."""

from __future__ import annotations

from math import cos, pi, sin

from pybadge.badge.colors import Ink
from pybadge.badge.drawing import Disc, Ring, Shape, Stroke
from pybadge.badge.model import State

__all__ = ["mark", "sign"]


def mark(x: float, y: float, size: float, ink: Ink) -> tuple[Shape, ...]:
    """The mark: a stem cut across. The pith is the core, the vascular bundles stand in a ring
    around it.

    Args:
        x, y: the centre.
        size: the diameter.
        ink: its one colour.
    """
    # Rounded to tenths, so that SVG, which tells no more, and PNG are the same drawing.
    stroke = round(size * 0.17, 1)
    radius = round((size - stroke) / 2, 1)
    piece = 2 * pi * radius / 5
    gap = round(size * 0.14, 1)
    dash = round(piece - gap, 1)
    return (
        Disc(x, y, round(size * 0.2, 1), ink),
        Ring(x, y, radius, stroke, ink, dash=dash, gap=gap, shift=round(dash / 2 - piece / 4, 1)),
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
    stroke = round(1.8 * unit, 1)

    def line(*points: tuple[float, float], width: float = stroke) -> Stroke:
        return Stroke(
            tuple((round(x + dx * unit, 1), round(y + dy * unit, 1)) for dx, dy in points),
            width,
            ink,
        )

    if state == "verified":
        return (line((-4, 0.4), (-1.2, 3.2), (4, -3.2)),)
    if state == "invalid":
        return (line((-3.2, -3.2), (3.2, 3.2)), line((3.2, -3.2), (-3.2, 3.2)))
    if state == "not_checked":
        return (line((-3.6, 0), (3.6, 0)),)
    if state == "offline":
        thin = round(1.4 * unit, 1)
        return (
            Ring(x, y, round(4.1 * unit, 1), thin, ink),
            line((0, -2.4), (0, 0.2), (1.9, 1.3), width=thin),
        )
    hook = [
        (2.6 * cos(angle * pi / 180), -1.9 + 2.6 * sin(angle * pi / 180))
        for angle in range(-170, 61, 23)
    ]
    return (line(*hook, (0, 1.5)), Disc(x, round(y + 4.2 * unit, 1), round(1.1 * unit, 1), ink))
