"""PNG by resvg, which shapes every script that the bundled font has. The extra ``raster``."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from pybadge.badge.fonts.data import FONT_FILES, font_bytes
from pybadge.badge.model import Badge
from pybadge.badge.options import BadgeOptions
from pybadge.badge.render.png_pillow import png_scale, with_density
from pybadge.badge.render.svg import paint_svg
from pybadge.badge.styles import layout
from pybadge.errors import UsageError

__all__ = ["paint_png_resvg"]


def paint_png_resvg(badge: Badge, options: BadgeOptions) -> bytes:
    """The badge as PNG, rasterised from its SVG with the bundled font alone.

    Raises:
        UsageError: resvg is not installed, or as for `paint_png`.
    """
    try:
        import resvg_py
    except ImportError:
        raise UsageError(
            "the renderer resvg is not installed: pip install 'pith-badge[raster]'"
        ) from None
    scale = png_scale(layout(badge, options), options)
    # A style sheet would ask resvg for a viewer's choice that it doesn't have.
    theme = "light" if options.theme == "auto" else options.theme
    svg = paint_svg(badge, replace(options, theme=theme, scale=None))
    data = resvg_py.svg_to_bytes(
        svg_string=svg, zoom=scale, skip_system_fonts=True, font_dirs=[_fonts().name]
    )
    return with_density(bytes(data), scale)


@lru_cache(maxsize=1)
def _fonts() -> tempfile.TemporaryDirectory[str]:
    """The fonts as files, which resvg asks for; the package may be inside a zip archive. Removed at
    the end."""
    folder = tempfile.TemporaryDirectory(prefix="pybadge-fonts-")
    for weight, name in FONT_FILES.items():
        (Path(folder.name) / name).write_bytes(font_bytes(weight))
    return folder
