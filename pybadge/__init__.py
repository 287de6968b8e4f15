"""Fetch, verify and show Pith Numbers: verifiable identifiers of arXiv papers.

The public names are loaded when first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from pybadge._version import __version__

if TYPE_CHECKING:
    from pybadge.badge import badge_png, badge_svg
    from pybadge.checks.report import Check, Report
    from pybadge.embed import snippet
    from pybadge.errors import PybadgeError
    from pybadge.number import PithNumber, parse_number
    from pybadge.record import Record, load
    from pybadge.resolve import fetch
    from pybadge.verification import verify

__all__ = [
    "Check",
    "PithNumber",
    "PybadgeError",
    "Record",
    "Report",
    "__version__",
    "badge_png",
    "badge_svg",
    "fetch",
    "load",
    "parse_number",
    "snippet",
    "verify",
]

_HOMES = {
    "Check": "checks.report",
    "PithNumber": "number",
    "PybadgeError": "errors",
    "Record": "record",
    "Report": "checks.report",
    "badge_png": "badge",
    "badge_svg": "badge",
    "fetch": "resolve",
    "load": "record",
    "parse_number": "number",
    "snippet": "embed",
    "verify": "verification",
}


_ROOMS = (
    "badge",
    "batch",
    "canonical",
    "checks",
    "derive",
    "embed",
    "errors",
    "escape",
    "keys",
    "number",
    "record",
    "resolve",
    "verification",
)


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"pybadge.{_HOMES[name]}"), name)
    if name in _ROOMS:
        return import_module(f"pybadge.{name}")
    raise AttributeError(f"module 'pybadge' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
