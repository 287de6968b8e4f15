"""From a badge and a look to a drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pybadge.badge.drawing import Drawing
from pybadge.badge.model import Badge
from pybadge.badge.options import DEFAULT_LOOK, Look
from pybadge.badge.styles.bar import bar
from pybadge.badge.styles.card import card  # loaded when wanted: most badges are bars
from pybadge.badge.styles.qr_tile import with_qr
from pybadge.badge.styles.seal import seal

__all__ = ["layout", "size"]


def layout(badge: Badge, look: Look = DEFAULT_LOOK) -> Drawing:
    """Lay a badge out, in its natural size.

    Raises:
        UsageError: a QR code was asked for, but there is no full number to point to.
    """
    if look.style == "card":
        return card(badge, look)
    if look.style == "seal":
        return seal(badge, look)
    if look.qr:
        return with_qr(badge, look)
    return bar(badge, look)


def factor(drawing: Drawing, look: Look) -> float:
    """How many CSS pixels a unit becomes."""
    return look.scale if look.height is None else look.height / drawing.height


def size(badge: Badge, look: Look = DEFAULT_LOOK) -> tuple[float, float]:
    """Width and height of the SVG in CSS pixels."""
    drawing = layout(badge, look)
    times = factor(drawing, look)
    return drawing.width * times, drawing.height * times
