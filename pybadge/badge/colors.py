"""Colours: reading them, judging their contrast (WCAG 2), and the built-in palettes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from pybadge.errors import UsageError

__all__ = ["BLACK", "NAMES", "WHITE", "Ink", "contrast", "mix", "parse_color", "readable_on", "rgb"]

WHITE = "#fff"
BLACK = "#0f1419"

# The names that shields.io made common, with the values that pass AA with white or near-black text.
NAMES = {
    "black": "#0f1419",
    "blue": "#0969da",
    "brightgreen": "#2fc24a",
    "gray": "#57606a",
    "green": "#1a7f37",
    "grey": "#57606a",
    "lightgray": "#d0d7de",
    "lightgrey": "#d0d7de",
    "navy": "#1b3a6b",
    "orange": "#f08a24",
    "pink": "#d6478a",
    "purple": "#7b4fc4",
    "red": "#c4302b",
    "teal": "#0b6e75",
    "violet": "#5b5fc7",
    "white": "#fff",
    "yellow": "#e3b341",
    "yellowgreen": "#a4b92f",
}
_HEX = re.compile("#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})")


def parse_color(text: str) -> str:
    """A colour as ``#rgb`` or ``#rrggbb`` in lower case.

    Args:
        text: one of `NAMES`, or 3 or 6 hex digits with or without ``#``.

    Raises:
        UsageError: anything else.
    """
    if isinstance(text, str):
        named = NAMES.get(text.strip().lower())
        if named is not None:
            return named
        match = _HEX.fullmatch(text)
        if match is not None:
            digits = match[1].lower()
            if len(digits) == 6 and digits[::2] == digits[1::2]:
                digits = digits[::2]
            return f"#{digits}"
    raise UsageError(f"{text!a:.60} is no colour; give #rgb, #rrggbb or one of {', '.join(NAMES)}")


@lru_cache(maxsize=256)
def rgb(color: str) -> tuple[int, int, int]:
    """The three channels, 0 to 255, of ``#rgb`` or ``#rrggbb``."""
    digits = color[1:]
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


def mix(color: str, other: str, share: float) -> str:
    """A colour with a share (0 to 1) of another in it, as flat paint."""
    red, green, blue = (
        round(a + (b - a) * share) for a, b in zip(rgb(color), rgb(other), strict=True)
    )
    return f"#{red:02x}{green:02x}{blue:02x}"


@lru_cache(maxsize=256)
def luminance(color: str) -> float:
    """Relative luminance, 0 to 1 (WCAG 2)."""
    channels = [value / 255 for value in rgb(color)]
    red, green, blue = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    """The contrast ratio of two colours, 1 to 21 (WCAG 2)."""
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def readable_on(fill: str) -> str:
    """White or near-black, whichever contrasts better."""
    return WHITE if contrast(WHITE, fill) >= contrast(BLACK, fill) else BLACK


@dataclass(frozen=True, slots=True)
class Ink:
    """One colour in the light and in the dark theme."""

    light: str
    dark: str

    @property
    def text(self) -> Ink:
        """The ink to write with on this one."""
        return Ink(readable_on(self.light), readable_on(self.dark))


def same(color: str) -> Ink:
    """An ink that is alike in both themes."""
    return Ink(color, color)


LABEL = Ink("#3d4650", "#343c46")
NEUTRAL = Ink("#dfe3e8", "#4a535e")
FACT = Ink("#0b6e75", "#56c2c9")
STATES = {
    "verified": Ink("#1a7f41", "#46c468"),
    "invalid": Ink("#c1292e", "#ff7b72"),
    "not_checked": Ink("#626b76", "#a3acb7"),
    "offline": Ink("#8a5a00", "#e0ad3e"),
    "unknown": Ink("#55617a", "#a9b6cf"),
}
PAPER = Ink("#fff", "#161b22")
BORDER = Ink("#d0d7de", "#3d444d")
HEADING = Ink("#15191e", "#f0f3f6")
PROSE = Ink("#4a535d", "#b1bac4")
# For the mono style: print black on white, or the reverse on dark pages.
MONO_PAPER = Ink("#fff", "#0f1419")
MONO_INK = Ink("#0f1419", "#fff")
