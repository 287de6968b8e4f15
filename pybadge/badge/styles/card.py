"""The card: title, authors, number, states and the QR code, for web pages and slides."""

from __future__ import annotations

from math import ceil

from pybadge.badge.colors import BORDER, FACT, HEADING, NEUTRAL, PAPER, PROSE, STATES, Ink, same
from pybadge.badge.drawing import Drawing, Rect, Shape, Text
from pybadge.badge.model import Badge
from pybadge.badge.options import Look
from pybadge.badge.styles.icons import mark, sign
from pybadge.badge.styles.qr_tile import code as qr_code
from pybadge.badge.styles.qr_tile import code_size
from pybadge.badge.text import Fit, Weight, clean, elide, fit, shorten, wrap

__all__ = ["card", "shortened_authors"]

WIDTH = 460
_RADIUS = 8
_LEFT = 24
_RIGHT = 18
_PILL = 18


def shortened_authors(authors: str, room: float, size: float) -> str:
    """As many authors as fit on a line, and how many more there are: ``Cong Xie, Ding Zhou + 30
    more``."""
    names = [name.strip() for name in clean(authors).split(",") if name.strip()]
    for count in range(len(names), 0, -1):
        rest = len(names) - count
        text = ", ".join(names[:count]) + (f" + {rest} more" if rest else "")
        if count == 1 or (len(text) < 200 and fit(text, size).width <= room):
            return text
    return ""


def card(badge: Badge, look: Look) -> Drawing:
    """Lay out a card.

    Raises:
        UsageError: a QR code was asked for, but the badge has no full number.
    """
    accent = (
        same(look.color)
        if look.color is not None and badge.state == "verified"
        else STATES[badge.state]
    )
    width, right = WIDTH, WIDTH - _RIGHT
    code: tuple[Shape, ...] = ()
    if look.qr:
        side = code_size(badge, 2)
        width += side + 10  # the text keeps its room
        frame = Rect(right + 9, 17, side + 2, side + 2, BORDER)
        code = (frame, *qr_code(badge, look, right + 10, 18, 2))
    room = right - _LEFT
    contents: list[Shape] = []
    contents += _header(badge, look, accent, right)
    y = 46.0
    lines = _prose(badge, room)
    for measured, size, weight, ink, step in lines:
        y += step
        contents.append(Text(measured, _LEFT, room, y, size, ink, weight))
    chips, y = _chips(badge, y + 12)
    contents += chips
    if not chips:
        y -= 12
    height = float(max(ceil(y) + 18, 118 if look.qr else 0))
    ground: list[Shape] = [
        Rect(0, 0, width, height, BORDER, (_RADIUS,) * 4),
        Rect(1, 1, width - 2, height - 2, PAPER, (_RADIUS - 1,) * 4),
        Rect(0, 0, _RADIUS, height, accent, (_RADIUS, 0, 0, _RADIUS)),
    ]
    outline = Rect(0, 0, width, height, BORDER, (_RADIUS,) * 4)
    return Drawing(width, height, (outline,), (*ground, *contents, *code))


def _header(badge: Badge, look: Look, accent: Ink, right: float) -> list[Shape]:
    shapes: list[Shape] = []
    x = float(_LEFT)
    if look.mark and badge.ours:
        shapes += mark(x + 8, 27, 16, HEADING)
        x += 22
    pill_text = fit(badge.word, 11, "bold")
    pill = ceil(pill_text.width) + 32
    label = shorten(elide(badge.label), right - x - pill - 10, 13, "bold")
    shapes.append(Text(label, x, ceil(label.width), 31.7, 13, HEADING, "bold"))
    left = right - pill
    ink = accent.text
    shapes.append(Rect(left, 18, pill, _PILL, accent, (_PILL / 2,) * 4))
    shapes += sign(badge.state, left + 14, 27, 9, ink)
    shapes.append(Text(pill_text, left + 22, ceil(pill_text.width), 31, 11, ink, "bold"))
    return shapes


def _prose(badge: Badge, room: float) -> list[tuple[Fit, float, Weight, Ink, float]]:
    """Lines with size, weight, ink and the step down to them."""
    lines: list[tuple[Fit, float, Weight, Ink, float]] = []
    paper = badge.paper
    if paper.title is not None:
        for index, line in enumerate(wrap(elide(clean(paper.title), 300), room, 14, 2, "bold")):
            lines.append((line, 14, "bold", HEADING, 18 if index else 14))
    if paper.authors is not None:
        note = " (as served)"
        names = shortened_authors(paper.authors, room - fit(note, 11).width, 11)
        lines.append(
            (
                fit(shorten(names, room - fit(note, 11).width, 11).text + note, 11),
                11,
                "regular",
                PROSE,
                19,
            )
        )
    if paper.failed:
        text = "failed: " + ", ".join(paper.failed)
        lines += [
            (line, 11, "regular", PROSE, 18 if index else 15)
            for index, line in enumerate(wrap(text, room, 11, 2))
        ]
    if paper.source is not None:
        lines.append((shorten(paper.source, room, 11), 11, "regular", PROSE, 17))
    message = (
        badge.number
        if badge.number is not None and badge.number.find(badge.message) >= 0
        else badge.message
    )
    lines.append((shorten(elide(message), room, 11, "bold"), 11, "bold", HEADING, 20))
    return lines


def _chips(badge: Badge, y: float) -> tuple[list[Shape], float]:
    """The facts, and the day of the check."""
    shapes: list[Shape] = []
    x = float(_LEFT)
    for fact in badge.facts:
        fill = NEUTRAL if fact.claimed else FACT
        ink = fill.text
        text = fit(fact.words, 10)
        width = ceil(text.width) + (16 if fact.claimed else 28)
        if x > _LEFT and x + width > WIDTH - _RIGHT:
            x, y = float(_LEFT), y + 22
        shapes.append(Rect(x, y, width, 16, fill, (8,) * 4))
        if not fact.claimed:
            shapes += sign("verified", x + 12, y + 8, 8, ink)
        shapes.append(
            Text(text, x + (8 if fact.claimed else 20), ceil(text.width), y + 11.6, 10, ink)
        )
        x += width + 6
    if badge.date is not None and badge.state != "offline":
        text = fit(f"checked {badge.date}", 10)
        if x > _LEFT and x + text.width > WIDTH - _RIGHT:
            x, y = float(_LEFT), y + 22
        shapes.append(Text(text, x, ceil(text.width), y + 11.6, 10, PROSE))
        return shapes, y + 16
    return shapes, y + 16 if shapes else y
