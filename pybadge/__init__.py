"""Fetch, verify and show Pith Numbers: verifiable identifiers of arXiv papers.

The public names are loaded when first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from pybadge._version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pybadge.badge import badge_png, badge_svg
    from pybadge.checks import Check, Report, verify
    from pybadge.embed import snippet
    from pybadge.errors import PybadgeError
    from pybadge.number import PithNumber, parse_number
    from pybadge.record import Record, load
    from pybadge.resolve import fetch

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
    "Check": "checks",
    "PithNumber": "number",
    "PybadgeError": "errors",
    "Record": "record",
    "Report": "checks",
    "badge_png": "badge",
    "badge_svg": "badge",
    "fetch": "resolve",
    "load": "record",
    "parse_number": "number",
    "snippet": "embed",
    "verify": "checks",
}


def __getattr__(name: str) -> object:
    if name in _HOMES:
        from importlib import import_module

        # Kept, so that the search is made once and not at every use.
        found = globals()[name] = getattr(import_module(f"pybadge.{_HOMES[name]}"), name)
        return found
    if name in (
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
    ):
        from importlib import import_module

        return import_module(f"pybadge.{name}")
    raise AttributeError(f"module 'pybadge' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
