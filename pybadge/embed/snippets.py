"""The table of formats, and `snippet`, which picks from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pybadge.badge import DEFAULTS
from pybadge.checks.report import Report
from pybadge.embed import markup, metadata
from pybadge.embed.placement import Placement, placement_of
from pybadge.errors import invalid_choice

__all__ = [
    "FORMATS",
    "MACHINES",
    "WHERE",
    "Format",
    "format_of",
    "latex_lines",
    "snippet",
    "travels_badly",
    "write",
]

Writer = Callable[[Placement], str]


@dataclass(frozen=True, slots=True)
class Format:
    """One format of snippets.

    Attributes:
        write: writes the snippet for a placement.
        where: where it is shown and where it is not, in one line.
        live: what a page of our own shows for it: most formats end up as the plain linked image in
            their places. None for those that programs read, which show no badge.
        travels: whether it is mostly shown on other people's pages, where a relative image address
            points to nothing.
    """

    write: Writer
    where: str
    live: Writer | None = markup.html
    travels: bool = False


_TABLE = {
    "asciidoc": Format(
        markup.asciidoc, "AsciiDoc: Asciidoctor, Antora, GitHub and GitLab .adoc files"
    ),
    "bbcode": Format(
        markup.bbcode,
        "forums; PNG with the words beside it, since boards know no alternative text",
        travels=True,
    ),
    "bibtex": Format(
        metadata.bibtex,
        "BibTeX and biber, @misc with eprint; styles ignore the pith field, the note shows it",
        live=None,
    ),
    "citation-cff": Format(
        metadata.citation_cff,
        "CITATION.cff: paste under preferred-citation or at top level; GitHub, Zenodo",
        live=None,
    ),
    "codemeta": Format(
        metadata.codemeta,
        "codemeta.json of the code behind the paper: Software Heritage, Zenodo",
        live=None,
    ),
    "csl-json": Format(
        metadata.csl_json, "Zotero, Pandoc --citeproc, every CSL processor", live=None
    ),
    "email": Format(
        markup.email,
        "HTML mail; PNG at half size, since mail readers strip SVG; needs an https address",
        live=markup.email,
        travels=True,
    ),
    "html": Format(markup.html, "everywhere, PyPI and strict sanitisers included; no dark form"),
    "html-component": Format(
        markup.html_component,
        "own pages; the reader's browser verifies; the plain badge without scripts",
        live=markup.html_component,
    ),
    "html-data-uri": Format(
        markup.html_data_uri,
        "one-file pages and notebooks; not shown where a policy forbids data: images",
    ),
    "html-inline": Format(
        markup.html_inline,
        "own pages, no file beside; not shown in README files and by sanitisers, which drop SVG",
        live=markup.html_inline,
    ),
    "html-picture": Format(
        markup.html_picture,
        "own pages, light and dark; sanitisers keep the light image",
        live=markup.html_picture,
    ),
    "hugo": Format(
        markup.hugo, "Hugo content files: the figure shortcode, since Hugo drops raw HTML"
    ),
    "jekyll": Format(
        markup.jekyll,
        "Jekyll and GitHub Pages (kramdown), with a size; GitHub's README view shows the size as "
        "text",
    ),
    "json-ld": Format(
        metadata.json_ld,
        "the paper's web page, for search engines and Zotero; sanitisers drop scripts",
        live=None,
    ),
    "latex": Format(markup.latex, "a paper's preamble, with pith.sty beside it", live=None),
    "markdown": Format(
        markup.markdown,
        "README files on GitHub, GitLab, PyPI, npm, crates.io; relative images are not shown on "
        "package sites",
        travels=True,
    ),
    "markdown-dark": Format(
        markup.html_picture,
        "README files on GitHub and GitLab, light and dark; PyPI keeps the light image",
        live=markup.html_picture,
        travels=True,
    ),
    "mediawiki": Format(
        markup.mediawiki,
        "MediaWiki, after the PNG is uploaded; a wiki shows no image from elsewhere",
    ),
    "myst": Format(markup.myst, "MyST in Sphinx, Jupyter Book and mystmd"),
    "org": Format(
        markup.org,
        "Org, HTML export; not shown in other exports and in GitHub's view: use org-link there",
    ),
    "org-link": Format(markup.org_link, "Org anywhere, GitHub's view too; no alternative text"),
    "quarto": Format(markup.quarto, "Quarto and Pandoc's Markdown, with a size"),
    "rst": Format(
        markup.rst,
        "reStructuredText: PyPI, GitHub, Sphinx to HTML; not shown in Sphinx to PDF, which can't "
        "read SVG",
        travels=True,
    ),
    "rst-sphinx": Format(
        markup.rst_sphinx, "Sphinx to HTML and PDF; put the PNG beside the .rst file"
    ),
    "rst-substitution": Format(
        markup.rst_substitution, "reStructuredText, inside a line of text", travels=True
    ),
    "shields": Format(
        metadata.shields,
        "an address at shields.io, which asks your endpoint JSON each time; a third party",
        live=None,
    ),
    "shields-static": Format(
        metadata.shields_static,
        "an address at shields.io; it says what it is told, nothing is verified",
        live=None,
    ),
    "signposting": Format(
        metadata.signposting,
        "the head of the paper's landing page, for harvesters; nowhere else",
        live=None,
    ),
    "textile": Format(
        markup.textile,
        "Textile: Redmine, Textpattern; marks in the text become full-width letters",
        travels=True,
    ),
}

FORMATS = tuple(sorted(_TABLE))
WHERE = {name: _TABLE[name].where for name in FORMATS}
MACHINES = frozenset(name for name, found in _TABLE.items() if found.live is None)
"""The formats that programs read."""


def format_of(name: str) -> Format:
    """The format of a name.

    Raises:
        UsageError: there is none.
    """
    if name not in _TABLE:
        raise invalid_choice(name, FORMATS, "format")
    return _TABLE[name]


def write(place: Placement, format: str) -> str:
    """One snippet for a placement.

    Raises:
        UsageError: an unknown format, or one that this placement can't have.
        PybadgeError: a format for machines, and the record is invalid.
    """
    return format_of(format).write(place)


def snippet(
    report: Report,
    *,
    format: str = "html",
    image_url: str = "badge.svg",
    size: int | None = None,
    png: bool | str = False,
    dark: str | None = None,
    label: str | None = None,
    style: str = DEFAULTS.style,
) -> str:
    """The snippet that shows a report's badge, linked to the record.

    Args:
        report: from `pybadge.verify`.
        format: one of `FORMATS`.
        image_url: where the badge image will be: an https address, or a path relative to the page.
        size: the height in CSS pixels, 10 to 400; None for the badge's own.
        png: True to show the PNG beside the SVG (``badge-2x.png`` for ``badge.svg``), or its
            address.
        dark: the address of the SVG for dark pages; None for the one beside (``badge-dark.svg``).
        label: the badge's label; None for its own.
        style: the badge's style, one of `pybadge.badge.STYLES`.

    Raises:
        UsageError: an unknown format, a report without a number, a size out of range, or an address
            of another scheme.
        PybadgeError: a format for machines, and the record is invalid.
    """
    place = placement_of(
        report, image_url=image_url, size=size, png=png, dark=dark, label=label, style=style
    )
    return write(place, format)


def latex_lines(report: Report) -> str:
    """The two lines for a paper's preamble.

    Raises:
        UsageError: the report has no number.
    """
    return snippet(report, format="latex")


def travels_badly(format: str, image_url: str) -> str | None:
    """What to warn of before a snippet with this image address is used; None where nothing is
    wrong.

    Raises:
        UsageError: an unknown format.
    """
    if not format_of(format).travels:
        return None
    if ":" not in image_url:
        return (
            f"{format}: the image address {image_url} is relative, and this is mostly shown on "
            "other sites; use https"
        )
    if "//raw.githubusercontent.com/" in image_url or "/raw/" in image_url:
        return (
            f"{format}: addresses of raw files are served as plain text by many hosts; use a site "
            "of your own"
        )
    return None
