"""Every style, theme and state in one folder, with a page to choose from."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pybadge.badge.model import (
    STATES,
    WORDS,
    Badge,
    State,
    allowed_states,
    badge_of,
    number_of,
)
from pybadge.badge.options import DEFAULTS, THEMES, BadgeOptions
from pybadge.badge.render.svg import paint_svg
from pybadge.badge.styles import STYLES, style_of
from pybadge.checks.report import Report
from pybadge.errors import OutputError, reason

if TYPE_CHECKING:  # it is loaded late
    import jinja2

__all__ = ["gallery", "write_gallery"]


@dataclass(frozen=True, slots=True)
class _Entry:
    """One picture of the page's tables.

    Attributes:
        file: its name.
        style, theme, state: what it shows.
        alt: what the badge says.
        specimen: whether it stands for no record.
        command: what draws it; "" for a specimen, which no command draws.
    """

    file: str
    style: str
    theme: str
    state: State
    alt: str
    specimen: bool
    command: str


def gallery(
    report: Report, *, date: str | None = None
) -> Iterator[tuple[str, bytes, _Entry | None]]:
    """The files of the gallery: name, bytes, and for a picture of the tables its entry.

    States that the report doesn't earn are drawn as specimens, without number and link;
    ``verified`` is not drawn at all unless the report is verified, since a file can be carried away
    from the page that explains it.
    """
    own = allowed_states(report)[0]
    for state in _shown_states(own):
        badge, specimen = _badge(report, state, date)
        for style in STYLES:
            for theme in THEMES:
                options = BadgeOptions(style=style, theme=theme)
                name = f"{style}-{theme}-{state.replace('_', '-')}.svg"
                command = "" if specimen else _command(options, state, own, name)
                entry = _Entry(name, style, theme, state, badge.title, specimen, command)
                yield name, paint_svg(badge, options).encode("utf-8"), entry
                if state == own and theme != "auto":
                    yield from _more(badge, options, name)


def _shown_states(own: State) -> list[State]:
    return [state for state in STATES if state != "verified" or own == "verified"]


def _badge(report: Report, state: State, date: str | None) -> tuple[Badge, bool]:
    """The badge of a state, and whether it is but a specimen."""
    if state in allowed_states(report):
        day = date if state == "offline" else None
        return badge_of(report, BadgeOptions(state=state, date=day)), False
    title = f"pith: a specimen of the state {WORDS[state]}, of no record"
    return Badge("pith", "SPECIMEN", state, title), True


def _more(
    badge: Badge, options: BadgeOptions, name: str
) -> Iterator[tuple[str, bytes, _Entry | None]]:
    """The report's own badge as PNG, and with its QR code."""
    from pybadge.badge.render.png_pillow import paint_png

    yield name.replace(".svg", "@2x.png"), paint_png(badge, options), None
    if badge.link is not None:
        coded = replace(options, qr=True)
        yield name.replace(".svg", "-qr.svg"), paint_svg(badge, coded).encode("utf-8"), None
        yield name.replace(".svg", "-qr@2x.png"), paint_png(badge, coded), None


def _command(options: BadgeOptions, state: State, own: State, name: str) -> str:
    words = ["pybadge badge WHAT"]
    if options.style != DEFAULTS.style:
        words.append(f"--style {options.style}")
    if options.theme != DEFAULTS.theme:
        words.append(f"--theme {options.theme}")
    if state != own:
        words.append(f"--state {state}")
    return " ".join([*words, f"-o {name}"])


def write_gallery(
    report: Report, folder: str, write: Callable[[str, bytes], None], *, date: str | None = None
) -> int:
    """Write the gallery.

    Args:
        report: from `pybadge.verify`.
        folder: made where it is missing; files of the same names are replaced.
        write: writes one file whole or not at all.
        date: for the state ``offline``.

    Returns:
        The number of files.

    Raises:
        OutputError: the folder can't be made or written.
    """
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: can't be made: {reason(error)}") from None
    entries: dict[tuple[str, str], dict[str, _Entry]] = {}
    count = 0
    for name, data, entry in gallery(report, date=date):
        write(os.path.join(folder, name), data)
        count += 1
        if entry is not None:
            entries.setdefault((entry.style, entry.state), {})[entry.theme] = entry
    write(os.path.join(folder, "index.html"), _page(report, entries).encode("utf-8"))
    return count + 1


def _page(report: Report, entries: dict[tuple[str, str], dict[str, _Entry]]) -> str:
    own = allowed_states(report)[0]
    number = number_of(report)
    return (
        _environment()
        .get_template("gallery.html")
        .render(
            number="no number" if number is None else number.text,
            verdict=WORDS[own],
            styles=STYLES,
            default_style=DEFAULTS.style,
            themes=THEMES,
            states=_shown_states(own),
            purposes={name: style_of(name).purpose for name in STYLES},
            words=WORDS,
            entries=entries,
            own=own,
            coded=number is not None and number.is_full,
        )
    )


def _environment() -> jinja2.Environment:
    """The templates, with escaping switched on whatever a file's ending."""
    import jinja2

    return jinja2.Environment(
        loader=jinja2.PackageLoader("pybadge.badge"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
    )
