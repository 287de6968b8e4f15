"""PNG by resvg, which shapes every script that the bundled font has. The extra ``raster``."""

from __future__ import annotations

import tempfile
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from pybadge.badge.font_data import FONT_FILES, font_bytes
from pybadge.badge.layout import layout
from pybadge.badge.png import check_scale, with_density
from pybadge.badge.svg import render
from pybadge.errors import UsageError

if TYPE_CHECKING:
    from pybadge.badge.look import Look
    from pybadge.badge.model import Badge

__all__ = ["paint_png_resvg"]


def paint_png_resvg(badge: Badge, look: Look, *, scale: float = 2) -> bytes:
    """The badge as PNG, rasterised from its SVG with the bundled font alone.

    Raises:
        UsageError: resvg is not installed, or a scale out of range.
    """
    try:
        import resvg_py
    except ImportError:
        raise UsageError("the engine resvg is not installed: pip install 'pith-badge[raster]'") from None
    from dataclasses import replace

    check_scale(layout(badge, look), scale)
    plain = replace(look, theme="light" if look.theme == "auto" else look.theme, scale=1, height=None, link=False)
    folder = _fonts()
    data = resvg_py.svg_to_bytes(
        svg_string=render(badge, plain), zoom=scale, skip_system_fonts=True, font_dirs=[folder.name]
    )
    return with_density(bytes(data), int(scale))


@lru_cache(maxsize=1)
def _fonts() -> tempfile.TemporaryDirectory[str]:
    """The fonts as files, which resvg asks for; the package may be inside a zip archive. Removed at the end."""
    folder = tempfile.TemporaryDirectory(prefix="pybadge-fonts-")
    for weight, name in FONT_FILES.items():
        (Path(folder.name) / name).write_bytes(font_bytes(weight))
    return folder
