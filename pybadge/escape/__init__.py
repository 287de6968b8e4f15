"""Text made safe for each output format. Every text of a record, signed or not, is hostile input."""

from __future__ import annotations

from pybadge.escape.lines import csv_cell, github_message, github_property, one_line
from pybadge.escape.markup import (
    asciidoc,
    bbcode,
    bibtex,
    html_attribute,
    json_in_html,
    latex,
    markdown,
    mediawiki,
    org_html,
    rst,
    rst_option,
    shields_path,
    shortcode,
    textile,
    xml,
    yaml,
)

__all__ = [
    "asciidoc",
    "bbcode",
    "bibtex",
    "csv_cell",
    "github_message",
    "github_property",
    "html_attribute",
    "json_in_html",
    "latex",
    "markdown",
    "mediawiki",
    "one_line",
    "org_html",
    "rst",
    "rst_option",
    "shields_path",
    "shortcode",
    "textile",
    "xml",
    "yaml",
]
