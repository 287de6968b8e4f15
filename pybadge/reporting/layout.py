"""Labelled lines for a place of a certain width and colours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

__all__ = ["UNPAINTED", "Palette", "labelled"]


def _unpainted(text: str, colour: str) -> str:
    return text


@dataclass(frozen=True, slots=True)
class Palette:
    """What a place to print on can show.

    Attributes:
        paint: gives a text a colour: (text, name of the colour) -> text.
        unicode: whether the place has the icons' characters.
        width: its columns; None where lines may have any length.
    """

    paint: Callable[[str, str], str] = _unpainted
    unicode: bool = True
    width: int | None = None


UNPAINTED = Palette()
_LONGEST_WORD = 400
_DEEPEST = 6  # the indent of a text with a word that fits nowhere else, such as a hash


def labelled(label: str, text: str, indent: int, palette: Palette = UNPAINTED) -> Iterator[str]:
    """A label and its text, which goes on under itself where it is wrapped.

    Args:
        label: what stands before the text, with its colours, as wide as ``indent`` or less.
        text: one line, escaped for the place.
        indent: the columns before the text.
        palette: what the place can show.
    """
    if palette.width is None:
        yield f"{label}{text}".rstrip()
        return
    longest = max((_columns(word) for word in text.split()), default=0)
    if label and longest > palette.width - indent:
        yield label.rstrip()
        indent = min(indent, _DEEPEST)
        label = " " * indent
    for number, line in enumerate(_wrapped(text, palette.width - indent)):
        yield f"{' ' * indent if number else label}{line}".rstrip()


def _columns(word: str) -> int:
    """The columns of a word. One too long for any line is only counted: to measure a run of flags
    takes the square of its length."""
    from wcwidth import width

    return len(word) if len(word) > _LONGEST_WORD else width(word)


def _wrapped(text: str, columns: int) -> Iterator[str]:
    """The lines of a text. A word that is too long for one keeps its own, whole, so that it can be
    copied; and libraries that break such words take the square of their length."""
    line, used = "", 0
    for word in text.split():
        needed = _columns(word)
        if line and used + 1 + needed > columns:
            yield line
            line, used = word, needed
        else:
            line = f"{line} {word}" if line else word
            used += needed + (used > 0)
    yield line
