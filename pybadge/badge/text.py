"""Texts for a badge: cleaned, elided, and broken into lines of a width."""

from __future__ import annotations

import re
import unicodedata

from pybadge.badge.drawing import Fit, Weight
from pybadge.badge.fonts.clusters import clusters
from pybadge.badge.fonts.metrics import fit
from pybadge.escape.lines import one_line

__all__ = ["ELLIPSIS", "MAX_CLUSTERS", "clean", "elide", "shorten", "wrap"]

ELLIPSIS = "…"
MAX_CLUSTERS = 100
# The whole text stands in the title: a megabyte of it would make a badge that no page can bear.
_LONGEST = 4_000
# A cluster may carry any number of combining marks; beyond this many they are dropped from the
# drawing.
_MAX_MARKS = 8
# What needs no cleaning: printable ASCII with single blanks inside.
_TAME = re.compile("[!-~]+(?: [!-~]+)*")


def clean(text: str) -> str:
    """One line of text in NFC, without anything hostile or illegal in XML (see
    `pybadge.escape.one_line`)."""
    if len(text) > _LONGEST:
        text = text[:_LONGEST] + ELLIPSIS
    if _TAME.fullmatch(text):
        return text
    return unicodedata.normalize("NFC", one_line(text))


def elide(text: str, limit: int = MAX_CLUSTERS) -> str:
    """The text itself, or where it has more than ``limit`` grapheme clusters its beginning and an
    ellipsis."""
    if len(text) <= limit and (len(text) <= _MAX_MARKS or text.isascii()):
        return text
    found = clusters(text)
    if not text.isascii():
        found = [_with_few_marks(cluster) for cluster in found]
    if len(found) <= limit:
        return "".join(found)
    return "".join(found[: limit - 1]).rstrip() + ELLIPSIS


def _with_few_marks(cluster: str) -> str:
    # Twice as many: an emoji of a family has more characters than any letter has marks.
    return cluster if len(cluster) <= 2 * _MAX_MARKS else cluster[:_MAX_MARKS]


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
