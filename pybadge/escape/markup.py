"""Text for markup: XML, HTML, JSON in HTML, Markdown, reStructuredText, LaTeX and others.

`one_line` comes first in all of them: it replaces what no format can carry or what would show a
text that isn't there (control characters, bidirectional overrides, invisible characters) visibly
with U+FFFD or a blank.
"""

from __future__ import annotations

import json
import re
from urllib.parse import quote

from pybadge.escape.lines import one_line

__all__ = [
    "asciidoc",
    "bbcode",
    "bibtex",
    "html_attribute",
    "json_in_html",
    "latex",
    "markdown",
    "mediawiki",
    "org_html",
    "rst",
    "rst_option",
    "shields_path",
    "shortcode",
    "textile",
    "xml",
    "yaml",
]


def xml(text: str) -> str:
    """Text for XML or HTML content and for attributes in either kind of quotes."""
    return (
        one_line(text)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace('"', "&quot;")
        .replace("'", "&#39;")
    )


def html_attribute(text: str) -> str:
    """Text for a quoted HTML attribute; also safe where a template engine's delimiters are looked
    for."""
    return xml(text).replace("`", "&#96;").replace("{", "&#123;").replace("}", "&#125;")


def json_in_html(json_text: str) -> str:
    """JSON text made safe inside an HTML script element: no ``<``, ``>``, ``&`` and no line
    separators."""
    for character in "<>&\u2028\u2029":
        json_text = json_text.replace(character, f"\\u{ord(character):04x}")
    return json_text


def _entities(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(
        lambda match: "".join(f"&#{ord(character)};" for character in match[0]), text
    )


# Numeric entities rather than backslashes: Python-Markdown keeps the backslash of all but a few,
# and Liquid and Hugo look for their delimiters before any Markdown is read. The later alternatives
# are what smart punctuation, lists at the start of a line, and linkifiers look for.
_MARKDOWN = re.compile(
    r"""[\\`*_{}\[\]()#|~=@$^"'<>&!+%]|--+|\.\.+|^[-0-9:]|:(?=//|[a-z+][\w+-]*:)|\.(?<=www\.)""",
    re.IGNORECASE,
)


def markdown(text: str) -> str:
    """Text for Markdown of any flavour in any place: paragraphs, alternative texts, table cells,
    links."""
    return _entities(_MARKDOWN, one_line(text))


_RST = re.compile(r"([\\`*_|:<>\[\]])")


def rst(text: str) -> str:
    """Text for paragraphs of reStructuredText."""
    return _RST.sub(r"\\\1", one_line(text))


def rst_option(text: str) -> str:
    """Text for a directive's option (``:alt: TEXT``), which docutils takes as it stands: a
    backslash would be shown."""
    return one_line(text)


# A colon is left alone where it can't end the scheme of an address that an engine would link;
# ``pith:`` is none.
_PUNCTUATION = re.compile(r"[^\w ,.:]|_|\.\.+|^[.,:]|(?<=[^\W\d])(?<!\bpith):(?=\S)|:(?=[/:])")


def asciidoc(text: str) -> str:
    """Text for AsciiDoc, attribute lists of macros included."""
    return _entities(_PUNCTUATION, one_line(text))


def mediawiki(text: str) -> str:
    """Text for wikitext, inside links and templates too."""
    return _entities(_PUNCTUATION, one_line(text))


def org_html(text: str) -> str:
    """Text for an HTML attribute inside an Org export snippet, which ends at ``@@``."""
    return html_attribute(text).replace("@", "&#64;")


def _full_width(characters: str, text: str) -> str:
    return "".join(
        chr(ord(character) + 0xFEE0) if character in characters else character for character in text
    )


def bbcode(text: str) -> str:
    """Text for BBCode, which has no escape at all: square brackets become their full-width
    forms."""
    return _full_width("[]", one_line(text))


def textile(text: str) -> str:
    """Text for Textile, whose alternative texts have no escape: its marks become their full-width
    forms."""
    return _full_width('!"%()*+-<>?@[]^_|~{}=\\', one_line(text))


def yaml(text: str) -> str:
    """A double-quoted YAML scalar, quotes included; JSON's strings are a subset of YAML's."""
    return json.dumps(one_line(text), ensure_ascii=False)


def shortcode(text: str) -> str:
    """Text for a quoted parameter of a Hugo shortcode, whose template escapes HTML itself."""
    # Only the quote has an escape; a backslash that would stand before one becomes its full-width
    # form.
    cleaned = re.sub(r'\\+(?="|$)', lambda match: "\uff3c" * len(match[0]), one_line(text))
    return cleaned.replace('"', '\\"')


def shields_path(text: str) -> str:
    """One part of a static shields.io address (``/badge/LABEL-MESSAGE-COLOR``): its own rules, then
    percent signs.

    A blank is ``%20`` and not ``_``, which beside an underscore could be read in two ways.
    """
    return quote(one_line(text).replace("-", "--").replace("_", "__"), safe="")


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
    """Text for LaTeX's text mode. ``^`` is among the escaped since ``^^5c`` is a backslash to
    TeX."""
    return "".join(_LATEX.get(character, character) for character in one_line(text))


_BIBTEX = {
    **_LATEX,
    # BibTeX counts braces without looking for backslashes, and OT1 has no straight double quote.
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    '"': r"\char34{}",
    "@": r"\char64{}",
    "\ufffd": "?",
}


def bibtex(text: str) -> str:
    """Text for a field of BibTeX in braces."""
    return "".join(_BIBTEX.get(character, character) for character in one_line(text))
