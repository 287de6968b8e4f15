"""Grapheme clusters, and how wide they may be in scripts that the viewer's own fonts draw."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

__all__ = ["cluster_width", "clusters"]


def clusters(text: str) -> list[str]:
    """The text's grapheme clusters (UAX 29): what a reader takes for one character."""
    if text.isascii():
        return list(text)
    from wcwidth import iter_graphemes

    return list(iter_graphemes(text))


# From the first to the last code point of a block, the width of a base letter in em: estimates from
# above, over the common fonts of each script.
_BLOCKS = (
    (0x0590, 0x05FF, 0.72),  # Hebrew
    (0x0600, 0x08FF, 0.95),  # Arabic and Syriac
    (0x0900, 0x0DFF, 0.85),  # Devanagari and its relatives
    (0x0E00, 0x0EFF, 0.72),  # Thai and Lao
    (0x0F00, 0x109F, 1.05),  # Tibetan, Myanmar
    (0x1100, 0x11FF, 1.05),  # Hangul letters
    (0xFB50, 0xFDFF, 1.4),  # Arabic ligatures
    (0xFE70, 0xFEFE, 1.0),  # Arabic in its joined forms
)
_EMOJI = re.compile("[\u203c-\u3299\U0001f000-\U0001faff]")
_EMOJI_WIDTH = 1.4  # of the colour fonts of Apple, Google and Microsoft, from above
_WIDE = 1.05  # a Chinese, Japanese or Korean character fills its square
_OTHER = 1.0  # no script's letters are wider on the average
_JOINED = 0.6  # of its full width, for a consonant's half form or a vowel sign
# The bundled font's own width is a lower bound for the viewer's fonts, which may be a little wider.
_SAFETY = 1.1
_VIRAMA = "\u094d"


def cluster_width(cluster: str, advance: Mapping[str, float]) -> float:
    """The width of one cluster in em, from above.

    Args:
        cluster: from `clusters`.
        advance: the bundled font's widths by character.
    """
    if _is_emoji(cluster):
        return _EMOJI_WIDTH
    # In a cluster that a virama joins, all but one consonant take a narrower form.
    joined = _JOINED if _VIRAMA in cluster else 1.0
    width = 0.0
    for character in cluster:
        width += _character_width(character, joined, advance)
    return width


def _is_emoji(cluster: str) -> bool:
    first = cluster[0]
    if not _EMOJI.match(first):
        return False
    # A character such as U+2764 is a picture where a selector follows, or where it is always one.
    return len(cluster) > 1 or ord(first) >= 0x1F000 or unicodedata.east_asian_width(first) == "W"


def _character_width(character: str, joined: float, advance: Mapping[str, float]) -> float:
    category = unicodedata.category(character)
    if category == "Mn" or character in "\u200c\u200d":
        return 0.0
    own = advance.get(character, 0.0) * _SAFETY
    code = ord(character)
    for start, end, width in _BLOCKS:
        if start <= code <= end:
            return max(width * joined * (_JOINED if category == "Mc" else 1.0), own)
    if unicodedata.east_asian_width(character) in ("W", "F"):
        return _WIDE
    return max(_OTHER, own)
