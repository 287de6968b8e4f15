"""How a badge is drawn: every choice of the user, checked."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from pybadge.badge.colors import contrast, luminance, parse_color
from pybadge.errors import UsageError

if TYPE_CHECKING:
    from typing_extensions import TypedDict

    class LookOptions(TypedDict, total=False):
        """The keyword arguments of `Look`, for type checkers."""

        style: str
        theme: str
        color: str | None
        label_color: str | None
        word: bool | None
        mark: bool
        link: bool
        qr: bool
        qr_color: str
        qr_background: str
        qr_mark: bool
        text_as_paths: bool


__all__ = ["DEFAULT_LOOK", "MAX_SCALE", "STYLES", "THEMES", "Look"]

STYLES = ("flat", "flat-square", "plastic", "for-the-badge", "mono", "card", "seal")
THEMES = ("light", "dark", "auto")
MIN_SCALE, MAX_SCALE = 0.5, 16
_MIN_HEIGHT, _MAX_HEIGHT = 8, 2000
_QR_CONTRAST = 4.5


@dataclass(frozen=True, slots=True)
class Look:
    """How to draw a badge.

    Attributes:
        style: one of `STYLES`.
        theme: ``light`` (for light pages), ``dark``, or ``auto``: the viewer's choice, by a style
            sheet in the SVG.
        color, label_color: colours of the message's and the label's part, by name or hex. They
            apply to a verified badge
            alone: every other state keeps its own colours, so that no badge can be painted to look
                verified.
        scale: size of the SVG against its natural size, 0.5 to 16.
        height: the height in CSS pixels instead, 8 to 2000.
        word: draw the state's word beside its sign; None for the style's habit (for every state but
            verified).
        mark: draw the Pith mark beside the label.
        link: make the SVG itself a link to the record. For SVG inside a page: in an ``<img>`` it is
            inert.
        qr: add the QR code of the record's address.
        qr_color, qr_background: its colours, dark on light, at 4.5:1 or more.
        qr_mark: put the mark into the middle of the QR code.
        text_as_paths: draw letters as outlines, for viewers without fonts. Needs the extra
            ``paths``.
    """

    style: str = "flat"
    theme: str = "light"
    color: str | None = None
    label_color: str | None = None
    scale: float = 1
    height: float | None = None
    word: bool | None = None
    mark: bool = True
    link: bool = False
    qr: bool = False
    qr_color: str = "#000"
    qr_background: str = "#fff"
    qr_mark: bool = False
    text_as_paths: bool = False

    def __post_init__(self) -> None:
        """Check every value.

        Raises:
            UsageError: naming the first one that makes no sense.
        """
        _among("style", self.style, STYLES)
        _among("theme", self.theme, THEMES)
        for name in ("color", "label_color", "qr_color", "qr_background"):
            value = getattr(self, name)
            if value is not None or name.startswith("qr"):
                object.__setattr__(self, name, parse_color(value))
        _between("scale", self.scale, MIN_SCALE, MAX_SCALE)
        if self.height is not None:
            _between("height", self.height, _MIN_HEIGHT, _MAX_HEIGHT)
            if self.scale != 1:
                raise UsageError("give a scale or a height, not both")
        for name in ("mark", "link", "qr", "qr_mark", "text_as_paths"):
            _among(name, getattr(self, name), (True, False))
        _among("word", self.word, (True, False, None))
        if luminance(self.qr_color) >= luminance(self.qr_background):
            raise UsageError(
                "a QR code must be dark on light: many readers can't see one that is light on dark"
            )
        if contrast(self.qr_color, self.qr_background) < _QR_CONTRAST:
            raise UsageError(
                f"the QR code's colours {self.qr_color} on {self.qr_background} contrast less than 4.5:1"
            )

    @property
    def frames(self) -> bool:
        """Whether badges of this look differ in message and title alone, and in what is linear in
        the message's width."""
        natural = self.scale == 1 and self.height is None
        return natural and not (
            self.qr or self.link or self.text_as_paths or self.style in ("card", "seal")
        )


def _among(name: str, value: Any, allowed: tuple[Any, ...]) -> None:
    if not any(value is option or (type(value) is str and value == option) for option in allowed):
        shown = ", ".join(str(option) for option in allowed)
        raise UsageError(f"{value!a:.40} is no {name.replace('_', ' ')}; there are {shown}")


def _between(name: str, value: Any, low: float, high: float) -> None:
    if type(value) not in (int, float) or not low <= value <= high:
        raise UsageError(f"the {name} must be a number from {low} to {high}, not {value!a:.40}")


DEFAULT_LOOK = Look()
LOOK_FIELDS = tuple(field.name for field in fields(Look))
