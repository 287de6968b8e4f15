"""The seal: a small round mark, for margins, posters and certificates."""

from __future__ import annotations

from math import ceil, pi

from pybadge.badge.colors import BORDER, STATES, Ink, same
from pybadge.badge.drawing import Disc, Drawing, Rect, Ring, Shape, Text, Weight
from pybadge.badge.model import WORDS, Badge
from pybadge.badge.options import BadgeOptions
from pybadge.badge.styles.icons import icon
from pybadge.badge.styles.qr_tile import MARGIN, code, code_size
from pybadge.badge.text import elide, shorten

__all__ = ["seal"]

SIZE = 96
_REACH = 42.0  # the disc; its scallops reach half their stroke of 11 further, to the edge
_SCALLOPS = 24
_RIM = 38.5  # the inner circle, inside which the lines of text must keep
_ICON = 20
_CODE_UNIT = 3
_CODE_GAP = 4  # from the seal to the tile with its code
_TILE_RADIUS = 6


def seal(badge: Badge, options: BadgeOptions) -> Drawing:
    """Lay out a seal; with a QR code it stands below, on its own tile.

    Raises:
        UsageError: a QR code was asked for, but the badge has no full number.
    """
    fill = STATES[badge.state]
    if options.color is not None and badge.state == "verified":
        fill = same(options.color)
    if not options.qr:
        edge = _edge(SIZE / 2, fill)
        return Drawing(SIZE, SIZE, edge, (*edge, *_contents(badge, SIZE / 2, fill.text)))
    width = code_size(badge, _CODE_UNIT) + 2 * MARGIN
    edge = _edge(width / 2, fill)
    contents = _contents(badge, width / 2, fill.text)
    top = SIZE + _CODE_GAP
    tile = Rect(0, top, width, width, BORDER, (_TILE_RADIUS,) * 4)
    ground = same(options.qr_background)
    inner = Rect(1, top + 1, width - 2, width - 2, ground, (_TILE_RADIUS - 1,) * 4)
    modules = code(badge, options, MARGIN, top + MARGIN, _CODE_UNIT)[1:]
    shapes = (*edge, *contents, tile, inner, *modules)
    return Drawing(width, top + width, (*edge, tile), shapes)


def _edge(x: float, fill: Ink) -> tuple[Shape, ...]:
    """A disc with scallops: a dashed ring whose dashes are all but the round ends."""
    dash = 0.1
    gap = round(2 * pi * _REACH / _SCALLOPS - dash, 1)
    scallops = Ring(x, SIZE / 2, _REACH, 11, fill, dash=dash, gap=gap, round=True)
    return (Disc(x, SIZE / 2, _REACH, fill), scallops)


def _contents(badge: Badge, x: float, ink: Ink) -> list[Shape]:
    y = SIZE / 2
    word = WORDS[badge.state].upper()
    word_size = 9.0 if len(word) < 9 else 7.5  # "NOT CHECKED" is the long one
    last = elide(badge.label)
    if badge.state == "offline" and badge.date is not None:
        last = badge.date
    # The widths are those of the circle at each line's height, less some room at its ends.
    return [
        Ring(x, y, _RIM, 1, ink),
        *icon(badge.state, x, y - 15, _ICON, ink),
        _line(word, x, y + 8.5, word_size, ink, 68, weight="bold", spacing=0.6),
        _line(elide(badge.message), x, y + 20, 8.0, ink, 60),
        _line(last, x, y + 29.5, 7.0, ink, 44),
    ]


def _line(
    text: str,
    x: float,
    baseline: float,
    size: float,
    ink: Ink,
    room: float,
    *,
    weight: Weight = "regular",
    spacing: float = 0.2,
) -> Text:
    """A line around the middle ``x``. Letters are spaced a little, since they are small."""
    measured = shorten(text, room, size, weight, spacing)
    width = measured.width
    if measured.simple:
        # The room after the last letter is not part of what the eye centres.
        width -= spacing
    return Text(measured, x - width / 2, ceil(measured.width), baseline, size, ink, weight, spacing)
