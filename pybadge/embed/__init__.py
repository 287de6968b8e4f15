"""Embed snippets: the text that puts a badge where readers are."""

from __future__ import annotations

from pybadge.embed.snippets import FORMATS, latex_lines, snippet

__all__ = ["FORMATS", "latex_lines", "snippet"]
