"""Every style, theme and state in one folder, with a page to choose from."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from pybadge.badge.model import STATES, WORDS, Badge, State, allowed_states, badge_of
from pybadge.badge.options import STYLES, THEMES, Look
from pybadge.badge.render.svg import environment, paint_svg
from pybadge.checks.report import Report
from pybadge.errors import OutputError

__all__ = ["gallery", "write_gallery"]

_HINTS = {
    "flat": "for READMEs and lists of badges",
    "flat-square": "the same with square corners",
    "plastic": "with a light from above",
    "for-the-badge": "large, in capitals, for front pages",
    "mono": "black on white, for print",
    "card": "title, authors, number and QR code, for web pages and slides",
    "seal": "a round mark, for margins, posters and certificates",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One picture of the gallery."""

    file: str
    style: str
    theme: str
    state: str
    alt: str
    specimen: bool
    command: str


def gallery(
    report: Report, *, date: str | None = None
) -> Iterator[tuple[str, bytes, Entry | None]]:
    """The files of the gallery: name, bytes, and for a picture of the table its entry.

    States that the report doesn't earn are drawn as specimens, without number and link;
    ``verified`` is not drawn at all unless the report is verified, since a file can be carried away
    from the page that explains it.
    """
    from pybadge.badge.render.png_pillow import paint_png

    allowed = allowed_states(report)
    own = allowed[0]
    for state in STATES:
        if state == "verified" and own != "verified":
            continue
        earned = state in allowed
        day = date if state == "offline" else None
        badge = badge_of(report, state=state, date=day) if earned else _specimen(state)
        for style in STYLES:
            for theme in THEMES:
                look = Look(style=style, theme=theme)
                name = f"{style}-{theme}-{state.replace('_', '-')}.svg"
                entry = Entry(
                    name,
                    style,
                    theme,
                    state,
                    badge.title,
                    not earned,
                    _command(look, state, own, name),
                )
                yield name, paint_svg(badge, look).encode("utf-8"), entry
                if state == own and theme != "auto":
                    yield name.replace(".svg", "@2x.png"), paint_png(badge, look, scale=2), None
                    if badge.link is not None:
                        coded = replace(look, qr=True)
                        yield (
                            name.replace(".svg", "-qr.svg"),
                            paint_svg(badge, coded).encode("utf-8"),
                            None,
                        )
                        yield (
                            name.replace(".svg", "-qr@2x.png"),
                            paint_png(badge, coded, scale=2),
                            None,
                        )


def _specimen(state: State) -> Badge:
    return Badge(
        "pith", "SPECIMEN", state, f"pith: a specimen of the state {WORDS[state]}, of no record"
    )


def _command(look: Look, state: str, own: str, name: str) -> str:
    options = "" if look.style == "flat" else f" --style {look.style}"
    options += "" if look.theme == "light" else f" --theme {look.theme}"
    options += "" if state == own else f" --state {state}"
    return f"pybadge badge WHAT{options} -o {name}"


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
        raise OutputError(f"{folder}: can't be made: {error.strerror or error}") from None
    entries: dict[tuple[str, str], dict[str, Entry]] = {}
    count = 0
    for name, data, entry in gallery(report, date=date):
        write(os.path.join(folder, name), data)
        count += 1
        if entry is not None:
            entries.setdefault((entry.style, entry.state), {})[entry.theme] = entry
    own = allowed_states(report)[0]
    page = (
        environment()
        .get_template("gallery.html")
        .render(
            number=report.number.text if report.number is not None else "no number",
            verdict=WORDS[own],
            styles=STYLES,
            themes=THEMES,
            states=[state for state in STATES if state != "verified" or own == "verified"],
            hints=_HINTS,
            words=WORDS,
            entries=entries,
            own=own,
            coded=report.number is not None,
        )
    )
    write(os.path.join(folder, "index.html"), page.encode("utf-8"))
    return count + 1
