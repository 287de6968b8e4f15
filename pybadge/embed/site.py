"""All the files that a site needs to show a badge, with a page that shows each embed live beside
its source."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from pybadge.badge import DEFAULTS, badge_png, badge_shields, badge_svg
from pybadge.checks.report import Report
from pybadge.embed import markup
from pybadge.embed.placement import Placement, placement_of
from pybadge.embed.snippets import FORMATS, format_of
from pybadge.errors import OutputError, PybadgeError, reason
from pybadge.record import Record

if TYPE_CHECKING:  # it is loaded late
    import jinja2

__all__ = ["component_source", "site_files", "write_site"]


def component_source(name: str = "pith-badge.min.js") -> str:
    """One file of the web component and the JavaScript verifier: ``pith-badge.min.js``,
    ``verify.min.js``, ``pith-badge.d.ts`` …"""
    return (files("pybadge.embed") / "component" / name).read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def _environment() -> jinja2.Environment:
    import jinja2

    return jinja2.Environment(
        loader=jinja2.PackageLoader("pybadge.embed"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _template_text(name: str) -> str:
    return (files("pybadge.embed") / "templates" / name).read_text(encoding="utf-8")


def site_files(
    report: Report,
    record: Record,
    *,
    image_url: str = "badge.svg",
    size: int | None = None,
    label: str | None = None,
    style: str = DEFAULTS.style,
) -> dict[str, bytes]:
    """The files by name: images, the record, the component, and ``index.html`` with its script and
    style sheet.

    Args:
        report: from `pybadge.verify`.
        record: the record it is about.
        image_url: where ``badge.svg`` will be, for the addresses in the snippets; the other files
            are beside it, whatever the last part of this address is.
        size, label, style: as for `snippet`.

    Raises:
        UsageError: an option that makes no sense.
    """
    folder, slash, _ = image_url.rpartition("/")
    # Live on this page: always relative. In the sources: where the files will be.
    here, there = (
        placement_of(report, image_url=url, size=size, label=label, style=style)
        for url in ("badge.svg", f"{folder}{slash}badge.svg")
    )
    document = json.dumps(record.document, ensure_ascii=False, separators=(",", ":"))
    texts = {
        "badge.svg": here.svg,
        "badge-dark.svg": badge_svg(report, theme="dark", height=size, label=label, style=style),
        "badge.json": json.dumps(badge_shields(report, label=label)) + "\n",
        f"{here.number.suffix}.json": document,
        "pith-badge.js": component_source(),
        "pith-badge.d.ts": component_source("pith-badge.d.ts"),
        "verify.d.ts": component_source("verify.d.ts"),
        "index.html": _page(here, there),
        "data-uri.html": _data_uri_page(here),
        "page.css": _template_text("page.css"),
        "page.js": _template_text("page.js"),
    }
    images = {
        "badge.png": badge_png(report, scale=1, label=label, style=style),
        "badge-2x.png": badge_png(report, scale=2, label=label, style=style),
    }
    return {**{name: text.encode("utf-8") for name, text in texts.items()}, **images}


def write_site(
    report: Report,
    record: Record,
    folder: str,
    write: Callable[[str, bytes], None],
    *,
    image_url: str = "badge.svg",
    size: int | None = None,
    label: str | None = None,
    style: str = DEFAULTS.style,
) -> list[str]:
    """Write the files of `site_files`.

    Args:
        report, record, image_url, size, label, style: as for `site_files`.
        folder: made where it is missing; files of the same names are replaced.
        write: writes one file whole or not at all.

    Returns:
        The paths that were written.

    Raises:
        OutputError: the folder can't be made or written.
        UsageError: an option that makes no sense.
    """
    files = site_files(report, record, image_url=image_url, size=size, label=label, style=style)
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: can't be made: {reason(error)}") from None
    paths = {os.path.join(folder, name): data for name, data in files.items()}
    for path, data in paths.items():
        write(path, data)
    return list(paths)


def _data_uri_page(place: Placement) -> str:
    template = _environment().get_template("data-uri.html")
    return template.render(place=place, live=markup.html_data_uri(place))


def _page(here: Placement, there: Placement) -> str:
    return (
        _environment()
        .get_template("index.html")
        .render(
            place=here,
            embeds=[_embed(name, here, there) for name in FORMATS],
            component=markup.html_component(here),
        )
    )


def _embed(name: str, here: Placement, there: Placement) -> dict[str, str | None]:
    """One format for the page: its source, and what it looks like."""
    found = format_of(name)
    row: dict[str, str | None] = {"name": name, "where": found.where, "live": None}
    try:
        row["source"] = found.write(there)
    except PybadgeError as error:
        # Not every badge can have every embed: nothing is stated for machines from an invalid
        # record, for one.
        return {**row, "source": None, "live": str(error)}
    if found.live is not None:
        row["live"] = found.live(here)
    return row
