"""What a text measures in the bundled font, and how it must be set. No Pillow: drawing SVG must not
load it."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from operator import add
from typing import Any, Literal, NamedTuple

from pybadge.escape import one_line

__all__ = [
    "ELLIPSIS",
    "MAX_CLUSTERS",
    "Fit",
    "clean",
    "clusters",
    "covered",
    "elide",
    "fit",
    "glyphs",
    "metrics",
    "shorten",
    "wrap",
]

Weight = Literal["regular", "bold"]

ELLIPSIS = "…"
MAX_CLUSTERS = 100
_LONGEST = 4_000
# A cluster may carry any number of combining marks; beyond this many they are dropped from the
# drawing.
_MAX_MARKS = 8

# Latin, Greek, Cyrillic and the signs they share: scripts whose letters can be moved apart without
# breaking a word, so that textLength is safe.
_SIMPLE = re.compile(
    "[ -~\xa0-\u024f"
    "\u0370-\u03ff\u0400-\u052f\u1e00-\u1eff\u1f00-\u1fff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2100-\u214f]*"
)
_TAME = re.compile("[!-~]+(?: [!-~]+)*")


class Fit(NamedTuple):
    """How a text is set on one line.

    Attributes:
        text: the text as drawn.
        width: its advance width in the unit of the font size: exact for simple scripts, an upper
            estimate for others.
        simple: Latin, Greek or Cyrillic alone, so that textLength may be used.
        rtl: its first strong character runs from right to left.
    """

    text: str
    width: float
    simple: bool
    rtl: bool


def clean(text: str) -> str:
    """One line of text in NFC, without anything hostile or illegal in XML (see
    `pybadge.escape.one_line`)."""
    if len(text) > _LONGEST:
        text = (
            text[:_LONGEST] + ELLIPSIS
        )  # every further step is linear in it, and it stands in the title in full
    if _TAME.fullmatch(text):
        return text
    return unicodedata.normalize("NFC", one_line(text))


def clusters(text: str) -> list[str]:
    """The text's grapheme clusters (UAX 29): what a reader takes for one character."""
    if text.isascii():
        return list(text)
    from wcwidth import iter_graphemes

    return list(iter_graphemes(text))


def elide(text: str, limit: int = MAX_CLUSTERS) -> str:
    """The text itself, or where it has more than ``limit`` grapheme clusters its beginning and an
    ellipsis."""
    if len(text) <= limit and len(text) <= _MAX_MARKS:
        return text
    if text.isascii():
        return text if len(text) <= limit else text[: limit - 1].rstrip() + ELLIPSIS
    found = [
        cluster if len(cluster) <= 2 * _MAX_MARKS else cluster[:_MAX_MARKS]
        for cluster in clusters(text)
    ]
    return (
        "".join(found) if len(found) <= limit else "".join(found[: limit - 1]).rstrip() + ELLIPSIS
    )


class _Kerning(dict[str, float]):
    """Most pairs have none."""

    def __missing__(self, pair: str) -> float:
        return 0.0


@dataclass(frozen=True, slots=True)
class Metrics:
    """What a font measures, in em.

    Attributes:
        advance: by character.
        kerning: by pair of printable ASCII characters, where it is not 0; negative moves the second
            to the left.
    """

    advance: dict[str, float]
    kerning: dict[str, float]


@lru_cache(maxsize=2)
def metrics(weight: Weight) -> Metrics:
    """A font's measures, as tools/font-data read them from the font."""
    font = _data()[weight]
    unit = font["unitsPerEm"]
    advance = {
        chr(run[0] + index): value / unit
        for run in font["runs"]
        for index, value in enumerate(run[1:])
    }
    return Metrics(
        advance, _Kerning({pair: value / unit for pair, value in font["kerning"].items()})
    )


@lru_cache(maxsize=1)
def _data() -> Any:
    return json.loads(
        (files("pybadge.badge") / "fonts" / "widths.json").read_text(encoding="ascii")
    )


def covered(character: str, weight: Weight = "regular") -> bool:
    """Whether the bundled font has a glyph for it, or it needs none."""
    return (
        character in metrics(weight).advance
        or character in "\u200c\u200d"
        or "\ufe00" <= character <= "\ufe0f"
    )


_LIGATURES = {"ff": "ﬀ", "fi": "ﬁ", "fl": "ﬂ", "ffi": "ﬃ", "ffl": "ﬄ"}
_LIGATURE = re.compile("ff[il]|f[fil]")


def glyphs(text: str, spacing: float = 0.0) -> str:
    """The text with the ligatures that viewers set of themselves, for measuring and painting.

    They are narrower than their letters, look different, and are left out where letters are spaced.
    """
    if spacing or "f" not in text:
        return text
    return _LIGATURE.sub(lambda match: _LIGATURES[match[0]], text)


def fit(text: str, size: float, weight: Weight = "regular", spacing: float = 0.0) -> Fit:
    """Measure a clean text.

    Args:
        text: from `clean`.
        size: font size, in any unit.
        weight: regular or bold.
        spacing: extra room after each letter, for simple scripts only.
    """
    measures = metrics(weight)
    if _SIMPLE.fullmatch(text):
        try:
            drawn = glyphs(text, spacing)
            width = sum(map(measures.advance.__getitem__, drawn))
            width += sum(map(measures.kerning.__getitem__, map(add, drawn, drawn[1:])))
            return Fit(text, width * size + spacing * len(text), True, False)
        except KeyError:
            pass
    # Every font is a little wider in bold.
    width = sum(map(_cluster_width, clusters(text))) * size * (1.08 if weight == "bold" else 1.0)
    return Fit(text, width, False, _runs_right_to_left(text))


def _runs_right_to_left(text: str) -> bool:
    for character in text:
        direction = unicodedata.bidirectional(character)
        if direction in ("R", "AL"):
            return True
        if direction == "L":
            return False
    return False


# Widths in em for scripts that the viewer's own fonts draw: from the first to the last code point
# of a block, the width of a base letter. Estimates from above, over the common fonts of each
# script.
_CLASSES = (
    (0x0590, 0x05FF, 0.72),  # Hebrew
    (0x0600, 0x08FF, 0.95),  # Arabic and Syriac
    (0x0900, 0x0DFF, 0.85),  # Devanagari and its relatives
    (0x0E00, 0x0EFF, 0.72),  # Thai and Lao
    (0x0F00, 0x109F, 1.05),  # Tibetan, Myanmar
    (0x1100, 0x11FF, 1.05),  # Hangul letters
    (0xFB50, 0xFDFF, 1.4),  # Arabic ligatures
    (0xFE70, 0xFEFE, 1.0),
)
_EMOJI = re.compile("[\u203c-\u3299\U0001f000-\U0001faff]")


def _cluster_width(cluster: str) -> float:
    """The width of one cluster in em, from above."""
    first = cluster[0]
    simple = metrics("regular").advance
    if len(cluster) == 1 and first in simple and _SIMPLE.fullmatch(first):
        return simple[first]
    if _EMOJI.match(first) and (
        len(cluster) > 1 or ord(first) >= 0x1F000 or unicodedata.east_asian_width(first) == "W"
    ):
        return 1.4
    width = 0.0
    # In a cluster that a virama joins, all but one consonant take a narrower form.
    joined = 0.6 if "\u094d" in cluster else 1.0
    for character in cluster:
        category = unicodedata.category(character)
        if category == "Mn" or character in "\u200c\u200d":
            continue
        code = ord(character)
        for start, end, em in _CLASSES:
            if start <= code <= end:
                width += max(
                    em * joined * (0.6 if category == "Mc" else 1.0),
                    simple.get(character, 0.0) * 1.1,
                )
                break
        else:
            wide = unicodedata.east_asian_width(character) in ("W", "F")
            width += 1.05 if wide else max(1.0, simple.get(character, 0.0) * 1.1)
    return width


def shorten(
    text: str, limit: float, size: float, weight: Weight = "regular", spacing: float = 0.0
) -> Fit:
    """The text, or as much of its beginning as fits into a width together with an ellipsis.

    Args:
        text: from `clean`.
        limit: the room, in the unit of ``size``.
        size, weight, spacing: as for `fit`.
    """
    whole = fit(text, size, weight, spacing)
    if whole.width <= limit:
        return whole
    parts = clusters(text)
    low, high = 0, len(parts)
    while low < high:
        middle = (low + high + 1) // 2
        if fit("".join(parts[:middle]).rstrip() + ELLIPSIS, size, weight, spacing).width <= limit:
            low = middle
        else:
            high = middle - 1
    return fit("".join(parts[:low]).rstrip() + ELLIPSIS, size, weight, spacing)


def wrap(text: str, limit: float, size: float, lines: int, weight: Weight = "regular") -> list[Fit]:
    """The text on at most ``lines`` lines, broken at blanks, or anywhere where a word is too long;
    elided at the end."""
    found: list[Fit] = []
    rest = text
    while rest and len(found) < lines - 1:
        if fit(rest, size, weight).width <= limit:
            break
        line, rest = _break(rest, limit, size, weight)
        found.append(fit(line, size, weight))
    if rest:
        found.append(shorten(rest, limit, size, weight))
    return found


def _break(text: str, limit: float, size: float, weight: Weight) -> tuple[str, str]:
    words = text.split(" ")
    low, high = 0, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        if fit(" ".join(words[:middle]), size, weight).width <= limit:
            low = middle
        else:
            high = middle - 1
    if low:
        return " ".join(words[:low]), " ".join(words[low:])
    parts = clusters(text)
    count = 1
    while count < len(parts) and fit("".join(parts[: count + 1]), size, weight).width <= limit:
        count += 1
    return "".join(parts[:count]), "".join(parts[count:]).lstrip()
