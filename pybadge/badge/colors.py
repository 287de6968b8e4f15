"""Colours: reading them, judging their contrast (WCAG 2), and the built-in palettes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from pybadge.errors import invalid_choice

__all__ = [
    "BLACK",
    "BORDER",
    "FACT",
    "HEADING",
    "LABEL",
    "MONO_INK",
    "MONO_PAPER",
    "NAMES",
    "NEUTRAL",
    "PAPER",
    "PROSE",
    "STATES",
    "WHITE",
    "Ink",
    "contrast",
    "luminance",
    "parse_color",
    "readable_on",
    "rgb",
    "same",
]

WHITE = "#fff"
BLACK = "#0f1419"
"""Near-black: pure black on a bright fill flickers."""

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
"""The names that shields.io made common, with values on which white or near-black text reaches
4.5:1 (WCAG 2, level AA)."""

_HEX = re.compile("#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})")


def parse_color(text: str, what: str = "color") -> str:
    """A colour as ``#rgb`` or ``#rrggbb`` in lower case.

    Args:
        text: one of `NAMES`, or 3 or 6 hex digits with or without ``#``.
        what: the option it is for.

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
    raise invalid_choice(text, ("#rgb", "#rrggbb", *NAMES), what)


@lru_cache(maxsize=256)
def rgb(color: str) -> tuple[int, int, int]:
    """The three channels, 0 to 255, of ``#rgb`` or ``#rrggbb``."""
    digits = color[1:]
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


@lru_cache(maxsize=256)
def luminance(color: str) -> float:
    """Relative luminance, 0 to 1 (WCAG 2)."""
    red, green, blue = (_linear(value / 255) for value in rgb(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    """A channel of sRGB without its gamma."""
    if channel <= 0.04045:
        return channel / 12.92
    linear: float = ((channel + 0.055) / 1.055) ** 2.4
    return linear


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
        return _text_ink(self.light, self.dark)


@lru_cache(maxsize=256)
def _text_ink(light: str, dark: str) -> Ink:
    return Ink(readable_on(light), readable_on(dark))


def same(color: str) -> Ink:
    """An ink that is alike in both themes."""
    return Ink(color, color)


# The palettes. In each ink the first colour is for light pages, the second for dark ones; a test
# measures that every text reaches 4.5:1 on what it stands on.
LABEL = Ink("#3d4650", "#343c46")
NEUTRAL = Ink("#dfe3e8", "#4a535e")
"""A claim: without a hue, since nobody has checked it."""
FACT = Ink("#0b6e75", "#56c2c9")
"""A checked fact: not green, which is for the verdict alone."""
STATES = {
    "verified": Ink("#1a7f41", "#46c468"),  # green for this state and no other
    "invalid": Ink("#c1292e", "#ff7b72"),  # red: something was found to be wrong
    "not_checked": Ink("#626b76", "#a3acb7"),  # grey: nothing is known either way
    "offline": Ink("#8a5a00", "#e0ad3e"),  # amber: try again later
    "unknown": Ink("#55617a", "#a9b6cf"),  # slate, which can be told from the grey beside it
}
PAPER = Ink("#fff", "#161b22")
BORDER = Ink("#d0d7de", "#3d444d")
HEADING = Ink("#15191e", "#f0f3f6")
PROSE = Ink("#4a535d", "#b1bac4")
# The mono style: print, black on white; the reverse on dark pages.
MONO_PAPER = Ink("#fff", "#0f1419")
MONO_INK = Ink("#0f1419", "#fff")
