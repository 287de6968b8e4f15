"""Where a badge is put: its addresses, its size and what it says. Every snippet is written from one
of these."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from pybadge.address import record_url
from pybadge.badge import (
    DEFAULTS,
    Badge,
    BadgeOptions,
    badge_of,
    is_of_another_record,
    number_of,
    paint_svg,
)
from pybadge.badge import size as size_of
from pybadge.checks.report import Report
from pybadge.errors import InvalidRecordError, UsageError
from pybadge.number import PithNumber

__all__ = ["Placement", "image_address", "placement_of"]

# Names outside ASCII must come in their xn-- form, which shows what they are; a user name doesn't
# belong into a badge.
_HOST = re.compile(r"[A-Za-z0-9.-]+(?::[0-9]{1,5})?")
# In CSS pixels: smaller can't be read, larger is no badge.
_LEAST_HEIGHT, _GREATEST_HEIGHT = 10, 400


@dataclass(frozen=True, slots=True)
class Placement:
    """One badge in one place.

    Attributes:
        report: what the badge is drawn from.
        number: the number it links to.
        badge: what it says.
        link: the record's page.
        image: address of the picture, SVG unless the PNG was asked for.
        dark: address of the SVG for dark pages.
        png: address of the PNG with two pixels per unit.
        width, height: in CSS pixels.
        options: how the badge is drawn.
    """

    report: Report
    number: PithNumber
    badge: Badge
    link: str
    image: str
    dark: str
    png: str
    width: int
    height: int
    options: BadgeOptions

    @property
    def alt(self) -> str:
        """The alternative text: what the badge says."""
        return self.badge.title

    @property
    def svg(self) -> str:
        """The badge itself, for the forms that carry it along."""
        return paint_svg(self.badge, self.options)

    @property
    def is_absolute(self) -> bool:
        """Whether the picture's address means the same wherever the snippet is shown."""
        return self.image.startswith("https:")


def image_address(url: str) -> str:
    """An image address, percent-encoded so that no host's markup sees anything of its own in it.

    Raises:
        UsageError: it is neither https nor a path relative to the page.
    """
    try:
        cleaned = quote(url, safe="/:?#@&=%.,~-_+;")
        parts = urlsplit(cleaned)
        scheme, host = parts.scheme.lower(), parts.netloc
    except ValueError:
        raise UsageError(f"the image address {url!a} can't be read") from None
    relative = not scheme and not cleaned.startswith("//") and ":" not in cleaned
    if (
        not cleaned
        or url != url.strip()
        or not (relative or (scheme == "https" and _HOST.fullmatch(host)))
    ):
        raise UsageError(f"the image address {url!a} must be https or a relative path")
    return cleaned


def _beside(image: str, ending: str, option: str) -> str:
    """The address of another file of the same badge, as ``--files`` names them: badge.svg,
    badge-dark.svg, badge-2x.png."""
    path, mark, query = image.partition("?")
    stem, extension = posixpath.splitext(path)
    if extension.lower() != ".svg":
        raise UsageError(
            f"the image address {image} does not end in .svg, so say the other one with "
            f"{option} URL"
        )
    return stem + ending + mark + query


def placement_of(
    report: Report,
    *,
    image_url: str = "badge.svg",
    size: int | None = None,
    png: bool | str = False,
    dark: str | None = None,
    label: str | None = None,
    style: str = DEFAULTS.style,
) -> Placement:
    """Lay out where the badge of a report goes.

    Args:
        report: from `pybadge.verify`.
        image_url: where the SVG will be: an https address, or a path relative to the page.
        size: the height in CSS pixels, 10 to 400; None for the badge's own.
        png: True to show the PNG beside the SVG (``badge-2x.png`` for ``badge.svg``), or its
            address.
        dark: the address of the SVG for dark pages; None for the one beside (``badge-dark.svg``).
        label: the badge's label; None for its own.
        style: the badge's style, one of `pybadge.badge.STYLES`.

    Raises:
        InvalidRecordError: the record is not the one that was asked for.
        UsageError: a report without a number, a size out of range, or an address that isn't https
            or relative.
    """
    if is_of_another_record(report):
        raise InvalidRecordError(f"another record was served: {report['number'].detail}")
    number = number_of(report)
    if number is None or not number.is_full:
        raise UsageError("there is no full number to link to: the record could not be read")
    if size is not None and not _LEAST_HEIGHT <= size <= _GREATEST_HEIGHT:
        raise UsageError(
            f"the size must be {_LEAST_HEIGHT} to {_GREATEST_HEIGHT} pixels, not {size}"
        )
    options = BadgeOptions(label=label, style=style, height=size)
    badge = badge_of(report, options)
    width, height = size_of(badge, options)
    addresses = _addresses(image_url, png, dark)
    return Placement(
        report=report,
        number=number,
        badge=badge,
        link=record_url(number.suffix),
        image=addresses.png if png else addresses.image,
        dark=addresses.dark,
        png=addresses.png,
        width=round(width),
        height=round(height),
        options=options,
    )


@dataclass(frozen=True, slots=True)
class _Addresses:
    image: str
    png: str
    dark: str


def _addresses(image_url: str, png: bool | str, dark: str | None) -> _Addresses:
    """The addresses of the picture and of its forms: as given, else those of the files beside it.
    A picture that is a PNG is the only form there is."""
    image = image_address(image_url)
    is_png = urlsplit(image).path.lower().endswith(".png")
    if isinstance(png, str):
        png_address = image_address(png)
    elif is_png:
        png_address = image
    else:
        png_address = _beside(image, "-2x.png", "--png")
    if dark is not None:
        dark_address = image_address(dark)
    elif is_png:
        dark_address = image
    else:
        dark_address = _beside(image, "-dark.svg", "--dark")
    return _Addresses(image, png_address, dark_address)
