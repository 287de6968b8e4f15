"""``pybadge badge``."""

from __future__ import annotations

import argparse
import json
import os
import time
import warnings
from collections.abc import Callable
from dataclasses import fields
from typing import Any

from pybadge.badge import (
    DEFAULTS,
    FACTS,
    RENDERERS,
    STATES,
    STYLES,
    THEMES,
    BadgeOptions,
    badge_png,
    badge_shields,
    badge_svg,
)
from pybadge.badge.gallery import write_gallery
from pybadge.checks.report import Report
from pybadge.cli.commands import WHAT_HELP
from pybadge.cli.context import as_error, expectations_of, resolver_of
from pybadge.cli.output import complain, out
from pybadge.cli.progress import waiting
from pybadge.errors import NOT_CHECKED, UsageError, invalid_choice
from pybadge.output import write_file
from pybadge.reporting import WORDS
from pybadge.verification import report_on

__all__ = ["EXAMPLES", "configure", "execute"]

_CHOICES = {"style": STYLES, "theme": THEMES, "state": STATES, "renderer": RENDERERS}
# What a report that is not invalid may be shown as, whatever it found.
_LESS = STATES[STATES.index("not_checked") :]

EXAMPLES = """  pybadge badge XR2UHLWNHHFSD4ZJJXWRU6R6QP -o badge.svg
  pybadge badge 2402.15627 --style card --theme dark -o card.png
  pybadge badge record.json --all gallery"""
OWN_OPTIONS = ("color",)
"""Options of every command whose names mean something else here."""


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("what", metavar="WHAT", help=WHAT_HELP)
    add(
        "-o",
        "--output",
        metavar="FILE",
        help="a .svg or .png file, or .json for a shields.io endpoint; without it SVG goes to "
        "stdout",
    )
    add(
        "--all",
        metavar="DIR",
        help="write every style, theme and state into a folder, with a page to choose from",
    )
    add("--style", metavar="STYLE", help=_listed(STYLES, DEFAULTS.style))
    add("--theme", metavar="THEME", help="light (default), dark, or auto: the viewer's choice")
    add("--label", metavar="TEXT", help="the left part (default pith)")
    add("--message", metavar="TEXT", help="the right part (default: the number's short form)")
    add(
        "--color",
        metavar="COLOR",
        help="of the right part where the record is verified: a name or hex",
    )
    add("--label-color", metavar="COLOR", help="of the left part where the record is verified")
    add(
        "--state",
        metavar="STATE",
        help=f"a state that claims less: {', '.join(_LESS)}; never verified",
    )
    add(
        "--date",
        metavar="YYYY-MM-DD",
        help="the day of the check; with --state offline the default is today",
    )
    add("--facts", metavar="FACT,…", help=f"also say: {', '.join(FACTS)}; or all")
    add(
        "--word",
        action="store_true",
        default=None,
        help="say the state in words even where it is verified",
    )
    add("--no-mark", dest="mark", action="store_false", default=None, help="without the Pith mark")
    add(
        "--link",
        action="store_true",
        default=None,
        help="make the SVG itself a link, for SVG inside a page",
    )
    add("--qr", action="store_true", default=None, help="add a QR code of the record's address")
    add("--qr-mark", action="store_true", default=None, help="put the Pith mark into its middle")
    add("--qr-color", metavar="COLOR", help="of its dark modules (default black)")
    add(
        "--text-as-paths",
        action="store_true",
        default=None,
        help="letters as outlines, for viewers without fonts",
    )
    add(
        "--scale",
        metavar="N",
        help="pixels of a PNG per SVG unit, 1 to 16 (default 2); size of an SVG (default 1)",
    )
    add("--height", metavar="N", help="height of an SVG in pixels, instead of --scale")
    add(
        "--renderer",
        metavar="RENDERER",
        help="what draws PNG: pillow (default), or resvg, which shapes every script",
    )


def _listed(names: tuple[str, ...], default: str) -> str:
    return ", ".join(f"{name} (default)" if name == default else name for name in names)


def execute(options: argparse.Namespace) -> int:
    # Everything is checked before anybody is asked for the record.
    chosen = _chosen(options)
    ending = _ending(options, chosen)
    with waiting(options.quiet):
        report = report_on(options.what, resolver_of(options), expectations_of(options))
    if report.record is None and not _may_draw(report, options.state):
        raise as_error(report)
    if options.all is not None:
        write_gallery(report, options.all, write_file, date=options.date or _today())
    elif options.output is not None:
        write_file(options.output, _FILES[ending](report, chosen, options.renderer))
    else:
        out(badge_svg(report, **chosen) + "\n")
    if report.exit_code:
        complain(f"the badge says {WORDS[report.verdict]}: {report.reason}")
    return report.exit_code


def _may_draw(report: Report, state: str | None) -> bool:
    """Whether there is a badge without a record: one of a state that says so, asked for."""
    return state is not None and report.exit_code == NOT_CHECKED


def _chosen(options: argparse.Namespace) -> dict[str, Any]:
    """The fields of `BadgeOptions` that were given; the others keep their defaults.

    Raises:
        UsageError: an option that makes no sense.
    """
    for name, choices in _CHOICES.items():
        value = getattr(options, name)
        if value is not None and value not in choices:
            raise invalid_choice(value, choices, f"--{name}")
    chosen = {
        field.name: getattr(options, field.name)
        for field in fields(BadgeOptions)
        if getattr(options, field.name, None) is not None
    }
    if options.facts is not None:
        chosen["facts"] = _facts(options.facts)
    for name in ("scale", "height"):
        if name in chosen:
            chosen[name] = _number(f"--{name}", chosen[name])
    if options.state == "offline" and options.date is None:
        chosen["date"] = _today()
    BadgeOptions(**chosen)
    return chosen


def _facts(text: str) -> tuple[str, ...]:
    names = tuple(name for name in text.split(",") if name)
    if names == ("all",):
        return FACTS
    for name in names:
        if name not in FACTS:
            raise invalid_choice(name, (*FACTS, "all"), "--facts")
    return names


def _number(name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not text.isascii() or value != value or "_" in text:
        raise UsageError(f"{name} {text!a:.40}: must be a number")
    return int(value) if value.is_integer() else value


def _ending(options: argparse.Namespace, chosen: dict[str, Any]) -> str:
    """The kind of file that is asked for, by its ending.

    Raises:
        UsageError: there is no such kind, or an option does not go with it.
    """
    if options.all is not None:
        if options.output is not None:
            raise UsageError("give -o FILE or --all DIR, not both")
        if chosen.keys() - {"date"}:
            raise UsageError(
                "--all draws every style, theme and state; of the options it takes --date"
            )
    path = (options.output or ".svg").lower()
    ending = next((ending for ending in _FILES if path.endswith(ending)), None)
    if ending is None:
        raise UsageError(f"{options.output}: a badge file must end in {', '.join(_FILES)}")
    if ending != ".png" and options.renderer is not None:
        raise UsageError("--renderer is for PNG")
    return ending


def _today() -> str:
    """Today's date in UTC; SOURCE_DATE_EPOCH stands in for the clock where it is set."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    seconds = int(epoch) if epoch.isascii() and epoch.isdigit() and len(epoch) < 12 else None
    return time.strftime("%Y-%m-%d", time.gmtime(seconds))


def _svg(report: Report, chosen: dict[str, Any], _renderer: str | None) -> bytes:
    return (badge_svg(report, **chosen) + "\n").encode("utf-8")


def _png(report: Report, chosen: dict[str, Any], renderer: str | None) -> bytes:
    """The PNG; what the painter warns of becomes a line each."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        data = badge_png(report, renderer=renderer or RENDERERS[0], **chosen)
    for message in dict.fromkeys(str(warning.message) for warning in caught):
        complain(f"warning: {message}")
    return data


def _json(report: Report, chosen: dict[str, Any], _renderer: str | None) -> bytes:
    return (json.dumps(badge_shields(report, **chosen)) + "\n").encode("ascii")


_FILES: dict[str, Callable[[Report, dict[str, Any], str | None], bytes]] = {
    ".svg": _svg,
    ".png": _png,
    ".json": _json,
}
