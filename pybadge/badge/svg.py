"""The SVG painter."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from pybadge.badge.geometry import layout
from pybadge.escape import plain

if TYPE_CHECKING:
    import jinja2

    from pybadge.badge.model import Badge

__all__ = ["paint_svg"]


@lru_cache(maxsize=1)
def _environment() -> jinja2.Environment:
    import jinja2

    # Escaping is switched on for every template, not by the file's ending, and a missing value is an error, not a blank.
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("pybadge.badge"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = _number
    environment.filters["plain"] = plain
    return environment


def _number(value: float) -> str:
    """A length with a dot and at most one decimal, whatever the locale."""
    text = f"{value:.1f}"
    return text.removesuffix(".0")


def paint_svg(badge: Badge) -> str:
    """The flat badge as an SVG document: no ids, no styles, no scripts, no references."""
    return _environment().get_template("flat.svg").render(badge=badge, at=layout(badge))
