"""The styles: each lays a badge out as a drawing.

A new style of bar is a row in `pybadge.badge.styles.bar`; any other is a module of its own and a
row here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pybadge.badge.drawing import Drawing
from pybadge.badge.model import Badge
from pybadge.badge.options import DEFAULTS, BadgeOptions
from pybadge.badge.styles.bar import BARS, bar, bar_with_code
from pybadge.badge.styles.card import card
from pybadge.badge.styles.seal import seal
from pybadge.errors import invalid_choice

__all__ = ["STYLES", "Style", "factor", "layout", "size", "style_of"]


@dataclass(frozen=True, slots=True)
class Style:
    """One style.

    Attributes:
        purpose: what it is good for, in a few words.
        layout: draws a badge in it, in its natural size.
    """

    purpose: str
    layout: Callable[[Badge, BadgeOptions], Drawing]


def _bar(badge: Badge, options: BadgeOptions) -> Drawing:
    return bar_with_code(badge, options) if options.qr else bar(badge, options)


_STYLES = {
    **{name: Style(measures.purpose, _bar) for name, measures in BARS.items()},
    "card": Style("title, authors, number and QR code, for web pages and slides", card),
    "seal": Style("a round mark, for margins, posters and certificates", seal),
}
STYLES = tuple(_STYLES)
"""The names of the styles."""


def style_of(name: str) -> Style:
    """The style of a name.

    Raises:
        UsageError: there is none.
    """
    style = _STYLES.get(name) if isinstance(name, str) else None
    if style is None:
        raise invalid_choice(name, STYLES, "style")
    return style


def layout(badge: Badge, options: BadgeOptions = DEFAULTS) -> Drawing:
    """Lay a badge out, in its natural size.

    Raises:
        UsageError: an unknown style, or a QR code was asked for, but there is no full number to
            point to.
    """
    return style_of(options.style).layout(badge, options)


def factor(drawing: Drawing, options: BadgeOptions) -> float:
    """How many CSS pixels a unit of an SVG becomes."""
    if options.height is not None:
        return options.height / drawing.height
    return 1 if options.scale is None else options.scale


def size(badge: Badge, options: BadgeOptions = DEFAULTS) -> tuple[float, float]:
    """Width and height of the SVG in CSS pixels."""
    drawing = layout(badge, options)
    times = factor(drawing, options)
    return drawing.width * times, drawing.height * times
