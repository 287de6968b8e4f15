"""The badge: one model drawn from a Report, and painters that turn it into SVG and PNG.

Rendering is pure: no network, no clock, no file but package data; the same input gives the same
bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pybadge.badge.model import FACTS, STATES, WORDS, Badge, allowed_states, badge_of
from pybadge.badge.options import DEFAULT_LOOK, STYLES, THEMES, Look, LookOptions
from pybadge.badge.render.shields import shields
from pybadge.badge.render.svg import paint_svg
from pybadge.badge.styles import size
from pybadge.checks.report import Report
from pybadge.errors import UsageError

if TYPE_CHECKING:
    from typing_extensions import Unpack


__all__ = [
    "FACTS",
    "STATES",
    "STYLES",
    "THEMES",
    "WORDS",
    "Badge",
    "Look",
    "allowed_states",
    "badge_of",
    "badge_png",
    "badge_shields",
    "badge_size",
    "badge_svg",
    "paint_svg",
]


def _look(scale: float, height: float | None, **look: Unpack[LookOptions]) -> Look:
    if not look and height is None and scale == 1:
        return DEFAULT_LOOK
    return Look(scale=scale, height=height, **look)


def badge_svg(
    report: Report,
    *,
    label: str | None = None,
    message: str | None = None,
    state: str | None = None,
    date: str | None = None,
    facts: Iterable[str] = (),
    scale: float = 1,
    height: float | None = None,
    **look: Unpack[LookOptions],
) -> str:
    """The SVG badge of a report.

    Args:
        report: from `pybadge.verify`; its verdict decides word, sign and colour.
        label, message, state, date, facts: what it says; see `badge_of`.
        scale, height: the size against the natural one, or the height in CSS pixels.
        look: how it is drawn, e.g. ``style="card", theme="dark"``; see `Look`.

    Raises:
        UsageError: an option that makes no sense, or a state that the report doesn't earn.
    """
    card = look.get("style") == "card"
    badge = badge_of(
        report, label=label, message=message, state=state, date=date, facts=facts, paper=card
    )
    return paint_svg(badge, _look(scale, height, **look))


def badge_png(
    report: Report,
    *,
    scale: float = 2,
    engine: str = "pillow",
    label: str | None = None,
    message: str | None = None,
    state: str | None = None,
    date: str | None = None,
    facts: Iterable[str] = (),
    **look: Unpack[LookOptions],
) -> bytes:
    """The same badge as PNG.

    Args:
        report: from `pybadge.verify`.
        scale: pixels per SVG unit, a whole number from 1 to 16.
        engine: ``pillow``, or ``resvg`` (extra ``raster``), which shapes every script that the
            bundled font has.
        label, message, state, date, facts: what it says; see `badge_of`.
        look: how it is drawn; see `Look`. The ``auto`` theme is drawn as ``light``.

    Raises:
        UsageError: an option that makes no sense, or a state that the report doesn't earn.
    """
    card = look.get("style") == "card"
    badge = badge_of(
        report, label=label, message=message, state=state, date=date, facts=facts, paper=card
    )
    chosen = Look(**look) if look else DEFAULT_LOOK
    if engine == "resvg":
        from pybadge.badge.render.png_resvg import paint_png_resvg

        return paint_png_resvg(badge, chosen, scale=scale)
    if engine != "pillow":
        raise UsageError(f"{engine!a:.40} is no engine; there are pillow, resvg")
    from pybadge.badge.render.png_pillow import paint_png

    return paint_png(badge, chosen, scale=scale)


def badge_shields(
    report: Report,
    *,
    label: str | None = None,
    message: str | None = None,
    state: str | None = None,
    date: str | None = None,
) -> dict[str, object]:
    """The badge as the JSON object of a shields.io endpoint, for people who must stay on it.

    Arguments as for `badge_of`.
    """
    return shields(badge_of(report, label=label, message=message, state=state, date=date))


def badge_size(
    report: Report,
    *,
    label: str | None = None,
    message: str | None = None,
    state: str | None = None,
    date: str | None = None,
    facts: Iterable[str] = (),
    scale: float = 1,
    height: float | None = None,
    **look: Unpack[LookOptions],
) -> tuple[float, float]:
    """Width and height of the SVG badge in CSS pixels, for the attributes of an ``<img>``.
    Arguments as for `badge_svg`."""
    card = look.get("style") == "card"
    badge = badge_of(
        report, label=label, message=message, state=state, date=date, facts=facts, paper=card
    )
    return size(badge, _look(scale, height, **look))
