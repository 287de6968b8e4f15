"""The few shapes that every badge is made of. Styles return them, painters draw them: one layout
for SVG and PNG.

Lengths are in SVG units: 1 unit is 1 CSS pixel at scale 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from pybadge.badge.colors import Ink

__all__ = [
    "Disc",
    "Drawing",
    "Fit",
    "Modules",
    "Rect",
    "Ring",
    "Rows",
    "Shape",
    "Stroke",
    "Text",
    "Weight",
]

Weight = Literal["regular", "bold"]
Rows: TypeAlias = tuple[tuple[bool, ...], ...]
"""The modules of a QR code, row by row; True is dark."""


@dataclass(frozen=True, slots=True)
class Fit:
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


@dataclass(frozen=True, slots=True)
class Rect:
    """A filled rectangle.

    Attributes:
        radii: of the corners, clockwise from the top left; two that share a side fit on it.
        opacity: 0 to 1.
    """

    x: float
    y: float
    width: float
    height: float
    ink: Ink
    radii: tuple[float, float, float, float] = (0, 0, 0, 0)
    opacity: float = 1.0

    def moved(self, dx: float, dy: float) -> Rect:
        """The same elsewhere."""
        return replace(self, x=self.x + dx, y=self.y + dy)


@dataclass(frozen=True, slots=True)
class Disc:
    """A filled circle."""

    x: float
    y: float
    radius: float
    ink: Ink

    def moved(self, dx: float, dy: float) -> Disc:
        """The same elsewhere."""
        return replace(self, x=self.x + dx, y=self.y + dy)


@dataclass(frozen=True, slots=True)
class Ring:
    """A circle's outline.

    Attributes:
        dash, gap: lengths along the circle of its pieces and of the room between them; 0 for a
            closed ring.
        shift: how far along the circle the pattern is moved back; it begins at three o'clock and
            runs clockwise.
        round: pieces with round ends, which then reach half a stroke beyond ``dash``.
    """

    x: float
    y: float
    radius: float
    stroke: float
    ink: Ink
    dash: float = 0.0
    gap: float = 0.0
    shift: float = 0.0
    round: bool = False

    def moved(self, dx: float, dy: float) -> Ring:
        """The same elsewhere."""
        return replace(self, x=self.x + dx, y=self.y + dy)


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through points, with round ends and corners."""

    points: tuple[tuple[float, float], ...]
    stroke: float
    ink: Ink

    def moved(self, dx: float, dy: float) -> Stroke:
        """The same elsewhere."""
        return Stroke(tuple((x + dx, y + dy) for x, y in self.points), self.stroke, self.ink)


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text.

    Attributes:
        x: its left edge.
        room: the width that was laid out for it.
        baseline: from the top.
        spacing: extra room after each letter, part of ``fit.width``.
    """

    fit: Fit
    x: float
    room: float
    baseline: float
    size: float
    ink: Ink
    weight: Weight = "regular"
    spacing: float = 0.0

    def moved(self, dx: float, dy: float) -> Text:
        """The same elsewhere."""
        return replace(self, x=self.x + dx, baseline=self.baseline + dy)


@dataclass(frozen=True, slots=True)
class Modules:
    """The dark modules of a QR code, without its quiet zone.

    Attributes:
        unit: the size of a module.
    """

    x: float
    y: float
    unit: int
    rows: Rows
    ink: Ink

    def moved(self, dx: float, dy: float) -> Modules:
        """The same elsewhere."""
        return replace(self, x=self.x + dx, y=self.y + dy)


Shape: TypeAlias = Rect | Disc | Ring | Stroke | Text | Modules


@dataclass(frozen=True, slots=True)
class Drawing:
    """A laid-out badge.

    Attributes:
        width, height: of the whole.
        outline: the shapes whose union is the badge's silhouette; nothing is drawn outside it.
        shapes: from back to front.
    """

    width: float
    height: float
    outline: tuple[Shape, ...]
    shapes: tuple[Shape, ...]
