"""Text made safe for each output format. Every text of a record, signed or not, is hostile input.

`plain` comes first in all of them: it takes away what no format can carry or what would show a text that isn't there
(control characters, bidirectional overrides, invisible characters), and replaces it visibly with U+FFFD or a blank.
"""

from __future__ import annotations

import re

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
# C0 and C1 controls, lone surrogates, non-characters; bidirectional controls; invisible characters, among them the tags
# block. U+200C and U+200D stay: Persian, Indic scripts and emoji need them, and they move no letter.
_HOSTILE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f"
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0x10000, 0x110000, 0x10000))
    + "]"
)
_BLANKS = re.compile("[\\s\u0085\u2028\u2029]+")


def plain(text: str) -> str:
    """One line of text that shows what it holds: runs of white space become one blank, hostile characters U+FFFD."""
    return _HOSTILE.sub(_REPLACEMENT, _BLANKS.sub(" ", text)).strip(" ")


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


def terminal(text: str) -> str:
    """One line for a terminal or log: no escape sequence, no bidirectional control, no line break."""
    return plain(text)


def github_message(text: str) -> str:
    """The message of a GitHub workflow command (``::error::MESSAGE``)."""
    return plain(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def github_property(text: str) -> str:
    """A property value of a GitHub workflow command (``file=VALUE``)."""
    return github_message(text).replace(":", "%3A").replace(",", "%2C")


def csv_cell(text: str) -> str:
    """A CSV cell that no spreadsheet takes for a formula."""
    cleaned = plain(text)
    return f"'{cleaned}" if cleaned[:1] in tuple("=+-@") else cleaned
