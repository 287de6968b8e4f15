"""The layout of the styles that are one bar: flat, flat-square, plastic, for-the-badge, mono."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

from pybadge.badge.colors import (
    FACT,
    LABEL,
    MONO_INK,
    MONO_PAPER,
    NEUTRAL,
    STATES,
    WHITE,
    Ink,
    same,
)
from pybadge.badge.drawing import Drawing, Rect, Shape, Stroke, Text
from pybadge.badge.model import Badge, Fact
from pybadge.badge.options import Look
from pybadge.badge.styles.icons import mark, sign
from pybadge.badge.text import Fit, Weight, elide, fit

__all__ = ["STYLES", "Bar", "bar", "fit_message"]

CAP_HEIGHT = 0.729  # of DejaVu Sans, in em


@dataclass(frozen=True, slots=True)
class Bar:
    """The measures of one style."""

    height: float = 20
    radius: float = 4
    size: float = 11
    padding: float = 6
    gap: float = 4
    mark: float = 12
    sign: float = 9.5
    spacing: float = 0.0
    weight: Weight = "regular"
    upper: bool = False
    shaded: bool = False
    mono: bool = False

    @property
    def baseline(self) -> float:
        """Where capitals stand in the middle, from the top, on a tenth."""
        return round((self.height + self.size * CAP_HEIGHT) / 2, 1)


STYLES = {
    "flat": Bar(),
    "flat-square": Bar(radius=0),
    "plastic": Bar(radius=5, shaded=True),
    "for-the-badge": Bar(
        height=28,
        radius=0,
        size=10,
        padding=10,
        gap=6,
        mark=14,
        sign=11,
        spacing=1.2,
        weight="bold",
        upper=True,
    ),
    "mono": Bar(radius=3, mono=True),
}


@dataclass(frozen=True, slots=True)
class _Part:
    """One segment before it has its place; its contents are placed from its left edge."""

    width: float
    fill: Ink
    shapes: tuple[Shape, ...]


def fit_message(text: str, style: Bar) -> Fit:
    """Measure the message as a style sets it."""
    return fit(_shown(text, style), style.size, style.weight, style.spacing)


def bar(badge: Badge, look: Look, *, message: Fit | None = None, least: float = 0) -> Drawing:
    """Lay out a badge as one bar of segments. Their widths are whole units, so that the seams are
    sharp at 1x.

    Args:
        badge: what to draw.
        look: how.
        message: the message, measured already by `fit_message`; None to measure it here.
        least: the least width of the whole; the message's segment takes the rest.
    """
    style = STYLES[look.style]
    message = message or fit_message(badge.message, style)
    parts = [_label(badge, look, style), _message(badge, look, style, message)]
    parts += [_fact(fact, style) for fact in badge.facts]
    rest = least - sum(part.width for part in parts)
    if rest > 0:
        parts[1] = _widened(parts[1], rest)
    return _assemble(parts, style)


def _shown(text: str, style: Bar) -> str:
    text = elide(text)
    return text.upper() if style.upper else text


def _text(measured: Fit, x: float, style: Bar, ink: Ink, weight: Weight | None = None) -> Text:
    weight = style.weight if weight is None else weight
    return Text(
        measured, x, ceil(measured.width), style.baseline, style.size, ink, weight, style.spacing
    )


def _label(badge: Badge, look: Look, style: Bar) -> _Part:
    fill = LABEL
    if style.mono:
        fill = MONO_INK
    elif look.label_color is not None and badge.state == "verified":
        fill = same(look.label_color)
    ink = MONO_PAPER if style.mono else fill.text
    shapes: list[Shape] = []
    left = style.padding
    if look.mark and badge.ours:
        left -= 1
        shapes += mark(left + style.mark / 2, style.height / 2, style.mark, ink)
        left += style.mark + style.gap
    measured = fit(_shown(badge.label, style), style.size, "regular", style.spacing)
    shapes.append(_text(measured, left, style, ink, "regular"))
    width = left + ceil(measured.width) + style.padding - style.spacing
    return _Part(float(ceil(width)), fill, tuple(shapes))


def _state_ink(badge: Badge, look: Look, style: Bar) -> Ink:
    if style.mono:
        return MONO_PAPER
    if look.color is not None and badge.state == "verified":
        return same(look.color)
    return STATES[badge.state]


def _message(badge: Badge, look: Look, style: Bar, message: Fit) -> _Part:
    fill = _state_ink(badge, look, style)
    ink = MONO_INK if style.mono else fill.text
    left = style.padding
    shapes = list(sign(badge.state, left + style.sign / 2, style.height / 2, style.sign, ink))
    left += style.sign + style.gap
    shapes.append(_text(message, left, style, ink))
    left += ceil(message.width)
    if says_word(badge, look, style):
        left += style.gap + 1
        word = fit(_shown(badge.word, style), style.size, "regular", style.spacing)
        shapes.append(_text(word, left, style, ink, "regular"))
        left += ceil(word.width)
    # The room after the last letter is not seen as part of it.
    width = left + style.padding + 1 - style.spacing
    return _Part(float(ceil(width)), fill, tuple(shapes))


def says_word(badge: Badge, look: Look, style: Bar) -> bool:
    """Whether the state's word is drawn: in print always, else for every state but verified unless
    asked for."""
    if badge.message == badge.word:
        return False
    habit = style.mono or badge.state != "verified"
    return habit if look.word is None or badge.state != "verified" else look.word


def _fact(fact: Fact, style: Bar) -> _Part:
    fill = MONO_PAPER if style.mono else NEUTRAL if fact.claimed else FACT
    ink = MONO_INK if style.mono else fill.text
    left = style.padding
    shapes: list[Shape] = []
    if not fact.claimed:
        shapes += sign("verified", left + style.sign / 2, style.height / 2, style.sign, ink)
        left += style.sign + style.gap
    measured = fit(_shown(fact.words, style), style.size, "regular", style.spacing)
    shapes.append(_text(measured, left, style, ink, "regular"))
    return _Part(float(ceil(left + ceil(measured.width) + style.padding)), fill, tuple(shapes))


def _widened(part: _Part, rest: float) -> _Part:
    return _Part(
        part.width + rest, part.fill, tuple(moved(shape, rest / 2, 0) for shape in part.shapes)
    )


def moved(shape: Shape, dx: float, dy: float) -> Shape:
    """A shape elsewhere."""
    if isinstance(shape, Stroke):
        return replace(shape, points=tuple((x + dx, y + dy) for x, y in shape.points))
    if isinstance(shape, Text):
        return replace(shape, x=shape.x + dx, baseline=shape.baseline + dy)
    return replace(shape, x=shape.x + dx, y=shape.y + dy)


def _assemble(parts: list[_Part], style: Bar) -> Drawing:
    shapes: list[Shape] = []
    height, radius = style.height, style.radius
    total = sum(part.width for part in parts)
    left = 0.0
    last = len(parts) - 1
    if style.mono:
        return _outlined(parts, style)
    contents: list[Shape] = []
    for index, part in enumerate(parts):
        first_radius = radius if index == 0 else 0
        last_radius = radius if index == last else 0
        radii = (first_radius, last_radius, last_radius, first_radius)
        shapes.append(Rect(left, 0, part.width, height, part.fill, radii))
        contents += [moved(shape, left, 0) for shape in part.shapes] if left else part.shapes
        left += part.width
    if style.shaded:
        shapes += _shading(total, height, radius)
    outline = Rect(0, 0, total, height, LABEL, (radius,) * 4)
    return Drawing(total, height, (outline,), (*shapes, *contents))


def _shading(width: float, height: float, radius: float) -> list[Shape]:
    """Light from above, in a few flat steps: a gradient would need an id, which clashes when badges
    share a page."""
    white, black = same(WHITE), same("#000")
    corner = (0, 0, radius, radius)
    # The light ends above the letters, so that it takes nothing from their contrast.
    light = [
        Rect(0, 0, width, share, white, (radius, radius, 0, 0), 0.1)
        for share in (radius + 1, radius, radius)
    ]
    dark = [Rect(0, height - share, width, share, black, corner, 0.1) for share in (9, 7, radius)]
    return [*light, *dark]


def _outlined(parts: list[_Part], style: Bar) -> Drawing:
    """Black on white with a line around: what a printer can do."""
    height, radius = style.height, style.radius
    total = sum(part.width for part in parts)
    inner = radius - 1
    shapes: list[Shape] = [Rect(0, 0, total, height, MONO_INK, (radius,) * 4)]
    left = parts[0].width
    contents: list[Shape] = list(parts[0].shapes)
    for index, part in enumerate(parts[1:], 1):
        corner = inner if index == len(parts) - 1 else 0
        shapes.append(Rect(left, 1, part.width - 1, height - 2, part.fill, (0, corner, corner, 0)))
        contents += [moved(shape, left, 0) for shape in part.shapes]
        left += part.width
    return Drawing(total, height, (shapes[0],), (*shapes, *contents))
