"""What a badge is asked to say and how it is drawn: every choice of the user, in one object."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypedDict

from pybadge.badge.colors import contrast, luminance, parse_color
from pybadge.errors import UsageError, invalid_choice

__all__ = [
    "DEFAULTS",
    "MAX_SCALE",
    "THEMES",
    "BadgeKeywords",
    "BadgeOptions",
]

THEMES = ("light", "dark", "auto")
MIN_SCALE, MAX_SCALE = 0.5, 16
# Below 8 pixels no letter can be read; above 2000 a browser may refuse to draw.
_MIN_HEIGHT, _MAX_HEIGHT = 8, 2000
# The contrast that WCAG asks of text; readers of codes do with less, worn prints and dim screens
# take some of it away.
_QR_CONTRAST = 4.5
_QR_COLORS = ("#000", "#fff")  # by default: as far apart as colours can be
_DATE = re.compile("[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])")
_TEXTS = ("label", "message", "state", "date")
_SWITCHES = ("mark", "link", "qr", "qr_mark", "text_as_paths")


class BadgeKeywords(TypedDict, total=False):
    """The fields of `BadgeOptions` as keyword arguments, for type checkers."""

    label: str | None
    message: str | None
    state: str | None
    date: str | None
    facts: Iterable[str]
    style: str
    theme: str
    color: str | None
    label_color: str | None
    scale: float | None
    height: float | None
    word: bool | None
    mark: bool
    link: bool
    qr: bool
    qr_color: str
    qr_background: str
    qr_mark: bool
    text_as_paths: bool


@dataclass(frozen=True, slots=True)
class BadgeOptions:
    """What a badge says, as far as its user may choose, and how it is drawn.

    Attributes:
        label: the left part; None for "pith", or the name of the registry where that is another
            which the user trusts.
        message: the right part; None for the number's 8-character short form, or the state's word
            where there is no number.
        state: a state that claims less than the report does, see `allowed_states`; None for the
            report's own.
        date: the day of the check, ``YYYY-MM-DD``; drawn with ``offline`` and on cards, and told in
            the title.
        facts: which of `FACTS` to draw where the record has them; kept as a tuple.
        style: one of `STYLES`.
        theme: ``light`` (for light pages), ``dark``, or ``auto``: the viewer's choice, by a style
            sheet in the SVG. PNG draws ``auto`` as ``light``.
        color, label_color: colours of the message's and the label's part, by name or hex. They
            apply to a verified badge alone: every other state keeps its own colours, so that no
            badge can be painted to look verified.
        scale: size of an SVG against its natural size, 0.5 to 16, None for 1; pixels of a PNG per
            SVG unit, a whole number from 1 to 16, None for 2.
        height: of an SVG in CSS pixels, 8 to 2000, instead of a scale.
        word: draw the state's word beside its icon; None for the style's habit (for every state but
            verified).
        mark: draw the Pith mark beside the label.
        link: make the SVG itself a link to the record. For SVG inside a page: in an ``<img>`` it is
            inert.
        qr: add the QR code of the record's address.
        qr_color, qr_background: its colours, dark on light, at 4.5:1 or more.
        qr_mark: put the mark into the middle of the QR code.
        text_as_paths: draw letters as outlines, for viewers without fonts. Needs the extra
            ``paths``.

    Style, state and facts are checked where their tables are: when the badge is made.

    Raises:
        UsageError: naming the first value that makes no sense.
    """

    label: str | None = None
    message: str | None = None
    state: str | None = None
    date: str | None = None
    facts: Iterable[str] = ()
    style: str = "flat"
    theme: str = "light"
    color: str | None = None
    label_color: str | None = None
    scale: float | None = None
    height: float | None = None
    word: bool | None = None
    mark: bool = True
    link: bool = False
    qr: bool = False
    qr_color: str = _QR_COLORS[0]
    qr_background: str = _QR_COLORS[1]
    qr_mark: bool = False
    text_as_paths: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "facts", tuple(self.facts))
        self._check_texts()
        if self.theme not in THEMES:
            raise invalid_choice(self.theme, THEMES, "theme")
        self._check_size()
        for name in _SWITCHES:
            if type(getattr(self, name)) is not bool:
                raise invalid_choice(getattr(self, name), ("True", "False"), name)
        if self.word is not None and type(self.word) is not bool:
            raise invalid_choice(self.word, ("True", "False", "None"), "word")
        self._read_colors()

    def _check_texts(self) -> None:
        for name in _TEXTS:
            value = getattr(self, name)
            if value is not None and not isinstance(value, str):
                raise UsageError(f"the {name} must be a text, not {value!a:.40}")
        if self.date is not None and not _DATE.fullmatch(self.date):
            raise UsageError(f"invalid date: {self.date!a:.40}; give YYYY-MM-DD")

    def _check_size(self) -> None:
        if self.scale is not None:
            _check_between("scale", self.scale, MIN_SCALE, MAX_SCALE)
        if self.height is not None:
            _check_between("height", self.height, _MIN_HEIGHT, _MAX_HEIGHT)
            if self.scale is not None:
                raise UsageError("give a scale or a height, not both")

    def _read_colors(self) -> None:
        for name in ("color", "label_color"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, parse_color(value, name))
        if (self.qr_color, self.qr_background) != _QR_COLORS:
            self._read_qr_colors()

    def _read_qr_colors(self) -> None:
        for name in ("qr_color", "qr_background"):
            object.__setattr__(self, name, parse_color(getattr(self, name), name))
        if luminance(self.qr_color) >= luminance(self.qr_background):
            raise UsageError(
                "a QR code must be dark on light: many readers can't see one that is light on dark"
            )
        if contrast(self.qr_color, self.qr_background) < _QR_CONTRAST:
            raise UsageError(
                f"the QR code's colours {self.qr_color} on {self.qr_background} contrast less than "
                f"{_QR_CONTRAST}:1"
            )


def _check_between(name: str, value: Any, low: float, high: float) -> None:
    # type(), since True is an int.
    if type(value) not in (int, float) or not low <= value <= high:
        raise UsageError(f"the {name} must be a number from {low} to {high}, not {value!a:.40}")


DEFAULTS = BadgeOptions()
