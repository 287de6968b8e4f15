"""Snippets that show the badge: one function per place, each with that place's own escaper."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import quote, urlsplit

from pybadge.embed.placement import Placement
from pybadge.errors import InvalidRecordError
from pybadge.escape import markup as escape

__all__ = [
    "asciidoc",
    "bbcode",
    "data_uri",
    "email",
    "html",
    "html_component",
    "html_data_uri",
    "html_inline",
    "html_picture",
    "hugo",
    "jekyll",
    "latex",
    "markdown",
    "mediawiki",
    "myst",
    "org",
    "org_link",
    "quarto",
    "rst",
    "rst_sphinx",
    "rst_substitution",
    "textile",
]

_quoted = escape.html_attribute


def _image(place: Placement, source: str) -> str:
    size = f'width="{place.width}" height="{place.height}"'
    return f'<img src="{_quoted(source)}" alt="{_quoted(place.alt)}" {size}>'


def _linked(place: Placement, inside: str, more: str = "") -> str:
    return f'<a href="{_quoted(place.link)}"{more}>{inside}</a>'


def html(place: Placement) -> str:
    """The one form that strict sanitisers keep."""
    return _linked(place, _image(place, place.image)) + "\n"


def html_picture(place: Placement) -> str:
    """Light and dark. On one line, since Markdown ends an HTML block at a blank line and indents
    mean code."""
    dark = f'<source media="(prefers-color-scheme: dark)" srcset="{_quoted(place.dark)}">'
    return _linked(place, f"<picture>{dark}{_image(place, place.image)}</picture>") + "\n"


def html_inline(place: Placement) -> str:
    """The SVG itself. The link leaves a frame it may stand in, where the record's page would be
    refused."""
    return _linked(place, place.svg.strip(), ' target="_top"') + "\n"


def data_uri(place: Placement) -> str:
    """The SVG as an address, percent-encoded: shorter than base64, and readable."""
    return "data:image/svg+xml," + quote(place.svg.strip(), safe="=:/,;.-_()!*~")


def html_data_uri(place: Placement) -> str:
    """The SVG inside the address."""
    return _linked(place, _image(place, data_uri(place))) + "\n"


def html_component(place: Placement) -> str:
    """The component, whose reader's browser verifies, around the plain badge for readers without
    scripts."""
    folder = posixpath.dirname(place.image)
    folder = folder + "/" if folder else ""
    suffix = place.number.suffix
    return (
        f'<script type="module" src="{_quoted(folder)}pith-badge.js"></script>\n'
        f'<pith-badge number="{suffix}" src="{_quoted(folder)}{suffix}.json">'
        f"{html(place).strip()}</pith-badge>\n"
    )


def email(place: Placement) -> str:
    """PNG, since mail readers strip SVG; two pixels per unit, shown at half size, for sharp
    text."""
    return _linked(place, _image(place, place.png)) + "\n"


def markdown(place: Placement) -> str:
    """CommonMark; no size, which Markdown can't say."""
    return f"[![{escape.markdown(place.alt)}]({place.image})]({place.link})\n"


def quarto(place: Placement) -> str:
    """Pandoc's Markdown, which can say the size."""
    size = f"{{width={place.width} height={place.height}}}"
    return f"[![{escape.markdown(place.alt)}]({place.image}){size}]({place.link})\n"


def jekyll(place: Placement) -> str:
    """kramdown's Markdown with its attribute list; nothing in it looks like Liquid."""
    size = f'{{:width="{place.width}" height="{place.height}"}}'
    return f"[![{escape.markdown(place.alt)}]({place.image}){size}]({place.link})\n"


def hugo(place: Placement) -> str:
    """Hugo's own figure shortcode: its Markdown drops raw HTML and knows no size."""
    text = escape.shortcode
    return (
        f'{{{{< figure src="{text(place.image)}" link="{text(place.link)}" alt="{text(place.alt)}" '
        f'width="{place.width}" height="{place.height}" >}}}}\n'
    )


def rst(place: Placement) -> str:
    """A directive with the blank lines around it that keep it apart from its neighbours."""
    return f"\n{_rst_image('.. image::', place, place.image)}\n"


def _rst_image(opening: str, place: Placement, source: str, indent: str = "") -> str:
    lines = (
        f"{opening} {source}",
        f"   :target: {place.link}",
        f"   :alt: {escape.rst_option(place.alt)}",
        f"   :width: {place.width}px",
        f"   :height: {place.height}px",
    )
    return "".join(f"{indent}{line}\n" for line in lines)


def rst_substitution(place: Placement) -> str:
    """Inside a line of text: the definition, and the text that is replaced."""
    return f"\n|pith-badge|\n\n{_rst_image('.. |pith-badge| image::', place, place.image)}\n"


def rst_sphinx(place: Placement) -> str:
    """SVG in HTML; PNG for LaTeX, which can't read SVG."""
    return (
        "\n.. only:: html\n\n"
        + _rst_image(".. image::", place, place.image, "   ")
        + "\n.. only:: latex\n\n"
        + _rst_image(".. image::", place, posixpath.basename(urlsplit(place.png).path), "   ")
        + "\n"
    )


def myst(place: Placement) -> str:
    """MyST's image directive, for Sphinx and Jupyter Book, in a fence longer than any the text
    could hold."""
    return (
        f"```{{image}} {place.image}\n:alt: {escape.yaml(place.alt)}\n:target: {place.link}\n"
        f":width: {place.width}px\n:height: {place.height}px\n```\n"
    )


def asciidoc(place: Placement) -> str:
    """The inline macro."""
    size = f"{place.width},{place.height}"
    return f'image:{place.image}["{escape.asciidoc(place.alt)}",{size},link="{place.link}"]\n'


def org(place: Placement) -> str:
    """An export snippet, the only Org form with an alternative text on a linked image."""
    text = escape.org_html
    size = f'width="{place.width}" height="{place.height}"'
    image = f'<img src="{text(place.image)}" alt="{text(place.alt)}" {size}>'
    return f'@@html:<a href="{text(place.link)}">{image}</a>@@\n'


def org_link(place: Placement) -> str:
    """A linked image; without ``file:`` a relative path would be shown as words."""
    image = place.image if place.is_absolute else f"file:{place.image}"
    return f"[[{place.link}][{image}]]\n"


def textile(place: Placement) -> str:
    """Textile's image inside a link."""
    return f'"!{place.image}({escape.textile(place.alt)})!":{place.link}\n'


def mediawiki(place: Placement) -> str:
    """A file of the wiki; the last part is the caption where a reader of wikitext knows no
    ``alt=``."""
    name = posixpath.basename(urlsplit(place.png).path)
    if not re.fullmatch(r"[A-Za-z0-9._-]+", name):
        name = f"pith-{place.number.suffix[:8]}.png"
    alt = escape.mediawiki(place.alt)
    return f"[[File:{name}|{place.width}px|link={place.link}|alt={alt}|{alt}]]\n"


def bbcode(place: Placement) -> str:
    """PNG, which all boards show; the words stand beside it, since few boards know an alternative
    text."""
    image = f"[url={place.link}][img]{place.png}[/img][/url]"
    return f"{image} [url={place.link}]{escape.bbcode(place.alt)}[/url]\n"


def latex(place: Placement) -> str:
    """The two lines for a paper's preamble.

    Raises:
        InvalidRecordError: the record is invalid; a number that is printed stays.
    """
    if place.report.verdict == "invalid":
        raise InvalidRecordError(f"no lines for an invalid record: {place.report.reason}")
    return f"\\usepackage{{pith}}\n\\pithnumber{{{place.number.suffix}}}\n"
