"""``pybadge badge``."""

from __future__ import annotations

import argparse
import json
import os
import time
import warnings
from typing import Any

from pybadge.checks.report import Report
from pybadge.cli.context import as_error, report_on, resolver_of, trusted_keys
from pybadge.cli.main import WHAT_HELP
from pybadge.cli.output import complain, out, write_file
from pybadge.errors import UsageError

ENDINGS = (".svg", ".png", ".json")


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("what", metavar="WHAT", help=WHAT_HELP)
    add(
        "-o",
        "--output",
        metavar="FILE",
        help="a .svg or .png file, or .json for a shields.io endpoint; without it SVG goes to stdout",
    )
    add(
        "--all",
        metavar="DIR",
        help="write every style, theme and state into a folder, with a page to choose from",
    )
    add(
        "--style",
        metavar="STYLE",
        help="flat (default), flat-square, plastic, for-the-badge, mono, card, seal",
    )
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
        help="a state that claims less: not_checked, offline, unknown; never verified",
    )
    add(
        "--date",
        metavar="YYYY-MM-DD",
        help="the day of the check; with --state offline the default is today",
    )
    add(
        "--facts",
        metavar="FACT,…",
        help="also say: attested, anchored, stored, cited, refs; or all",
    )
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
        "--engine",
        metavar="ENGINE",
        help="what draws PNG: pillow (default), or resvg, which shapes every script",
    )


def execute(options: argparse.Namespace) -> int:
    if options.output is not None and not options.output.lower().endswith(ENDINGS):
        raise UsageError(f"{options.output}: a badge file must end in {', '.join(ENDINGS)}")
    if options.output is not None and options.all is not None:
        raise UsageError("give -o FILE or --all DIR, not both")
    content, look = _choices(options)
    report = report_on(options.what, resolver_of(options), trusted=trusted_keys(options))
    if report.record is None and (options.state is None or report.exit_code != 3):
        # Nothing to draw of: only a state that says so is drawn, and only when it is asked for.
        raise as_error(report)
    if options.all is not None:
        from pybadge.badge.gallery import write_gallery

        write_gallery(report, options.all, write_file, date=options.date or _today())
    else:
        _draw(report, options.output, content, look, options)
    if report.exit_code:
        complain(f"the badge says {report.verdict.replace('_', ' ')}: see pybadge verify")
    return report.exit_code


def _choices(options: argparse.Namespace) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the badge says and how it looks; what was not given keeps the library's default."""
    from pybadge.badge import FACTS

    content = {name: getattr(options, name) for name in ("label", "message", "state", "date")}
    if options.facts is not None:
        names = tuple(name for name in options.facts.split(",") if name)
        content["facts"] = FACTS if names == ("all",) else names
    if options.state == "offline" and options.date is None:
        content["date"] = _today()
    names = (
        "style",
        "theme",
        "color",
        "label_color",
        "word",
        "mark",
        "link",
        "qr",
        "qr_mark",
        "qr_color",
        "text_as_paths",
    )
    look = {name: getattr(options, name) for name in names}
    return _given(content), _given(look)


def _given(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _today() -> str:
    """Today's date in UTC; SOURCE_DATE_EPOCH stands in for the clock where it is set."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    seconds = int(epoch) if epoch.isascii() and epoch.isdigit() and len(epoch) < 12 else None
    return time.strftime("%Y-%m-%d", time.gmtime(seconds))


def _draw(
    report: Report, path: str | None, content: dict[str, Any], look: dict[str, Any], options: Any
) -> None:
    from pybadge.badge import badge_png, badge_shields, badge_svg

    if path is not None and path.lower().endswith(".png"):
        if options.height is not None:
            raise UsageError("--height is for SVG; a PNG takes --scale")
        scale = _number("--scale", options.scale) if options.scale is not None else 2
        engine = options.engine or "pillow"
        write_file(
            path, _with_warnings(badge_png, report, scale=scale, engine=engine, **content, **look)
        )
        return
    if path is not None and path.lower().endswith(".json"):
        content.pop("facts", None)
        text = json.dumps(badge_shields(report, **content), ensure_ascii=True) + "\n"
    else:
        for name in ("scale", "height"):
            if getattr(options, name) is not None:
                look[name] = _number(f"--{name}", getattr(options, name))
        text = badge_svg(report, **content, **look) + "\n"
    if path is None:
        out(text)
    else:
        write_file(path, text.encode("utf-8"))


def _with_warnings(draw: Any, *arguments: Any, **named: Any) -> bytes:
    """Draw, and pass on what the painter warns of, a line each."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        data: bytes = draw(*arguments, **named)
    for message in dict.fromkeys(str(warning.message) for warning in caught):
        complain(f"warning: {message}")
    return data


def _number(name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not text.isascii() or value != value or "_" in text:
        raise UsageError(f"{name} {text!a:.40}: must be a number")
    return int(value) if value.is_integer() else value
