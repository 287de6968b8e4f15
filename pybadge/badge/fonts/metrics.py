"""What a text measures in the bundled font, and how it must be set. No Pillow: drawing SVG must not
load it."""

from __future__ import annotations

import re
import unicodedata
from operator import add

from pybadge.badge.drawing import Fit, Weight
from pybadge.badge.fonts.clusters import cluster_width, clusters
from pybadge.badge.fonts.data import metrics

__all__ = ["covered", "fit", "glyphs"]

# Latin, Greek, Cyrillic and the characters they share: scripts whose letters can be moved apart
# without breaking a word, so that textLength is safe.
_SIMPLE = re.compile(
    "[ -~\xa0-\u024f\u0370-\u03ff\u0400-\u052f\u1e00-\u1eff\u1f00-\u1fff"
    "\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2100-\u214f]*"
)
_LIGATURES = {"ff": "ﬀ", "fi": "ﬁ", "fl": "ﬂ", "ffi": "ﬃ", "ffl": "ﬄ"}
_LIGATURE = re.compile("ff[il]|f[fil]")
_BOLD = 1.08  # against the regular weight, from above, where the viewer's own fonts draw


def covered(character: str, weight: Weight = "regular") -> bool:
    """Whether the bundled font has a glyph for it, or it needs none."""
    return (
        character in metrics(weight).advance
        or character in "\u200c\u200d"
        or "\ufe00" <= character <= "\ufe0f"
    )


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
        text: from `pybadge.badge.text.clean`.
        size: font size, in any unit.
        weight: regular or bold.
        spacing: extra room after each letter, for simple scripts only.
    """
    if text.isascii() or _SIMPLE.fullmatch(text):
        width = _simple_width(glyphs(text, spacing), weight)
        if width is not None:
            return Fit(text, width * size + spacing * len(text), True, False)
    width = 0.0
    # Not sum(), which rounds otherwise from Python 3.12 on: a badge has the same bytes everywhere.
    # (Widths of the font are multiples of 1/2048, whose sums are exact.)
    for cluster in clusters(text):
        width += _cluster_width(cluster)
    width *= size
    if weight == "bold":
        width *= _BOLD
    return Fit(text, width, False, _runs_right_to_left(text))


def _simple_width(drawn: str, weight: Weight) -> float | None:
    """The width in em with kerning; None where the font lacks a character."""
    measures = metrics(weight)
    try:
        width: float = sum(map(measures.advance.__getitem__, drawn))
    except KeyError:
        return None
    # Most pairs have no kerning: filter(None) drops them.
    return width + sum(filter(None, map(measures.kerning.get, map(add, drawn, drawn[1:]))))


def _cluster_width(cluster: str) -> float:
    advance = metrics("regular").advance
    if len(cluster) == 1 and cluster in advance and _SIMPLE.fullmatch(cluster):
        return advance[cluster]
    return cluster_width(cluster, advance)


def _runs_right_to_left(text: str) -> bool:
    for character in text:
        direction = unicodedata.bidirectional(character)
        if direction in ("R", "AL"):
            return True
        if direction == "L":
            return False
    return False
