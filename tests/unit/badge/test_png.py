"""PNG: the same drawing, its density, palette and corners, the bundled font alone, and memory."""

from __future__ import annotations

import io
import os
import struct
import subprocess
import sys
import warnings
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import resvg_py
from PIL import Image, ImageChops, ImageStat

import pybadge
from pybadge.badge import RENDERERS, STYLES, badge_of
from pybadge.badge.fonts import data, pillow
from pybadge.badge.render import png_pillow
from pybadge.badge.render.png_pillow import MissingGlyphWarning, _Canvas, with_density
from pybadge.badge.styles import layout
from pybadge.checks import Report
from pybadge.errors import UsageError
from tests.support.command import HANG
from tests.support.data import RECORD, ROOT


def opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png))


def on_black(image: Image.Image) -> Image.Image:
    """What a black page shows of a picture."""
    clear = image.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", clear.size, "black"), clear).convert("RGB")


def chunks(png: bytes) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    position = 8
    while position < len(png):
        length, kind = struct.unpack(">I4s", png[position : position + 8])
        found.setdefault(kind.decode(), png[position + 8 : position + 8 + length])
        position += length + 12
    return found


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("scale", [1, 2, 8])
def test_png_is_the_svg_at_a_scale_and_says_its_density(
    verified: Report, style: str, scale: int
) -> None:
    png = pybadge.badge_png(verified, style=style, scale=scale)
    root = ElementTree.fromstring(pybadge.badge_svg(verified, style=style))
    size = tuple(round(float(root.attrib[name]) * scale) for name in ("width", "height"))
    assert opened(png).size == size
    per_metre = round(96 * scale / 0.0254)
    x, y, unit = struct.unpack(">IIB", chunks(png)["pHYs"])
    assert (unit, abs(x - per_metre) <= 1, abs(y - per_metre) <= 1) == (1, True, True)


def test_there_are_two_pixels_a_unit_by_default(verified: Report) -> None:
    assert pybadge.badge_png(verified) == pybadge.badge_png(verified, scale=2)


def test_bars_have_a_palette(verified: Report) -> None:
    for style in ("flat", "flat-square", "for-the-badge", "mono"):
        image = opened(pybadge.badge_png(verified, style=style))
        assert image.mode == "P", style
        assert len(pybadge.badge_png(verified, style=style)) < 3000
    for style in STYLES:
        assert opened(pybadge.badge_png(verified, style=style)).mode in ("P", "RGBA")


def test_a_palette_changes_no_pixel(verified: Report) -> None:
    before = _Canvas(layout(badge_of(verified)), 2, dark=False).paint()
    after = opened(pybadge.badge_png(verified)).convert("RGBA")
    for x in range(before.width):
        for y in range(before.height):
            assert before.getpixel((x, y)) == after.getpixel((x, y))


def test_letters_blend_and_corners_are_clear(verified: Report) -> None:
    for theme in ("light", "dark"):
        image = opened(pybadge.badge_png(verified, theme=theme, scale=4)).convert("RGBA")
        alpha = image.getchannel("A")
        width, height = image.size
        for corner in ((0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)):
            assert alpha.getpixel(corner) == 0
        inner = alpha.crop((16, 0, width - 16, height))
        assert inner.getextrema() == (255, 255), "no letter makes a hole"
        # Along a corner's edge the colour stays that of the fill: no dark or light fringe.
        fill = image.getpixel((0, height // 2))[:3]  # type: ignore[index]
        for x in range(16):
            for y in range(16):
                red, green, blue, opacity = image.getpixel((x, y))  # type: ignore[misc]
                if opacity:
                    assert (red, green, blue) == fill
        steps = {alpha.getpixel((x, y)) for x in range(16) for y in range(16)}
        assert len(steps) > 4, "the corner is smooth"


def test_text_is_a_mix_of_ink_and_ground(verified: Report) -> None:
    image = opened(pybadge.badge_png(verified)).convert("RGBA").convert("RGB")
    message = image.crop((110, 0, image.width - 10, image.height))
    ground, ink = (0x1A, 0x7F, 0x41), (255, 255, 255)
    for _, color in message.getcolors(1 << 16):
        shares = [
            (value - low) / (high - low)
            for value, low, high in zip(color, ground, ink, strict=True)
        ]
        assert max(shares) - min(shares) < 0.03, color


def test_a_character_without_a_glyph_is_named(verified: Report) -> None:
    with pytest.warns(MissingGlyphWarning, match="U\\+4E2D CJK UNIFIED IDEOGRAPH-4E2D"):
        png = pybadge.badge_png(verified, message="中")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        replaced = pybadge.badge_png(verified, message="Ünïcödé Ελλ Рус")
    assert len(replaced) > 500
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = pybadge.badge_png(verified, message="文")
    assert opened(png).tobytes() == opened(other).tobytes(), "both are U+FFFD"
    assert ink_in_message(png) > 20, "it is drawn, not left blank"


def ink_in_message(png: bytes) -> int:
    """How many pixels of the message's part are nearly white."""
    image = opened(png).convert("RGBA").convert("L")
    return sum(image.crop((128, 0, image.width, image.height)).histogram()[200:])


def test_other_scripts_that_the_font_has_are_drawn(verified: Report) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "this Pillow can't shape")
        for text in ("مرحبا", "שלום", "ქართული", "Հայերեն"):
            assert ink_in_message(pybadge.badge_png(verified, message=text)) > 40, text


def test_without_a_shaper_the_warning_says_what_to_do(
    verified: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(png_pillow.features, "check", lambda name: False)
    with pytest.warns(MissingGlyphWarning, match=r"pith-badge\[raster\]"):
        pybadge.badge_png(verified, message="مرحبا")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pybadge.badge_png(verified, message="ქართული")


def test_resvg_draws_the_same(verified: Report) -> None:
    for style in STYLES:
        for theme in ("light", "dark", "auto"):
            ours = on_black(opened(pybadge.badge_png(verified, style=style, theme=theme)))
            theirs = on_black(
                opened(pybadge.badge_png(verified, style=style, theme=theme, renderer="resvg"))
            )
            assert ours.size == theirs.size
            # It puts no letter spacing after the last letter, so that the others move apart a
            # little.
            limit = 12 if style == "for-the-badge" else 6
            assert max(ImageStat.Stat(ImageChops.difference(ours, theirs)).mean) < limit, (
                style,
                theme,
            )
    shaped = pybadge.badge_png(verified, message="مرحبا", renderer="resvg")
    assert ink_in_message(shaped) > 40


def test_a_renderer_that_is_not_installed_or_unknown_is_said_so(
    verified: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(
        UsageError, match=r"renderer: invalid choice: 'cairo' \(choose from pillow, resvg\)"
    ):
        pybadge.badge_png(verified, renderer="cairo")
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(UsageError, match=r"pip install 'pith-badge\[raster\]'"):
        pybadge.badge_png(verified, renderer="resvg")


@pytest.mark.parametrize("renderer", RENDERERS)
@pytest.mark.parametrize("scale", [0, 17, -1, 0.5, 1.5, 2.0, "2", True, float("nan"), 10**30])
def test_a_scale_that_no_png_can_have_is_refused(
    verified: Report, scale: Any, renderer: str
) -> None:
    with pytest.raises(UsageError, match=r"the scale .*must be a .*number"):
        pybadge.badge_png(verified, scale=scale, renderer=renderer)


@pytest.mark.parametrize("renderer", RENDERERS)
def test_what_only_an_svg_can_have_is_refused(verified: Report, renderer: str) -> None:
    with pytest.raises(UsageError, match="a height is for SVG"):
        pybadge.badge_png(verified, height=40, renderer=renderer)
    with pytest.raises(UsageError, match="a link is for SVG"):
        pybadge.badge_png(verified, link=True, renderer=renderer)


_OPENED = """
import sys
opened = []
def note(event, arguments):
    if event == "open":
        opened.append(str(arguments[0]))
sys.addaudithook(note)
sys.path.insert(0, sys.argv[1])
import pybadge, warnings
report = pybadge.verify(pybadge.load(sys.argv[2]))
del opened[:]
png = pybadge.badge_png(report, style=sys.argv[3])
sys.stdout.buffer.write(png)
ENDINGS = (".ttf", ".otf", ".ttc", ".pfb", ".conf")
fonts = [path for path in opened if path.lower().endswith(ENDINGS)]
print("\\n".join(fonts), file=sys.stderr)
print(pybadge.__file__, file=sys.stderr)
"""


def drawn_elsewhere(
    path: str, *prefix: str, style: str = "flat", **environment: str
) -> tuple[bytes, list[str]]:
    """Draw a badge in a process of its own, and tell which fonts it opened and where pybadge came
    from."""
    done = subprocess.run(
        [*prefix, sys.executable, "-c", _OPENED, path, str(RECORD), style],
        env={**os.environ, **environment},
        capture_output=True,
        check=True,
        timeout=120,
    )
    return done.stdout, done.stderr.decode().split()


def test_no_font_of_the_system_is_opened(verified: Report, tmp_path: Path) -> None:
    for style in STYLES:
        png, said = drawn_elsewhere(
            str(ROOT), style=style, FONTCONFIG_FILE="/nonexistent", HOME=str(tmp_path)
        )
        assert png == pybadge.badge_png(verified, style=style)
        assert said[:-1], "the bundled font is opened"
        assert all(path.startswith(str(ROOT / "pybadge" / "badge" / "fonts")) for path in said[:-1])


def test_the_font_is_loaded_out_of_a_zip(verified: Report, tmp_path: Path) -> None:
    archive = tmp_path / "pybadge.zip"
    with zipfile.ZipFile(archive, "w") as target:
        for path in sorted((ROOT / "pybadge").rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                target.write(path, path.relative_to(ROOT))
    png, said = drawn_elsewhere(str(archive))
    assert said[-1].startswith(str(archive)), "it really ran from the archive"
    assert png == pybadge.badge_png(verified)


def test_png_has_text_where_there_are_no_system_fonts(verified: Report, tmp_path: Path) -> None:
    """As in a slim container: the folders of system fonts are empty, by a mount of their own where
    that is allowed."""
    folders = "/usr/share/fonts /usr/local/share/fonts /etc/fonts"
    hide = f'for d in {folders}; do [ -d $d ] && mount -t tmpfs none $d; done; exec "$@"'
    prefix = ["unshare", "--mount", "sh", "-c", hide, "sh"]
    command = [*prefix, "sh", "-c", f"! find {folders} -type f | grep ."]
    allowed = subprocess.run(command, capture_output=True, check=False)
    if allowed.returncode != 0:
        prefix = []  # not root: what is left is a font configuration that knows no folder
    config = tmp_path / "fonts.conf"
    config.write_text("<?xml version='1.0'?><fontconfig></fontconfig>")
    for engine_style in ("flat", "card"):
        png, _ = drawn_elsewhere(
            str(ROOT), *prefix, style=engine_style, FONTCONFIG_FILE=str(config), HOME=str(tmp_path)
        )
        assert png == pybadge.badge_png(verified, style=engine_style)
    assert ink_in_message(pybadge.badge_png(verified)) > 100


def test_ten_thousand_pngs_take_no_more_memory(verified: Report) -> None:
    code = """
import sys, pybadge
report = pybadge.verify(pybadge.load(sys.argv[1]))
def resident():
    for line in open("/proc/self/status"):
        if line.startswith("VmRSS"): return int(line.split()[1])
def draw(start, count):
    for i in range(start, start + count):
        style = ("flat", "mono", "for-the-badge")[i % 3]
        pybadge.badge_png(report, message=f"N{i:07d}", scale=1 + (i % 10 == 0), style=style)
draw(0, 1000)
before = resident()
draw(1000, 10_000)
print(resident() - before)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(RECORD)],
        cwd=ROOT,
        capture_output=True,
        check=True,
        timeout=400,
    )
    assert int(done.stdout) < 10 * 1024, "kB"


def test_fonts_are_loaded_once(verified: Report) -> None:
    pillow.font.cache_clear()
    data.font_bytes.cache_clear()
    for index in range(5):
        pybadge.badge_png(verified, message=f"N{index}")
    assert data.font_bytes.cache_info().misses <= 2
    assert pillow.font.cache_info().misses <= 2


def test_letters_drawn_as_outlines_look_like_the_text(verified: Report) -> None:
    for style in STYLES:
        svg = pybadge.badge_svg(verified, style=style, text_as_paths=True)
        root = ElementTree.fromstring(svg)
        assert not list(root.iter("{http://www.w3.org/2000/svg}text"))
        assert "font" not in svg.replace("</title>", "").replace("MegaScale", "")
    svg = pybadge.badge_svg(verified, text_as_paths=True)
    drawn = opened(
        with_density(
            bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=2, skip_system_fonts=True)), 2
        )
    )
    ours = opened(pybadge.badge_png(verified))
    assert max(ImageStat.Stat(ImageChops.difference(on_black(drawn), on_black(ours))).mean) < 3
    for text in ("中", "مرحبا"):
        with pytest.raises(UsageError, match="can't be drawn as a path"):
            pybadge.badge_svg(verified, message=text, text_as_paths=True)


def test_outlines_need_their_extra_and_say_so() -> None:
    """In a process in which fontTools can't be imported at all, as where it is not installed."""
    code = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "fontTools":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
from pybadge.cli import main
sys.exit(main(["badge", sys.argv[1], "--offline", "--text-as-paths"]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(RECORD)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "pybadge: text as paths needs fonttools: pip install 'pith-badge[paths]'\n"
    )
