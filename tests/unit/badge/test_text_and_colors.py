"""Text: widths from the fonts, scripts, elision. Colours: contrast of every built-in pair."""

from __future__ import annotations

import io
import itertools
import json
import subprocess
import sys
import unicodedata
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest
from fontTools.ttLib import TTFont

import pybadge
from pybadge.badge import FACTS, STATES, STYLES, BadgeOptions, badge_of, colors
from pybadge.badge.drawing import Disc, Drawing, Rect, Text
from pybadge.badge.fonts.data import font_bytes, metrics
from pybadge.badge.fonts.metrics import covered, fit
from pybadge.badge.model import Fact
from pybadge.badge.styles import layout
from pybadge.badge.styles.card import shortened_authors
from pybadge.badge.text import clean, elide, shorten, wrap
from pybadge.errors import UsageError
from tests.support.data import RECORD, ROOT

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("weight", ["regular", "bold"])
def test_the_width_table_is_the_fonts_own(weight: Any) -> None:
    font = TTFont(io.BytesIO(font_bytes(weight)))
    unit = font["head"].unitsPerEm
    found = {chr(code): font["hmtx"][name][0] / unit for code, name in font.getBestCmap().items()}
    assert metrics(weight).advance == found


def test_the_font_tool_writes_what_is_committed() -> None:
    """The kerning too: the bold source font is a Debian file, so only the tables are made again
    here."""
    import importlib.machinery
    import importlib.util

    loader = importlib.machinery.SourceFileLoader(
        "font_data_tool", str(ROOT / "tools" / "font-data")
    )
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    tool = importlib.util.module_from_spec(spec)
    loader.exec_module(tool)
    committed = json.loads((tool.FONTS / "widths.json").read_text())
    for weight, name in {"regular": "DejaVuSans.ttf", "bold": "DejaVuSans-Bold.subset.ttf"}.items():
        font = TTFont(tool.FONTS / name)
        assert committed[weight]["runs"] == tool.widths(font)["runs"]
    assert committed["regular"]["kerning"]["LW"] == -188


def test_drawing_svg_loads_no_heavy_library() -> None:
    code = """
import sys, pybadge
report = pybadge.verify(pybadge.load(sys.argv[1]))
pybadge.badge_svg(report)
pybadge.badge_svg(report, style="card")
print(*(name for name in sys.argv[2:] if name in sys.modules))
"""
    heavy = ("PIL", "qrcode", "wcwidth", "fontTools", "jinja2", "requests")
    done = subprocess.run(
        [sys.executable, "-c", code, str(RECORD), *heavy],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == []


@pytest.mark.parametrize(
    ("text", "simple", "rtl"),
    [
        ("XR2UHLWN", True, False),
        ("Zażółć gęślą jaźń", True, False),
        ("Ελληνικά", True, False),
        ("Русский", True, False),
        ("中文", False, False),
        ("日本語かな", False, False),
        ("한국어", False, False),
        ("مرحبا", False, True),
        ("שלום abc", False, True),
        ("123 שלום", False, True),
        ("abc שלום", False, False),
        ("हिन्दी", False, False),
        ("ไทย", False, False),
        ("👩‍👩‍👧", False, False),
    ],
)
def test_text_length_only_where_letters_may_be_moved(
    verified: Any, text: str, simple: bool, rtl: bool
) -> None:
    measured = fit(text, 11)
    assert (measured.simple, measured.rtl) == (simple, rtl)
    root = ElementTree.fromstring(pybadge.badge_svg(verified, message=text))
    element = list(root.iter(f"{SVG}text"))[1]
    assert ("textLength" in element.attrib) == simple
    assert element.attrib.get("direction") == ("rtl" if rtl else None)


def test_text_is_nfc_and_without_what_xml_or_a_reader_can_not_bear() -> None:
    assert clean("e\u0301") == "é"
    assert clean("a\x00b\x1bc\u202ed\ufffee\ud800") == "a\ufffdb\ufffdc\ufffdd\ufffde\ufffd"
    assert clean("  a \n\t b\u2028c ") == "a b c"
    assert clean("نی\u200cم") == "نی\u200cم", "Persian needs its joiners"
    for text in ("a\u0301\u0302", "ﷺ", "Å", "ﬁ"):
        assert unicodedata.is_normalized("NFC", clean(text))


def test_at_most_a_hundred_clusters_then_an_ellipsis_and_the_whole_in_the_title(
    verified: Any,
) -> None:
    for piece in ("x", "é", "👩‍👩‍👧", "की", "👍🏽", "🇵🇱"):
        text = piece * 150
        assert elide(text) == piece * 99 + "…"
        assert elide(piece * 100) == piece * 100
        root = ElementTree.fromstring(pybadge.badge_svg(verified, message=text))
        assert text in (root[0].text or "")
        assert list(root.iter(f"{SVG}text"))[1].text == piece * 99 + "…"


def test_shorten_and_wrap_stay_within_their_room() -> None:
    texts = [
        "short",
        "one two three four five six seven",
        "W" * 60,
        "漢字" * 30,
        "a " * 60,
        "é" * 80,
        "x" * 20 + " y" * 30,
    ]
    for text, room in itertools.product(texts, (30.0, 80.0, 200.0)):
        assert shorten(text, room, 11).width <= room
        lines = wrap(text, room, 11, 2)
        assert 1 <= len(lines) <= 2
        assert all(line.width <= room for line in lines)
    assert [line.text for line in wrap("one two three", 50, 11, 3)] == ["one two", "three"]


def test_authors_are_shortened_and_counted() -> None:
    assert shortened_authors("Ada Lovelace", 300, 11) == "Ada Lovelace"
    many = ", ".join(f"Author Number{i}" for i in range(30))
    text = shortened_authors(many, 250, 11)
    assert text.startswith("Author Number0")
    assert text.endswith(" more")
    shown, rest = text.rsplit(" + ", 1)
    assert len(shown.split(", ")) + int(rest.split()[0]) == 30
    assert fit(text, 11).width <= 250


def test_a_glyph_that_the_font_lacks_is_known() -> None:
    assert covered("A")
    assert covered("م")
    assert not covered("中")
    assert covered("\ufe0f"), "a variation selector draws nothing"


def mixed(color: str, other: str, share: float) -> str:
    """A colour with a share (0 to 1) of another painted over it."""
    channels = zip(colors.rgb(color), colors.rgb(other), strict=True)
    red, green, blue = (round(a + (b - a) * share) for a, b in channels)
    return f"#{red:02x}{green:02x}{blue:02x}"


def is_inside(shape: object, x: float, y: float) -> bool:
    """Whether a shape that texts stand on covers a point."""
    if isinstance(shape, Rect):
        across = shape.x <= x <= shape.x + shape.width
        return across and shape.y <= y <= shape.y + shape.height
    if isinstance(shape, Disc):
        return (x - shape.x) ** 2 + (y - shape.y) ** 2 <= shape.radius**2
    return False


def grounds(drawing: Drawing, text: Text, dark: bool) -> set[str]:
    """The colours behind a text, every shade of a shaded part on its own."""
    top, bottom = text.baseline - text.size * 0.73, text.baseline
    middle = text.x + text.room / 2
    found = set()
    for y in (top + 0.1, (top + bottom) / 2, bottom - 0.1):
        color = ""
        for shape in drawing.shapes:
            if is_inside(shape, middle, y):
                paint = shape.ink.dark if dark else shape.ink.light
                opacity = getattr(shape, "opacity", 1.0)
                color = mixed(color, paint, opacity) if color else paint
        assert color, "a text stands on something"
        found.add(color)
    return found


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("dark", [False, True])
def test_every_built_in_pair_reaches_aa(by_state: dict[str, Any], style: str, dark: bool) -> None:
    seen = 0
    for state in STATES:
        options = BadgeOptions(facts=FACTS, date="2026-11-30", style=style, word=True)
        badge = badge_of(by_state[state], options)
        valid = Fact("anchored", "anchored", claimed=False)
        drawing = layout(replace(badge, facts=(*badge.facts, valid)), options)
        for shape in drawing.shapes:
            if isinstance(shape, Text):
                ink = shape.ink.dark if dark else shape.ink.light
                for ground in grounds(drawing, shape, dark):
                    ratio = colors.contrast(ink, ground)
                    assert ratio >= 4.5, (
                        style,
                        state,
                        shape.fit.text,
                        ink,
                        ground,
                        round(ratio, 2),
                    )
                    seen += 1
    assert seen >= 15


def test_text_is_white_or_near_black_whichever_contrasts_better() -> None:
    for value in range(0, 0x1000, 7):
        color = f"#{value:03x}"
        chosen = colors.readable_on(color)
        assert chosen in (colors.WHITE, colors.BLACK)
        assert colors.contrast(chosen, color) == max(
            colors.contrast(ink, color) for ink in (colors.WHITE, colors.BLACK)
        )
        assert colors.contrast(chosen, color) >= 4.3, (
            "there is no colour on which neither can be read"
        )
    for name, color in colors.NAMES.items():
        assert colors.contrast(colors.readable_on(color), color) >= 4.5, name


def test_contrast_is_wcags() -> None:
    assert colors.contrast("#fff", "#000") == pytest.approx(21)
    assert colors.contrast("#777", "#fff") == pytest.approx(4.48, abs=0.01)


def test_colours_are_read_by_name_and_hex() -> None:
    assert colors.parse_color("Teal") == "#0b6e75"
    assert colors.parse_color("ABCDEF") == "#abcdef"
    assert colors.parse_color("#aabbcc") == "#abc"
    for wrong in ("", "#12", "#ggg", "rgb(1,2,3)", "#fff\n", "＃fff", "#１２３", 'red"', None, 5):
        with pytest.raises(UsageError, match="color: invalid choice"):
            colors.parse_color(wrong)  # type: ignore[arg-type]


def test_a_chosen_colour_reaches_the_badge(verified: Any) -> None:
    svg = pybadge.badge_svg(verified, color="yellow", label_color="#123")
    assert 'fill="#e3b341"' in svg
    assert 'fill="#123"' in svg
    assert "#0f1419" in svg, "near-black on yellow"
