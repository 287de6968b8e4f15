"""One layout for all painters: lengths in SVG units (1 unit = 1 CSS pixel), the proportions of the field's flat badge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pybadge.badge.text import text_width

if TYPE_CHECKING:
    from pybadge.badge.model import Badge

__all__ = ["FONT_SIZE", "HEIGHT", "Layout", "Segment", "layout"]

HEIGHT = 20
FONT_SIZE = 11.0
RADIUS = 3
PADDING = 6.0
BASELINE = 14.0

LABEL_FILL = "#555"
FILLS = {"verified": "#1f7a3d", "invalid": "#b3261e", "not_checked": "#6a6a6a"}


@dataclass(frozen=True)
class Segment:
    """One coloured part with its text: left edge, width, text origin and text width, all in SVG units."""

    text: str
    fill: str
    left: float
    width: float
    text_left: float
    text_width: float


@dataclass(frozen=True)
class Layout:
    """A drawn badge's measures."""

    width: float
    height: float
    radius: float
    baseline: float
    font_size: float
    segments: tuple[Segment, ...]


def layout(badge: Badge) -> Layout:
    """Place label and message side by side; widths are whole units, so that the seam is sharp at 1x."""
    segments = []
    left = 0.0
    for text, fill in ((badge.label, LABEL_FILL), (badge.message, FILLS[badge.state])):
        inner = text_width(text, FONT_SIZE)
        width = float(round(inner + 2 * PADDING + 0.4999))
        segments.append(Segment(text, fill, left, width, left + (width - inner) / 2, inner))
        left += width
    return Layout(left, HEIGHT, RADIUS, BASELINE, FONT_SIZE, tuple(segments))
