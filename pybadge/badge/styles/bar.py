"""The styles that are one bar: flat, flat-square, plastic, for-the-badge, mono."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
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
from pybadge.badge.drawing import Drawing, Fit, Rect, Shape, Text, Weight
from pybadge.badge.fonts.metrics import fit
from pybadge.badge.model import Badge, Fact
from pybadge.badge.options import BadgeOptions
from pybadge.badge.styles.icons import icon, mark
from pybadge.badge.styles.qr_tile import MARGIN, code, code_size
from pybadge.badge.text import elide

__all__ = ["BARS", "Bar", "bar", "bar_with_code"]

_CAP_HEIGHT = 0.729  # of DejaVu Sans, in em


@dataclass(frozen=True, slots=True)
class Bar:
    """One style: its measures, and what it is good for.

    Attributes:
        purpose: in a few words, for the gallery.
        height: of the bar; 20 is what badges on README pages share, so that a row of them is even.
        radius: of the corners.
        size: of the letters.
        padding: from a segment's edges to its contents. A mark may stand one unit nearer, since it
            is round; after the message there is one more, since capitals are straight.
        gap: between icon, message and word.
        mark: the diameter of the Pith mark.
        icon: the side of the state's icon.
        spacing: extra room after each letter.
        weight: of the message.
        upper: whether all is set in capitals.
        shaded: whether light falls on it from above.
        mono: black and white, for print.
        baseline: where capitals stand in the middle, from the top, on a tenth.
    """

    purpose: str
    height: float = 20
    radius: float = 4
    size: float = 11
    padding: float = 6
    gap: float = 4
    mark: float = 12
    icon: float = 9.5
    spacing: float = 0.0
    weight: Weight = "regular"
    upper: bool = False
    shaded: bool = False
    mono: bool = False
    baseline: float = field(init=False)

    def __post_init__(self) -> None:
        baseline = round((self.height + self.size * _CAP_HEIGHT) / 2, 1)
        object.__setattr__(self, "baseline", baseline)


BARS = {
    "flat": Bar("for READMEs and lists of badges"),
    "flat-square": Bar("the same with square corners", radius=0),
    "plastic": Bar("with a light from above", radius=5, shaded=True),
    "for-the-badge": Bar(
        "large, in capitals, for front pages",
        height=28,
        radius=0,
        size=10,
        padding=10,
        gap=6,
        mark=14,
        icon=11,
        spacing=1.2,
        weight="bold",
        upper=True,
    ),
    "mono": Bar("black on white, for print", radius=3, mono=True),
}


@dataclass(frozen=True, slots=True)
class _Segment:
    """One part of a bar before it has its place; everything in it is placed from its left edge.

    Attributes:
        width: a whole number, so that the seams are sharp at 1x.
        fill, ink: of the ground, and of what stands on it.
        icons: the mark or an icon.
        texts: measure, left edge and weight of each.
    """

    width: float
    fill: Ink
    ink: Ink
    icons: tuple[Shape, ...]
    texts: tuple[tuple[Fit, float, Weight], ...]

    def widened(self, more: float) -> _Segment:
        """The same with its contents in the middle of a greater width."""
        return replace(
            self,
            width=self.width + more,
            icons=tuple(shape.moved(more / 2, 0) for shape in self.icons),
            texts=tuple((measured, x + more / 2, weight) for measured, x, weight in self.texts),
        )

    def contents(self, left: float, style: Bar) -> list[Shape]:
        """What stands in it, where the segment begins at ``left``."""
        # Icons are rounded to tenths before they are moved: they look alike in every badge.
        shapes = [shape.moved(left, 0) for shape in self.icons] if left else list(self.icons)
        for measured, x, weight in self.texts:
            room = ceil(measured.width)
            shapes.append(
                Text(
                    measured,
                    left + x,
                    room,
                    style.baseline,
                    style.size,
                    self.ink,
                    weight,
                    style.spacing,
                )
            )
        return shapes


def bar(badge: Badge, options: BadgeOptions, *, least: float = 0) -> Drawing:
    """Lay out a badge as one bar of segments.

    Args:
        badge: what to draw.
        options: how.
        least: the least width of the whole; the message's segment takes the rest.
    """
    style = BARS[options.style]
    segments = [_label(badge, options, style), _message(badge, options, style)]
    segments += [_fact(fact, style) for fact in badge.facts]
    width = sum(segment.width for segment in segments)
    if width < least:
        segments[1] = segments[1].widened(least - width)
        width = least
    shapes = _frame(segments, width, style) if style.mono else _grounds(segments, width, style)
    left = 0.0
    for segment in segments:
        shapes += segment.contents(left, style)
        left += segment.width
    outline = Rect(0, 0, width, style.height, LABEL, (style.radius,) * 4)
    return Drawing(width, style.height, (outline,), tuple(shapes))


def bar_with_code(badge: Badge, options: BadgeOptions) -> Drawing:
    """A bar with the QR code above it, as one label.

    Raises:
        UsageError: the badge has no full number.
    """
    radius = BARS[options.style].radius
    natural = bar(badge, options).width
    # A module of 3 units under a short bar, so that the code isn't much wider than it; else 4.
    unit = 3 if natural < 170 else 4
    side = code_size(badge, unit)
    top = side + 2 * MARGIN
    width = max(natural, top)
    below = bar(badge, options, least=width)
    height = top + below.height
    ground = Rect(0, 0, width, top, same(options.qr_background), (radius, radius, 0, 0))
    modules = code(badge, options, (width - side) // 2, MARGIN, unit)[1:]
    # The bar's upper corners lie inside the label now.
    shapes = [_square_top(shape).moved(0, top) for shape in below.shapes]
    outline = Rect(0, 0, width, height, LABEL, (radius,) * 4)
    return Drawing(width, height, (outline,), (ground, *modules, *shapes))


def _square_top(shape: Shape) -> Shape:
    if isinstance(shape, Rect) and any(shape.radii):
        return replace(shape, radii=(0, 0, *shape.radii[2:]))
    return shape


def _shown(text: str, style: Bar) -> str:
    text = elide(text)
    return text.upper() if style.upper else text


def _fit(text: str, style: Bar, weight: Weight = "regular") -> Fit:
    return fit(_shown(text, style), style.size, weight, style.spacing)


def _label(badge: Badge, options: BadgeOptions, style: Bar) -> _Segment:
    fill = LABEL
    if style.mono:
        fill = MONO_INK
    elif options.label_color is not None and badge.state == "verified":
        fill = same(options.label_color)
    ink = MONO_PAPER if style.mono else fill.text
    icons: tuple[Shape, ...] = ()
    left = style.padding
    if options.mark and badge.ours:
        left -= 1
        icons = mark(left + style.mark / 2, style.height / 2, style.mark, ink)
        left += style.mark + style.gap
    measured = _fit(badge.label, style)
    # The room after the last letter is not seen as part of it.
    width = left + ceil(measured.width) + style.padding - style.spacing
    return _Segment(ceil(width), fill, ink, icons, ((measured, left, "regular"),))


def _message(badge: Badge, options: BadgeOptions, style: Bar) -> _Segment:
    fill = _state_fill(badge, options, style)
    ink = MONO_INK if style.mono else fill.text
    left = style.padding
    icons = icon(badge.state, left + style.icon / 2, style.height / 2, style.icon, ink)
    left += style.icon + style.gap
    message = _fit(badge.message, style, style.weight)
    texts: list[tuple[Fit, float, Weight]] = [(message, left, style.weight)]
    left += ceil(message.width)
    if _says_word(badge, options, style):
        left += style.gap + 1
        word = _fit(badge.word, style)
        texts.append((word, left, "regular"))
        left += ceil(word.width)
    width = left + style.padding + 1 - style.spacing
    return _Segment(ceil(width), fill, ink, icons, tuple(texts))


def _state_fill(badge: Badge, options: BadgeOptions, style: Bar) -> Ink:
    if style.mono:
        return MONO_PAPER
    if options.color is not None and badge.state == "verified":
        return same(options.color)
    return STATES[badge.state]


def _says_word(badge: Badge, options: BadgeOptions, style: Bar) -> bool:
    """Whether the state's word is drawn: in print always, else for every state but verified unless
    asked for."""
    if badge.message == badge.word:
        return False
    if badge.state != "verified":
        return True
    return style.mono if options.word is None else options.word


def _fact(fact: Fact, style: Bar) -> _Segment:
    fill = _fact_fill(fact, style)
    ink = MONO_INK if style.mono else fill.text
    left = style.padding
    icons: tuple[Shape, ...] = ()
    if not fact.claimed:
        icons = icon("verified", left + style.icon / 2, style.height / 2, style.icon, ink)
        left += style.icon + style.gap
    measured = _fit(fact.words, style)
    width = left + ceil(measured.width) + style.padding
    return _Segment(ceil(width), fill, ink, icons, ((measured, left, "regular"),))


def _fact_fill(fact: Fact, style: Bar) -> Ink:
    if style.mono:
        return MONO_PAPER
    return NEUTRAL if fact.claimed else FACT


def _grounds(segments: list[_Segment], width: float, style: Bar) -> list[Shape]:
    """A filled rectangle for each segment; the first and the last have the bar's corners."""
    shapes: list[Shape] = []
    radius = style.radius
    left = 0.0
    for index, segment in enumerate(segments):
        first = radius if index == 0 else 0
        last = radius if index == len(segments) - 1 else 0
        corners = (first, last, last, first)
        shapes.append(Rect(left, 0, segment.width, style.height, segment.fill, corners))
        left += segment.width
    if style.shaded:
        shapes += _shading(width, style.height, radius)
    return shapes


def _shading(width: float, height: float, radius: float) -> list[Shape]:
    """Light from above, in a few flat steps: a gradient would need an id, which clashes when badges
    share a page."""
    white, black = same(WHITE), same("#000")
    above, below = (radius, radius, 0, 0), (0, 0, radius, radius)
    # The light ends above the letters, so that it takes nothing from their contrast; the shadow
    # begins below their middle. Steps of a tenth can't be told from a gradient.
    light = [Rect(0, 0, width, share, white, above, 0.1) for share in (radius + 1, radius, radius)]
    shadow = [Rect(0, height - share, width, share, black, below, 0.1) for share in (9, 7, radius)]
    return [*light, *shadow]


def _frame(segments: list[_Segment], width: float, style: Bar) -> list[Shape]:
    """Black on white with a line around, which a printer can do: all of it is black at first, then
    every segment but the label's is cut out."""
    height, inner = style.height, style.radius - 1
    shapes: list[Shape] = [Rect(0, 0, width, height, MONO_INK, (style.radius,) * 4)]
    left = segments[0].width
    for segment in segments[1:]:
        corner = inner if segment is segments[-1] else 0
        corners = (0, corner, corner, 0)
        shapes.append(Rect(left, 1, segment.width - 1, height - 2, segment.fill, corners))
        left += segment.width
    return shapes
