"""Text made safe for each output format. Every text of a record, signed or not, is hostile input.

`plain` comes first in all of them: it takes away what no format can carry or what would show a text that isn't there
(control characters, bidirectional overrides, invisible characters), and replaces it visibly with U+FFFD or a blank.
"""

from __future__ import annotations

import re

from pybadge.plain import csv_cell, github_message, github_property, plain, terminal

__all__ = [
    "csv_cell",
    "github_message",
    "github_property",
    "html_attribute",
    "json_in_html",
    "latex",
    "markdown",
    "plain",
    "rst",
    "terminal",
    "xml",
]

_REPLACEMENT = "\ufffd"


def xml(text: str) -> str:
    """Text for XML or HTML content and for attributes in either kind of quotes."""
    return (
        plain(text)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace('"', "&quot;")
        .replace("'", "&#39;")
    )


def html_attribute(text: str) -> str:
    """Text for a quoted HTML attribute; also safe where a template engine's delimiters are looked for."""
    return xml(text).replace("`", "&#96;").replace("{", "&#123;").replace("}", "&#125;")


def json_in_html(json_text: str) -> str:
    """JSON text made safe inside an HTML script element: no ``<``, ``>``, ``&`` and no line separators."""
    for character in "<>&\u2028\u2029":
        json_text = json_text.replace(character, f"\\u{ord(character):04x}")
    return json_text


_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|~=>:@$^\"'/])")


def markdown(text: str) -> str:
    """Text for Markdown in any place, table cells included: punctuation is escaped, ``<`` and ``&`` are entities."""
    escaped = _MARKDOWN.sub(r"\\\1", plain(text))
    return escaped.replace("&", "&amp;").replace("<", "&lt;")


_RST = re.compile(r"([\\`*_|:<>\[\]])")


def rst(text: str) -> str:
    """Text for reStructuredText paragraphs and directive options."""
    return _RST.sub(r"\\\1", plain(text))


_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
}


def latex(text: str) -> str:
    """Text for LaTeX's text mode. ``^`` is among the escaped since ``^^5c`` is a backslash to TeX."""
    return "".join(_LATEX.get(character, character) for character in plain(text))
