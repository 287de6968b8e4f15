"""The SVG painter.

What it writes can be put into a page as it is: no ids, no filters, no gradients, no styles (but in
the ``auto`` theme, which has no other way to ask the viewer), no scripts, no references; numbers
with a dot and at most one decimal in any locale.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from pybadge.badge import bar
from pybadge.badge.colors import Ink
from pybadge.badge.drawing import Disc, Drawing, Modules, Rect, Ring, Shape, Stroke, Text
from pybadge.badge.model import Badge, State
from pybadge.badge.options import DEFAULT_LOOK, Look
from pybadge.badge.styles import factor, layout
from pybadge.badge.text import Fit

if TYPE_CHECKING:
    import jinja2


__all__ = ["FAMILY", "paint_svg"]

FAMILY = "DejaVu Sans,Verdana,sans-serif"

# Numbers from here on stand for the message's width in a frame; no badge is so wide.
_MARKED = 60_000.0
_MESSAGE, _TITLE, _EXACT, _OPEN, _CLOSE = "\ue000", "\ue001", "\ue002", "\ue003", "\ue004"
_RESERVED = re.compile("[\ue000-\ue004]")
_GAPS = f"([{_MESSAGE}{_TITLE}{_EXACT}])"


@lru_cache(maxsize=1)
def environment() -> jinja2.Environment:
    """The template engine, with escaping switched on for every template whatever its file's
    ending."""
    import jinja2

    made = jinja2.Environment(
        loader=jinja2.PackageLoader("pybadge.badge"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
    )
    made.globals["attributes"] = _attributes
    return made


def _attributes(pairs: Iterable[tuple[str, Any]]) -> Any:
    return Markup("").join(Markup(' {}="{}"').format(name, value) for name, value in pairs)


def number(value: float) -> str:
    """A length with a dot and at most one decimal, whatever the locale."""
    if value >= _MARKED:
        return f"{_OPEN}{value!r}{_CLOSE}"
    text = f"{value:.1f}"
    text = text[:-2] if text.endswith(".0") else text
    return "0" if text == "-0" else text


@dataclass(frozen=True, slots=True)
class Element:
    """One SVG element; text is None for an empty one."""

    tag: str
    attributes: tuple[tuple[str, str], ...]
    text: str | None = None

    def without(self, attribute: tuple[str, str]) -> Element:
        """The same element, where it has that attribute without it."""
        if attribute not in self.attributes:
            return self
        return Element(
            self.tag, tuple(pair for pair in self.attributes if pair != attribute), self.text
        )


def paint_svg(badge: Badge, look: Look = DEFAULT_LOOK) -> str:
    """The badge as an SVG document.

    Args:
        badge: what to draw.
        look: how.

    Raises:
        UsageError: the look asks for a QR code, but the badge has no full number.
    """
    # Most badges differ from the last one in message and title alone: their frame is rendered once.
    if (
        look.frames
        and not badge.facts
        and badge.message != badge.word
        and not _RESERVED.search(badge.label)
    ):
        measured = bar.fit_message(badge.message, bar.STYLES[look.style])
        if measured.simple:
            return _frame(look, badge.label, badge.state, badge.date, badge.ours).fill(
                measured, badge.title
            )
    return render(badge, look)


def render(badge: Badge, look: Look) -> str:
    """The badge as SVG, all of it laid out and rendered by the template."""
    drawing = layout(badge, look)
    return _write(drawing, badge.title, badge.link if look.link else None, look)


def _write(drawing: Drawing, title: str, link: str | None, look: Look) -> str:
    painter = _Painter(look)
    elements = painter.elements(drawing)
    times = factor(drawing, look)
    root = [("width", number(drawing.width * times)), ("height", number(drawing.height * times))]
    if times != 1:
        root.append(("viewBox", f"0 0 {number(drawing.width)} {number(drawing.height)}"))
    root += [("role", "img"), ("aria-label", title)]
    # What elements share stands on a group, not on the root: rules for `svg` are common in the
    # style sheets of pages.
    fills = [value for element in elements for name, value in element.attributes if name == "fill"]
    fill = max(sorted(set(fills)), key=fills.count)
    group = [("fill", fill)]
    if any(isinstance(shape, Text) for shape in drawing.shapes) and not look.text_as_paths:
        group += [("font-family", FAMILY), ("font-size", number(painter.font_size))]
    elements = [element.without(("fill", fill)) for element in elements]
    return (
        environment()
        .get_template("badge.svg")
        .render(
            root=root, title=title, css=painter.css(), link=link, group=group, elements=elements
        )
    )


class _Painter:
    """Turns the shapes of one drawing into elements, and collects the rules of the ``auto``
    theme."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.rules: dict[str, str] = {}
        self.font_size = 11.0

    def elements(self, drawing: Drawing) -> list[Element]:
        sizes = [shape.size for shape in drawing.shapes if isinstance(shape, Text)]
        self.font_size = (
            max(set(sizes), key=lambda size: (sizes.count(size), size)) if sizes else 11.0
        )
        return [self.element(shape) for shape in drawing.shapes]

    def css(self) -> str:
        if not self.rules:
            return ""
        rules = "".join(f".{name}{{{rule}}}" for name, rule in self.rules.items())
        return f"@media(prefers-color-scheme:dark){{{rules}}}"

    def paint(self, ink: Ink, property: str = "fill") -> list[tuple[str, str]]:
        """The attributes that give a shape its colour."""
        if self.look.theme != "auto":
            return [(property, ink.dark if self.look.theme == "dark" else ink.light)]
        if ink.light == ink.dark:
            return [(property, ink.light)]
        # Class names are global where several badges share a page: the name is a digest of the
        # rule, so that equal names always mean equal rules.
        rule = f"{property}:{ink.dark}"
        name = "p" + hashlib.sha256(rule.encode("ascii")).hexdigest()[:6]
        self.rules[name] = rule
        return [(property, ink.light), ("class", name)]

    def element(self, shape: Shape) -> Element:
        if isinstance(shape, Rect):
            return self._rect(shape)
        if isinstance(shape, Disc):
            circle = (("cx", number(shape.x)), ("cy", number(shape.y)), ("r", number(shape.radius)))
            return Element("circle", (*circle, *self.paint(shape.ink)))
        if isinstance(shape, Ring):
            return self._ring(shape)
        if isinstance(shape, Stroke):
            return self._stroke(shape)
        if isinstance(shape, Modules):
            return self._modules(shape)
        return self._text(shape)

    def _rect(self, shape: Rect) -> Element:
        extra = [("opacity", number(shape.opacity))] if shape.opacity != 1 else []
        x, y, width, height = shape.x, shape.y, shape.width, shape.height
        if len(set(shape.radii)) == 1:
            place = [("x", number(x))] if x else []
            place += [("y", number(y))] if y else []
            size = [("width", number(width)), ("height", number(height))]
            corner = [("rx", number(shape.radii[0]))] if shape.radii[0] else []
            return Element("rect", (*place, *size, *corner, *self.paint(shape.ink), *extra))
        tl, tr, br, bl = shape.radii
        corners = [
            f"a{number(r)} {number(r)} 0 0 1{dx}{number(r)}{dy}{number(r)}" if r else ""
            for r, dx, dy in ((tr, " ", " "), (br, "-", " "), (bl, "-", "-"), (tl, " ", "-"))
        ]
        d = (
            f"M{number(x + tl)} {number(y)}h{number(width - tl - tr)}{corners[0]}v{number(height - tr - br)}"
            f"{corners[1]}H{number(x + bl)}{corners[2]}"
            + (f"v-{number(height - bl - tl)}{corners[3]}" if tl else "")
            + "z"
        )
        return Element("path", (("d", d), *self.paint(shape.ink), *extra))

    def _ring(self, shape: Ring) -> Element:
        circle = [
            ("cx", number(shape.x)),
            ("cy", number(shape.y)),
            ("r", number(shape.radius)),
            ("fill", "none"),
        ]
        dashes = []
        if shape.gap:
            dashes.append(("stroke-dasharray", f"{number(shape.dash)} {number(shape.gap)}"))
            if shape.shift:
                dashes.append(("stroke-dashoffset", number(shape.shift)))
            if shape.round:
                dashes.append(("stroke-linecap", "round"))
        stroke = [("stroke-width", number(shape.stroke))]
        return Element("circle", (*circle, *self.paint(shape.ink, "stroke"), *stroke, *dashes))

    def _stroke(self, shape: Stroke) -> Element:
        (x, y), *rest = shape.points
        d = f"M{number(x)} {number(y)}L" + " ".join(f"{number(px)} {number(py)}" for px, py in rest)
        look = (
            ("fill", "none"),
            *self.paint(shape.ink, "stroke"),
            ("stroke-width", number(shape.stroke)),
        )
        ends = (("stroke-linecap", "round"), ("stroke-linejoin", "round"))
        return Element("path", (("d", d), *look, *(ends if len(rest) > 1 else ends[:1])))

    def _modules(self, shape: Modules) -> Element:
        from pybadge.badge.qr import path

        d, dashes = path(shape.rows)
        place = f"translate({number(shape.x)} {number(shape.y)})scale({shape.unit})"
        look = (("fill", "none"), *self.paint(shape.ink, "stroke"), ("stroke-dasharray", dashes))
        return Element(
            "path", (("d", d), *look, ("transform", place), ("shape-rendering", "crispEdges"))
        )

    def _text(self, shape: Text) -> Element:
        if self.look.text_as_paths:
            from pybadge.badge.fonts.outlines import outline

            return Element(
                "path", (("d", outline(shape)), *self.paint(shape.ink), ("transform", "scale(.1)"))
            )
        measured = shape.fit
        place = [("x", number(shape.x)), ("y", number(shape.baseline))]
        if measured.simple:
            place.append(("textLength", number(measured.width)))
            if shape.spacing:
                place.append(("letter-spacing", number(shape.spacing)))
        else:
            place[0] = ("x", number(shape.x + shape.room / 2))
            place.append(("text-anchor", "middle"))
            if measured.rtl:
                place.append(("direction", "rtl"))
        if shape.size != self.font_size:
            place.append(("font-size", number(shape.size)))
        if shape.weight == "bold":
            place.append(("font-weight", "700"))
        return Element("text", (*place, *self.paint(shape.ink)), measured.text)


class _Frame:
    """A rendered badge with gaps for message and title.

    It comes out of the same template and the same layout as any other badge: the message is a mark
    and its width a number that no badge has; what is linear in it is then filled in. Texts are
    escaped as the template would.
    """

    def __init__(self, rendered: str, base: float) -> None:
        self.base = base
        self.rendered = rendered
        # The texts between the gaps, by the message's width in whole units: there are few, and this
        # is where time goes.
        self.literals: dict[int, list[str]] = {}
        self.gaps = re.findall(_GAPS, self._of_width(0))

    def _of_width(self, box: int) -> str:
        """The frame with every number filled in that depends on the message's width in whole
        units."""

        def filled(match: re.Match[str]) -> str:
            offset = float(match[1]) - self.base
            return _EXACT if offset < 0 else number(box + offset)

        return re.sub(f"{_OPEN}([^{_CLOSE}]*){_CLOSE}", filled, self.rendered)

    def fill(self, message: Fit, title: str) -> str:
        box = ceil(message.width)
        pieces = self.literals.get(box)
        if pieces is None:
            if len(self.literals) >= 64:
                self.literals.clear()
            pieces = self.literals[box] = re.split(_GAPS, self._of_width(box))
        values = {
            _TITLE: str(escape(title)),
            _MESSAGE: str(escape(message.text)),
            _EXACT: number(message.width),
        }
        filled = [pieces[0]]
        for gap, piece in zip(self.gaps, pieces[2::2], strict=True):
            filled += (values[gap], piece)
        return "".join(filled)


@lru_cache(maxsize=64)
def _frame(look: Look, label: str, state: State, date: str | None, ours: bool) -> _Frame:
    badge = Badge(label, _MESSAGE, state, _TITLE, date=date, ours=ours)
    drawing = bar.bar(badge, look, message=Fit(_MESSAGE, _MARKED + 0.5, True, False))
    return _Frame(_write(drawing, _TITLE, None, look), _MARKED + 1)
