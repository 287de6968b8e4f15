"""The badge: one model drawn from a Report, and painters that turn it into SVG and PNG.

Rendering is pure: no network, no clock, no file but package data; the same input gives the same bytes.
"""

from __future__ import annotations

from pybadge.badge.model import Badge, badge_of
from pybadge.badge.png import paint_png
from pybadge.badge.svg import paint_svg

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pybadge.checks import Report

__all__ = ["Badge", "badge_of", "badge_png", "badge_svg", "paint_png", "paint_svg"]


def badge_svg(report: Report) -> str:
    """The flat SVG badge of a report.

    Args:
        report: from `pybadge.verify`; its verdict decides word, sign and colour.
    """
    return paint_svg(badge_of(report))


def badge_png(report: Report, *, scale: int = 2) -> bytes:
    """The same badge as PNG.

    Args:
        report: from `pybadge.verify`.
        scale: pixels per SVG unit, 1 to 16.

    Raises:
        UsageError: a scale out of range.
    """
    return paint_png(badge_of(report), scale=scale)
