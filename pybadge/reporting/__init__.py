"""A report as text, JSON, GitHub's workflow commands and SARIF. What a report quotes is hostile
until escaped."""

from __future__ import annotations

from pybadge.reporting.github import github_lines
from pybadge.reporting.layout import Palette, labelled
from pybadge.reporting.sarif import sarif_log
from pybadge.reporting.text import ICONS, WORDS, heading_lines, text_lines

__all__ = [
    "FORMATS",
    "ICONS",
    "WORDS",
    "Palette",
    "github_lines",
    "heading_lines",
    "labelled",
    "sarif_log",
    "text_lines",
]

FORMATS = ("text", "json", "github", "sarif")
