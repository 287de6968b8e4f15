"""PNG by resvg, which shapes every script that the bundled font has. The extra ``raster``."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from pybadge.badge.fonts.data import FONT_FILES, font_bytes
from pybadge.badge.model import Badge
from pybadge.badge.options import Look
from pybadge.badge.render.png_pillow import check_scale, with_density
from pybadge.badge.render.svg import render
from pybadge.badge.styles import layout
from pybadge.errors import UsageError

__all__ = ["paint_png_resvg"]


def paint_png_resvg(badge: Badge, look: Look, *, scale: float = 2) -> bytes:
    """The badge as PNG, rasterised from its SVG with the bundled font alone.

    Raises:
        UsageError: resvg is not installed, or a scale out of range.
    """
    try:
        import resvg_py
    except ImportError:
        raise UsageError(
            "the engine resvg is not installed: pip install 'pith-badge[raster]'"
        ) from None
    check_scale(layout(badge, look), scale)
    plain = replace(
        look,
        theme="light" if look.theme == "auto" else look.theme,
        scale=1,
        height=None,
        link=False,
    )
    folder = _fonts()
    data = resvg_py.svg_to_bytes(
        svg_string=render(badge, plain), zoom=scale, skip_system_fonts=True, font_dirs=[folder.name]
    )
    return with_density(bytes(data), int(scale))


@lru_cache(maxsize=1)
def _fonts() -> tempfile.TemporaryDirectory[str]:
    """The fonts as files, which resvg asks for; the package may be inside a zip archive. Removed at
    the end."""
    folder = tempfile.TemporaryDirectory(prefix="pybadge-fonts-")
    for weight, name in FONT_FILES.items():
        (Path(folder.name) / name).write_bytes(font_bytes(weight))
    return folder
