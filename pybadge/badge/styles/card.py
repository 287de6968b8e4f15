"""The card: title, authors, number, states and the QR code, for web pages and slides.

From the top: a header (mark, label, the state in a pill), lines of text, chips (facts and the day
of the check); on the left edge a strip in the state's colour, on the right the QR code.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from pybadge.badge.colors import BORDER, FACT, HEADING, NEUTRAL, PAPER, PROSE, STATES, Ink, same
from pybadge.badge.drawing import Drawing, Fit, Rect, Shape, Text, Weight
from pybadge.badge.fonts.metrics import fit
from pybadge.badge.model import Badge, Fact
from pybadge.badge.options import BadgeOptions
from pybadge.badge.styles.icons import icon, mark
from pybadge.badge.styles.qr_tile import code, code_size
from pybadge.badge.text import clean, elide, shorten, wrap

__all__ = ["card", "shortened_authors"]

WIDTH = 460  # without a code: two lines hold the title of nearly every paper
_RADIUS = 8  # of the corners; the strip is as wide, so that they are cut out of it alone
_LEFT = 24  # the strip, and as much again as on the right
_RIGHT = 18
_BELOW = 18  # from the last line to the lower edge

_MIDDLE = 27  # of the header
_PILL_HEIGHT = 18
_PILL_PADDING = 10
_PILL_ICON = 9
_PILL_TEXT = 22  # where its text begins: padding, icon, and a gap of 3
_MARK = 16
_FIRST_LINE = 46  # from the top to where the lines of text begin

_SIZE = 11  # of the letters but for title, label and chips
_TITLE_SIZE = 14
_TITLE_CLUSTERS = 300  # more never fit on two lines; measuring a longer one takes time
_LABEL_SIZE = 13
_MOST_AUTHORS = 200  # characters: no line holds more, so more need not be measured

_CHIP_SIZE = 10
_CHIP_HEIGHT = 16
_CHIP_ICON = 8
_CHIP_STEP = 22  # from one row of chips to the next
_CHIP_GAP = 6
_CHIPS_BELOW = 12  # from the last line of text to the chips

_CODE_UNIT = 2  # a module: the code is as high as a card with a title of one line
_CODE_TOP = 18
_HEIGHT_WITH_CODE = 118  # at least: a code of version 4, its quiet zone, and 18 above and below


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of text, and the step down to its baseline."""

    fit: Fit
    step: float
    size: float = _SIZE
    weight: Weight = "regular"
    ink: Ink = PROSE


def card(badge: Badge, options: BadgeOptions) -> Drawing:
    """Lay out a card.

    Raises:
        UsageError: a QR code was asked for, but the badge has no full number.
    """
    accent = STATES[badge.state]
    if options.color is not None and badge.state == "verified":
        accent = same(options.color)
    right = WIDTH - _RIGHT
    width, framed_code = WIDTH, _code(badge, options, right)
    if framed_code:
        # The frame reaches over the old edge; the text keeps its room.
        width += code_size(badge, _CODE_UNIT) + 10
    room = right - _LEFT
    contents = _header(badge, options, accent, right)
    y = float(_FIRST_LINE)
    for line in _lines(badge, room):
        y += line.step
        contents.append(Text(line.fit, _LEFT, room, y, line.size, line.ink, line.weight))
    chips, bottom = _chips(badge, y + _CHIPS_BELOW)
    if chips:
        contents += chips
        y = bottom
    height = float(max(ceil(y) + _BELOW, _HEIGHT_WITH_CODE if framed_code else 0))
    outline = Rect(0, 0, width, height, BORDER, (_RADIUS,) * 4)
    ground = (
        outline,
        Rect(1, 1, width - 2, height - 2, PAPER, (_RADIUS - 1,) * 4),
        Rect(0, 0, _RADIUS, height, accent, (_RADIUS, 0, 0, _RADIUS)),
    )
    return Drawing(width, height, (outline,), (*ground, *contents, *framed_code))


def _code(badge: Badge, options: BadgeOptions, right: float) -> tuple[Shape, ...]:
    """The QR code in a frame one unit wide, 10 units to the right of the text."""
    if not options.qr:
        return ()
    side = code_size(badge, _CODE_UNIT)
    frame = Rect(right + 9, _CODE_TOP - 1, side + 2, side + 2, BORDER)
    return (frame, *code(badge, options, right + 10, _CODE_TOP, _CODE_UNIT))


def _header(badge: Badge, options: BadgeOptions, accent: Ink, right: float) -> list[Shape]:
    shapes: list[Shape] = []
    x = float(_LEFT)
    if options.mark and badge.ours:
        shapes += mark(x + _MARK / 2, _MIDDLE, _MARK, HEADING)
        x += _MARK + 6
    word = fit(badge.word, _SIZE, "bold")
    room = ceil(word.width)
    pill = room + _PILL_TEXT + _PILL_PADDING
    label = shorten(elide(badge.label), right - x - pill - 10, _LABEL_SIZE, "bold")
    # The baselines set capitals of 13 and of 11 in the middle.
    shapes.append(Text(label, x, ceil(label.width), 31.7, _LABEL_SIZE, HEADING, "bold"))
    left = right - pill
    corners = (_PILL_HEIGHT / 2,) * 4
    ink = accent.text
    shapes.append(Rect(left, _MIDDLE - _PILL_HEIGHT / 2, pill, _PILL_HEIGHT, accent, corners))
    shapes += icon(badge.state, left + 14, _MIDDLE, _PILL_ICON, ink)
    shapes.append(Text(word, left + _PILL_TEXT, room, 31, _SIZE, ink, "bold"))
    return shapes


def _lines(badge: Badge, room: float) -> list[_Line]:
    """Title, authors, failed checks, source and number, as far as they are there."""
    details = badge.details
    lines: list[_Line] = []
    if details.title is not None:
        lines += _title(details.title, room)
    if details.authors is not None:
        lines.append(_authors(details.authors, room))
    if details.failed:
        failed = wrap(f"failed: {', '.join(details.failed)}", room, _SIZE, 2)
        lines += [_Line(line, 18 if index else 15) for index, line in enumerate(failed)]
    if details.source is not None:
        lines.append(_Line(shorten(details.source, room, _SIZE), 17))
    message = badge.message
    # The short form becomes the whole number, for which there is room.
    if badge.number is not None and message in badge.number:
        message = badge.number
    number = shorten(elide(message), room, _SIZE, "bold")
    lines.append(_Line(number, 20, weight="bold", ink=HEADING))
    return lines


def _title(title: str, room: float) -> list[_Line]:
    lines = wrap(elide(clean(title), _TITLE_CLUSTERS), room, _TITLE_SIZE, 2, "bold")
    return [
        _Line(line, 18 if index else 14, _TITLE_SIZE, "bold", HEADING)
        for index, line in enumerate(lines)
    ]


def _authors(authors: str, room: float) -> _Line:
    note = " (as served)"
    left = room - fit(note, _SIZE).width
    names = shorten(shortened_authors(authors, left, _SIZE), left, _SIZE)
    return _Line(fit(names.text + note, _SIZE), 19)


def shortened_authors(authors: str, room: float, size: float) -> str:
    """As many authors as fit on a line, and how many more there are: ``Cong Xie, Ding Zhou + 30
    more``."""
    names = [name.strip() for name in clean(authors).split(",") if name.strip()]
    for count in range(len(names), 0, -1):
        rest = len(names) - count
        text = ", ".join(names[:count])
        if rest:
            text += f" + {rest} more"
        if count == 1 or (len(text) < _MOST_AUTHORS and fit(text, size).width <= room):
            return text
    return ""


def _chips(badge: Badge, y: float) -> tuple[list[Shape], float]:
    """The facts and the day of the check, row by row from ``y``, and where they end."""
    shapes: list[Shape] = []
    x = float(_LEFT)
    for fact in badge.facts:
        text = fit(fact.words, _CHIP_SIZE)
        width = ceil(text.width) + (16 if fact.claimed else 28)
        x, y = _place(x, y, width)
        shapes += _chip(fact, text, x, y, width)
        x += width + _CHIP_GAP
    # An offline badge says its day in the pill.
    if badge.date is not None and badge.state != "offline":
        text = fit(f"checked {badge.date}", _CHIP_SIZE)
        x, y = _place(x, y, text.width)
        shapes.append(_chip_text(text, x, y, PROSE))
    return shapes, y + _CHIP_HEIGHT


def _place(x: float, y: float, width: float) -> tuple[float, float]:
    """Where a chip goes: on, or to the beginning of the next row."""
    if x > _LEFT and x + width > WIDTH - _RIGHT:
        return float(_LEFT), y + _CHIP_STEP
    return x, y


def _chip(fact: Fact, text: Fit, x: float, y: float, width: float) -> list[Shape]:
    fill = NEUTRAL if fact.claimed else FACT
    ink = fill.text
    shapes: list[Shape] = [Rect(x, y, width, _CHIP_HEIGHT, fill, (_CHIP_HEIGHT / 2,) * 4)]
    left = x + 8
    if not fact.claimed:
        shapes += icon("verified", x + 12, y + _CHIP_HEIGHT / 2, _CHIP_ICON, ink)
        left = x + 20
    shapes.append(_chip_text(text, left, y, ink))
    return shapes


def _chip_text(text: Fit, x: float, y: float, ink: Ink) -> Text:
    return Text(text, x, ceil(text.width), y + 11.6, _CHIP_SIZE, ink)
