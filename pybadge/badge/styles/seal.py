"""The seal: a small round mark."""

from __future__ import annotations

from math import ceil, pi

from pybadge.badge.colors import BORDER, STATES, Ink, same
from pybadge.badge.drawing import Disc, Drawing, Rect, Ring, Shape, Text
from pybadge.badge.model import WORDS, Badge
from pybadge.badge.options import Look
from pybadge.badge.styles.icons import sign
from pybadge.badge.styles.qr_tile import MARGIN, code, code_size
from pybadge.badge.text import Weight, elide, shorten

__all__ = ["seal"]

SIZE = 96
_SCALLOPS = 24


def seal(badge: Badge, look: Look) -> Drawing:
    """Lay out a seal; with a QR code it stands below, on its own tile.

    Raises:
        UsageError: a QR code was asked for, but the badge has no full number.
    """
    fill = (
        same(look.color)
        if look.color is not None and badge.state == "verified"
        else STATES[badge.state]
    )
    if not look.qr:
        edge, contents = _disc(badge, fill, SIZE / 2, SIZE / 2)
        return Drawing(SIZE, SIZE, edge, (*edge, *contents))
    side = code_size(badge, 3)
    width = side + 2 * MARGIN
    edge, contents = _disc(badge, fill, width / 2, SIZE / 2)
    top = SIZE + 4
    tile = Rect(0, top, width, width, BORDER, (6,) * 4)
    inner = Rect(1, top + 1, width - 2, width - 2, same(look.qr_background), (5,) * 4)
    modules = code(badge, look, MARGIN, top + MARGIN, 3)[1:]
    return Drawing(width, top + width, (*edge, tile), (*edge, *contents, tile, inner, *modules))


def _disc(badge: Badge, fill: Ink, x: float, y: float) -> tuple[tuple[Shape, ...], list[Shape]]:
    ink = fill.text
    reach = 42.0
    gap = round(2 * pi * reach / _SCALLOPS - 0.1, 1)
    edge: tuple[Shape, ...] = (
        Disc(x, y, reach, fill),
        Ring(x, y, reach, 11, fill, dash=0.1, gap=gap, round=True),
    )
    shapes: list[Shape] = [Ring(x, y, 38.5, 1, ink)]
    shapes += sign(badge.state, x, y - 15, 20, ink)
    word = WORDS[badge.state].upper()
    shapes += _line(word, x, y + 8.5, 9.0 if len(word) < 9 else 7.5, "bold", 0.6, ink, 68)
    shapes += _line(elide(badge.message), x, y + 20, 8.0, "regular", 0.2, ink, 60)
    last = badge.date if badge.state == "offline" and badge.date is not None else elide(badge.label)
    shapes += _line(last, x, y + 29.5, 7.0, "regular", 0.2, ink, 44)
    return edge, shapes


def _line(
    text: str,
    x: float,
    baseline: float,
    size: float,
    weight: Weight,
    spacing: float,
    ink: Ink,
    room: float,
) -> list[Shape]:
    measured = shorten(text, room, size, weight, spacing)
    # The room after the last letter is not part of what the eye centres.
    left = x - (measured.width - (spacing if measured.simple else 0)) / 2
    return [Text(measured, left, ceil(measured.width), baseline, size, ink, weight, spacing)]
