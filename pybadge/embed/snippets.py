"""The table of formats, and `snippet`, which picks from it."""

from __future__ import annotations

from collections.abc import Callable

from pybadge.checks.report import Report
from pybadge.embed import markup, metadata
from pybadge.embed.placement import Placement, placement_of
from pybadge.errors import UsageError

__all__ = [
    "FORMATS",
    "MACHINES",
    "TRAVELLING",
    "WHERE",
    "latex_lines",
    "snippet",
    "travels_badly",
    "write",
]

# format -> (writer, where it lives or dies, in one line)
_TABLE: dict[str, tuple[Callable[[Placement], str], str]] = {
    "asciidoc": (markup.asciidoc, "AsciiDoc: Asciidoctor, Antora, GitHub and GitLab .adoc files"),
    "bbcode": (
        markup.bbcode,
        "forums; PNG with the words beside it, since boards know no alternative text",
    ),
    "bibtex": (
        metadata.bibtex,
        "BibTeX and biber, @misc with eprint; styles ignore the pith field, the note shows it",
    ),
    "citation-cff": (
        metadata.citation_cff,
        "CITATION.cff: paste under preferred-citation or at top level; GitHub, Zenodo",
    ),
    "codemeta": (
        metadata.codemeta,
        "codemeta.json of the code behind the paper: Software Heritage, Zenodo",
    ),
    "csl-json": (metadata.csl_json, "Zotero, Pandoc --citeproc, every CSL processor"),
    "email": (
        markup.email,
        "HTML mail; PNG at half size, since mail readers strip SVG; needs an https address",
    ),
    "html": (markup.html, "everywhere, PyPI and strict sanitisers included; no dark form"),
    "html-component": (
        markup.html_component,
        "own pages; the reader's browser verifies; the plain badge without scripts",
    ),
    "html-data-uri": (
        markup.html_data_uri,
        "one-file pages and notebooks; dies where a policy forbids data: images",
    ),
    "html-inline": (
        markup.html_inline,
        "own pages, no file beside; dies in README files and sanitisers, which drop SVG",
    ),
    "html-picture": (
        markup.html_picture,
        "own pages, light and dark; sanitisers keep the light image",
    ),
    "hugo": (markup.hugo, "Hugo content files: the figure shortcode, since Hugo drops raw HTML"),
    "jekyll": (
        markup.jekyll,
        "Jekyll and GitHub Pages (kramdown), with a size; GitHub's README view shows the size as text",
    ),
    "json-ld": (
        metadata.json_ld,
        "the paper's web page, for search engines and Zotero; sanitisers drop scripts",
    ),
    "latex": (markup.latex, "a paper's preamble, with pith.sty beside it"),
    "markdown": (
        markup.markdown,
        "README files on GitHub, GitLab, PyPI, npm, crates.io; relative images die on package sites",
    ),
    "markdown-dark": (
        markup.html_picture,
        "README files on GitHub and GitLab, light and dark; PyPI keeps the light image",
    ),
    "mediawiki": (
        markup.mediawiki,
        "MediaWiki, after the PNG is uploaded; a wiki shows no image from elsewhere",
    ),
    "myst": (markup.myst, "MyST in Sphinx, Jupyter Book and mystmd"),
    "org": (
        markup.org,
        "Org, HTML export; dies in other exports and in GitHub's view: use org-link there",
    ),
    "org-link": (markup.org_link, "Org anywhere, GitHub's view too; no alternative text"),
    "quarto": (markup.quarto, "Quarto and Pandoc's Markdown, with a size"),
    "rst": (
        markup.rst,
        "reStructuredText: PyPI, GitHub, Sphinx to HTML; dies in Sphinx to PDF, which can't read SVG",
    ),
    "rst-sphinx": (markup.rst_sphinx, "Sphinx to HTML and PDF; put the PNG beside the .rst file"),
    "rst-substitution": (markup.rst_substitution, "reStructuredText, inside a line of text"),
    "shields": (
        metadata.shields,
        "an address at shields.io, which asks your endpoint JSON each time; a third party",
    ),
    "shields-static": (
        metadata.shields_static,
        "an address at shields.io; it says what it is told, nothing is verified",
    ),
    "signposting": (
        metadata.signposting,
        "the head of the paper's landing page, for harvesters; nowhere else",
    ),
    "textile": (
        markup.textile,
        "Textile: Redmine, Textpattern; marks in the text become full-width letters",
    ),
}

FORMATS = tuple(sorted(_TABLE))
WHERE = {name: _TABLE[name][1] for name in FORMATS}
# Read by programs; they show no badge.
MACHINES = frozenset(
    (
        "bibtex",
        "citation-cff",
        "codemeta",
        "csl-json",
        "json-ld",
        "latex",
        "shields",
        "shields-static",
        "signposting",
    )
)
# Shown on other people's pages, where a relative image address points to nothing.
TRAVELLING = frozenset(
    ("bbcode", "email", "markdown", "markdown-dark", "rst", "rst-substitution", "textile")
)


def write(place: Placement, format: str) -> str:
    """One snippet for a placement.

    Raises:
        UsageError: an unknown format, or one that this placement can't have.
        PybadgeError: a format for machines, and the record is invalid.
    """
    if format not in _TABLE:
        raise UsageError(f"there is no snippet format {format!a}; there are {', '.join(FORMATS)}")
    return _TABLE[format][0](place)


def snippet(
    report: Report,
    *,
    format: str = "html",
    image_url: str = "badge.svg",
    size: int | None = None,
    png: bool | str = False,
    dark: str | None = None,
    label: str | None = None,
    style: str = "flat",
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
    wrong."""
    if format not in TRAVELLING:
        return None
    if ":" not in image_url:
        return f"{format}: the image address {image_url} is relative, and this is mostly shown on other sites; use https"
    if "//raw.githubusercontent.com/" in image_url or "/raw/" in image_url:
        return f"{format}: addresses of raw files are served as plain text by many hosts; use a site of your own"
    return None
