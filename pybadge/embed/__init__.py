"""Embed snippets: the text that puts a badge where readers are."""

from __future__ import annotations

from pybadge.embed.package import package_file
from pybadge.embed.placement import Placement, placement_of
from pybadge.embed.site import component_source, site_files, write_site
from pybadge.embed.snippets import FORMATS, WHERE, latex_lines, snippet, travels_badly, write

__all__ = [
    "FORMATS",
    "WHERE",
    "Placement",
    "component_source",
    "latex_lines",
    "package_file",
    "placement_of",
    "site_files",
    "snippet",
    "travels_badly",
    "write",
    "write_site",
]
