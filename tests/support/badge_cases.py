"""What the badge tests share: reports in every state, and the pictures that are kept as golden
files.

Run as a program it writes the golden files anew: look at every change before committing it.
"""

from __future__ import annotations

from collections.abc import Iterator

import pybadge
from pybadge.badge import STATES, STYLES, THEMES
from pybadge.checks import Report
from pybadge.errors import NotFoundError, UnreachableError
from pybadge.number import parse_number
from pybadge.verification import unreadable
from tests.support.data import DATA, NUMBER
from tests.support.documents import real

GOLDEN = DATA / "badges"
DATE = "2026-11-30"


def reports() -> dict[str, Report]:
    """A report for each state, made by real checks of the real record, its variations, and real
    errors."""
    asked = parse_number(NUMBER)
    tampered, unsigned = real(), real()
    tampered["receipt"]["signature_b64"] = "A" * 86 + "=="
    del unsigned["receipt"]
    found = {
        "verified": pybadge.verify(real()),
        "invalid": pybadge.verify(tampered),
        "not_checked": pybadge.verify(unsigned),
        "offline": unreadable(UnreachableError("offline"), input=NUMBER, asked=asked),
        "unknown": unreadable(NotFoundError("nobody knows it"), input=NUMBER, asked=asked),
    }
    assert tuple(found) == STATES
    return found


def pictures() -> Iterator[tuple[str, str]]:
    """File name and SVG of every golden badge."""
    known = reports()
    for state, report in known.items():
        date = DATE if state == "offline" else None
        for style in STYLES:
            for theme in THEMES:
                yield (
                    f"{style}-{theme}-{state}.svg",
                    pybadge.badge_svg(report, style=style, theme=theme, date=date),
                )
    for style in STYLES:
        for theme in ("light", "dark"):
            yield (
                f"{style}-{theme}-qr.svg",
                pybadge.badge_svg(known["verified"], style=style, theme=theme, qr=True),
            )
        facts = pybadge.badge_svg(
            known["verified"], style=style, facts=pybadge.badge.FACTS, date=DATE
        )
        yield f"{style}-facts.svg", facts
    yield "flat-qr-mark.svg", pybadge.badge_svg(known["verified"], qr=True, qr_mark=True)
    yield "flat-link.svg", pybadge.badge_svg(known["verified"], link=True)
    yield "flat-scaled.svg", pybadge.badge_svg(known["verified"], scale=2.5)
    yield (
        "flat-arabic.svg",
        pybadge.badge_svg(known["verified"], label="بث", message="مرحبا بالعالم"),
    )
    yield "flat-elided.svg", pybadge.badge_svg(known["verified"], message="long text " * 20)


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for old in GOLDEN.glob("*.svg"):
        old.unlink()
    for name, svg in pictures():
        (GOLDEN / name).write_text(svg, encoding="utf-8", newline="")
