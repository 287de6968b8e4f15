"""All the files that a site needs to show a badge, with a page that shows each embed live beside
its source."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from pybadge.badge import badge_png, badge_shields, badge_svg
from pybadge.checks.report import Report
from pybadge.embed import markup
from pybadge.embed.placement import Placement, placement_of
from pybadge.embed.snippets import FORMATS, MACHINES, WHERE, write
from pybadge.errors import PybadgeError
from pybadge.record import Record

if TYPE_CHECKING:
    import jinja2


__all__ = ["component_source", "site_files"]

# Shown as it is; everything else that shows a badge ends up as the plain linked image in its place.
_LIVE = {
    "email": markup.email,
    "html-component": markup.html_component,
    "html-inline": markup.html_inline,
    "html-picture": markup.html_picture,
    "markdown-dark": markup.html_picture,
}


def component_source(name: str = "pith-badge.min.js") -> str:
    """One file of the web component: ``pith-badge.min.js``, ``pith-badge.js`` or
    ``pith-badge.d.ts``."""
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
    base_url: str = "",
    size: int | None = None,
    label: str | None = None,
    style: str = "flat",
) -> dict[str, bytes]:
    """The files by name: images, the record, the component, and ``index.html`` with its script and
    style sheet.

    Args:
        report: from `pybadge.verify`.
        record: the record it is about.
        base_url: the https folder that the files will be in, with its slash, for the snippets'
            addresses; "" for relative.
        size, label, style: as for `snippet`.

    Raises:
        UsageError: an option that makes no sense.
    """
    # Live on this page: always relative. In the sources: where the files will be.
    here = placement_of(report, image_url="badge.svg", size=size, label=label, style=style)
    there = placement_of(
        report, image_url=f"{base_url}badge.svg", size=size, label=label, style=style
    )
    texts = {
        "badge.svg": badge_svg(report, theme="light", height=size, label=label, style=style),
        "badge-dark.svg": badge_svg(report, theme="dark", height=size, label=label, style=style),
        "badge.json": json.dumps(badge_shields(report, label=label)) + "\n",
        f"{here.number.suffix}.json": json.dumps(
            record.document, ensure_ascii=False, separators=(",", ":")
        ),
        "pith-badge.js": component_source(),
        "pith-badge.d.ts": component_source("pith-badge.d.ts"),
        "index.html": _page(here, there),
        "data-uri.html": _environment()
        .get_template("data-uri.html")
        .render(place=here, live=markup.html_data_uri(here)),
        "page.css": _template_text("page.css"),
        "page.js": _template_text("page.js"),
    }
    images = {
        "badge.png": badge_png(report, scale=1, label=label, style=style),
        "badge-2x.png": badge_png(report, scale=2, label=label, style=style),
    }
    return {**{name: text.encode("utf-8") for name, text in texts.items()}, **images}


def _page(here: Placement, there: Placement) -> str:
    embeds: list[dict[str, str | None]] = []
    for name in FORMATS:
        try:
            source = write(there, name)
        except PybadgeError as error:
            # Not every badge can have every embed: nothing is stated for machines from an invalid
            # record, for one.
            embeds.append({"name": name, "where": WHERE[name], "source": None, "live": str(error)})
            continue
        live = None if name in MACHINES else _LIVE.get(name, markup.html)(here)
        embeds.append({"name": name, "where": WHERE[name], "source": source, "live": live})
    return (
        _environment()
        .get_template("index.html")
        .render(place=here, embeds=embeds, component=markup.html_component(here))
    )
