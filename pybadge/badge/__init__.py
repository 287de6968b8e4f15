"""The badge: one model drawn from a Report, and painters that turn it into SVG and PNG.

Rendering is pure: no network, no clock, no file but package data; the same input gives the same
bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pybadge.badge.model import (
    FACTS,
    STATES,
    WORDS,
    Badge,
    allowed_states,
    badge_of,
    is_of_another_record,
    number_of,
)
from pybadge.badge.options import DEFAULTS, THEMES, BadgeKeywords, BadgeOptions
from pybadge.badge.render.shields import shields
from pybadge.badge.render.svg import paint_svg
from pybadge.badge.styles import STYLES, size
from pybadge.checks.report import Report
from pybadge.errors import UsageError, invalid_choice

if TYPE_CHECKING:  # typing has it from Python 3.11 on
    from typing_extensions import Unpack

__all__ = [
    "DEFAULTS",
    "FACTS",
    "RENDERERS",
    "STATES",
    "STYLES",
    "THEMES",
    "WORDS",
    "Badge",
    "BadgeOptions",
    "allowed_states",
    "badge_of",
    "badge_png",
    "badge_shields",
    "badge_size",
    "badge_svg",
    "is_of_another_record",
    "number_of",
    "paint_svg",
    "size",
]


def badge_svg(report: Report, **options: Unpack[BadgeKeywords]) -> str:
    """The SVG badge of a report.

    Args:
        report: from `pybadge.verify`; its verdict decides word, icon and colour.
        options: the fields of `BadgeOptions`, e.g. ``style="card", theme="dark"``.

    Raises:
        UsageError: an option that makes no sense, or a state that the report doesn't earn.
        TypeError: there is no such option.
    """
    chosen = BadgeOptions(**options)
    return paint_svg(badge_of(report, chosen), chosen)


def _by_pillow(badge: Badge, options: BadgeOptions) -> bytes:
    from pybadge.badge.render.png_pillow import paint_png

    return paint_png(badge, options)


def _by_resvg(badge: Badge, options: BadgeOptions) -> bytes:
    from pybadge.badge.render.png_resvg import paint_png_resvg

    return paint_png_resvg(badge, options)


_RENDERERS: dict[str, Callable[[Badge, BadgeOptions], bytes]] = {
    "pillow": _by_pillow,
    "resvg": _by_resvg,
}
RENDERERS = tuple(_RENDERERS)
"""What can draw a PNG; the first is the default."""


def badge_png(
    report: Report, *, renderer: str = RENDERERS[0], **options: Unpack[BadgeKeywords]
) -> bytes:
    """The same badge as PNG.

    Args:
        report: from `pybadge.verify`.
        renderer: ``pillow``, or ``resvg`` (extra ``raster``), which shapes every script that the
            bundled font has.
        options: the fields of `BadgeOptions`. A PNG takes a scale, no height and no link.

    Raises:
        UsageError: an option that makes no sense, or a state that the report doesn't earn.
        TypeError: there is no such option.
    """
    if renderer not in RENDERERS:
        raise invalid_choice(renderer, RENDERERS, "renderer")
    chosen = BadgeOptions(**options)
    return _RENDERERS[renderer](badge_of(report, chosen), chosen)


def badge_shields(report: Report, **options: Unpack[BadgeKeywords]) -> dict[str, object]:
    """The badge as the JSON object of a shields.io endpoint, for people who must stay on it.

    Args:
        report: from `pybadge.verify`.
        options: label, message, state and date; shields.io draws what it draws.

    Raises:
        UsageError: as for `badge_svg`, or an option that shields.io can't draw.
        TypeError: there is no such option.
    """
    chosen = BadgeOptions(**options)
    said = BadgeOptions(chosen.label, chosen.message, chosen.state, chosen.date)
    if chosen != said:
        raise UsageError("a shields.io endpoint takes a label, a message, a state and a date alone")
    return shields(badge_of(report, said))


def badge_size(report: Report, **options: Unpack[BadgeKeywords]) -> tuple[float, float]:
    """Width and height of the SVG badge in CSS pixels, for the attributes of an ``<img>``.
    Arguments as for `badge_svg`."""
    chosen = BadgeOptions(**options)
    return size(badge_of(report, chosen), chosen)
