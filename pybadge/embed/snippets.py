"""One function per host, each with its own escaper. The alternative text is what the badge says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pybadge import escape
from pybadge.badge.layout import size
from pybadge.badge.model import badge_of
from pybadge.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from pybadge.badge.model import Badge
    from pybadge.checks import Report

__all__ = ["FORMATS", "latex_lines", "snippet"]


def _html(badge: Badge, link: str, image: str) -> str:
    width, height = size(badge)
    quoted = escape.html_attribute
    return (
        f'<a href="{quoted(link)}"><img src="{quoted(image)}" alt="{quoted(badge.title)}" '
        f'width="{width:.0f}" height="{height:.0f}"></a>\n'
    )


def _markdown(badge: Badge, link: str, image: str) -> str:
    return f"[![{escape.markdown(badge.title)}]({_markdown_url(image)})]({_markdown_url(link)})\n"


def _markdown_url(url: str) -> str:
    return f"<{url}>" if any(character in url for character in "()[]") else url


_WRITERS: dict[str, Callable[[Badge, str, str], str]] = {"html": _html, "markdown": _markdown}
FORMATS = ("html", "latex", "markdown")


def snippet(report: Report, *, format: str = "html", image_url: str = "badge.svg") -> str:
    """The snippet that shows a report's badge, linked to the record.

    Args:
        report: from `pybadge.verify`.
        format: one of `FORMATS`.
        image_url: where the badge image will be: an https address, or a path relative to the page.

    Raises:
        UsageError: an unknown format, a report without a number, or an image address of another scheme.
    """
    if format == "latex":
        return latex_lines(report)
    if format not in _WRITERS:
        raise UsageError(f"there is no snippet format {format!r}; there are {', '.join(FORMATS)}")
    badge = badge_of(report)
    if badge.link is None:
        raise UsageError("there is no number to link to: the record could not be read")
    return _WRITERS[format](badge, badge.link, _image_address(image_url))


def _image_address(url: str) -> str:
    from urllib.parse import quote, urlsplit

    cleaned = quote(url, safe="/:?#[]@!$&'()*+,;=%-._~")
    scheme = urlsplit(cleaned).scheme.lower()
    if scheme not in ("", "https") or cleaned.startswith("//") or (not scheme and ":" in cleaned):
        raise UsageError(f"the image address {url!a} must be https or a relative path")
    return cleaned


def latex_lines(report: Report) -> str:
    """The two lines for a paper's preamble.

    Raises:
        UsageError: the report has no number.
    """
    if report.number is None:
        raise UsageError("there is no number to write: the record could not be read")
    return f"\\usepackage{{pith}}\n\\pithnumber{{{report.number.suffix}}}\n"
