"""The badge as a shields.io endpoint: https://shields.io/badges/endpoint-badge."""

from __future__ import annotations

from pybadge.badge.colors import STATES
from pybadge.badge.model import Badge, State
from pybadge.badge.text import elide

__all__ = ["shields"]

# shields.io draws no icons of ours: these are the characters nearest to them.
_ICONS: dict[State, str] = {
    "verified": "✓",
    "invalid": "✗",
    "not_checked": "–",
    "offline": "◷",
    "unknown": "?",
}


def shields(badge: Badge) -> dict[str, object]:
    """The JSON object; the state is told by icon and word in the message."""
    message = f"{_ICONS[badge.state]} {elide(badge.message)}"
    if badge.state != "verified" and badge.message != badge.word:
        message += f" {badge.word}"
    found: dict[str, object] = {
        "schemaVersion": 1,
        "label": elide(badge.label),
        "message": message,
        "color": STATES[badge.state].light,
    }
    if badge.state == "invalid":
        # shields.io lets the page's author recolour a badge unless it says that it is an error.
        found["isError"] = True
    return found
